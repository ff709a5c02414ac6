package native

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Loop is the body of a nest of loops over rows and columns: what is done with the elements of one column, on all lanes of a vector at a time.
type Loop struct {
	nodes   []node
	streams []stream
	known   map[node]Value
}

// Value is the result of a node, by its number: a vector of 32-bit lanes.
type Value int32

// node is one step. Nodes are in the order in which they run.
type node struct {
	kind   nodeKind
	op     vector.Op
	x, y   Value
	z      Value
	number uint32 // of a constant its bits, of others an immediate
	stream int32
}

type nodeKind uint8

const (
	constant nodeKind = iota
	input
	output
	three   // op of x and y
	two     // op of x
	fma     // x*y + z; number 1: z - x*y
	round   // x, as number says
	shift   // x by number bits, as op says
	compare // of floats x and y, as number says
	equal   // of integers
	greater
	choose // x where the lane of z is ones, else y
	halve  // x rounded to F16
	reduce // x combined along a row, into a stream
	column // the number of the lane's column
	words  // the words of a stream at x where y's lane is ones, else 0
	halves // x, bits of F16, as floats
	high   // the upper 32 bits of x × y, without signs
	odd    // ones in the odd lanes
	double // of each pair of lanes of x the first, or by number 1 the second, in both
)

// stream is elements in memory that a loop reads or writes.
type stream struct {
	elem   dtype.Type
	repeat bool // one element for a row
	write  bool
	listed bool   // a list says where its rows are
	pairs  bool   // each element is of two columns
	beyond uint32 // what an input is beyond a row's elements
}

// none is no value.
const none Value = -1

func (l *Loop) add(n node) Value {
	if n.kind != output && n.kind != reduce {
		if v, ok := l.known[n]; ok {
			return v
		}
		if l.known == nil {
			l.known = map[node]Value{}
		}
		l.known[n] = Value(len(l.nodes))
	}
	l.nodes = append(l.nodes, n)
	return Value(len(l.nodes) - 1)
}

// Len is how many steps there are.
func (l *Loop) Len() int { return len(l.nodes) }

// Input is a new stream of elements, of neighbours along a row or, if it repeats, of one for each row. The value is F32 for floats, else the element with its
// sign, or the 0 or 1 of a Bool.
func (l *Loop) Input(elem dtype.Type, repeat bool) (Value, int) {
	l.streams = append(l.streams, stream{elem: elem, repeat: repeat})
	at := len(l.streams) - 1
	v := l.add(node{kind: input, stream: int32(at), x: none, y: none, z: none})
	return l.fromBits(elem, v), at
}

// Pairs is Input where each element is of two columns that are neighbours, the first one's number being even. Rows have a multiple of the lanes.
func (l *Loop) Pairs(elem dtype.Type) (Value, int) {
	stored := elem
	if elem == dtype.F16 {
		stored = dtype.BF16 // its bits
	}
	l.streams = append(l.streams, stream{elem: stored, pairs: true})
	at := len(l.streams) - 1
	v := l.add(node{kind: input, stream: int32(at), x: none, y: none, z: none})
	switch elem {
	case dtype.F16:
		v = l.add(node{kind: halves, x: v, y: none, z: none})
	default:
		v = l.fromBits(elem, v)
	}
	return v, at
}

// fromBits makes a lane of the 16 bits of an element that a load extends with zeros.
func (l *Loop) fromBits(elem dtype.Type, v Value) Value {
	switch elem {
	case dtype.BF16:
		return l.Shift(vector.ShiftLeft, v, 16)
	case dtype.I16:
		return l.Shift(vector.ShiftSigned, l.Shift(vector.ShiftLeft, v, 16), 16)
	}
	return v
}

// OutputPairs stores the values of even columns, of 32 or 8 bits.
func (l *Loop) OutputPairs(elem dtype.Type, v Value) int {
	at := l.Output(elem, v)
	l.streams[at].pairs = true
	return at
}

// List makes a list say where the rows of a stream are; see Frame.BindList.
func (l *Loop) List(stream int) { l.streams[stream].listed = true }

// Odd has ones in the lanes of odd columns. First and Second give each pair of lanes, of an even and an odd column, the value of one of them.
func (l *Loop) Odd() Value          { return l.add(node{kind: odd, x: none, y: none, z: none}) }
func (l *Loop) First(x Value) Value { return l.add(node{kind: double, x: x, y: none, z: none}) }
func (l *Loop) Second(x Value) Value {
	return l.add(node{kind: double, x: x, y: none, z: none, number: 1})
}

// Beyond says what an input is beyond its row's elements, as bits of a lane that its type has, in place of zeros.
func (l *Loop) Beyond(stream int, bits uint32) {
	if l.streams[stream].elem == dtype.BF16 { // which Input shifts
		bits >>= 16
	}
	l.streams[stream].beyond = bits
}

// Gather is the elements of a new stream at indices, of 31 bits, where a lane of mask is ones, else 0; all rows take from the same place. Their type is as Input's. What begins at a multiple
// of four bytes before an element, and has four bytes, must be memory that may be read.
func (l *Loop) Gather(elem dtype.Type, index, mask Value) (Value, int) {
	l.streams = append(l.streams, stream{elem: elem})
	at := len(l.streams) - 1
	word := index
	if elem.Size() < 4 {
		word = l.Shift(vector.ShiftSigned, index, 3-elem.Size()) // by 1 for two elements a word, by 2 for four
	}
	v := l.add(node{kind: words, stream: int32(at), x: word, y: mask, z: none})
	if elem.Size() < 4 {
		bits := l.Shift(vector.ShiftLeft, l.And(index, l.Bits(uint32(4/elem.Size()-1))), 2+elem.Size())
		v = l.Three(vector.ShiftRight, v, bits)
	}
	switch elem {
	case dtype.F16:
		v = l.add(node{kind: halves, x: l.And(v, l.Bits(0xffff)), y: none, z: none})
	case dtype.BF16, dtype.I16:
		v = l.fromBits(elem, v)
	case dtype.U16:
		v = l.And(v, l.Bits(0xffff))
	case dtype.I8:
		v = l.Shift(vector.ShiftSigned, l.Shift(vector.ShiftLeft, v, 24), 24)
	case dtype.U8, dtype.Bool:
		v = l.And(v, l.Bits(0xff))
	}
	return v, at
}

// Output stores a value, rounded or cut to the element type, in a new stream.
func (l *Loop) Output(elem dtype.Type, v Value) int {
	switch elem {
	case dtype.BF16:
		v = l.roundBF16(v)
	case dtype.I8, dtype.U8:
		v = l.Three(vector.And, v, l.Bits(0xff))
	case dtype.I16, dtype.U16:
		v = l.Three(vector.And, v, l.Bits(0xffff))
	}
	l.streams = append(l.streams, stream{elem: elem, write: true})
	at := len(l.streams) - 1
	l.add(node{kind: output, x: v, y: none, z: none, stream: int32(at)})
	return at
}

// A Combine is a way to combine the elements of a row.
type Combine uint8

// The combines.
const (
	Sum Combine = iota
	Product
	Least
	Greatest
	SumInt // of integers
	LeastInt
	GreatestInt
	LeastWord // of those without a sign
	GreatestWord
)

var combines = [...]struct {
	op       vector.Op
	identity uint32 // its bits
}{
	Sum:          {vector.AddF, 0},
	Product:      {vector.MulF, math.Float32bits(1)},
	Least:        {vector.MinF, math.Float32bits(float32(math.Inf(1)))},
	Greatest:     {vector.MaxF, math.Float32bits(float32(math.Inf(-1)))},
	SumInt:       {vector.AddI, 0},
	LeastInt:     {vector.MinS, math.MaxInt32},
	GreatestInt:  {vector.MaxS, 1 << 31},
	LeastWord:    {vector.MinU, math.MaxUint32},
	GreatestWord: {vector.MaxU, 0},
}

// Identity is the element that changes nothing, as bits.
func (c Combine) Identity() uint32 { return combines[c].identity }

// Combine combines two elements.
func (l *Loop) Combine(how Combine, x, y Value) Value { return l.Three(combines[how].op, x, y) }

// Reduce combines the elements of a row into the element of a new stream that has one for each row.
func (l *Loop) Reduce(how Combine, v Value) int {
	l.streams = append(l.streams, stream{elem: dtype.F32, repeat: true, write: true})
	at := len(l.streams) - 1
	l.add(node{kind: reduce, x: v, y: none, z: none, number: uint32(how), stream: int32(at)})
	return at
}

// Bits and Float are constants.
func (l *Loop) Bits(x uint32) Value {
	return l.add(node{kind: constant, x: none, y: none, z: none, number: x})
}
func (l *Loop) Float(x float32) Value { return l.Bits(math.Float32bits(x)) }

// Constant is the bits of a constant.
func (l *Loop) Constant(v Value) (bits uint32, ok bool) {
	return l.nodes[v].number, l.nodes[v].kind == constant
}

// most has the bits that a value may have, as far as a few nodes tell.
func (l *Loop) most(v Value, nodes int) uint32 {
	if nodes == 0 {
		return math.MaxUint32
	}
	switch n := l.nodes[v]; n.kind {
	case constant:
		return n.number
	case input:
		switch l.streams[n.stream].elem {
		case dtype.U8:
			return math.MaxUint8
		case dtype.U16:
			return math.MaxUint16
		case dtype.Bool:
			return 1
		}
	case shift:
		if n.op == vector.ShiftRight {
			return l.most(n.x, nodes-1) >> n.number
		}
	case choose:
		return l.most(n.x, nodes-1) | l.most(n.y, nodes-1)
	case three:
		switch n.op {
		case vector.And:
			return l.most(n.x, nodes-1) & l.most(n.y, nodes-1)
		case vector.Or, vector.Xor:
			return l.most(n.x, nodes-1) | l.most(n.y, nodes-1)
		}
	}
	return math.MaxUint32
}

// Column is the number of the column.
func (l *Loop) Column() Value { return l.add(node{kind: column, x: none, y: none, z: none}) }

// Three and Two are operations of two operands and of one.
func (l *Loop) Three(op vector.Op, x, y Value) Value {
	return l.add(node{kind: three, op: op, x: x, y: y, z: none})
}
func (l *Loop) Two(op vector.Op, x Value) Value {
	return l.add(node{kind: two, op: op, x: x, y: none, z: none})
}

// Arithmetic of floats. Of Min and Max with a NaN the result is y.
func (l *Loop) Add(x, y Value) Value { return l.Three(vector.AddF, x, y) }
func (l *Loop) Sub(x, y Value) Value { return l.Three(vector.SubF, x, y) }
func (l *Loop) Mul(x, y Value) Value { return l.Three(vector.MulF, x, y) }
func (l *Loop) Div(x, y Value) Value { return l.Three(vector.DivF, x, y) }
func (l *Loop) Min(x, y Value) Value { return l.Three(vector.MinF, x, y) }
func (l *Loop) Max(x, y Value) Value { return l.Three(vector.MaxF, x, y) }

// FMA is x*y + z, and FNMA z - x*y, rounded once.
func (l *Loop) FMA(x, y, z Value) Value { return l.add(node{kind: fma, x: x, y: y, z: z}) }
func (l *Loop) FNMA(x, y, z Value) Value {
	return l.add(node{kind: fma, x: x, y: y, z: z, number: 1})
}

// Round rounds to an integer.
func (l *Loop) Round(x Value, how vector.Rounding) Value {
	return l.add(node{kind: round, x: x, y: none, z: none, number: uint32(how)})
}

// Shift shifts lanes by a constant.
func (l *Loop) Shift(op vector.Op, x Value, by int) Value {
	if by == 0 {
		return x
	}
	return l.add(node{kind: shift, op: op, x: x, y: none, z: none, number: uint32(by)})
}

// Compare compares floats; Equal and Greater signed integers. Lanes of the result are all ones or all zeros.
func (l *Loop) Compare(how vector.Comparison, x, y Value) Value {
	return l.add(node{kind: compare, x: x, y: y, z: none, number: uint32(how)})
}
func (l *Loop) Equal(x, y Value) Value   { return l.add(node{kind: equal, x: x, y: y, z: none}) }
func (l *Loop) Greater(x, y Value) Value { return l.add(node{kind: greater, x: x, y: y, z: none}) }

// MulHigh is the upper 32 bits of products without a sign.
func (l *Loop) MulHigh(x, y Value) Value { return l.add(node{kind: high, x: x, y: y, z: none}) }

// And, Or, Xor are on bits.
func (l *Loop) And(x, y Value) Value {
	if c, ok := l.Constant(y); ok && l.most(x, 4)&^c == 0 {
		return x
	}
	return l.Three(vector.And, x, y)
}
func (l *Loop) Or(x, y Value) Value  { return l.Three(vector.Or, x, y) }
func (l *Loop) Xor(x, y Value) Value { return l.Three(vector.Xor, x, y) }
func (l *Loop) Not(x Value) Value    { return l.Xor(x, l.Bits(math.MaxUint32)) }

// Select is x where a lane of cond is ones, else y.
func (l *Loop) Select(cond, x, y Value) Value {
	return l.add(node{kind: choose, x: x, y: y, z: cond})
}

// RoundHalf rounds to F16, RoundBF16 to BF16.
func (l *Loop) RoundHalf(x Value) Value { return l.add(node{kind: halve, x: x, y: none, z: none}) }
func (l *Loop) RoundBF16(x Value) Value { return l.Shift(vector.ShiftLeft, l.roundBF16(x), 16) }

// roundBF16 gives the bits of BF16, ties to even; those of a NaN stay one.
func (l *Loop) roundBF16(x Value) Value {
	odd := l.And(l.Shift(vector.ShiftRight, x, 16), l.Bits(1))
	up := l.Three(vector.AddI, l.Three(vector.AddI, x, l.Bits(0x7fff)), odd)
	nan := l.Compare(vector.Unordered, x, x)
	return l.Shift(vector.ShiftRight, l.Select(nan, l.Or(x, l.Bits(0x400000)), up), 16)
}
