package tile

import (
	"math"
	mathbits "math/bits"

	"github.com/weftgpu/weft/dtype"
)

// MulHi is the high 32 bits of the product v * x of U32; Mul is the low ones.
func (v *Value) MulHi(x Operand) *Value { return v.binary(OpMulHi, x) }

// integer is a scalar constant of an integer. Constants are float64;
// one of I64 or U64 that float64 does not hold is put together from its halves.
func (k *Builder) integer(elem dtype.Type, n dtype.Number) *Value {
	x := n.Magnitude
	exact := mathbits.Len64(x>>mathbits.TrailingZeros64(x)) <= 53
	limit := uint64(math.MaxUint64)
	switch {
	case elem.IsSigned() && n.Negative:
		limit = 1 << 63
	case elem.IsSigned():
		limit = math.MaxInt64
	case n.Negative:
		limit = 0
	}
	if !elem.IsInt() || elem.Size() < 8 || exact || x > limit {
		return k.Const(elem, n.Float64()) // its rule reports what does not fit
	}
	if n.Negative {
		x = -x
	}
	high := float64(x >> 32)
	if n.Negative {
		high = float64(int64(x) >> 32)
	}
	return k.Const(elem, high).Shl(32).Or(float64(uint32(x)))
}
