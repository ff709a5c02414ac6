package emit

import (
	"math"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// A float that depends on 4 bits of a word alone, as the number of a code book does, is one of 16. Of a type of 16 bits these are 32 bytes, which fit into eight
// words. An instruction that picks four of the eight bytes of two words looks up the lower, or the upper, bytes of four such numbers at once. How a kernel computes
// the numbers does not matter: the ops between the bits and the float are evaluated for all 16 values.

// codes is how many values 4 bits have.
const codes = 16

// mostTableOps are the most ops that are evaluated for a table.
const mostTableOps = 96

// bitTable is a float as a function of 4 bits of a word.
type bitTable struct {
	bitField
	numbers [codes]uint32 // bits of F32
}

// lane is a lane of a value.
type lane struct {
	*simt.Value
	i int
}

// tabulation evaluates lanes for all values of 4 bits of a word. Bool is 0 or 1, and other elements are their bits.
type tabulation struct {
	*emitter
	from  *bitField // found by the first use of some of its bits
	known map[lane]*[codes]uint32
}

// table is a lane of floats as a function of 4 bits, if it is that.
func (l *emitter) table(v *simt.Value, i int) (t bitTable, ok bool) {
	if v, _ := simt.LaneOf(v, i); v.Op == nil || v.Type.Elem != dtype.F32 {
		return t, false
	}
	e := tabulation{emitter: l, known: map[lane]*[codes]uint32{}}
	x := e.values(v, i)
	if x == nil || e.from == nil {
		return t, false
	}
	return bitTable{*e.from, *x}, true
}

// values is a lane for all values of the 4 bits, nil if it depends on anything else.
func (e *tabulation) values(v *simt.Value, i int) *[codes]uint32 {
	v, i = simt.LaneOf(v, i)
	if x, ok := e.known[lane{v, i}]; ok {
		return x
	}
	if v.Op == nil || len(e.known) >= mostTableOps {
		return nil
	}
	x := e.evaluate(v, i)
	e.known[lane{v, i}] = x
	return x
}

func (e *tabulation) evaluate(v *simt.Value, i int) *[codes]uint32 {
	x := new([codes]uint32)
	if v.Op.Kind == simt.Const {
		for c := range x {
			x[c] = constantBits(v.Type.Elem, v.Op.Number)
		}
		return x
	}
	if f, ok := e.field(v, i); ok {
		return e.bits(f)
	}
	f := evaluators[evaluated{v.Op.Kind, operandElem(v.Op)}]
	if f == nil || len(v.Op.Args) > 3 || v.Op.Kind == simt.Round16 {
		return nil
	}
	var args [3]*[codes]uint32
	for n, a := range v.Op.Args {
		if args[n] = e.values(a, i); args[n] == nil {
			return nil
		}
	}
	for c := range x {
		var a [3]uint32
		for n := range v.Op.Args {
			a[n] = args[n][c]
		}
		x[c] = f(a[0], a[1], a[2])
	}
	return x
}

// bits is a field that is some of the 4 bits.
func (e *tabulation) bits(f bitField) *[codes]uint32 {
	base := f.at &^ 3
	if f.width == 0 || f.extended || f.at+f.width > base+4 {
		return nil
	}
	if e.from == nil {
		e.from = &bitField{word: f.word, at: base, width: 4}
	}
	if e.from.word != f.word || e.from.at != base {
		return nil
	}
	x := new([codes]uint32)
	for c := range x {
		x[c] = uint32(c)>>(f.at-base)&(1<<f.width-1) ^ f.flip
	}
	return x
}

// operandElem is the type by which an op is evaluated: that of its last operand.
func operandElem(op *simt.Op) dtype.Type {
	if len(op.Args) == 0 {
		return 0
	}
	return op.Args[len(op.Args)-1].Type.Elem
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
	for _, elem := range []dtype.Type{dtype.F32, dtype.U32} {
		table[evaluated{simt.Select, elem}] = choose
		table[evaluated{simt.Bitcast, elem}] = func(x, _, _ uint32) uint32 { return x }
	}
	return table
}

// tablePair is a word of two floats of a type of 16 bits that are one function of 4 bits, 16 bits apart in a word, times a scale, of which nil is 1; nil if they are not.
func (l *emitter) tablePair(v, next, scale *simt.Value, e dtype.Type) *simt.Value {
	x, ok := l.table(unroundedLane(v, e))
	if !ok {
		return nil
	}
	y, ok := l.table(unroundedLane(next, e))
	if !ok || x.numbers != y.numbers {
		return nil
	}
	if x.word == y.word && y.at == x.at+x.width {
		l.apart(&x.bitField, &y.bitField)
	}
	if x.word != y.word || y.at != x.at+16 {
		return nil
	}
	if scale != nil && !exactIn(x.numbers, e) {
		return l.lookup(x.bitField, l.scaledPlanes(x.numbers, scale, e))
	}
	w, factor := l.movedBits(x, e)
	least := math.Abs(float64(math.Float32frombits(x.numbers[1])))
	switch {
	case w == nil:
		w = l.lookup(x.bitField, l.constantPlanes(x.numbers, e))
	case scale == nil || !isPowerOfTwo(scale) || !takesFactor(e, factor, least):
		w, factor = l.pairProduct(e, w, l.constantWord(fillWord(e, factor))), 1
	}
	s := l.pairScale(scale, e, factor)
	return s.of(l, l.pairProduct(e, w, s.times), e)
}

// planes are the lower bytes of the numbers of a table, by code, and the upper ones: words of four.
type planes [2][codes / 4]*simt.Value

// constantPlanes are those of numbers that are rounded to a type.
func (l *emitter) constantPlanes(numbers [codes]uint32, e dtype.Type) (p planes) {
	for c := range codes / 4 {
		var words [2]uint32
		for i, b := range numbers[4*c : 4*c+4] {
			var half [2]byte
			dtype.PutFloats(e, half[:], []float64{float64(math.Float32frombits(b))})
			words[0] |= uint32(half[0]) << (8 * i)
			words[1] |= uint32(half[1]) << (8 * i)
		}
		p[0][c], p[1][c] = l.constantWord(words[0]), l.constantWord(words[1])
	}
	return p
}

// scaledPlanes are those of the products of numbers and a scale of F32, rounded once. They take as much as the products of a few pairs, and those that share a scale
// are looked up in them.
func (l *emitter) scaledPlanes(numbers [codes]uint32, scale *simt.Value, e dtype.Type) (p planes) {
	product := func(c int) *simt.Value {
		number := l.b.Const(simt.Scalar(dtype.F32), float64(math.Float32frombits(numbers[c])))
		return l.b.Binary(simt.Mul, scale, number)
	}
	for c := range codes / 4 {
		low := l.b.Pack(l.b.Compose(product(4*c), product(4*c+1)), e)
		high := l.b.Pack(l.b.Compose(product(4*c+2), product(4*c+3)), e)
		p[0][c] = l.b.PickBytes(low, high, l.constantWord(0x6420))
		p[1][c] = l.b.PickBytes(low, high, l.constantWord(0x7531))
	}
	return p
}

// lookup is a word of the numbers of 4 bits of a word, below its half, and of those 16 bits above.
func (l *emitter) lookup(x bitField, table planes) *simt.Value {
	// The bytes of both numbers change places so that what is looked up together, the lowest or the highest four digits, has both: the first and the third, or the
	// second and the fourth.
	w := l.b.PickBytes(x.word, x.word, l.constantWord(0x3120))
	digits := l.b.Binary(simt.And, w, l.constantWord(0x77777777))
	which := l.b.Binary(simt.Or, l.b.Binary(simt.And, l.b.Binary(simt.Shr, w, l.constantWord(1)), l.constantWord(0x44444444)), l.constantWord(0x32103210))
	if at := x.at / 8; at == 1 {
		digits, which = l.b.Binary(simt.Shr, digits, l.constantWord(16)), l.b.Binary(simt.Shr, which, l.constantWord(16))
	}
	low, high := l.lookupBytes(digits, which, table[0]), l.lookupBytes(digits, which, table[1])
	return l.b.PickBytes(low, high, l.constantWord([2]uint32{0x6240, 0x7351}[x.at/4%2]))
}

// lookupBytes is the bytes of a plane by four digits: one of two of eight, of which the second operand picks.
func (l *emitter) lookupBytes(digits, which *simt.Value, plane [codes / 4]*simt.Value) *simt.Value {
	same := func(i, j int) bool {
		x, isConst := word(plane[i], 0)
		y, also := word(plane[j], 0)
		return isConst && also && x == y
	}
	repeats := same(0, 2) && same(1, 3)
	if x, isConst := word(plane[0], 0); isConst && repeats && same(0, 1) && x == bits.RotateLeft32(x, 8) {
		return plane[0]
	}
	first := l.b.PickBytes(plane[0], plane[1], digits)
	if repeats {
		return first
	}
	second := l.b.PickBytes(plane[2], plane[3], digits)
	return l.b.PickBytes(first, second, which)
}

// unroundedLane is what an element was before it was rounded to a type.
func unroundedLane(v *simt.Value, e dtype.Type) (*simt.Value, int) {
	of, i := simt.LaneOf(v, 0)
	if of.Op != nil && of.Op.Kind == simt.Round16 && of.Op.Elem == e {
		return simt.LaneOf(of.Op.Args[0], i)
	}
	return of, i
}

// exactIn reports whether a type holds numbers exactly, none beyond 256 as no integer is that is scaled.
func exactIn(numbers [codes]uint32, e dtype.Type) bool {
	for _, b := range numbers {
		if x := float64(math.Float32frombits(b)); math.Abs(x) > 256 || float64(dtype.Round(e, x)) != x {
			return false
		}
	}
	return true
}
