package tile

import (
	"math"
	mathbits "math/bits"

	"github.com/weftgpu/weft/dtype"
)

// MulHi is the high 32 bits of the product v * x of U32; Mul is the low ones.
func (v *Value) MulHi(x Operand) *Value { return v.binary(OpMulHi, x) }

// exactFloat reports whether a float64 holds an integer.
func exactFloat(x uint64) bool { return mathbits.Len64(x>>mathbits.TrailingZeros64(x)) <= 53 }

// integer is a constant of an integer. Constants are float64;
// one of I64 or U64 that float64 does not hold is put together from its halves.
func (k *Builder) integer(t Type, n dtype.Number) *Value {
	elem, x := t.Elem, n.Magnitude
	limit := uint64(math.MaxUint64)
	switch {
	case elem.IsSigned() && n.Negative:
		limit = 1 << 63
	case elem.IsSigned():
		limit = math.MaxInt64
	case n.Negative:
		limit = 0
	}
	if !elem.IsInt() || elem.Size() < 8 || exactFloat(x) || x > limit {
		return k.constant(t, n.Float64()) // its rule reports what does not fit
	}
	if n.Negative {
		x = -x
	}
	high := float64(x >> 32)
	if n.Negative {
		high = float64(int64(x) >> 32)
	}
	return k.constant(t, high).Shl(32).Or(float64(uint32(x)))
}
