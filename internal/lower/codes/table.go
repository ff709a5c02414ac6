package codes

import (
	"math"
	mathbits "math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Count is how many values 4 bits have.
const Count = 16

// mostOps are the most ops that are evaluated for a table, counted again for each of those that take what they compute.
const mostOps = 1 << 10

// Table is a float as a function of 4 bits of a word, one of 16, or of a byte, one of 256. How a kernel computes it does not matter, the ops between the bits and the float
// are evaluated for all values.
type Table struct {
	Field
	Numbers []uint32 // bits of F32
	Ops     int      // from the bits to the number, those that two others take counted twice
}

// lane is a lane of a value.
type lane struct {
	*simt.Value
	i int
}

// entry is a lane for all values of 4 or 8 bits of a word. Bool is 0 or 1, and other elements are their bits.
type entry struct {
	from *Field   // nil of a constant
	x    []uint32 // one of a constant
	ops  int
}

// at is the lane for a value of the bits of a field that has those of the entry.
func (e *entry) at(f *Field, code int) uint32 {
	if e.from == nil {
		return e.x[0]
	}
	return e.x[code>>(e.from.At-f.At)&(len(e.x)-1)]
}

// Tables evaluates lanes, each once.
type Tables struct {
	Bytes bool // functions of bytes, too
	known map[lane]*entry
}

// Of is a lane of floats as a function of 4 bits, or of a byte if those are asked for, if it is that.
func (t *Tables) Of(v *simt.Value, i int) (table Table, ok bool) {
	if v, _ := simt.LaneOf(v, i); v.Op == nil || v.Type.Elem != dtype.F32 {
		return table, false
	}
	e := t.entry(v, i)
	if e == nil || e.from == nil {
		return table, false
	}
	return Table{*e.from, e.x, e.ops}, true
}

// entry is a lane for all values of the bits, nil if it depends on anything else.
func (t *Tables) entry(v *simt.Value, i int) *entry {
	v, i = simt.LaneOf(v, i)
	if v.Op == nil {
		return nil
	}
	key := lane{v, i}
	e, ok := t.known[key]
	if !ok {
		e = t.evaluate(v, i)
		if t.known == nil {
			t.known = map[lane]*entry{}
		}
		t.known[key] = e
	}
	return e
}

func (t *Tables) evaluate(v *simt.Value, i int) *entry {
	if v.Op.Kind == simt.Const {
		return &entry{x: []uint32{constantBits(v.Type.Elem, v.Op.Number)}}
	}
	if f, ok := FieldOf(v, i); ok {
		return t.digit(f)
	}
	if e := t.apply(v, i); e != nil {
		return e
	}
	return t.masked(v, i)
}

// apply is what an op makes of its operands.
func (t *Tables) apply(v *simt.Value, i int) *entry {
	e := &entry{}
	f := evaluators[evaluated{v.Op.Kind, operandElem(v.Op)}]
	if f == nil || len(v.Op.Args) > 3 || v.Op.Kind == simt.Round16 || v.Op.Kind == simt.Convert && !isWord(v.Type.Elem) {
		return nil
	}
	var args [3]*entry
	for n, a := range v.Op.Args {
		arg, ok := t.entry(a, i), false
		if arg == nil {
			return nil
		}
		if e.from, ok = t.join(e.from, arg.from); !ok {
			return nil
		}
		args[n], e.ops = arg, e.ops+arg.ops
	}
	if e.ops++; e.ops > mostOps {
		return nil
	}
	e.x = make([]uint32, 1)
	if e.from != nil {
		e.x = make([]uint32, 1<<e.from.Width)
	}
	for c := range e.x {
		var a [3]uint32
		for n := range v.Op.Args {
			a[n] = args[n].at(e.from, c)
		}
		e.x[c] = f(a[0], a[1], a[2])
	}
	return e
}

// join is the bits that have those of both, nil for those of a constant.
func (t *Tables) join(x, y *Field) (*Field, bool) {
	switch {
	case x == nil:
		return y, true
	case y == nil || *x == *y:
		return x, true
	case !t.Bytes || x.From != y.From || x.Lane != y.Lane || x.At/8 != y.At/8:
		return nil, false
	}
	return &Field{From: x.From, Lane: x.Lane, At: x.At &^ 7, Width: 8}, true
}

// around is the 4 bits, or the byte, that some bits of a word are in.
func (t *Tables) around(from *simt.Value, lane, at, width int) *Field {
	for _, n := range []int{4, 8} {
		if base := at &^ (n - 1); at+width <= base+n && (n == 4 || t.Bytes) {
			return &Field{From: from, Lane: lane, At: base, Width: n}
		}
	}
	return nil
}

// digit is a field that is some of 4 bits, or of a byte.
func (t *Tables) digit(f Field) *entry {
	if f.Width == 0 || f.Extended {
		return nil
	}
	from := t.around(f.From, f.Lane, f.At, f.Width)
	if from == nil {
		return nil
	}
	e := &entry{from: from, x: make([]uint32, 1<<from.Width), ops: 1}
	for c := range e.x {
		e.x[c] = uint32(c)>>(f.At-from.At)&(1<<f.Width-1) ^ f.Flip
	}
	return e
}

// masked is some of 4 bits, or of a byte, of any word, such as what a loop carries, that a mask leaves, if it leaves no others.
func (t *Tables) masked(v *simt.Value, i int) *entry {
	if v.Op.Kind != simt.And {
		return nil
	}
	mask, isConst := Word(v.Op.Args[1], i)
	if !isConst || mask == 0 {
		return nil
	}
	word, i := simt.LaneOf(v.Op.Args[0], i) // of I32 no bit that is copied from the sign is left
	shift := 0
	if word.Op != nil && word.Op.Kind == simt.Shr {
		by, isConst := Word(word.Op.Args[1], i)
		if !isConst || by > 31 {
			return nil
		}
		shift = int(by)
		word, i = simt.LaneOf(word.Op.Args[0], i)
	}
	bits := uint64(mask) << shift
	least := mathbits.TrailingZeros64(bits)
	from := t.around(word, i, least, mathbits.Len64(bits)-least)
	if from == nil || from.At+from.Width > 32 || !isWord(word.Type.Elem) {
		return nil
	}
	e := &entry{from: from, x: make([]uint32, 1<<from.Width), ops: 1}
	for c := range e.x {
		e.x[c] = uint32(c) << from.At >> shift & mask
	}
	return e
}

// isWord reports whether elements are integers of 32 bits.
func isWord(e dtype.Type) bool { return e == dtype.U32 || e == dtype.I32 }

// last is the last operand of an op, nil if it has none.
func last(op *simt.Op) *simt.Value {
	if len(op.Args) == 0 {
		return nil
	}
	return op.Args[len(op.Args)-1]
}

// operandElem is the type by which an op is evaluated: that of its last operand.
func operandElem(op *simt.Op) dtype.Type {
	if v := last(op); v != nil {
		return v.Type.Elem
	}
	return 0
}

// constantBits is a constant as an element.
func constantBits(e dtype.Type, x float64) uint32 {
	switch {
	case e == dtype.F32:
		return math.Float32bits(float32(x))
	case e == dtype.Bool && x != 0:
		return 1
	}
	return uint32(int64(x))
}

// evaluated is a kind of op on a type of elements.
type evaluated struct {
	simt.Kind
	elem dtype.Type
}

var evaluators = makeEvaluators()

func makeEvaluators() map[evaluated]func(x, y, z uint32) uint32 {
	table := map[evaluated]func(x, y, z uint32) uint32{}
	float, truth := math.Float32frombits, func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	choose := func(x, y, z uint32) uint32 {
		if x != 0 {
			return y
		}
		return z
	}
	floats := map[simt.Kind]func(x, y, z float32) float32{
		simt.Neg: func(x, _, _ float32) float32 { return -x },
		simt.Add: func(x, y, _ float32) float32 { return x + y }, simt.Sub: func(x, y, _ float32) float32 { return x - y },
		simt.Mul: func(x, y, _ float32) float32 { return x * y },
		simt.FMA: func(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) },
	}
	for kind, f := range floats {
		table[evaluated{kind, dtype.F32}] = func(x, y, z uint32) uint32 { return math.Float32bits(f(float(x), float(y), float(z))) }
	}
	words := map[simt.Kind]func(x, y, z uint32) uint32{
		simt.Add: func(x, y, _ uint32) uint32 { return x + y }, simt.Sub: func(x, y, _ uint32) uint32 { return x - y }, simt.Mul: func(x, y, _ uint32) uint32 { return x * y },
		simt.And: func(x, y, _ uint32) uint32 { return x & y }, simt.Or: func(x, y, _ uint32) uint32 { return x | y }, simt.Xor: func(x, y, _ uint32) uint32 { return x ^ y },
		simt.Shl: func(x, y, _ uint32) uint32 { return x << (y & 31) }, simt.Shr: func(x, y, _ uint32) uint32 { return x >> (y & 31) },
		simt.Eq: func(x, y, _ uint32) uint32 { return truth(x == y) }, simt.Ne: func(x, y, _ uint32) uint32 { return truth(x != y) },
		simt.Lt: func(x, y, _ uint32) uint32 { return truth(x < y) }, simt.Ge: func(x, y, _ uint32) uint32 { return truth(x >= y) },
	}
	for kind, f := range words {
		table[evaluated{kind, dtype.U32}] = f
	}
	for _, kind := range []simt.Kind{simt.And, simt.Or, simt.Xor, simt.Shl} {
		table[evaluated{kind, dtype.I32}] = words[kind]
	}
	for _, elem := range []dtype.Type{dtype.I32, dtype.U32} {
		table[evaluated{simt.Convert, elem}] = func(x, _, _ uint32) uint32 { return x }
	}
	for _, elem := range []dtype.Type{dtype.F32, dtype.U32} {
		table[evaluated{simt.Select, elem}] = choose
		table[evaluated{simt.Bitcast, elem}] = func(x, _, _ uint32) uint32 { return x }
	}
	return table
}
