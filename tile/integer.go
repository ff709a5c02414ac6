package tile

import (
	mathbits "math/bits"

	"github.com/weftgpu/weft/dtype"
)

// MulHi is the high 32 bits of the product v * x of U32; Mul is the low ones.
func (v *Value) MulHi(x Operand) *Value { return v.binary(OpMulHi, x) }

// integer is a scalar constant given as the bits of 64 and its sign. Constants are float64;
// one of I64 or U64 that float64 does not hold is put together from its halves.
func (k *Builder) integer(elem dtype.Type, x uint64, negative bool) *Value {
	magnitude, number := x, float64(x)
	if negative {
		magnitude, number = -x, -float64(-x)
	}
	exact := mathbits.Len64(magnitude>>mathbits.TrailingZeros64(magnitude)) <= 53
	fits := negative == (elem.IsSigned() && int64(x) < 0)
	if !elem.IsInt() || elem.Size() < 8 || exact || !fits {
		return k.Const(elem, number) // its rule reports what does not fit
	}
	high := float64(x >> 32)
	if negative {
		high = float64(int64(x) >> 32)
	}
	return k.Const(elem, high).Shl(32).Or(float64(uint32(x)))
}
