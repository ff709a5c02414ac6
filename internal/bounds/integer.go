package bounds

import (
	"encoding/binary"
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// wrap reduces an integer to a type, as its bits in the type's width say.
func wrap(e dtype.Type, n int64) int64 {
	switch e {
	case dtype.Bool:
		return n & 1
	case dtype.I8:
		return int64(int8(n))
	case dtype.U8:
		return int64(uint8(n))
	case dtype.I16:
		return int64(int16(n))
	case dtype.U16:
		return int64(uint16(n))
	case dtype.I32:
		return int64(int32(n))
	case dtype.U32:
		return int64(uint32(n))
	}
	return n
}

// apply1 and apply2 apply a function to all that integers may be.
func apply1(e dtype.Type, x Value, f func(int64) int64) Value {
	if x.Any {
		return unknown(e)
	}
	return oneOf(wrap(e, f(x.N)), wrap(e, f(x.M)))
}

func apply2(e dtype.Type, x, y Value, f func(a, b int64) int64) Value {
	if x.Any || y.Any {
		return unknown(e)
	}
	if x.N == x.M && y.N == y.M {
		return whole(wrap(e, f(x.N, y.N)))
	}
	v := oneOf(wrap(e, f(x.N, y.N)), wrap(e, f(x.N, y.M)), wrap(e, f(x.M, y.N)), wrap(e, f(x.M, y.M)))
	if v.Any {
		return unknown(e)
	}
	return v
}

func intUnary(kind tile.Kind, e dtype.Type, x Value) Value {
	return apply1(e, x, func(n int64) int64 {
		switch kind {
		case tile.OpNeg:
			return -n
		case tile.OpNot:
			return ^n
		}
		return max(n, -n) // Abs
	})
}

func intBinary(kind tile.Kind, e dtype.Type, x, y Value) Value {
	switch { // what one operand decides
	case kind == tile.OpAnd && (x == whole(0) || y == whole(0)):
		return whole(0)
	case kind == tile.OpOr && e == dtype.Bool && (x == whole(1) || y == whole(1)):
		return whole(1)
	}
	return apply2(e, x, y, func(a, b int64) int64 { return arithmetic(kind, e, a, b) })
}

// arithmetic computes on 64 bits, in two's complement; wrap then reduces them to the type.
func arithmetic(kind tile.Kind, e dtype.Type, a, b int64) int64 {
	shift := b & 31
	if e.Size() == 8 {
		shift = b & 63
	}
	switch kind {
	case tile.OpAdd:
		return a + b
	case tile.OpSub:
		return a - b
	case tile.OpMul:
		return a * b
	case tile.OpDiv, tile.OpRem:
		return divided(kind, e, a, b)
	case tile.OpMulHi:
		return int64(uint64(a) * uint64(b) >> 32)
	case tile.OpMin, tile.OpMax:
		if less(e, a, b) == (kind == tile.OpMin) {
			return a
		}
		return b
	case tile.OpAnd:
		return a & b
	case tile.OpOr:
		return a | b
	case tile.OpXor:
		return a ^ b
	case tile.OpShl:
		return a << shift
	}
	if e == dtype.U64 { // Shr
		return int64(uint64(a) >> shift)
	}
	return a >> shift
}

func divided(kind tile.Kind, e dtype.Type, a, b int64) int64 {
	switch {
	case b == 0 && kind == tile.OpDiv:
		return a
	case b == 0:
		return 0
	case e == dtype.U64 && kind == tile.OpDiv:
		return int64(uint64(a) / uint64(b))
	case e == dtype.U64:
		return int64(uint64(a) % uint64(b))
	case kind == tile.OpDiv:
		return a / b
	}
	return a % b
}

// less is the order of a type's integers.
func less(e dtype.Type, a, b int64) bool {
	if e == dtype.U64 {
		return uint64(a) < uint64(b)
	}
	return a < b
}

func compareInts(kind tile.Kind, e dtype.Type, x, y Value) Value {
	return apply2(dtype.Bool, x, y, func(a, b int64) int64 {
		holds := false
		switch kind {
		case tile.OpEq:
			holds = a == b
		case tile.OpNe:
			holds = a != b
		case tile.OpLt:
			holds = less(e, a, b)
		case tile.OpLe:
			holds = !less(e, b, a)
		case tile.OpGt:
			holds = less(e, b, a)
		case tile.OpGe:
			holds = !less(e, a, b)
		}
		return truth(holds).N
	})
}

// cast converts between element types.
func cast(from, to dtype.Type, x Value) Value {
	switch {
	case from.IsFloat() && to.IsFloat():
		if x.Lo > x.Hi {
			return x
		}
		v := rounded(to, x.Lo, x.Hi, 0, 0)
		v.NaN = v.NaN || x.NaN
		return v
	case to.IsFloat():
		if x.Any {
			lo, hi := rangeOf(from)
			return rounded(to, lo, hi, 0, 0)
		}
		return hull(to, fromInt(from, to, x.N), fromInt(from, to, x.M))
	case from.IsFloat() && to == dtype.Bool:
		return compareFloats(tile.OpNe, x, Value{})
	case from.IsFloat():
		return floatToInt(to, x)
	case to == dtype.Bool:
		return apply1(to, x, func(n int64) int64 { return truth(n != 0).N })
	}
	return apply1(to, x, func(n int64) int64 { return n })
}

// fromInt is an integer as a float.
func fromInt(from, to dtype.Type, n int64) Value {
	x := float64(n)
	if from == dtype.U64 {
		x = float64(uint64(n))
	}
	if int64(dtype.Integer(from, x)) != n { // float64 rounded it already
		return rounded(to, x, x, 1, 0)
	}
	return rounded(to, x, x, 0, 0)
}

// floatToInt truncates and saturates; a NaN gives 0.
func floatToInt(to dtype.Type, x Value) Value {
	if x.Lo > x.Hi {
		return whole(0)
	}
	a, b := int64(dtype.Integer(to, x.Lo)), int64(dtype.Integer(to, x.Hi))
	if uint64(b)-uint64(a) > 1 {
		return anyInt
	}
	if x.NaN {
		return oneOf(a, b, 0)
	}
	return oneOf(a, b)
}

// rangeOf is the least and the largest integer of a type.
func rangeOf(e dtype.Type) (lo, hi float64) {
	if e == dtype.Bool {
		return 0, 1
	}
	bits := 8 * e.Size()
	if e.IsSigned() {
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
	}
	return 0, math.Ldexp(1, bits) - 1
}

// bitcast reads the bits of one type as another.
func bitcast(from, to dtype.Type, x Value) Value {
	switch {
	case !from.IsFloat() && !to.IsFloat():
		return apply1(to, x, func(n int64) int64 { return n })
	case !from.IsFloat():
		if x.Any {
			return anyReal
		}
		return hull(to, fromBits(to, x.N), fromBits(to, x.M))
	case !x.isNumber() || x.Lo == 0 || !representable(from, x.Lo) && !math.IsInf(x.Lo, 0):
		if x.isNumber() && x.Lo == 0 { // whose sign is not promised
			if to.IsFloat() {
				return Value{}
			}
			return oneOf(0, wrap(to, math.MinInt64>>(64-8*to.Size())))
		}
		return unknown(to)
	}
	bits := toBits(from, x.Lo)
	if to.IsFloat() {
		return fromBits(to, bits)
	}
	return whole(wrap(to, bits))
}

func toBits(e dtype.Type, x float64) int64 {
	var b [8]byte
	dtype.PutFloats(e, b[:], []float64{x})
	return int64(binary.LittleEndian.Uint64(b[:]))
}

func fromBits(e dtype.Type, bits int64) Value {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(bits))
	var x [1]float64
	dtype.Floats(e, x[:], b[:])
	return number(e, x[0])
}
