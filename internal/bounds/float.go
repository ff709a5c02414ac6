package bounds

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// mathFunc is a function of one float, monotonic from from on to to, with the
// errors that WGSL allows and the emitters' own helpers reach.
type mathFunc struct {
	f         func(float64) float64
	from, to  float64 // beyond which the result is not promised
	ulps, abs float64
	perUnit   float64 // ulps for each unit of the argument's magnitude
}

var inf = math.Inf(1)

var mathFuncs = map[tile.Kind]mathFunc{
	tile.OpExp:     {math.Exp, -inf, inf, 3, 0, 2},
	tile.OpExp2:    {math.Exp2, -inf, inf, 3, 0, 2},
	tile.OpLog:     {math.Log, 0, inf, 3, 0x1p-20, 0},
	tile.OpLog2:    {math.Log2, 0, inf, 3, 0x1p-20, 0},
	tile.OpSqrt:    {math.Sqrt, 0, inf, 4, 0, 0},
	tile.OpRsqrt:   {func(x float64) float64 { return 1 / math.Sqrt(math.Abs(x)) }, 0, inf, 4, 0, 0},
	tile.OpTanh:    {math.Tanh, -inf, inf, 16, 1e-5, 0},
	tile.OpErf:     {math.Erf, -inf, inf, 4, 0x1p-23, 0},
	tile.OpLog1p:   {math.Log1p, -1, inf, 6, 0x1p-20, 0},
	tile.OpExpm1:   {math.Expm1, -inf, inf, 12, 0x1p-23, 2},
	tile.OpSigmoid: {func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, -inf, inf, 8, 0x1p-126, 2},
}

// exactFuncs round to integers, or change the sign, without an error of their own.
var exactFuncs = map[tile.Kind]func(float64) float64{
	tile.OpFloor: math.Floor, tile.OpCeil: math.Ceil, tile.OpRound: math.RoundToEven,
}

func floatUnary(kind tile.Kind, e dtype.Type, x Value) Value {
	switch kind {
	case tile.OpNeg:
		return Value{Lo: -x.Hi, Hi: -x.Lo, NaN: x.NaN}
	case tile.OpAbs:
		lo := max(x.Lo, -x.Hi, 0)
		return Value{Lo: lo, Hi: max(math.Abs(x.Lo), math.Abs(x.Hi)), NaN: x.NaN}.orNone(x)
	case tile.OpIsNaN:
		switch {
		case !x.NaN:
			return truth(false)
		case x.Lo > x.Hi:
			return truth(true)
		}
		return either
	}
	if x.NaN {
		return anyReal
	}
	if f := exactFuncs[kind]; f != nil {
		return Value{Lo: f(x.Lo), Hi: f(x.Hi)}
	}
	if kind == tile.OpSin || kind == tile.OpCos {
		return sine(kind, e, x)
	}
	m := mathFuncs[kind]
	if x.Lo < m.from || x.Hi > m.to {
		return anyReal
	}
	if kind == tile.OpRsqrt && x.holdsZero() { // whose sign is not promised
		return Value{Lo: -inf, Hi: inf}
	}
	ulps := m.ulps
	if m.perUnit > 0 { // beyond 200 the results are those at the ends of the range
		ulps += m.perUnit * min(200, max(math.Abs(x.Lo), math.Abs(x.Hi)))
	}
	a, b := m.f(x.Lo), m.f(x.Hi)
	return rounded(e, min(a, b), max(a, b), ulps, m.abs)
}

// orNone keeps a value without numbers so.
func (v Value) orNone(x Value) Value {
	if x.Lo > x.Hi {
		return onlyNaN
	}
	return v
}

// sine is a sine or a cosine: WGSL bounds its error between -π and π alone.
func sine(kind tile.Kind, e dtype.Type, x Value) Value {
	f := math.Sin
	if kind == tile.OpCos {
		f = math.Cos
	}
	switch {
	case x.Lo == x.Hi && math.IsInf(x.Lo, 0):
		return onlyNaN
	case math.IsInf(x.Lo, 0) || math.IsInf(x.Hi, 0):
		return anyReal
	case x.Hi-x.Lo > math.Pi:
		return rounded(e, -1, 1, 0, 0x1p-22)
	}
	at, spread := f((x.Lo+x.Hi)/2), (x.Hi-x.Lo)/2
	return rounded(e, at-spread, at+spread, 0, 0x1p-22)
}

// The corners of two intervals bound sums, products and quotients.

func floatBinary(kind tile.Kind, e dtype.Type, x, y Value) Value {
	switch kind {
	case tile.OpMin, tile.OpMax:
		return extreme(kind, x, y)
	}
	if x.NaN || y.NaN {
		return anyReal
	}
	switch kind {
	case tile.OpAdd:
		return plus(e, x, y)
	case tile.OpSub:
		return plus(e, x, Value{Lo: -y.Hi, Hi: -y.Lo})
	case tile.OpMul:
		return times(e, x, y)
	case tile.OpDiv:
		return quotient(e, x, y)
	}
	return anyReal
}

// extreme is the smaller or the larger of two floats; with one NaN, the other or a NaN.
func extreme(kind tile.Kind, x, y Value) Value {
	v := Value{Lo: min(x.Lo, y.Lo), Hi: min(x.Hi, y.Hi), NaN: x.NaN || y.NaN}
	if kind == tile.OpMax {
		v = Value{Lo: max(x.Lo, y.Lo), Hi: max(x.Hi, y.Hi), NaN: v.NaN}
	}
	if v.NaN {
		v.Lo, v.Hi = min(x.Lo, y.Lo), max(x.Hi, y.Hi)
	}
	return v
}

func plus(e dtype.Type, x, y Value) Value {
	if x.Hi == inf && y.Lo == -inf || x.Lo == -inf && y.Hi == inf {
		return anyReal // ∞ - ∞
	}
	lo, hi := x.Lo+y.Lo, x.Hi+y.Hi
	inexact := 0.0
	if x.isNumber() && y.isNumber() && !math.IsInf(lo, 0) && (lo-x.Lo != y.Lo || lo-y.Lo != x.Lo) {
		inexact = 1 // the sum is not exact in float64
	}
	return rounded(e, lo, hi, inexact, 0)
}

func (v Value) holdsZero() bool { return v.Lo <= 0 && v.Hi >= 0 }
func (v Value) holdsInf() bool  { return v.Lo == -inf || v.Hi == inf }

// times is a product: those of numbers of up to 32 bits are exact in float64.
func times(e dtype.Type, x, y Value) Value {
	if x.holdsZero() && y.holdsInf() || x.holdsInf() && y.holdsZero() {
		return anyReal
	}
	lo, hi, inexact := inf, -inf, 0.0
	for _, a := range [2]float64{x.Lo, x.Hi} {
		for _, b := range [2]float64{y.Lo, y.Hi} {
			p := a * b
			lo, hi = min(lo, p), max(hi, p)
			if e == dtype.F64 && !math.IsInf(p, 0) && math.FMA(a, b, -p) != 0 {
				inexact = 1
			}
		}
	}
	return rounded(e, lo, hi, inexact, 0)
}

func quotient(e dtype.Type, x, y Value) Value {
	if y.holdsZero() {
		if y.isNumber() && x.Lo > 0 || y.isNumber() && x.Hi < 0 { // the sign of zero is not promised
			return Value{Lo: -inf, Hi: inf}
		}
		return anyReal
	}
	if y.holdsInf() {
		return anyReal
	}
	lo, hi := inf, -inf
	for _, a := range [2]float64{x.Lo, x.Hi} {
		for _, b := range [2]float64{y.Lo, y.Hi} {
			q := a / b
			lo, hi = min(lo, q), max(hi, q)
		}
	}
	if _, largest := limits(dtype.F32); max(math.Abs(y.Lo), math.Abs(y.Hi)) > largest/4 || min(math.Abs(y.Lo), math.Abs(y.Hi)) < 0x1p-120 {
		return anyReal // WGSL bounds the error for divisors from 2^-126 to 2^126
	}
	return rounded(e, lo, hi, 2.5, 0)
}

// fma may round the product or not.
func fma(e dtype.Type, x, y, z Value) Value {
	p := floatBinary(tile.OpMul, e, x, y)
	return floatBinary(tile.OpAdd, e, p, z)
}

// compareFloats compares two floats, which may be one number or overlap.
func compareFloats(kind tile.Kind, x, y Value) Value {
	if x.NaN || y.NaN {
		return either
	}
	same := x.Lo == x.Hi && y.Lo == y.Hi && x.Lo == y.Lo
	apart := x.Hi < y.Lo || y.Hi < x.Lo
	var holds, fails bool
	switch kind {
	case tile.OpEq:
		holds, fails = same, apart
	case tile.OpNe:
		holds, fails = apart, same
	case tile.OpLt:
		holds, fails = x.Hi < y.Lo, x.Lo >= y.Hi
	case tile.OpLe:
		holds, fails = x.Hi <= y.Lo, x.Lo > y.Hi
	case tile.OpGt:
		holds, fails = x.Lo > y.Hi, x.Hi <= y.Lo
	case tile.OpGe:
		holds, fails = x.Lo >= y.Hi, x.Hi < y.Lo
	}
	switch {
	case holds:
		return truth(true)
	case fails:
		return truth(false)
	}
	return either
}
