package native

import (
	"math"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Elementary functions of F32. Polynomials are of S. L. Moshier, "Methods and Programs for Mathematical Functions", 1989 (Cephes, single
// precision). Errors are within what package tile promises; functions_test.go measures them on all numbers of F32.

// polynomial is the value at x of one whose coefficients begin at the highest power.
func (l *Loop) polynomial(x Value, coefficients ...float32) Value {
	p := l.Float(coefficients[0])
	for _, c := range coefficients[1:] {
		p = l.FMA(p, x, l.Float(c))
	}
	return p
}

// The parts of log(2): the first has few bits, so that its products with small integers are exact.
const (
	ln2High = 0.693359375
	ln2Low  = -2.12194440e-4
)

// Exp is e to the power of x.
func (l *Loop) Exp(x Value) Value {
	x = l.clamp(x, -104, 89)
	n := l.Round(l.Mul(x, l.Float(math.Log2E)), vector.Nearest)
	r := l.FNMA(n, l.Float(ln2Low), l.FNMA(n, l.Float(ln2High), x))
	return l.scale(l.expNear(r), n)
}

// Exp2 is 2 to the power of x.
func (l *Loop) Exp2(x Value) Value {
	x = l.clamp(x, -151, 128)
	n := l.Round(x, vector.Nearest)
	return l.scale(l.expNear(l.Mul(l.Sub(x, n), l.Float(math.Ln2))), n)
}

// expNear is the exponential of a number within log(2)/2 of 0.
func (l *Loop) expNear(r Value) Value {
	p := l.polynomial(r, 1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
	return l.Add(l.FMA(p, l.Mul(r, r), r), l.Float(1))
}

// clamp is x within bounds, or NaN.
func (l *Loop) clamp(x Value, low, high float32) Value {
	return l.Max(l.Float(low), l.Min(l.Float(high), x))
}

// scale is x, from 1/2 to 2, times 2 to the power of an integer from -254 to 128: the integer is added to the exponent of x. It is 0 where it would be subnormal, since
// processors take many times as long for arithmetic with such numbers.
func (l *Loop) scale(x, n Value) Value {
	const least, infinity = 1 << 23, 0x7f800000 // the least normal number
	sum := l.Three(vector.AddI, x, l.Shift(vector.ShiftLeft, l.Two(vector.NearestI, n), 23))
	y := l.And(l.Greater(sum, l.Bits(least-1)), l.Three(vector.MinS, sum, l.Bits(infinity)))
	return l.Or(y, l.Compare(vector.Unordered, x, x))
}

// Log is the natural logarithm, Log2 that to base 2.
func (l *Loop) Log(x Value) Value {
	e, f := l.split(x)
	y := l.FMA(e, l.Float(ln2Low), l.logNear(f))
	return l.logEdges(x, l.FMA(e, l.Float(ln2High), l.Add(f, y)))
}

func (l *Loop) Log2(x Value) Value {
	e, f := l.split(x)
	y := l.logNear(f)
	const high, low = 1.4375, math.Log2E - 1.4375 // the first has few bits
	r := l.FMA(y, l.Float(low), l.FMA(f, l.Float(low), l.Mul(y, l.Float(high))))
	return l.logEdges(x, l.Add(e, l.FMA(f, l.Float(high), r)))
}

// split gives the integer e and f from sqrt(1/2)-1 to sqrt(2)-1 with x = 2^e × (1+f), for x > 0.
func (l *Loop) split(x Value) (e, f Value) {
	small := l.Compare(vector.Lt, x, l.Float(0x1p-126))
	x = l.Select(small, l.Mul(x, l.Float(0x1p23)), x)
	offset := l.Three(vector.SubI, x, l.Float(math.Sqrt2/2))
	exponent := l.Shift(vector.ShiftSigned, offset, 23)
	mantissa := l.Three(vector.SubI, x, l.Shift(vector.ShiftLeft, exponent, 23))
	e = l.Two(vector.FloatOfI, exponent)
	return l.Select(small, l.Sub(e, l.Float(23)), e), l.Sub(mantissa, l.Float(1))
}

// logNear is log(1+f) - f.
func (l *Loop) logNear(f Value) Value {
	p := l.polynomial(f, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
		2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
	square := l.Mul(f, f)
	return l.FMA(square, l.Float(-0.5), l.Mul(l.Mul(square, f), p))
}

// logEdges is a logarithm of what is not positive, infinite or NaN, else y.
func (l *Loop) logEdges(x, y Value) Value {
	y = l.Select(l.Compare(vector.Lt, x, l.Float(float32(math.Inf(1)))), y, x) // of infinity and NaN themselves
	y = l.Select(l.Compare(vector.Lt, x, l.Float(0)), l.Bits(0x7fc00000), y)
	return l.Select(l.Compare(vector.Eq, x, l.Float(0)), l.Float(float32(math.Inf(-1))), y)
}

// signed gives y the sign of x.
func (l *Loop) signed(y, x Value) Value { return l.Or(y, l.And(x, l.Bits(1<<31))) }

// Abs drops the sign.
func (l *Loop) Abs(x Value) Value { return l.And(x, l.Bits(math.MaxInt32)) }

// Tanh is the hyperbolic tangent.
func (l *Loop) Tanh(x Value) Value {
	size := l.Abs(x)
	square := l.Mul(x, x)
	p := l.polynomial(square, -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)
	near := l.FMA(l.Mul(p, square), x, x)
	e := l.Exp(l.Add(size, size))
	far := l.Sub(l.Float(1), l.Div(l.Float(2), l.Add(e, l.Float(1))))
	return l.Select(l.Compare(vector.Lt, size, l.Float(0.625)), near, l.signed(far, x))
}

// Sigmoid is 1 / (1 + exp(-x)).
func (l *Loop) Sigmoid(x Value) Value {
	return l.Div(l.Float(1), l.Add(l.Float(1), l.Exp(l.Xor(x, l.Bits(1<<31)))))
}

// Erf is the error function: polynomials below 1, below 2 and beyond.
func (l *Loop) Erf(x Value) Value {
	size := l.Min(l.Float(4), l.Abs(x)) // NaN stays
	y := l.Mul(size, size)
	p := l.polynomial(y, 7.853862e-05, -8.0101937e-04, 5.1883277e-03, -0.026853813, 0.11283586, -0.37612626, 0.12837917)
	near := l.FMA(size, p, size)
	q := l.Div(l.Float(1), l.Max(l.Float(1), size))
	z := l.Mul(q, q)
	a := l.polynomial(z, 0.0232682, -0.13870394, 0.36874247, -0.58247334, 0.6210005, -0.49445152, 0.340488, -0.2741127, 0.56382596)
	b := l.polynomial(z, -10.477664, 12.977199, -7.4955187, 2.921019, -1.0152653, 0.42184633, -0.28207677, 0.5641896)
	tail := l.Select(l.Compare(vector.Lt, l.Float(2), size), b, a)
	far := l.FNMA(l.Mul(l.Exp(l.Xor(y, l.Bits(1<<31))), q), tail, l.Float(1))
	return l.signed(l.Select(l.Compare(vector.Lt, size, l.Float(1)), near, far), x)
}

// Log1p is log(1+x): by the series of artanh(x / (2+x)) near 0.
func (l *Loop) Log1p(x Value) Value {
	s := l.Div(x, l.Add(l.Float(2), x))
	y := l.Mul(s, s)
	p := l.polynomial(y, 0.06666667, 0.07692308, 0.09090909, 0.11111111, 0.14285715, 0.2, 0.33333334)
	near := l.Mul(l.Float(2), l.FMA(l.Mul(s, y), p, s))
	return l.Select(l.Compare(vector.Lt, l.Abs(x), l.Float(0.5)), near, l.Log(l.Add(l.Float(1), x)))
}

// Expm1 is exp(x) - 1: by its series near 0.
func (l *Loop) Expm1(x Value) Value {
	p := l.polynomial(x, 2.7557319e-06, 2.4801588e-05, 1.984127e-04, 0.0013888889, 0.008333334, 0.041666668, 0.16666667, 0.5)
	near := l.FMA(l.Mul(x, x), p, x)
	return l.Select(l.Compare(vector.Lt, l.Abs(x), l.Float(0.5)), near, l.Sub(l.Exp(x), l.Float(1)))
}

// Sqrt is the square root, Rsqrt its inverse.
func (l *Loop) Sqrt(x Value) Value  { return l.Two(vector.SqrtF, x) }
func (l *Loop) Rsqrt(x Value) Value { return l.Div(l.Float(1), l.Sqrt(x)) }

// FloatToInt truncates and saturates to a range whose ends are floats; NaN gives 0.
func (l *Loop) FloatToInt(x Value) Value {
	big := l.Compare(vector.Le, l.Float(0x1p31), x)
	inside := l.Select(big, l.Bits(math.MaxInt32), l.Two(vector.TruncateI, x)) // which gives the least integer below the range
	return l.Select(l.Compare(vector.Unordered, x, x), l.Bits(0), inside)
}
