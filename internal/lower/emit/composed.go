package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// composed lists the element-wise tile ops that are several ops on registers.
var composed = map[tile.Kind]func(l *emitter, op *tile.Op, x *simt.Value) *simt.Value{
	tile.OpSigmoid: (*emitter).sigmoid,
	tile.OpIsNaN:   func(l *emitter, _ *tile.Op, x *simt.Value) *simt.Value { return l.isNaN(x) },
	tile.OpBitcast: (*emitter).bitcast,
}

func (l *emitter) sigmoid(_ *tile.Op, x *simt.Value) *simt.Value {
	one := l.b.Const(x.Type, 1)
	return l.b.Binary(simt.Div, one, l.b.Binary(simt.Add, l.b.Unary(simt.Exp, l.b.Unary(simt.Neg, x)), one))
}

// bitsAs is the bits of a 32-bit value as another type.
func (l *emitter) bitsAs(x *simt.Value, e dtype.Type) *simt.Value {
	if x.Type.Elem == e {
		return x
	}
	return l.b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{x}}, simt.Vector(e, x.Type.Width))
}

// isNaN looks at the bits: compilers of shaders may assume that x == x.
func (l *emitter) isNaN(x *simt.Value) *simt.Value {
	if x.Type.Elem == dtype.F64 { // without the sign, twice the magnitude
		all := l.bitsAs(x, dtype.U64)
		return l.b.Binary(simt.Gt, l.b.Binary(simt.Shl, all, l.b.Const(all.Type, 1)), l.b.Const(all.Type, 0x7ff<<53))
	}
	size := l.magnitude(l.bitsAs(x, dtype.U32), math.MaxInt32)
	return l.b.Binary(simt.Gt, size, l.b.Const(size.Type, 0x7f800000))
}

// toOdd makes of f, which is x of F64 rounded to F32, the one of the two floats next to x that has an odd mantissa, unless f is x. Rounded once more, to
// 16 bits, it gives what rounding x at once gives.
func (l *emitter) toOdd(x, f *simt.Value) *simt.Value {
	b := l.b
	back, bits := b.Convert(f, dtype.F64), l.bitsAs(f, dtype.I32)
	n := func(x float64) *simt.Value { return b.Const(bits.Type, x) }
	zero := b.Const(x.Type, 0)
	even := b.Binary(simt.Eq, b.Binary(simt.And, bits, n(1)), n(0))
	less, greater := b.Binary(simt.Lt, back, x), b.Binary(simt.Gt, back, x) // neither of a NaN
	away := b.Select(b.Binary(simt.Lt, x, zero), greater, less)             // the neighbour has a larger magnitude
	next := b.Binary(simt.Add, bits, b.Select(away, n(1), n(-1)))
	odd := b.Select(b.Binary(simt.And, even, b.Binary(simt.Or, less, greater)), next, bits)
	return l.bitsAs(odd, dtype.F32)
}

func (l *emitter) magnitude(bits *simt.Value, mask float64) *simt.Value {
	return l.b.Binary(simt.And, bits, l.b.Const(bits.Type, mask))
}

// bitcast lowers a reinterpretation of bits. Registers hold 16-bit floats as F32, so
// that their bits are put together and taken apart by arithmetic.
func (l *emitter) bitcast(op *tile.Op, x *simt.Value) *simt.Value {
	from, to := op.Args[0].Type().Elem, op.Result().Type().Elem
	if to.Size() >= 4 {
		return l.bitsAs(x, to)
	}
	bits := x
	switch from {
	case dtype.F16:
		bits = l.f16Bits(x)
	case dtype.BF16:
		bits = l.b.Binary(simt.Shr, l.bitsAs(l.round16(x, dtype.BF16), dtype.U32), l.b.Const(simt.Vector(dtype.U32, x.Type.Width), 16))
	}
	switch to {
	case dtype.BF16:
		bits = l.bitsAs(bits, dtype.U32)
		return l.bitsAs(l.b.Binary(simt.Shl, bits, l.b.Const(bits.Type, 16)), dtype.F32)
	case dtype.F16:
		return l.fromF16Bits(l.bitsAs(bits, dtype.U32))
	}
	return l.wrap(l.bitsAs(bits, simt.Register(to)), to)
}

func (l *emitter) round16(x *simt.Value, e dtype.Type) *simt.Value {
	return l.b.Emit(&simt.Op{Kind: simt.Round16, Args: []*simt.Value{x}, Elem: e}, x.Type)
}

// Exponents of F16 and F32 differ by 112.
const rebias = 112 << 23

// f16Bits is the bits of a value as F16, in a U32.
func (l *emitter) f16Bits(x *simt.Value) *simt.Value {
	b := l.b
	all := l.bitsAs(l.round16(x, dtype.F16), dtype.U32)
	u := func(x float64) *simt.Value { return b.Const(all.Type, x) }
	size := l.magnitude(all, math.MaxInt32)
	normal := b.Binary(simt.Shr, b.Binary(simt.Sub, size, u(rebias)), u(13))
	units := b.Binary(simt.Mul, l.bitsAs(size, dtype.F32), b.Const(x.Type, 0x1p24)) // of the least subnormal
	bits := b.Select(b.Binary(simt.Lt, size, u(0x38800000)), b.Convert(units, dtype.U32), normal)
	bits = b.Select(b.Binary(simt.Ge, size, u(0x7f800000)), u(0x7c00), bits)
	bits = b.Select(b.Binary(simt.Gt, size, u(0x7f800000)), u(0x7e00), bits)
	sign := b.Binary(simt.And, b.Binary(simt.Shr, all, u(16)), u(0x8000))
	return b.Binary(simt.Or, sign, bits)
}

// fromF16Bits is the value of F16 bits.
func (l *emitter) fromF16Bits(bits *simt.Value) *simt.Value {
	b := l.b
	u := func(x float64) *simt.Value { return b.Const(bits.Type, x) }
	size := l.magnitude(bits, 0x7fff)
	wide := b.Binary(simt.Add, b.Binary(simt.Shl, size, u(13)), u(rebias))
	f := simt.Vector(dtype.F32, bits.Type.Width)
	subnormal := b.Binary(simt.Mul, b.Convert(size, dtype.F32), b.Const(f, 0x1p-24))
	wide = b.Select(b.Binary(simt.Lt, size, u(0x400)), l.bitsAs(subnormal, dtype.U32), wide)
	special := b.Binary(simt.Or, b.Binary(simt.Shl, size, u(13)), u(0x7f800000))
	wide = b.Select(b.Binary(simt.Ge, size, u(0x7c00)), special, wide)
	sign := b.Binary(simt.Shl, b.Binary(simt.And, bits, u(0x8000)), u(16))
	return l.bitsAs(b.Binary(simt.Or, sign, wide), dtype.F32)
}
