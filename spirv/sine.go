package spirv

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// sineOf is the sine of x and so many quarters of a turn, within 2^-22 for all finite numbers, where Vulkan promises 2^-11 from -pi to pi. Up to 8192
// the angle is what three parts of pi/2 leave, of which the first two times a number of quarters of a turn are exact (W. J. Cody and W. Waite,
// "Software Manual for the Elementary Functions", 1980); the polynomials are those of S. L. Moshier, "Methods and Programs for Mathematical
// Functions", 1989 (Cephes, single precision).
func sineOf(m *maker, args []*simt.Value) *simt.Value {
	x, quarters := args[0], args[1]
	turns := m.Unary(simt.Round, m.Binary(simt.Mul, x, m.f32(0.63661975)))
	r := x
	for _, part := range []float64{-1.5703125, -0.00048375130, -7.5497900e-08} {
		r = m.FMA(turns, m.f32(part), r)
	}
	q := m.Convert(m.clamp(turns, 8192), dtype.I32)
	r, q = m.farAngles(x, r, q)
	q = m.Binary(simt.Add, q, quarters)
	z := m.Binary(simt.Mul, r, r)
	odd := m.FMA(m.polynomial(z, -1.9515296e-04, 8.3321609e-03, -0.16666655), m.Binary(simt.Mul, z, r), r)
	even := m.FMA(m.polynomial(z, 2.4433157e-05, -1.3887316e-03, 0.041666646), m.Binary(simt.Mul, z, z), m.FMA(m.f32(-0.5), z, m.f32(1)))
	bit := func(n float64) *simt.Value {
		zero := m.Const(q.Type, 0)
		return m.Binary(simt.Ne, m.Binary(simt.And, q, m.Const(q.Type, n)), zero)
	}
	y := m.Select(bit(1), even, odd)
	turned := m.bits(m.Select(bit(2), m.Unary(simt.Neg, y), y))
	infinite := m.Binary(simt.Ge, m.Binary(simt.And, m.bits(x), m.u32(math.MaxInt32)), m.u32(infinity))
	return m.as(m.Select(infinite, m.u32(0x7fc00000), turned), dtype.F32)
}

// farAngles replaces what is left of angles beyond the reach of three parts, and the numbers of quarters of a turn.
func (m *maker) farAngles(x, r, q *simt.Value) (left, quarters *simt.Value) {
	return m.replaceFar(x, r, q, m.Const(simt.Scalar(dtype.F32), 8192), simt.Gt, (*maker).farAngle)
}

// replaceFar replaces what is left of angles that compare with a limit, and the numbers of quarters of a turn.
func (m *maker) replaceFar(x, r, q, limit *simt.Value, compare simt.Kind, reduce func(*maker, *simt.Value) []*simt.Value) (left, quarters *simt.Value) {
	var lefts, numbers []*simt.Value
	one := &maker{m.Builder, 1}
	for lane := range m.width {
		angle := m.Extract(x, lane)
		far := m.Binary(compare, m.Unary(simt.Abs, angle), limit)
		both := m.Branch(far, func() []*simt.Value { return reduce(one, angle) }, func() []*simt.Value {
			return []*simt.Value{m.Extract(r, lane), m.Extract(q, lane)}
		})
		lefts, numbers = append(lefts, both[0]), append(numbers, both[1])
	}
	if m.width == 1 {
		return lefts[0], numbers[0]
	}
	return m.Compose(lefts...), m.Compose(numbers...)
}

// twoOverPi has the bits of 2/pi after the binary point: element i those from bit 32 * (i - 1) - 2 on.
var twoOverPi = [...]uint32{0, 0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea}

// farAngle is what is left of a large x beyond a number of quarters of a turn, from -pi/4 to pi/4, and that number modulo 4. It reduces angles
// by 96 bits of 2/pi, those that the exponent asks for (M. H. Payne and R. N. Hanek, "Radian Reduction for Trigonometric Functions", 1983).
func (m *maker) farAngle(x *simt.Value) []*simt.Value {
	op := m.Binary
	bits := m.bits(x)
	fraction := op(simt.Or, op(simt.Shl, bits, m.u32(8)), m.u32(1<<31))
	exponent := op(simt.Sub, op(simt.And, op(simt.Shr, bits, m.u32(23)), m.u32(0xff)), m.u32(126))
	word, by := op(simt.Shr, exponent, m.u32(5)), op(simt.And, exponent, m.u32(31))
	part := func(i uint32) *simt.Value { // 32 bits from there on
		high := op(simt.Shl, m.twoOverPi(word, i), by)
		low := op(simt.Shr, op(simt.Shr, m.twoOverPi(word, i+1), m.u32(1)), op(simt.Sub, m.u32(31), by))
		return op(simt.Or, high, low)
	}
	high, middle, low := part(0), part(1), part(2)
	product := op(simt.Mul, fraction, middle)
	sum := op(simt.Add, product, op(simt.MulHi, fraction, low))
	carry := m.Select(op(simt.Lt, sum, product), m.u32(1), m.u32(0))
	top := op(simt.Add, op(simt.Add, op(simt.MulHi, fraction, middle), carry), op(simt.Mul, fraction, high))

	beyond := op(simt.Ne, op(simt.And, top, m.u32(1<<29)), m.u32(0))
	inverse := m.Unary(simt.Not, top)
	negated := m.Select(op(simt.Eq, sum, m.u32(0)), op(simt.Add, inverse, m.u32(1)), inverse)
	upper := op(simt.And, m.Select(beyond, negated, top), m.u32(1<<30-1))
	lower := m.Select(beyond, op(simt.Add, m.Unary(simt.Not, sum), m.u32(1)), sum)
	size := op(simt.Add, op(simt.Mul, m.Convert(upper, dtype.F32), m.f32(1.4629181e-09)), op(simt.Mul, m.Convert(lower, dtype.F32), m.f32(3.4061216e-19)))
	negative := op(simt.Ne, op(simt.Shr, bits, m.u32(31)), m.u32(0))
	quarters := op(simt.Add, op(simt.Shr, top, m.u32(30)), m.Select(beyond, m.u32(1), m.u32(0)))
	q := op(simt.And, m.as(quarters, dtype.I32), m.Int(3))
	return []*simt.Value{
		m.Select(op(simt.Ne, beyond, negative), m.Unary(simt.Neg, size), size),
		m.Select(negative, m.Unary(simt.Neg, q), q),
	}
}

// twoOverPi is an element of the table.
func (m *maker) twoOverPi(word *simt.Value, plus uint32) *simt.Value {
	at := m.Binary(simt.Add, word, m.u32(plus))
	v := m.u32(0)
	for i, bits := range twoOverPi[1:] {
		v = m.Select(m.Binary(simt.Eq, at, m.u32(uint32(i+1))), m.u32(bits), v)
	}
	return v
}
