package emit

import (
	"math"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// A float that depends on 4 bits of a word alone, as the number of a code book does, is one of 16. Of a type of 16 bits these are 32 bytes, which fit into eight
// words. An instruction that picks four of the eight bytes of two words looks up the lower, or the upper, bytes of four such numbers at once. How a kernel computes
// the numbers does not matter: the ops between the bits and the float are evaluated for all 16 values. Those of a byte are no table, but may be floats of fewer bits, too.

// bitTable is a float as a function of 4 bits of a word, or of a byte.
type bitTable struct {
	bitField
	numbers []uint32 // bits of F32
}

// table is a lane of floats as a function of 4 bits, or of a byte, if it is that.
func (l *emitter) table(v *simt.Value, i int) (t bitTable, ok bool) {
	x, ok := l.tables.Of(v, i)
	if !ok {
		return t, false
	}
	return bitTable{l.bitsOf(x.Field), x.Numbers}, true
}

// tablePair is a word of two floats of a type of 16 bits that are one function of 4 bits, or floats of 8 bits, 16 bits apart in a word, times a scale, of which nil is 1; nil
// if they are not.
func (l *emitter) tablePair(v, next, scale *simt.Value, e dtype.Type) *simt.Value {
	x, ok := l.table(unroundedLane(v, e))
	if !ok {
		return nil
	}
	y, ok := l.table(unroundedLane(next, e))
	if !ok || !slices.Equal(x.numbers, y.numbers) {
		return nil
	}
	_, _, moved := x.asFloats(e)
	few, picks := len(x.numbers) == codes.Count, l.caps.Language == target.CUDA
	switch {
	case !moved && !(few && picks):
		return nil
	case scale != nil && few && !picks && !isPowerOfTwo(scale): // which would be rounded otherwise
		return nil
	}
	if !moved && scale == nil {
		if w := l.pairInShared(x, y, e); w != nil {
			return w
		}
	}
	if x.word == y.word && y.at == x.at+x.width {
		l.apart(&x.bitField, &y.bitField)
	}
	if x.word != y.word || y.at != x.at+16 {
		return nil
	}
	if scale != nil && few && !scalesInPairs(x.numbers, e) {
		if !picks {
			return nil
		}
		return l.lookup(x.bitField, l.scaledPlanes(x.numbers, scale, e))
	}
	w, factor := l.movedBits(x, e)
	least := math.Abs(float64(math.Float32frombits(x.numbers[1])))
	switch {
	case w == nil:
		w = l.lookup(x.bitField, l.constantPlanes(x.numbers, e))
	case scale != nil && e == dtype.F16 && !few:
		return l.wideProducts(w, scale, factor, e)
	case scale == nil || !isPowerOfTwo(scale) || !takesFactor(e, factor, least):
		w, factor = l.pairProduct(e, w, l.constantWord(simt.FillWord(e, factor))), 1
	}
	s := l.pairScale(scale, e, factor)
	return s.of(l, l.pairProduct(e, w, s.times), e)
}

// planes are the lower bytes of the numbers of a table, by code, and the upper ones: words of four.
type planes [2][codes.Count / 4]*simt.Value

// constantPlanes are those of numbers that are rounded to a type.
func (l *emitter) constantPlanes(numbers []uint32, e dtype.Type) (p planes) {
	for c := range codes.Count / 4 {
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
func (l *emitter) scaledPlanes(numbers []uint32, scale *simt.Value, e dtype.Type) (p planes) {
	product := func(c int) *simt.Value {
		number := l.b.Const(simt.Scalar(dtype.F32), float64(math.Float32frombits(numbers[c])))
		return l.b.Binary(simt.Mul, scale, number)
	}
	for c := range codes.Count / 4 {
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
func (l *emitter) lookupBytes(digits, which *simt.Value, plane [codes.Count / 4]*simt.Value) *simt.Value {
	same := func(i, j int) bool {
		x, isConst := codes.Word(plane[i], 0)
		y, also := codes.Word(plane[j], 0)
		return isConst && also && x == y
	}
	repeats := same(0, 2) && same(1, 3)
	if x, isConst := codes.Word(plane[0], 0); isConst && repeats && same(0, 1) && x == bits.RotateLeft32(x, 8) {
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

// scalesInPairs reports whether plan.ScalesInPairs holds for all numbers.
func scalesInPairs(numbers []uint32, e dtype.Type) bool {
	return !slices.ContainsFunc(numbers, func(b uint32) bool { return !plan.ScalesInPairs(e, float64(math.Float32frombits(b))) })
}
