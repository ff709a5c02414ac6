package spirv

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Pi/2 in parts, of which the first two have 33 bits: times a number of quarters of a turn below 2^20 they are exact.
var quarterParts = []float64{0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69}

// farDouble is where angles begin to be reduced by the bits of 2/pi.
const farDouble = 1 << 19

// sinSeries is (sin(r) - r) / r^3, and cosSeries (cos(r) - 1 + r^2/2) / r^4, of r^2 up to (pi/4)^2, within 2^-55 and 2^-59.
var (
	sinSeries = []float64{
		1.591810123027412e-10, -2.5051131455427946e-08, 2.755731610068303e-06, -0.0001984126983675497, 0.008333333333330946, -0.16666666666666666,
	}
	cosSeries = []float64{
		-1.1382614868556325e-11, 2.0876146024689747e-09, -2.7557317270560326e-07, 2.4801587298763433e-05, -0.0013888888888887395, 0.041666666666666664,
	}
)

// sineDoubleOf is the sine of x and so many quarters of a turn, within 2^-51.
func sineDoubleOf(m *maker, args []*simt.Value) *simt.Value {
	x, limit := args[0], m.Const(simt.Scalar(dtype.F64), farDouble)
	r, q := m.nearDouble(x)
	r, q = m.replaceFar(x, r, q, limit, simt.Ge, (*maker).farDouble)
	return m.turned(x, r, m.Binary(simt.Add, q, args[1]))
}

// turned is the sine of r and q quarters of a turn, which x is; of an x that is no number it is NaN.
func (m *maker) turned(x, r, q *simt.Value) *simt.Value {
	z := m.mul(r, r)
	odd := m.FMA(m.series(z, sinSeries), m.mul(z, r), r)
	even := m.FMA(m.series(z, cosSeries), m.mul(z, z), m.FMA(m.f64(-0.5), z, m.f64(1)))
	bit := func(n float64) *simt.Value {
		return m.Binary(simt.Ne, m.Binary(simt.And, q, m.Const(q.Type, n)), m.Const(q.Type, 0))
	}
	y := m.Select(bit(1), even, odd)
	y = m.Select(bit(2), m.Unary(simt.Neg, y), y)
	finite := m.Binary(simt.Lt, m.Unary(simt.Abs, x), m.f64(math.Inf(1)))
	return m.Select(finite, y, m.f64(math.NaN()))
}

// nearDouble is what is left of a small x beyond a number of quarters of a turn, and that number.
func (m *maker) nearDouble(x *simt.Value) (left, quarters *simt.Value) {
	turns, q := m.nearest(m.mul(x, m.f64(2/math.Pi)))
	for _, part := range quarterParts {
		x = m.sub(x, m.mul(turns, m.f64(part)))
	}
	return x, q
}

// twoOverPiLong has the bits of 2/pi after the binary point, after 64 bits of 0.
var twoOverPiLong = [...]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// farDouble is what is left of a large x beyond a number of quarters of a turn, from -pi/4 to pi/4, and that number modulo 4. Of the product of x and 2/pi
// it computes 64 bits, from those on that count two quarters of a turn; bits before only count whole turns (M. H. Payne and R. N. Hanek, "Radian
// Reduction for Trigonometric Functions", 1983).
func (m *maker) farDouble(x *simt.Value) []*simt.Value {
	op := m.Binary
	bits := m.as(x, dtype.U64)
	exponent := op(simt.And, op(simt.Shr, bits, m.u64(52)), m.u64(0x7ff)) // x is mantissa * 2^(exponent - 1075)
	mantissa := op(simt.Or, op(simt.And, bits, m.u64(1<<52-1)), m.u64(1<<52))
	from := op(simt.Sub, exponent, m.u64(1075-62)) // the bit of the table that counts 2 in a product with 2^(exponent - 1075)
	by := op(simt.And, from, m.u64(63))
	table := m.tableAt(op(simt.Shr, from, m.u64(6)))
	part := func(i int) *simt.Value { // 64 bits from there on
		low := op(simt.Shr, op(simt.Shr, table[i+1], m.u64(1)), op(simt.Sub, m.u64(63), by))
		return op(simt.Or, op(simt.Shl, table[i], by), low)
	}
	turns := op(simt.Add, op(simt.Mul, mantissa, part(0)), m.high(mantissa, part(1)))
	q := m.Convert(op(simt.Shr, op(simt.Add, turns, m.u64(1<<61)), m.u64(62)), dtype.I32)
	fraction := m.Convert(m.as(op(simt.Shl, turns, m.u64(2)), dtype.I64), dtype.F64) // of a quarter of a turn, in units of 2^-64
	left := m.mul(fraction, m.f64(math.Pi/2*0x1p-64))
	negative := op(simt.Ne, op(simt.Shr, bits, m.u64(63)), m.u64(0))
	return []*simt.Value{m.Select(negative, m.Unary(simt.Neg, left), left), m.Select(negative, m.Unary(simt.Neg, q), q)}
}

// tableAt are three elements of the table, from one on.
func (m *maker) tableAt(word *simt.Value) (v [3]*simt.Value) {
	v = [3]*simt.Value{m.u64(0), m.u64(0), m.u64(0)}
	for i := range len(twoOverPiLong) - 2 {
		here := m.Binary(simt.Eq, word, m.u64(uint64(i)))
		for j := range v {
			v[j] = m.Select(here, m.u64(twoOverPiLong[i+j]), v[j])
		}
	}
	return v
}

// high is the high half of a product of U64.
func (m *maker) high(x, y *simt.Value) *simt.Value {
	op, low := m.Binary, m.u64(1<<32-1)
	x0, x1 := op(simt.And, x, low), op(simt.Shr, x, m.u64(32))
	y0, y1 := op(simt.And, y, low), op(simt.Shr, y, m.u64(32))
	first := op(simt.Add, op(simt.Mul, x1, y0), op(simt.Shr, op(simt.Mul, x0, y0), m.u64(32)))
	second := op(simt.Add, op(simt.Mul, x0, y1), op(simt.And, first, low))
	return op(simt.Add, op(simt.Mul, x1, y1), op(simt.Add, op(simt.Shr, first, m.u64(32)), op(simt.Shr, second, m.u64(32))))
}
