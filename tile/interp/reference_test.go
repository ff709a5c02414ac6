package interp

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// The reference computes one element at a time on float64, which holds every
// value of every element type.

// builders make the element-wise ops from their operands.
var builders = map[tile.Kind]func(v []*tile.Value) *tile.Value{
	tile.OpNeg:   one((*tile.Value).Neg),
	tile.OpNot:   one((*tile.Value).Not),
	tile.OpAbs:   one((*tile.Value).Abs),
	tile.OpExp:   one((*tile.Value).Exp),
	tile.OpExp2:  one((*tile.Value).Exp2),
	tile.OpLog:   one((*tile.Value).Log),
	tile.OpLog2:  one((*tile.Value).Log2),
	tile.OpSqrt:  one((*tile.Value).Sqrt),
	tile.OpRsqrt: one((*tile.Value).Rsqrt),
	tile.OpSin:   one((*tile.Value).Sin),
	tile.OpCos:   one((*tile.Value).Cos),
	tile.OpTanh:  one((*tile.Value).Tanh),
	tile.OpFloor: one((*tile.Value).Floor),
	tile.OpCeil:  one((*tile.Value).Ceil),
	tile.OpRound: one((*tile.Value).Round), tile.OpErf: one((*tile.Value).Erf),
	tile.OpLog1p: one((*tile.Value).Log1p), tile.OpExpm1: one((*tile.Value).Expm1),
	tile.OpSigmoid: one((*tile.Value).Sigmoid), tile.OpIsNaN: one((*tile.Value).IsNaN),
	tile.OpAdd:   two((*tile.Value).Add),
	tile.OpSub:   two((*tile.Value).Sub),
	tile.OpMul:   two((*tile.Value).Mul),
	tile.OpDiv:   two((*tile.Value).Div),
	tile.OpRem:   two((*tile.Value).Rem),
	tile.OpMulHi: two((*tile.Value).MulHi),
	tile.OpMin:   two((*tile.Value).Minimum),
	tile.OpMax:   two((*tile.Value).Maximum),
	tile.OpAnd:   two((*tile.Value).And),
	tile.OpOr:    two((*tile.Value).Or),
	tile.OpXor:   two((*tile.Value).Xor),
	tile.OpShl:   two((*tile.Value).Shl),
	tile.OpShr:   two((*tile.Value).Shr),
	tile.OpEq:    two((*tile.Value).Eq),
	tile.OpNe:    two((*tile.Value).Ne),
	tile.OpLt:    two((*tile.Value).Lt),
	tile.OpLe:    two((*tile.Value).Le),
	tile.OpGt:    two((*tile.Value).Gt),
	tile.OpGe:    two((*tile.Value).Ge),
	tile.OpFMA:   func(v []*tile.Value) *tile.Value { return v[0].FMA(v[1], v[2]) },
}

func one(f func(*tile.Value) *tile.Value) func([]*tile.Value) *tile.Value {
	return func(v []*tile.Value) *tile.Value { return f(v[0]) }
}

func two(f func(*tile.Value, tile.Operand) *tile.Value) func([]*tile.Value) *tile.Value {
	return func(v []*tile.Value) *tile.Value { return f(v[0], v[1]) }
}

// floatRef has the exact or the float64 result of the ops on floats.
var floatRef = map[tile.Kind]func(x []float64) float64{
	tile.OpNeg:     func(x []float64) float64 { return -x[0] },
	tile.OpAbs:     func(x []float64) float64 { return math.Abs(x[0]) },
	tile.OpExp:     func(x []float64) float64 { return math.Exp(x[0]) },
	tile.OpExp2:    func(x []float64) float64 { return math.Exp2(x[0]) },
	tile.OpLog:     func(x []float64) float64 { return math.Log(x[0]) },
	tile.OpLog2:    func(x []float64) float64 { return math.Log2(x[0]) },
	tile.OpSqrt:    func(x []float64) float64 { return math.Sqrt(x[0]) },
	tile.OpRsqrt:   func(x []float64) float64 { return 1 / math.Sqrt(x[0]) },
	tile.OpSin:     func(x []float64) float64 { return math.Sin(x[0]) },
	tile.OpCos:     func(x []float64) float64 { return math.Cos(x[0]) },
	tile.OpTanh:    func(x []float64) float64 { return math.Tanh(x[0]) },
	tile.OpFloor:   func(x []float64) float64 { return math.Floor(x[0]) },
	tile.OpCeil:    func(x []float64) float64 { return math.Ceil(x[0]) },
	tile.OpRound:   func(x []float64) float64 { return math.RoundToEven(x[0]) },
	tile.OpErf:     func(x []float64) float64 { return math.Erf(x[0]) },
	tile.OpLog1p:   func(x []float64) float64 { return math.Log1p(x[0]) },
	tile.OpExpm1:   func(x []float64) float64 { return math.Expm1(x[0]) },
	tile.OpSigmoid: func(x []float64) float64 { return 1 / (1 + math.Exp(-x[0])) },
	tile.OpIsNaN: func(x []float64) float64 {
		if math.IsNaN(x[0]) {
			return 1
		}
		return 0
	},
	tile.OpAdd: func(x []float64) float64 { return x[0] + x[1] },
	tile.OpSub: func(x []float64) float64 { return x[0] - x[1] },
	tile.OpMul: func(x []float64) float64 { return x[0] * x[1] },
	tile.OpDiv: func(x []float64) float64 { return x[0] / x[1] },
	tile.OpMin: func(x []float64) float64 { return min(x[0], x[1]) },
	tile.OpMax: func(x []float64) float64 { return max(x[0], x[1]) },
	tile.OpFMA: func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) },
}

// reference is one element of the result of an op on operands of type e.
func reference(t *testing.T, kind tile.Kind, e dtype.Type, x []float64) float64 {
	switch class := kind.Fact().Class; {
	case class == tile.Compare && e.IsFloat():
		return compareRef(kind, x[0], x[1])
	case e == dtype.Bool:
		return boolRef(t, kind, x)
	case e.IsInt():
		return intRef(kind, e, x)
	}
	f, ok := floatRef[kind]
	if !ok {
		t.Fatalf("%v of %v has no reference", kind, e)
	}
	return rounded(e, f(x))
}

// rounded is a float64 as a value of e, but for F64 by way of F32. That double rounding is
// innocuous for one +, -, *, / or square root of F32 operands.
func rounded(e dtype.Type, x float64) float64 {
	if e == dtype.F64 {
		return x
	}
	return float64(dtype.Round(e, float64(float32(x))))
}

func compareRef(kind tile.Kind, x, y float64) float64 {
	is := map[tile.Kind]bool{
		tile.OpEq: x == y, tile.OpNe: x != y, tile.OpLt: x < y, tile.OpLe: x <= y, tile.OpGt: x > y, tile.OpGe: x >= y,
	}[kind]
	return map[bool]float64{true: 1}[is]
}

func boolRef(t *testing.T, kind tile.Kind, x []float64) float64 {
	switch kind {
	case tile.OpNot:
		return 1 - x[0]
	case tile.OpAnd:
		return x[0] * x[1]
	case tile.OpOr:
		return max(x[0], x[1])
	case tile.OpXor, tile.OpNe:
		return math.Abs(x[0] - x[1])
	case tile.OpEq:
		return 1 - math.Abs(x[0]-x[1])
	}
	t.Fatalf("%v of bool has no reference", kind)
	return 0
}

func intRef(kind tile.Kind, e dtype.Type, x []float64) float64 {
	switch kind {
	case tile.OpNeg:
		return wrapped(e, -int64(x[0]))
	case tile.OpNot:
		return wrapped(e, ^int64(x[0]))
	case tile.OpAbs:
		return wrapped(e, int64(math.Abs(x[0])))
	}
	r := tile.EvalInt(kind, int64(x[0]), int64(x[1]))
	if kind.Fact().Class == tile.Compare {
		return float64(r)
	}
	return wrapped(e, r)
}

// wrapped is an integer modulo 2^bits of e.
func wrapped(e dtype.Type, x int64) float64 {
	switch e {
	case dtype.I8:
		return float64(int8(x))
	case dtype.U8:
		return float64(uint8(x))
	case dtype.I16:
		return float64(int16(x))
	case dtype.U16:
		return float64(uint16(x))
	case dtype.U32:
		return float64(uint32(x))
	case dtype.I64:
		return float64(x)
	case dtype.U64:
		return float64(uint64(x))
	}
	return float64(int32(x))
}

// castRef converts one element.
func castRef(from, to dtype.Type, x float64) float64 {
	switch {
	case from == dtype.F64 && to.IsFloat():
		return dtype.Nearest(to, x)
	case to.IsFloat():
		return rounded(to, x)
	case to == dtype.Bool:
		if x != 0 {
			return 1
		}
		return 0
	case !from.IsFloat():
		return wrapped(to, int64(x))
	case x != x:
		return 0
	}
	limits := map[dtype.Type][2]float64{
		dtype.I8: {-128, 127}, dtype.U8: {0, 255}, dtype.I16: {-32768, 32767}, dtype.U16: {0, 65535}, dtype.I32: {math.MinInt32, math.MaxInt32}, dtype.U32: {0, math.MaxUint32},
		dtype.I64: {math.MinInt64, math.MaxInt64}, dtype.U64: {0, math.MaxUint64},
	}[to]
	return math.Trunc(math.Max(limits[0], math.Min(limits[1], x))) + 0 // not -0
}
