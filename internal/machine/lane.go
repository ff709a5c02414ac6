package machine

import (
	"cmp"
	"math"
	mathbits "math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// encode and decode move between numbers and the bits of a register; decode rounds
// integers of 64 bits.
func encode(e dtype.Type, x float64) Lane {
	switch e {
	case dtype.Bool:
		return truth(x != 0)
	case dtype.F32:
		return Lane(math.Float32bits(float32(x)))
	case dtype.F64:
		return math.Float64bits(x)
	}
	return Lane(dtype.Integer(e, x)) & bits(e)
}

func decode(e dtype.Type, x Lane) float64 {
	switch e {
	case dtype.F32:
		return float64(math.Float32frombits(uint32(x)))
	case dtype.F64:
		return math.Float64frombits(x)
	case dtype.U64:
		return float64(x)
	}
	return float64(extend(e, x))
}

// bits are the bits that an integer or a Bool has.
func bits(e dtype.Type) Lane {
	if e == dtype.Bool {
		return 1
	}
	return math.MaxUint64 >> (64 - 8*e.Size())
}

// extend is an integer or a Bool in 64 bits; those of U64 stay what they are.
func extend(e dtype.Type, x Lane) int64 {
	if e == dtype.I32 {
		return int64(int32(x))
	}
	return int64(x)
}

func truth(b bool) Lane {
	if b {
		return 1
	}
	return 0
}

// Function computes a lane of an op's result from the lanes of its operands;
// false for an integer division by 0 or one that overflows.
type Function func(x, y, z Lane) (Lane, bool)

// Elementwise is what an element-wise kind computes on operands of one element
// type (of Select: of its values), giving another; rounded is the type to which a Round16 rounds. It is
// nil for kinds and types that the verifier refuses.
func Elementwise(kind simt.Kind, from, to dtype.Type, rounded dtype.Type) Function {
	switch kind {
	case simt.Bitcast:
		return func(x, _, _ Lane) (Lane, bool) { return x, true }
	case simt.Convert:
		return convert(from, to)
	case simt.Round16:
		return unary(from, func(x float64) float64 { return float64(dtype.Round(rounded, x)) })
	case simt.Select:
		return func(c, x, y Lane) (Lane, bool) {
			if c != 0 {
				return x, true
			}
			return y, true
		}
	case simt.FMA:
		return func(x, y, z Lane) (Lane, bool) {
			f := math.FMA(decode(from, x), decode(from, y), decode(from, z))
			return encode(from, f), true
		}
	}
	switch {
	case kind.IsCompare() && from.IsFloat():
		holds := comparisons[kind]
		return func(x, y, _ Lane) (Lane, bool) { return truth(holds(decode(from, x), decode(from, y))), true }
	case kind.IsCompare():
		holds := comparisons[kind]
		return func(x, y, _ Lane) (Lane, bool) { return truth(holds(order(from, x, y), 0)), true }
	case from.IsFloat():
		return ofFloats(kind, from)
	}
	return ofIntegers(kind, from)
}

// order is -1, 0 or 1 as an integer is less than, equal to or greater than another.
func order(e dtype.Type, x, y Lane) float64 {
	if e == dtype.U64 {
		return float64(cmp.Compare(x, y))
	}
	return float64(cmp.Compare(extend(e, x), extend(e, y)))
}

// convert extends integers or keeps their low bits; floats truncate and saturate.
func convert(from, to dtype.Type) Function {
	return func(x, _, _ Lane) (Lane, bool) {
		switch {
		case from.IsInt() && to.IsInt():
			return Lane(extend(from, x)) & bits(to), true
		case from == dtype.U64 && to == dtype.F32: // one rounding, not two
			return Lane(math.Float32bits(float32(x))), true
		case from == dtype.I64 && to == dtype.F32:
			return Lane(math.Float32bits(float32(int64(x)))), true
		}
		return encode(to, decode(from, x)), true
	}
}

func unary(e dtype.Type, f func(float64) float64) Function {
	return func(x, _, _ Lane) (Lane, bool) { return encode(e, f(decode(e, x))), true }
}

func ofFloats(kind simt.Kind, e dtype.Type) Function {
	if f := floatUnary[kind]; f != nil {
		return unary(e, f)
	}
	if f := floatBinary[kind]; f != nil {
		return func(x, y, _ Lane) (Lane, bool) {
			return encode(e, f(decode(e, x), decode(e, y))), true
		}
	}
	return nil
}

// ofIntegers computes on integers and Bool; results wrap.
func ofIntegers(kind simt.Kind, e dtype.Type) Function {
	f := integer[kind]
	if g := unsigned[kind]; e == dtype.U64 && g != nil {
		f = func(x, y int64) int64 { return int64(g(uint64(x), uint64(y))) }
	}
	if f == nil {
		return nil
	}
	return func(x, y, _ Lane) (Lane, bool) {
		a, b := extend(e, x), extend(e, y)
		switch {
		case traps(kind, e, a, b):
			return 0, false
		case arbitrary(kind, e, a, b):
			return anything & bits(e), true
		}
		return Lane(f(a, b)) & bits(e), true
	}
}

// anything is the result of an op where package simt promises none.
const anything = 0x5bad5bad

// traps tells what may not happen even where nothing uses the result.
func traps(kind simt.Kind, e dtype.Type, x, y int64) bool {
	return (kind == simt.Div || kind == simt.Rem) && (y == 0 || e.IsSigned() && x == -1<<(8*e.Size()-1) && y == -1)
}

// arbitrary tells where each device has a result of its own.
func arbitrary(kind simt.Kind, e dtype.Type, x, y int64) bool {
	switch kind {
	case simt.Rem:
		return e == dtype.I32 && (x < 0 || y < 0)
	case simt.Shl, simt.Shr:
		return y < 0 || y >= int64(8*e.Size())
	}
	return false
}

var floatUnary = map[simt.Kind]func(float64) float64{
	simt.Neg: func(x float64) float64 { return -x }, simt.Abs: math.Abs, simt.Exp: math.Exp, simt.Exp2: math.Exp2,
	simt.Log: math.Log, simt.Log2: math.Log2, simt.Sqrt: math.Sqrt, simt.Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	simt.Sin: math.Sin, simt.Cos: math.Cos, simt.Tanh: math.Tanh, simt.Floor: math.Floor, simt.Ceil: math.Ceil,
	simt.Round: math.RoundToEven, simt.Erf: math.Erf, simt.Log1p: math.Log1p, simt.Expm1: math.Expm1,
}

var floatBinary = map[simt.Kind]func(x, y float64) float64{
	simt.Add: func(x, y float64) float64 { return x + y }, simt.Sub: func(x, y float64) float64 { return x - y },
	simt.Mul: func(x, y float64) float64 { return x * y }, simt.Div: func(x, y float64) float64 { return x / y },
	simt.Min: math.Min, simt.Max: math.Max,
}

var comparisons = map[simt.Kind]func(x, y float64) bool{
	simt.Eq: func(x, y float64) bool { return x == y }, simt.Ne: func(x, y float64) bool { return x != y },
	simt.Lt: func(x, y float64) bool { return x < y }, simt.Le: func(x, y float64) bool { return x <= y },
	simt.Gt: func(x, y float64) bool { return x > y }, simt.Ge: func(x, y float64) bool { return x >= y },
}

var integer = map[simt.Kind]func(x, y int64) int64{
	simt.Neg: func(x, _ int64) int64 { return -x }, simt.Not: func(x, _ int64) int64 { return ^x },
	simt.Abs: func(x, _ int64) int64 { return max(x, -x) },
	simt.Add: func(x, y int64) int64 { return x + y }, simt.Sub: func(x, y int64) int64 { return x - y },
	simt.Mul: func(x, y int64) int64 { return x * y }, simt.Div: func(x, y int64) int64 { return x / y },
	simt.Rem: func(x, y int64) int64 { return x % y }, simt.Min: func(x, y int64) int64 { return min(x, y) },
	simt.Max: func(x, y int64) int64 { return max(x, y) }, simt.And: func(x, y int64) int64 { return x & y },
	simt.Or: func(x, y int64) int64 { return x | y }, simt.Xor: func(x, y int64) int64 { return x ^ y },
	simt.BitCount: func(x, _ int64) int64 { return int64(mathbits.OnesCount32(uint32(x))) },
	simt.MulHi:    func(x, y int64) int64 { return int64(uint64(x) * uint64(y) >> 32) },
	simt.Shl:      func(x, y int64) int64 { return x << y }, simt.Shr: func(x, y int64) int64 { return x >> y },
}

// unsigned are the ops that differ for U64; the other integers are int64.
var unsigned = map[simt.Kind]func(x, y uint64) uint64{
	simt.Div: func(x, y uint64) uint64 { return x / y }, simt.Rem: func(x, y uint64) uint64 { return x % y },
	simt.Min: func(x, y uint64) uint64 { return min(x, y) }, simt.Max: func(x, y uint64) uint64 { return max(x, y) },
	simt.Shr: func(x, y uint64) uint64 { return x >> y },
}
