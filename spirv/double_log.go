package spirv

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// artanhSeries is (2 artanh(s) - 2 s) / s^3 of s^2, for s up to what 1/sqrt(2) and sqrt(2) have, within 2^-51.
var artanhSeries = []float64{
	0.14617807153417325, 0.15331611722055008, 0.1818289243253687, 0.22222211089379496, 0.28571428626253836, 0.3999999999989889, 0.666666666666667,
}

// rootHalf has the first 32 bits of 1/sqrt(2).
const rootHalf = 0x3fe6a09e << 32

// split is a positive x as (1 + f) * 2^k, with 1 + f from 1/sqrt(2) to sqrt(2).
func (m *maker) split(x *simt.Value) (f, k *simt.Value) {
	small := m.Binary(simt.Lt, x, m.f64(0x1p-1022))
	bits := m.as(m.Select(small, m.mul(x, m.f64(0x1p54)), x), dtype.I64)
	exponent := m.Binary(simt.Shr, m.Binary(simt.Sub, bits, m.i64(rootHalf)), m.i64(52))
	mantissa := m.as(m.Binary(simt.Sub, bits, m.Binary(simt.Shl, exponent, m.i64(52))), dtype.F64)
	whole := m.Convert(m.Convert(exponent, dtype.I32), dtype.F64)
	return m.sub(mantissa, m.f64(1)), m.Select(small, m.sub(whole, m.f64(54)), whole)
}

// logOf is k * ln(2) + log(1 + f) + rest, the last of which is small. With s = f / (2 + f), log(1 + f) is 2 artanh(s), and 2 s is f - s f, so that with
// R for the terms beyond the first it is f - (f^2/2 - s (f^2/2 + R)).
func (m *maker) logOf(f, k, rest *simt.Value) *simt.Value {
	tail, half := m.logTail(f)
	low := m.add(m.mul(k, m.f64(ln2Low)), rest)
	return m.sub(m.mul(k, m.f64(ln2High)), m.sub(m.sub(half, m.add(tail, low)), f))
}

// logTail is s (f^2/2 + R), and f^2/2.
func (m *maker) logTail(f *simt.Value) (tail, half *simt.Value) {
	s := m.div(f, m.add(m.f64(2), f))
	z := m.mul(s, s)
	half = m.mul(m.mul(f, f), m.f64(0.5))
	return m.mul(s, m.add(half, m.mul(z, m.series(z, artanhSeries)))), half
}

// logarithm is y where it is one of x, and what it is of 0, of negative numbers, of infinities and of NaN.
func (m *maker) logarithm(x, y *simt.Value) *simt.Value {
	zero := m.f64(0)
	y = m.Select(m.Binary(simt.Gt, x, m.f64(math.MaxFloat64)), x, y)
	y = m.Select(m.Binary(simt.Gt, x, zero), y, m.f64(math.NaN()))
	y = m.Select(m.Binary(simt.Eq, x, zero), m.f64(math.Inf(-1)), y)
	return m.nanOfDouble(x, y)
}

func logDouble(m *maker, args []*simt.Value) *simt.Value {
	f, k := m.split(args[0])
	return m.logarithm(args[0], m.logOf(f, k, m.f64(0)))
}

// log2Double is k + log(1 + f) / ln(2): a power of two gives a whole number.
func log2Double(m *maker, args []*simt.Value) *simt.Value {
	f, k := m.split(args[0])
	tail, half := m.logTail(f)
	natural := m.sub(f, m.sub(half, tail))
	return m.logarithm(args[0], m.add(k, m.mul(natural, m.f64(math.Log2E))))
}

// log1pDouble is log(1 + x): the logarithm of the rounded sum and of what the rounding left out.
func log1pDouble(m *maker, args []*simt.Value) *simt.Value {
	x, one := args[0], m.f64(1)
	sum := m.add(one, x)
	back := m.sub(sum, one) // the part of x that is in the sum
	rest := m.div(m.add(m.sub(one, m.sub(sum, back)), m.sub(x, back)), sum)
	f, k := m.split(sum)
	whole := m.Binary(simt.Eq, k, m.f64(0)) // x itself is as near to 0 as logOf asks for
	y := m.logOf(m.Select(whole, x, f), k, m.Select(whole, m.f64(0), rest))
	return m.logarithm(sum, y)
}
