package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tile"
)

// composedOps are the functions of the table that are made of several ops of the language. Floats are computed in F32, F64 in F64 by
// those that take it, and rounded once.
var composedOps = []*ElementwiseOp{
	{Name: "is_nan", Inputs: unaryInput, Types: float, Out: weft.Bool, Tiles: unary((*tile.Value).IsNaN), Exact: exactIs(math.IsNaN)},
	{Name: "is_inf", Inputs: unaryInput, Types: float, Out: weft.Bool, Tiles: unary(isInf), Exact: exactIs(infinite)},
	{Name: "is_finite", Inputs: unaryInput, Types: float, Out: weft.Bool, Tiles: unary(isFinite),
		Exact: exactIs(func(x float64) bool { return !math.IsNaN(x) && !infinite(x) })},
	{Name: "sign", Inputs: unaryInput, Types: kernels.Numeric, Tiles: unary(sign), Exact: exact1(exactSign)},
	{Name: "square", Inputs: unaryInput, Types: kernels.Numeric, Tiles: unary(func(x *tile.Value) *tile.Value { return x.Mul(x) }), Exact: exact1(func(x float64) float64 { return x * x })},
	{Name: "reciprocal", Inputs: unaryInput, Types: float, Tiles: inAccumulator(reciprocal), Exact: exact1(func(x float64) float64 { return 1 / x }), Ulps: times(2.5)},
	{Name: "trunc", Inputs: unaryInput, Types: float, Tiles: unary(trunc), Exact: exact1(math.Trunc)},
	{Name: "cbrt", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(cbrt), Exact: exact1(math.Cbrt), Ulps: times(4)},
	{Name: "tan", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(tan), Exact: exact1(math.Tan), Ulps: tanUlps, Abs: 0x1p-20},
	{Name: "asin", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(asin), Exact: exact1(math.Asin), Ulps: times(12), Within: 0.99},
	{Name: "acos", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(acos), Exact: exact1(math.Acos), Ulps: times(12), Within: 0.99},
	{Name: "atan", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(atan), Exact: exact1(math.Atan), Ulps: times(8)},
	{Name: "sinh", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(sinh), Exact: exact1(math.Sinh), Ulps: times(50), Abs: 0x1p-23, Within: 10},
	{Name: "cosh", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(cosh), Exact: exact1(math.Cosh), Ulps: times(50), Within: 10},
	{Name: "asinh", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(asinh), Exact: exact1(math.Asinh), Ulps: times(16), Abs: 0x1p-19},
	{Name: "acosh", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(acosh), Exact: exact1(math.Acosh), Ulps: times(16), Abs: 0x1p-19, Above: 1.01},
	{Name: "atanh", Inputs: unaryInput, Types: narrowFloat, Tiles: inAccumulator(atanh), Exact: exact1(math.Atanh), Ulps: times(16), Abs: 0x1p-19, Within: 0.99},
	{Name: "log_sigmoid", Inputs: unaryInput, Types: float, Tiles: inAccumulator(func(in []*tile.Value) *tile.Value { return softplus(in[0].Neg()).Neg() }),
		Exact: exact1(func(x float64) float64 { return min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))) }), Ulps: times(8), Abs: 0x1p-19, Within: 10},
	{Name: "hard_sigmoid", Inputs: unaryInput, Types: float, Tiles: inAccumulator(hardSigmoid), Exact: exact1(exactHardSigmoid), Ulps: times(3), Abs: 0x1p-22},
	{Name: "hard_swish", Inputs: unaryInput, Types: float, Tiles: inAccumulator(func(in []*tile.Value) *tile.Value { return in[0].Mul(hardSigmoid(in)) }),
		Exact: exact1(func(x float64) float64 { return x * exactHardSigmoid(x) }), Ulps: times(4), Abs: 0x1p-20},
	{Name: "mish", Inputs: unaryInput, Types: float, Tiles: inAccumulator(mish), Exact: exact1(func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) }),
		Ulps: times(2*(3+2*20) + 8), Within: 10},
	{Name: "bit_count", Inputs: unaryInput, Types: integer, Tiles: unary(bitCount), ExactAs: exactCount},
	{Name: "clz", Inputs: unaryInput, Types: integer, Tiles: unary(clz), ExactAs: exactClz},

	{Name: "mod", Inputs: binaryInputs, Types: narrowNumber, Tiles: mod, Exact: exact2(exactMod)},
	{Name: "hypot", Inputs: binaryInputs, Types: narrowFloat, Tiles: inAccumulator(hypot), Exact: exact2(math.Hypot), Ulps: times(8)},
	{Name: "atan2", Inputs: []string{"y", "x"}, Types: narrowFloat, Tiles: inAccumulator(atan2), Exact: exact2(math.Atan2), Ulps: times(8)},
	{Name: "log_add_exp", Inputs: binaryInputs, Types: narrowFloat, Tiles: inAccumulator(logAddExp),
		Exact: exact2(exactLogAddExp), Ulps: times(2), Abs: 0x1p-19, Within: 10},
	{Name: "leaky_relu", Inputs: []string{"x", "slope"}, Types: float, Tiles: inAccumulator(func(in []*tile.Value) *tile.Value {
		return in[0].Builder().Where(in[0].Lt(0), in[0].Mul(in[1]), in[0])
	}), Exact: exact2(func(x, slope float64) float64 {
		if x < 0 {
			return x * slope
		}
		return x
	})},
	{Name: "elu", Inputs: []string{"x", "alpha"}, Types: float, Tiles: inAccumulator(func(in []*tile.Value) *tile.Value {
		return in[0].Builder().Where(in[0].Lt(0), in[0].Expm1().Mul(in[1]), in[0])
	}), Exact: exact2(func(x, alpha float64) float64 {
		if x < 0 {
			return alpha * math.Expm1(x)
		}
		return x
	}), Ulps: func([]float64) float64 { return byExponent(nil) + 2 }, Abs: 0x1p-20, Within: 10},
	{Name: "shr_logical", Inputs: binaryInputs, Types: integer, Tiles: shrLogical, ExactAs: exactShrLogical},
}

// narrowFloat are the floats that F32 holds.
func narrowFloat(t weft.DType) bool { return t.IsFloat() && t.Size() <= 4 }

// narrowNumber are those and the integers.
func narrowNumber(t weft.DType) bool { return kernels.Numeric(t) && (t.IsInt() || narrowFloat(t)) }

// inAccumulator computes a function in F32, of F64 in F64, and rounds its result once.
func inAccumulator(f func([]*tile.Value) *tile.Value) func([]*tile.Value) *tile.Value {
	return func(in []*tile.Value) *tile.Value {
		elem, list := in[0].Type().Elem, make([]*tile.Value, len(in))
		wide := elem.Accumulator()
		for i, x := range in {
			list[i] = x
			if elem != wide {
				list[i] = x.Cast(wide)
			}
		}
		y := f(list)
		if elem != wide {
			y = y.Cast(elem)
		}
		return y
	}
}

func exactIs(f func(float64) bool) func([]float64) float64 {
	return func(x []float64) float64 {
		if f(x[0]) {
			return 1
		}
		return 0
	}
}

func infinite(x float64) bool { return math.IsInf(x, 0) }

// magnitude are the bits of a float without its sign, as F32 has them, of F64 as F64 has them: those of an infinity are infinityOf, those of NaNs are above.
func magnitude(x *tile.Value) *tile.Value {
	switch x.Type().Elem {
	case dtype.F64:
		return x.Bitcast(dtype.U64).And(math.MaxInt64)
	case dtype.F32:
	default:
		x = x.Cast(dtype.F32)
	}
	return x.Bitcast(dtype.U32).And(0x7fffffff)
}

// infinityOf are the bits of an infinity as magnitude has them.
func infinityOf(elem weft.DType) int64 {
	if elem == dtype.F64 {
		return 0x7ff << 52
	}
	return infinityBits
}

func isInf(x *tile.Value) *tile.Value    { return magnitude(x).Eq(infinityOf(x.Type().Elem)) }
func isFinite(x *tile.Value) *tile.Value { return magnitude(x).Lt(infinityOf(x.Type().Elem)) }

const infinityBits = 0x7f800000

// negative says which floats of F32 have a sign, -0 among them.
func negative(x *tile.Value) *tile.Value { return x.Bitcast(dtype.U32).Ge(1 << 31) }

// withSign is y, which has no sign, with that of another.
func withSign(y, of *tile.Value) *tile.Value {
	return y.Builder().Where(negative(of), y.Neg(), y)
}

func f32(k *tile.Builder, x float64) *tile.Value { return k.Const(dtype.F32, x) }

func nan(k *tile.Builder) *tile.Value { return k.Const(dtype.U32, 0x7fc00000).Bitcast(dtype.F32) }

// sign keeps zeros and NaNs.
func sign(x *tile.Value) *tile.Value {
	k, elem := x.Builder(), x.Type().Elem
	switch {
	case elem.IsInt() && elem.IsSigned():
		return x.Clamp(-1, 1)
	case elem.IsInt():
		return x.Minimum(1)
	}
	size := magnitude(x)
	other := size.Eq(0).Or(size.Gt(infinityOf(elem)))
	return k.Where(other, x, k.Where(x.Lt(0), k.Const(elem, -1), k.Const(elem, 1)))
}

func exactSign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

func reciprocal(in []*tile.Value) *tile.Value {
	return in[0].Builder().Const(in[0].Type().Elem, 1).Div(in[0])
}

func trunc(x *tile.Value) *tile.Value { return x.Builder().Where(x.Lt(0), x.Ceil(), x.Floor()) }

func hardSigmoid(in []*tile.Value) *tile.Value {
	x := in[0]
	return x.Builder().Where(x.IsNaN(), x, x.Mul(1.0/6).Add(0.5).Clamp(0, 1))
}

func exactHardSigmoid(x float64) float64 { return min(max(x/6+0.5, 0), 1) }

// mish is x·tanh(ln(1 + e^x)): the tangent is n/(n+2) of n = e^x·(e^x + 2).
func mish(in []*tile.Value) *tile.Value {
	e := in[0].Minimum(20).Exp() // from where on the quotient is 1
	n := e.Mul(e.Add(2))
	return in[0].Mul(n.Div(n.Add(2)))
}

// logAddExp is ln(e^a + e^b).
func logAddExp(in []*tile.Value) *tile.Value {
	a, b := in[0], in[1]
	k := a.Builder()
	sum := a.Maximum(b).Add(a.Sub(b).Abs().Neg().Exp().Log1p())
	sum = k.Where(a.Eq(b), a.Add(math.Ln2), sum) // infinities, too
	return k.Where(a.IsNaN().Or(b.IsNaN()), nan(k), sum)
}

func exactLogAddExp(a, b float64) float64 {
	if a == b {
		return a + math.Ln2
	}
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// hypot scales by the larger operand, so that no square overflows.
func hypot(in []*tile.Value) *tile.Value {
	a, b := in[0].Abs(), in[1].Abs()
	k := a.Builder()
	large := a.Maximum(b)
	r := fraction(a.Minimum(b), large)
	y := k.Where(large.Eq(0), large, large.Mul(r.FMA(r, 1).Sqrt()))
	y = k.Where(a.IsNaN().Or(b.IsNaN()), nan(k), y)
	return k.Where(isInf(a).Or(isInf(b)), k.Const(dtype.U32, infinityBits).Bitcast(dtype.F32), y)
}

// cbrt is 2^(log₂|x|/3) and a step of Newton's, which leaves the rounding of its quotient.
func cbrt(in []*tile.Value) *tile.Value {
	x := in[0]
	k, size := x.Builder(), x.Abs()
	small := size.Lt(0x1p-100) // subnormal numbers, where devices have them
	scaled := k.Where(small, size.Mul(0x1p48), size)
	y := scaled.Log2().Mul(1.0 / 3).Exp2()
	y = y.Sub(y.Sub(scaled.Div(y.Mul(y))).Mul(1.0 / 3))
	y = withSign(k.Where(small, y.Mul(0x1p-16), y), x)
	return k.Where(scaled.Eq(0).Or(isFinite(x).Not()), x, y)
}

// mod is the remainder of a / b with the sign of b.
func mod(in []*tile.Value) *tile.Value {
	b, r := in[1], rem(in)
	k, elem := b.Builder(), b.Type().Elem
	if elem.IsInt() && !elem.IsSigned() {
		return r
	}
	return k.Where(r.Ne(0).And(r.Lt(0).Xor(b.Lt(0))), r.Add(b), r)
}

func exactMod(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// rem is the remainder of a / b with the sign of a.
func rem(in []*tile.Value) *tile.Value {
	if in[0].Type().Elem.IsInt() {
		return in[0].Rem(in[1])
	}
	return inAccumulator(remF32)(in)
}

// remF32 divides fractions of 24 bits, and then shifts in what the exponents differ by, 8 bits at a time: no step rounds.
func remF32(in []*tile.Value) *tile.Value {
	a, b := in[0], in[1]
	k, sizeA, sizeB := a.Builder(), magnitude(a), magnitude(b)
	exponent := func(size *tile.Value) *tile.Value { return size.Shr(23).Maximum(1).Cast(dtype.I32) }
	digits := func(size *tile.Value) *tile.Value {
		return size.And(1<<23 - 1).Or(k.Where(size.Ge(1<<23), k.Const(dtype.U32, 1<<23), k.Const(dtype.U32, 0)))
	}
	by := digits(sizeB)
	rest, bits := k.Var(digits(sizeA).Rem(by)), k.Var(exponent(sizeA).Sub(exponent(sizeB)).Maximum(0))
	for range k.Range(32) { // exponents differ by 253 at most
		step := bits.Get().Minimum(8)
		rest.Set(rest.Get().Shl(step.Cast(dtype.U32)).Rem(by))
		bits.Set(bits.Get().Sub(step))
	}
	unit := exponent(sizeB).Cast(dtype.U32).Shl(23).Bitcast(dtype.F32) // of the fraction, times 2^23
	r := withSign(rest.Get().Cast(dtype.F32).Mul(0x1p-23).Mul(unit), a)
	r = k.Where(sizeA.Lt(sizeB), a, r)
	undefined := sizeA.Ge(infinityBits).Or(sizeB.Gt(infinityBits)).Or(sizeB.Eq(0))
	return k.Where(undefined, nan(k), r)
}
