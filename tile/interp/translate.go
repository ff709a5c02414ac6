package interp

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// In lanes, floats are F32 and integers I32 or U32; those of 8 and 16 bits have their sign, and of a Bool all bits are equal. Arithmetic on F16 and BF16 is that on F32:
// casts and stores round, as package tile allows.

// Lanes compute ops of one operand and of two; comparisons are among the latter.
var (
	floatLanes1 = map[tile.Kind]func(*native.Loop, native.Value) native.Value{
		tile.OpNeg: func(l *native.Loop, x native.Value) native.Value { return l.Xor(x, l.Bits(1<<31)) },
		tile.OpAbs: (*native.Loop).Abs, tile.OpExp: (*native.Loop).Exp, tile.OpExp2: (*native.Loop).Exp2, tile.OpLog: (*native.Loop).Log,
		tile.OpLog2: (*native.Loop).Log2, tile.OpSqrt: (*native.Loop).Sqrt, tile.OpRsqrt: (*native.Loop).Rsqrt, tile.OpTanh: (*native.Loop).Tanh,
		tile.OpErf: (*native.Loop).Erf, tile.OpLog1p: (*native.Loop).Log1p, tile.OpExpm1: (*native.Loop).Expm1, tile.OpSigmoid: (*native.Loop).Sigmoid,
		tile.OpSin: (*native.Loop).Sin, tile.OpCos: (*native.Loop).Cos,
		tile.OpFloor: rounding(vector.Floor), tile.OpCeil: rounding(vector.Ceil), tile.OpRound: rounding(vector.Nearest),
	}
	floatLanes2 = map[tile.Kind]func(l *native.Loop, x, y native.Value) native.Value{
		tile.OpAdd: (*native.Loop).Add, tile.OpSub: (*native.Loop).Sub, tile.OpMul: (*native.Loop).Mul, tile.OpDiv: (*native.Loop).Div,
		tile.OpMin: (*native.Loop).Min, tile.OpMax: (*native.Loop).Max,
		tile.OpEq: comparing(vector.Eq, false), tile.OpNe: comparing(vector.Ne, false), tile.OpLt: comparing(vector.Lt, false),
		tile.OpLe: comparing(vector.Le, false), tile.OpGt: comparing(vector.Lt, true), tile.OpGe: comparing(vector.Le, true),
	}
	intLanes1 = map[tile.Kind]func(*native.Loop, native.Value) native.Value{
		tile.OpNeg: func(l *native.Loop, x native.Value) native.Value { return l.Three(vector.SubI, l.Bits(0), x) },
		tile.OpNot: (*native.Loop).Not,
		tile.OpAbs: func(l *native.Loop, x native.Value) native.Value { return l.Two(vector.AbsI, x) },
	}
	intLanes2 = map[tile.Kind]func(l *native.Loop, x, y native.Value) native.Value{
		tile.OpAdd: with(vector.AddI), tile.OpSub: with(vector.SubI), tile.OpMul: with(vector.MulI),
		tile.OpDiv: quotient((*native.Loop).DivideInts), tile.OpRem: remainder((*native.Loop).DivideInts),
		tile.OpMin: with(vector.MinS), tile.OpMax: with(vector.MaxS), tile.OpShl: shifting(vector.ShiftLeft), tile.OpShr: shifting(vector.ShiftSigned),
		tile.OpAnd: (*native.Loop).And, tile.OpOr: (*native.Loop).Or, tile.OpXor: (*native.Loop).Xor, tile.OpEq: (*native.Loop).Equal,
		tile.OpNe: func(l *native.Loop, x, y native.Value) native.Value { return l.Not(l.Equal(x, y)) },
		tile.OpLt: func(l *native.Loop, x, y native.Value) native.Value { return l.Greater(y, x) },
		tile.OpGt: (*native.Loop).Greater,
		tile.OpLe: func(l *native.Loop, x, y native.Value) native.Value { return l.Not(l.Greater(x, y)) },
		tile.OpGe: func(l *native.Loop, x, y native.Value) native.Value { return l.Not(l.Greater(y, x)) },
	}
	// wordLanes2 are those of U32 that differ from the signed ones, and smallLanes2 those of 8 and 16 bits.
	wordLanes2 = map[tile.Kind]func(l *native.Loop, x, y native.Value) native.Value{
		tile.OpDiv: quotient((*native.Loop).DivideWords), tile.OpRem: remainder((*native.Loop).DivideWords),
		tile.OpMulHi: (*native.Loop).MulHigh, tile.OpMin: with(vector.MinU), tile.OpMax: with(vector.MaxU), tile.OpShr: shifting(vector.ShiftRight),
	}
	smallLanes2 = map[tile.Kind]func(l *native.Loop, x, y native.Value) native.Value{
		tile.OpDiv: quotient((*native.Loop).DivideSmall), tile.OpRem: remainder((*native.Loop).DivideSmall),
	}
)

func rounding(how vector.Rounding) func(*native.Loop, native.Value) native.Value {
	return func(l *native.Loop, x native.Value) native.Value { return l.Round(x, how) }
}

func comparing(how vector.Comparison, swap bool) func(l *native.Loop, x, y native.Value) native.Value {
	return func(l *native.Loop, x, y native.Value) native.Value {
		if swap {
			x, y = y, x
		}
		return l.Compare(how, x, y)
	}
}

func quotient(divide func(l *native.Loop, x, y native.Value) (q, r native.Value)) func(l *native.Loop, x, y native.Value) native.Value {
	return func(l *native.Loop, x, y native.Value) native.Value {
		q, _ := divide(l, x, y)
		return q
	}
}

func remainder(divide func(l *native.Loop, x, y native.Value) (q, r native.Value)) func(l *native.Loop, x, y native.Value) native.Value {
	return func(l *native.Loop, x, y native.Value) native.Value {
		_, r := divide(l, x, y)
		return r
	}
}

func with(op vector.Op) func(l *native.Loop, x, y native.Value) native.Value {
	return func(l *native.Loop, x, y native.Value) native.Value { return l.Three(op, x, y) }
}

func shifting(op vector.Op) func(l *native.Loop, x, y native.Value) native.Value {
	return func(l *native.Loop, x, y native.Value) native.Value {
		if by, ok := l.Constant(y); ok {
			return l.Shift(op, x, int(by%32))
		}
		return l.Three(op, x, l.And(y, l.Bits(31)))
	}
}

// combinesOf are the reductions, by the registers of what they reduce.
var combinesOf = map[class]map[tile.Kind]native.Combine{
	floats: {tile.OpReduceSum: native.Sum, tile.OpReduceProd: native.Product, tile.OpReduceMin: native.Least, tile.OpReduceMax: native.Greatest},
	ints:   {tile.OpReduceSum: native.SumInt, tile.OpReduceMin: native.LeastInt, tile.OpReduceMax: native.GreatestInt},
	words:  {tile.OpReduceSum: native.SumInt, tile.OpReduceMin: native.LeastWord, tile.OpReduceMax: native.GreatestWord},
}

// combineOf is how a reduction combines elements in a loop. Sums of those of 8 and 16 bits would have to wrap.
func combineOf(op *tile.Op) (how native.Combine, ok bool) {
	elem := op.Args[0].Type().Elem
	how, ok = combinesOf[classOf(elem)][op.Kind]
	return how, ok && (how != native.SumInt || elem.Size() == 4)
}

// translates reports whether an op on the elements of tiles has lanes.
func translates(op *tile.Op) bool {
	for _, v := range append(op.Out[:len(op.Out):len(op.Out)], op.Args...) {
		if !fusedElem(v.Type().Elem) {
			return false
		}
	}
	switch op.Kind {
	case tile.OpConst, tile.OpSplat, tile.OpIota, tile.OpSelect, tile.OpFMA, tile.OpIsNaN, tile.OpCast, tile.OpBroadcast:
		return true
	case tile.OpBitcast:
		return op.Result().Type().Elem.Size() == 4
	case tile.OpLoad, tile.OpStore, tile.OpGather:
		return fusedElem(op.View.Elem)
	}
	class := op.Kind.Fact().Class
	if class == tile.Reduction {
		_, ok := combineOf(op)
		return ok
	}
	return class == tile.Unary && lanes1(op) != nil || (class == tile.Binary || class == tile.Compare) && lanes2(op.Kind, op.Args[0].Type().Elem) != nil
}

// byRows is how the rows of a tile, along its last dimension, take the elements of one that is broadcast.
type byRows uint8

const (
	oneForAll  byRows = iota // element
	oneForRow                // element
	rowForAll                // of elements
	rowForEach               // the tiles have one shape
	oneForRows               // element for each of some rows
	rowForRows               // of elements for each of some rows
)

// broadcastRows is how a tile of a shape is broadcast to another.
func broadcastRows(from, to []int) byRows {
	last := len(to) - 1
	outerOne, outerAll := true, true
	for d, n := range from[:last] {
		outerOne, outerAll = outerOne && n == 1, outerAll && n == to[d]
	}
	lastAll := from[last] == to[last]
	switch {
	case outerAll && lastAll:
		return rowForEach
	case outerOne && lastAll:
		return rowForAll
	case outerOne && from[last] == 1:
		return oneForAll
	case outerAll && from[last] == 1:
		return oneForRow
	case lastAll:
		return rowForRows
	}
	return oneForRows
}

func lanes1(op *tile.Op) func(*native.Loop, native.Value) native.Value {
	switch e := op.Result().Type().Elem; {
	case e.IsFloat():
		return floatLanes1[op.Kind]
	case e == dtype.Bool && op.Kind != tile.OpNot:
		return nil
	}
	return intLanes1[op.Kind]
}

func lanes2(kind tile.Kind, e dtype.Type) func(l *native.Loop, x, y native.Value) native.Value {
	switch {
	case e.IsFloat():
		return floatLanes2[kind]
	case e == dtype.Bool:
		switch kind {
		case tile.OpAnd, tile.OpOr, tile.OpXor, tile.OpEq, tile.OpNe:
		default:
			return nil
		}
	case e.Size() <= 2 && smallLanes2[kind] != nil:
		return smallLanes2[kind]
	case e == dtype.U32:
		if f := wordLanes2[kind]; f != nil {
			return f
		}
		switch kind {
		case tile.OpLt, tile.OpLe, tile.OpGt, tile.OpGe: // of signed numbers, whose order it is when the highest bits are inverted
			f := intLanes2[kind]
			return func(l *native.Loop, x, y native.Value) native.Value {
				return f(l, l.Xor(x, l.Bits(1<<31)), l.Xor(y, l.Bits(1<<31)))
			}
		}
	}
	return intLanes2[kind]
}

// translator makes the loop of a group.
type translator struct {
	native.Loop
	values map[*tile.Value]native.Value
	nest   *nest
}

// elementwise translates an op whose operands are in lanes.
func (t *translator) elementwise(op *tile.Op) native.Value {
	args := make([]native.Value, len(op.Args))
	for i, a := range op.Args {
		args[i] = t.values[a]
	}
	out := op.Result().Type().Elem
	var v native.Value
	switch op.Kind {
	case tile.OpSelect:
		return t.Select(args[0], args[1], args[2])
	case tile.OpFMA:
		return t.FMA(args[0], args[1], args[2])
	case tile.OpIsNaN:
		return t.Compare(vector.Unordered, args[0], args[0])
	case tile.OpBitcast:
		return args[0]
	case tile.OpCast:
		return t.cast(op.Args[0].Type().Elem, out, args[0])
	}
	if len(args) == 1 {
		v = lanes1(op)(&t.Loop, args[0])
	} else {
		v = lanes2(op.Kind, op.Args[0].Type().Elem)(&t.Loop, args[0], args[1])
	}
	if out.IsInt() {
		return t.narrow(out, v)
	}
	return v
}

// narrow wraps a lane to 8 or 16 bits.
func (t *translator) narrow(e dtype.Type, v native.Value) native.Value {
	switch e {
	case dtype.I8:
		return t.Shift(vector.ShiftSigned, t.Shift(vector.ShiftLeft, v, 24), 24)
	case dtype.U8:
		return t.And(v, t.Bits(0xff))
	case dtype.I16:
		return t.Shift(vector.ShiftSigned, t.Shift(vector.ShiftLeft, v, 16), 16)
	case dtype.U16:
		return t.And(v, t.Bits(0xffff))
	}
	return v
}

// cast converts between element types, as cast does to registers.
func (t *translator) cast(from, to dtype.Type, v native.Value) native.Value {
	switch {
	case from == dtype.Bool && to == dtype.Bool:
		return v
	case from == dtype.Bool && to.IsFloat():
		return t.And(v, t.Float(1))
	case from == dtype.Bool:
		return t.And(v, t.Bits(1))
	case to == dtype.Bool && from.IsFloat():
		return t.Compare(vector.Ne, v, t.Float(0))
	case to == dtype.Bool:
		return t.Not(t.Equal(v, t.Bits(0)))
	case from.IsFloat() && to.IsFloat():
		return t.round(to, v)
	case to.IsFloat():
		return t.round(to, t.toFloat(from, v))
	case from.IsFloat():
		return t.toInteger(to, v)
	}
	return t.narrow(to, v)
}

func (t *translator) round(to dtype.Type, v native.Value) native.Value {
	switch to {
	case dtype.F16:
		return t.RoundHalf(v)
	case dtype.BF16:
		return t.RoundBF16(v)
	}
	return v
}

// toFloat makes floats of integers.
func (t *translator) toFloat(from dtype.Type, v native.Value) native.Value {
	if from != dtype.U32 {
		return t.Two(vector.FloatOfI, v)
	}
	return t.FloatOfWord(v)
}

// toInteger truncates and saturates; NaN gives 0.
func (t *translator) toInteger(to dtype.Type, v native.Value) native.Value {
	clamp := func(low, high float32) native.Value {
		return t.FloatToInt(t.Max(t.Float(low), t.Min(t.Float(high), v)))
	}
	switch to {
	case dtype.I8:
		return clamp(math.MinInt8, math.MaxInt8)
	case dtype.U8:
		return clamp(0, math.MaxUint8)
	case dtype.I16:
		return clamp(math.MinInt16, math.MaxInt16)
	case dtype.U16:
		return clamp(0, math.MaxUint16)
	case dtype.U32:
		big := t.Compare(vector.Le, t.Float(0x1p31), v)
		small := t.FloatToInt(t.Max(t.Float(0), v))
		upper := t.Xor(t.FloatToInt(t.Sub(v, t.Float(0x1p31))), t.Bits(1<<31)) // saturates at 2^31-1, which is then 2^32-1
		return t.Select(big, upper, small)
	}
	return t.FloatToInt(v)
}
