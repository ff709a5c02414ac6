package kernels

import (
	"math/bits"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// divisor is a number by which a kernel divides indices, as three scalars: the number, a factor and a shift. A division is a product then, which takes less time, and it cannot
// trap, so that loads at indices that follow from it run ahead of their iteration (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
type divisor struct{ n, factor, shift *tile.Value }

func newDivisor(k *tile.Builder, name string) divisor {
	return divisor{k.Scalar(name, dtype.I32), k.Scalar(name+"_factor", dtype.U32), k.Scalar(name+"_shift", dtype.U32)}
}

// divide returns quotients and remainders of numbers that are not negative.
func (d divisor) divide(x *tile.Value) (quotient, remainder *tile.Value) {
	word := x.Cast(dtype.U32)
	quotient = word.MulHi(d.factor).Add(word).Shr(d.shift).Cast(dtype.I32)
	return quotient, x.Sub(quotient.Mul(d.n))
}

// Divisor is a number from 1 to 2^31-1 as the scalars of a divisor.
func Divisor(n int) weft.Scalars {
	shift := bits.Len32(uint32(n - 1))
	factor := (uint64(1)<<shift-uint64(n))<<32/uint64(n) + 1
	return weft.Scalars{n, uint32(factor), uint32(shift)}
}
