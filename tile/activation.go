package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// GELU is the Gaussian error linear unit, x·Φ(x) = x/2 · (1 + erf(x/√2)). F16 and
// BF16 are computed in F32 and rounded once. x is a float scalar or tile.
//
// The error is at most 2^-23, of F64 2^-48, absolute, in addition to the rounding of results above 1, where exponentials are as accurate as those of CUDA.
func GELU(x *Value) *Value {
	return floatsInF32("gelu", x, func(x *Value) *Value {
		if x.typ.Elem == dtype.F64 { // an infinity times 0 would be NaN
			return x.b.Where(x.Lt(-40), 0, x.Mul(0.5).Mul(x.Mul(1/math.Sqrt2).Erf().Add(1)))
		}
		size := x.Abs()
		power := size.FMA(tailPowers[0], tailPowers[1])
		for _, c := range tailPowers[2:] {
			power = power.FMA(size, c)
		}
		far := size.Ge(16) // infinities among them, no NaN
		return x.Maximum(0).Sub(x.b.Where(far.Not(), size.Mul(power.Exp2()), 0))
	})
}

// tailPowers are the coefficients, from that of u^8 on, of a polynomial p near log2 Φ(-u), such that 2^p is within 8e-9 of Φ(-u): a minimax fit on [0, 6]
// by Lawson's algorithm, weighted with Φ(-u); beyond, both fall below that. GELU is max(x, 0) - |x|·Φ(-|x|), in which nothing cancels, and takes
// half the arithmetic of the error function.
var tailPowers = []float64{
	-2.834909764715121e-06, 3.937765723094344e-05, -0.00018618008471094072, -0.00013693672372028232, 0.0070634204894304276,
	-0.052496179938316345, -0.4592081904411316, -1.1511051654815674, -1,
}

// GELUTanh is the approximation of GELU by x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³)))
// (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016). F16 and BF16 are
// computed in F32 and rounded once.
func GELUTanh(x *Value) *Value {
	return floatsInF32("gelu_tanh", x, func(x *Value) *Value {
		inner := x.Mul(x).Mul(0.044715).Add(1).Mul(x).Mul(math.Sqrt(2 / math.Pi))
		return x.Mul(0.5).Mul(inner.Tanh().Add(1))
	})
}

// SiLU is x·sigmoid(x), also called swish. F16 and BF16 are computed in F32 and
// rounded once.
func SiLU(x *Value) *Value {
	return floatsInF32("silu", x, func(x *Value) *Value { return x.Mul(x.Sigmoid()) })
}

// floatsInF32 is inF32 for a function of a name that takes floats alone.
func floatsInF32(name string, x *Value, f func(*Value) *Value) *Value {
	if !x.typ.Elem.IsFloat() {
		x.b.Fail(name, "the operand is %v, want floats", x.typ)
		return x
	}
	return inF32(x, f)
}

// inF32 applies f to x as F32 and returns the result as x's element type.
func inF32(x *Value, f func(*Value) *Value) *Value {
	if e := x.typ.Elem; e == dtype.F16 || e == dtype.BF16 {
		return f(x.Cast(dtype.F32)).Cast(e)
	}
	return f(x)
}
