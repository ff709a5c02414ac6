package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// GELU is the Gaussian error linear unit, x·Φ(x) = x/2 · (1 + erf(x/√2)). F16 and
// BF16 are computed in F32 and rounded once. x is a float scalar or tile.
//
// For x far below zero the factor 1 + erf cancels: the error is about 2^-24·|x|
// there, absolute, not relative to the result. That of F16 and BF16 is 2^-22·|x| before they are rounded.
func GELU(x *Value) *Value {
	if e := x.typ.Elem; e == dtype.F16 || e == dtype.BF16 {
		return inF32(x, shortGELU)
	}
	return x.Mul(0.5).Mul(x.Mul(math.Sqrt2 / 2).Erf().Add(1))
}

// shortGELU is GELU as accurate as 16 bits need, with half the arithmetic: max(x, 0) - |x|·Φ(-|x|), by the approximation
// 26.2.17 of Φ in Abramowitz and Stegun, Handbook of Mathematical Functions, which is off by at most 7.5e-8.
func shortGELU(x *Value) *Value {
	size := x.Abs()
	root := size.Mul(0.2316419).Add(1).Rsqrt() // no division
	t := root.Mul(root)
	tail := t.Mul(0.5307027145).Add(-0.7265760135).Mul(t).Add(0.7107068705).Mul(t).Add(-0.142248368).Mul(t).Add(0.127414796).Mul(t)
	tail = tail.Mul(x.Mul(x).Mul(-math.Log2E / 2).Exp2())
	far := size.Ge(16) // infinities among them, no NaN
	return x.Max(0).Sub(far.Not().Select(size.Mul(tail), 0))
}

// GELUTanh is the approximation of GELU by x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³)))
// (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016). F16 and BF16 are
// computed in F32 and rounded once.
func GELUTanh(x *Value) *Value {
	return inF32(x, func(x *Value) *Value {
		inner := x.Mul(x).Mul(0.044715).Add(1).Mul(x).Mul(math.Sqrt(2 / math.Pi))
		return x.Mul(0.5).Mul(inner.Tanh().Add(1))
	})
}

// SiLU is x·sigmoid(x), also called swish. F16 and BF16 are computed in F32 and
// rounded once.
func SiLU(x *Value) *Value {
	return inF32(x, func(x *Value) *Value { return x.Mul(x.Sigmoid()) })
}

// inF32 applies f to x as F32 and returns the result as x's element type.
func inF32(x *Value, f func(*Value) *Value) *Value {
	if e := x.typ.Elem; e == dtype.F16 || e == dtype.BF16 {
		return f(x.Cast(dtype.F32)).Cast(e)
	}
	return f(x)
}
