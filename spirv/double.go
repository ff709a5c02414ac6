package spirv

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// doubles are the helpers of F64: the extended set has none of these functions for it. They are built of sums, products and quotients that compilers
// leave as they are (see writer.compute), of bits, and of roots. Each is within 3 units in the last place of the exact result, Sin and Cos within
// 2^-51, where a device divides as exactly as it multiplies. A root is one instruction.
var doubles = map[simt.Kind]*helper{
	simt.Exp:   {"exp", wide, expDouble},
	simt.Exp2:  {"exp2", wide, exp2Double},
	simt.Expm1: {"expm1", wide, expm1Double},
	simt.Log:   {"log", wide, logDouble},
	simt.Log2:  {"log2", wide, log2Double},
	simt.Log1p: {"log1p", wide, log1pDouble},
	simt.Tanh:  {"tanh", wide, tanhDouble},
	simt.Erf:   {"erf", wide, erfDouble},
}

var (
	sineDouble = &helper{"sine", []dtype.Type{dtype.F64, dtype.I32}, sineDoubleOf}

	wide = []dtype.Type{dtype.F64}
)

func (m *maker) f64(x float64) *simt.Value { return m.Const(m.of(dtype.F64), x) }

// u64 is a constant, of two that float64 holds.
func (m *maker) u64(x uint64) *simt.Value {
	half := func(x uint64) *simt.Value { return m.Const(m.of(dtype.U64), float64(x)) }
	if x&(1<<32-1) == 0 || x>>32 == 0 {
		return half(x)
	}
	return m.Binary(simt.Or, half(x&^(1<<32-1)), half(x&(1<<32-1)))
}

func (m *maker) i64(x float64) *simt.Value { return m.Const(m.of(dtype.I64), x) }

func (m *maker) add(x, y *simt.Value) *simt.Value { return m.Binary(simt.Add, x, y) }
func (m *maker) sub(x, y *simt.Value) *simt.Value { return m.Binary(simt.Sub, x, y) }
func (m *maker) mul(x, y *simt.Value) *simt.Value { return m.Binary(simt.Mul, x, y) }
func (m *maker) div(x, y *simt.Value) *simt.Value { return m.Binary(simt.Div, x, y) }

// series is a polynomial of F64, its highest coefficient first.
func (m *maker) series(x *simt.Value, coefficients []float64) *simt.Value {
	p := m.f64(coefficients[0])
	for _, c := range coefficients[1:] {
		p = m.FMA(p, x, m.f64(c))
	}
	return p
}

// nanOfDouble is y, and x where x is NaN.
func (m *maker) nanOfDouble(x, y *simt.Value) *simt.Value {
	size := m.Binary(simt.Shl, m.as(x, dtype.U64), m.u64(1))
	return m.Select(m.Binary(simt.Gt, size, m.u64(0x7ff<<53)), x, y)
}

// within keeps x in a range; a NaN is in it then.
func (m *maker) within(x *simt.Value, least, most float64) *simt.Value {
	return m.Binary(simt.Min, m.Binary(simt.Max, x, m.f64(least)), m.f64(most))
}

// signed is a size with the sign of x.
func (m *maker) signed(size, x *simt.Value) *simt.Value {
	sign := m.Binary(simt.And, m.as(x, dtype.U64), m.u64(1<<63))
	return m.as(m.Binary(simt.Or, m.as(size, dtype.U64), sign), dtype.F64)
}

// nearest is the whole number next to x, up to 2^50 in magnitude, and its low 32 bits: a sum with 1.5 * 2^52 has it in its last bits.
func (m *maker) nearest(x *simt.Value) (number, bits *simt.Value) {
	shifted := m.add(x, m.f64(0x1.8p52))
	low := m.Convert(m.as(shifted, dtype.U64), dtype.U32)
	return m.sub(shifted, m.f64(0x1.8p52)), m.as(low, dtype.I32)
}

// power is 2^n for n of I32 from -1022 to 1023.
func (m *maker) power(n *simt.Value) *simt.Value {
	exponent := m.Convert(m.Binary(simt.Add, n, m.Const(n.Type, 1023)), dtype.I64)
	return m.as(m.Binary(simt.Shl, exponent, m.i64(52)), dtype.F64)
}
