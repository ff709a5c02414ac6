package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// GELU is the Gaussian error linear unit, x·Φ(x) = x/2 · (1 + erf(x/√2)). F16 and
// BF16 are computed in F32 and rounded once. x is a float scalar or tile.
//
// For x far below zero the factor 1 + erf cancels: the error is about 2^-24·|x|
// there, absolute, not relative to the result.
func GELU(x *Value) *Value {
	return inF32(x, func(x *Value) *Value {
		return x.Mul(0.5).Mul(x.Mul(math.Sqrt2 / 2).Erf().Add(1))
	})
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
