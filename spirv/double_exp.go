package spirv

import (
	"math"

	"github.com/weftgpu/weft/simt"
)

// The natural logarithm of 2 in two parts, of which the first has 42 bits: times a number of 11 bits it is exact.
const (
	ln2High = 0x1.62e42fefa38p-1
	ln2Low  = 0x1.ef35793c7673p-45
)

// expSeries is (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2, within 2^-58.
var expSeries = []float64{
	2.0914686968086876e-09, 2.5105217004720745e-08, 2.75572736431103e-07, 2.7557255400206422e-06, 2.4801587325547743e-05, 0.00019841269874820627,
	0.0013888888888883748, 0.008333333333326136, 0.04166666666666667, 0.1666666666666667, 0.5,
}

// lessOne is exp(r) - 1 for |r| <= ln(2) / 2.
func (m *maker) lessOne(r *simt.Value) *simt.Value {
	return m.FMA(m.mul(r, r), m.series(r, expSeries), r)
}

// reduced is x as n * ln(2) + r (W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980), for |x| up to 1100.
func (m *maker) reduced(x *simt.Value) (r, n *simt.Value) {
	turns, n := m.nearest(m.mul(x, m.f64(math.Log2E)))
	return m.sub(m.sub(x, m.mul(turns, m.f64(ln2High))), m.mul(turns, m.f64(ln2Low))), n
}

// scaled is (1 + less) * 2^n, in two steps, so that results below the least normal number round once and those beyond the largest are infinite.
func (m *maker) scaled(less, n *simt.Value) *simt.Value {
	half := m.Binary(simt.Shr, n, m.Const(n.Type, 1))
	first := m.mul(m.add(m.f64(1), less), m.power(half))
	return m.mul(first, m.power(m.Binary(simt.Sub, n, half)))
}

// exponential is exp(x).
func (m *maker) exponential(x *simt.Value) *simt.Value {
	r, n := m.reduced(m.within(x, -750, 710))
	return m.scaled(m.lessOne(r), n)
}

func expDouble(m *maker, args []*simt.Value) *simt.Value {
	return m.nanOfDouble(args[0], m.exponential(args[0]))
}

// exp2Double is 2^x: exp(r) of what a whole number leaves of x, times ln(2).
func exp2Double(m *maker, args []*simt.Value) *simt.Value {
	x := m.within(args[0], -1080, 1024)
	whole, n := m.nearest(x)
	less := m.lessOne(m.mul(m.sub(x, whole), m.f64(math.Ln2)))
	return m.nanOfDouble(args[0], m.scaled(less, n))
}

// lessOneOf is exp(x) - 1, computed as twice s * (exp(r) - 1) + s - 1/2 with s = 2^(n-1), which is finite for all n.
func (m *maker) lessOneOf(x *simt.Value) *simt.Value {
	r, n := m.reduced(m.within(x, -50, 710))
	s := m.power(m.Binary(simt.Sub, n, m.Const(n.Type, 1)))
	sum := m.add(m.mul(s, m.lessOne(r)), m.sub(s, m.f64(0.5)))
	return m.mul(sum, m.f64(2))
}

func expm1Double(m *maker, args []*simt.Value) *simt.Value {
	return m.nanOfDouble(args[0], m.lessOneOf(args[0]))
}

// tanhDouble is -t / (2 + t) of t = exp(-2|x|) - 1, with the sign of x.
func tanhDouble(m *maker, args []*simt.Value) *simt.Value {
	t := m.lessOneOf(m.mul(m.Unary(simt.Abs, args[0]), m.f64(-2)))
	return m.nanOfDouble(args[0], m.signed(m.div(m.Unary(simt.Neg, t), m.add(m.f64(2), t)), args[0]))
}

// erfNear is erf(x) / x - 1 of x^2 up to 1, within 2^-62.
var erfNear = []float64{
	5.957176147748911e-11, -1.1372848856791674e-09, 1.4659775274047436e-08, -1.6350312701054695e-07, 1.6461000484121368e-06, -1.4925595266831182e-05,
	0.0001205533111164271, -0.000854832698083379, 0.0052239776248180145, -0.026866170645076792, 0.11283791670954879, -0.3761263890318375, 0.1283791670955126,
}

// erfFar is x * exp(x^2) * erfc(x) of (x - 3.5) / (x + 3.5), for x from 1 to 6, within 2^-56 (M. M. Shepherd and J. G. Laframboise, "Chebyshev
// Approximation of (1+2x)exp(x^2)erfc x in 0 <= x < infinity", 1981, map x so).
var erfFar = []float64{
	-8.763250596420185e-07, 3.1542191168427805e-06, 1.3257972325933649e-05, -2.8234234145213663e-05, -5.8521826090511776e-05, 0.0003362344525535929,
	-0.0002954021132015381, -0.0022412014357033076, 0.011670784378916057, -0.03290004344190505, 0.06670995751232948, -0.10475870253335076,
	0.12942880995880607, -0.12184303896624442, 0.07462793234757426, 0.5435277946311301,
}

// erfDouble is the error function: a polynomial below 1, and beyond what is missing to 1.
func erfDouble(m *maker, args []*simt.Value) *simt.Value {
	x := args[0]
	size := m.Binary(simt.Min, m.Unary(simt.Abs, x), m.f64(6))
	square := m.mul(size, size)
	near := m.FMA(size, m.series(square, erfNear), size)
	far := m.Binary(simt.Max, size, m.f64(1))
	t := m.div(m.sub(far, m.f64(3.5)), m.add(far, m.f64(3.5)))
	missing := m.div(m.mul(m.exponential(m.Unary(simt.Neg, square)), m.series(t, erfFar)), far)
	result := m.Select(m.Binary(simt.Lt, size, m.f64(1)), near, m.sub(m.f64(1), missing))
	return m.nanOfDouble(x, m.signed(result, x))
}
