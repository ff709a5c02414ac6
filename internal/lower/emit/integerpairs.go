package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Integers of few bits become floats of 16 bits in pairs, two by one instruction: bits of a word that are put below the exponent of 2^m, m being the
// number of bits of the mantissa, are the float 2^m + n, and of two integers that are 16 bits apart in a word both are such floats at once (Kim, Henry, Fahim and
// Awadalla, Who Says Elephants Can't Run: Bringing Large Scale MoE Models into Cloud Scale Production, 2022). What makes floats of integers one by one is
// recognised, wherever it stands: kernels say what they compute, for all devices.

// bitField is an integer of some bits of a word of U32, from bit at on; some of them are inverted.
type bitField struct {
	word      *simt.Value
	at, width int
	flip      uint32
	extended  bool // the highest bit is that of all bits above it, too
}

// integer is a float that is a bitField less a constant, and less another integer, if there is one.
type integer struct {
	bitField
	less int
	zero *simt.Value // a float that is an integer from 0 to 255; nil for none
}

// field is a lane of integers as bits of a word, if it is that.
func (l *emitter) field(v *simt.Value, i int) (bitField, bool) {
	f, ok := codes.FieldOf(v, i)
	if !ok {
		return bitField{}, false
	}
	return l.bitsOf(f), true
}

// bitsOf takes a field's word from the vector that it is in.
func (l *emitter) bitsOf(f codes.Field) bitField {
	return bitField{word: l.b.Convert(l.b.Extract(f.From, f.Lane), dtype.U32), at: f.At, width: f.Width, flip: f.Flip, extended: f.Extended}
}

// exponent23 is the exponent of 2^23 as bits of F32: with an integer below it they are the sum.
const exponent23 = 0x4b000000

// biased is a lane of floats as 2^23 and a field.
func (l *emitter) biased(v *simt.Value, i int) (f bitField, ok bool) {
	v, i = simt.LaneOf(v, i)
	if v.Op == nil || v.Op.Kind != simt.Bitcast || v.Type.Elem != dtype.F32 {
		return f, false
	}
	v, i = simt.LaneOf(v.Op.Args[0], i)
	if v.Op == nil || v.Op.Kind != simt.Or && v.Op.Kind != simt.Xor {
		return f, false
	}
	bits, isConst := codes.Word(v.Op.Args[1], i)
	if f, ok = l.field(v.Op.Args[0], i); !ok || !isConst || bits&^(1<<f.width-1) != exponent23 || f.extended {
		return f, false
	}
	switch flip := bits &^ exponent23; {
	case v.Op.Kind == simt.Xor:
		f.flip ^= flip
	case flip != 0:
		return f, false
	}
	return f, true
}

// integer is a lane of floats as an integer of few bits, if it is one.
func (l *emitter) integer(v *simt.Value, i int, e dtype.Type) (n integer, ok bool) {
	v, i = simt.LaneOf(v, i)
	if v.Op != nil && v.Op.Kind == simt.Round16 && v.Op.Elem == e {
		v, i = simt.LaneOf(v.Op.Args[0], i)
	}
	if n, ok = l.integers[v]; ok {
		return n, true
	}
	if v.Op == nil || v.Op.Kind != simt.Sub || v.Type.Elem != dtype.F32 {
		return n, false
	}
	if n.bitField, ok = l.biased(v.Op.Args[0], i); !ok {
		return n, false
	}
	less, i := simt.LaneOf(v.Op.Args[1], i)
	if less.Op != nil && less.Op.Kind == simt.Add {
		zero, lz := simt.LaneOf(less.Op.Args[0], i)
		if n.zero = l.b.Extract(zero, lz); !l.isByte(n.zero, 0) {
			return n, false
		}
		less, _ = simt.LaneOf(less.Op.Args[1], i)
	}
	x, isConst := simt.ConstOf(less)
	n.less = int(x - 1<<23)
	return n, isConst && math.Abs(x-1<<23) <= 256
}

// areBytes reports whether isByte does of all lanes.
func (l *emitter) areBytes(v *simt.Value) bool {
	for i := range v.Type.Width {
		if !l.isByte(v, i) {
			return false
		}
	}
	return true
}

// isByte reports whether a lane of floats is converted from an integer of 8 bits without a sign.
func (l *emitter) isByte(v *simt.Value, i int) bool {
	v, i = simt.LaneOf(v, i)
	if v.Op != nil && v.Op.Kind == simt.SharedLoad && l.ofBytes[v.Op.Shared] {
		return true
	}
	if v.Op == nil || v.Op.Kind != simt.Convert {
		return false
	}
	v, i = simt.LaneOf(v.Op.Args[0], i)
	for v.Op != nil && v.Op.Kind == simt.Convert {
		v, i = simt.LaneOf(v.Op.Args[0], i)
	}
	switch {
	case v.Op == nil:
		return false
	case v.Op.Kind == simt.Load:
		return v.Op.Buffer.Elem == dtype.U8 && !v.Op.Packed
	case v.Op.Kind == simt.SharedLoad: // from another thread
		return v.Op.Shared.Elem == dtype.U8 && !v.Op.Packed
	}
	return v.Op.Kind == simt.Unpack && v.Op.Elem == dtype.U8
}

// integerPairs are the words of elements of a type of 16 bits, if these are pairs of integers, or of what 4 or 8 bits stand for, from words that hold both 16 bits apart, or
// products of such pairs and a float; else nil.
func (l *emitter) integerPairs(elements []*simt.Value, e dtype.Type) (words []*simt.Value) {
	if !l.hasPairs(e) || len(elements)%2 != 0 {
		return nil
	}
	for i := 0; i < len(elements); i += 2 {
		x, sx := l.scaled(elements[i], e)
		y, sy := l.scaled(elements[i+1], e)
		if !sameLane(sx, sy) {
			return nil
		}
		var w *simt.Value
		if sx == nil || l.caps.Language == target.CUDA { // products in pairs may be rounded otherwise than one by one
			w = l.pairOf(x, y, sx, e)
		}
		if w == nil && (l.caps.Language == target.CUDA || l.caps.KeepsDenormals.Has(e)) {
			w = l.tablePair(x, y, sx, e)
		}
		if w == nil {
			return nil
		}
		words = append(words, w)
	}
	return words
}

// hasPairs reports whether a device multiplies and adds pairs of floats of a type. In SPIR-V those of F16 are vectors.
func (l *emitter) hasPairs(e dtype.Type) bool {
	switch l.caps.Language {
	case target.CUDA:
		return e == dtype.F16 || e == dtype.BF16
	case target.SPIRV:
		return e == dtype.F16 && l.caps.F16
	}
	return false
}

// pairOf is a word of two floats that are integers 16 bits apart in a word, times a scale, of which nil is 1; nil if they are not.
func (l *emitter) pairOf(v, next, scale *simt.Value, e dtype.Type) *simt.Value {
	x, ok := l.integer(v, 0, e)
	y, also := l.integer(next, 0, e)
	if x.word == y.word && y.at == x.at+x.width && x.width == y.width {
		l.apart(&x.bitField, &y.bitField)
	}
	if !ok || !also || x.word != y.word || y.at != x.at+16 || x.width != y.width || x.flip != y.flip || x.less != y.less || !sameLane(x.zero, y.zero) {
		return nil
	}
	s := l.pairScale(scale, e, 1)
	if w := l.integerPair(x, e, s.times); w != nil {
		return s.of(l, w, e)
	}
	return nil
}

// apart takes neighbours, halves of a byte or of half a word, from a word in which their kind is 16 bits apart: of the same word, two of its bits' numbers exchanged.
func (l *emitter) apart(x, y *bitField) {
	shift, mask, n := 12, uint32(0x0000f0f0), x.at/8
	switch {
	case x.width == 4 && x.at%8 == 0: // the second half of the first two bytes and the first half of the last two change places
		x.at = n>>1*4 + n&1*8
	case x.width == 8 && x.at%16 == 0: // the bytes in the middle
		shift, mask, x.at = 8, 0x0000ff00, x.at/2
	default:
		return
	}
	w := x.word
	t := l.b.Binary(simt.And, l.b.Binary(simt.Xor, w, l.b.Binary(simt.Shr, w, l.constantWord(uint32(shift)))), l.constantWord(mask))
	w = l.b.Binary(simt.Xor, l.b.Binary(simt.Xor, w, t), l.b.Binary(simt.Shl, t, l.constantWord(uint32(shift))))
	x.word, y.word, y.at = w, w, x.at+16
}

// scaled are the first factor of a product that is an element of a type, and the second; the element itself and nil for another.
func (l *emitter) scaled(v *simt.Value, e dtype.Type) (x, scale *simt.Value) {
	of, i := simt.LaneOf(v, 0)
	if of.Op != nil && of.Op.Kind == simt.Round16 && of.Op.Elem == e {
		of, i = simt.LaneOf(of.Op.Args[0], i)
	}
	if of.Op == nil || of.Op.Kind != simt.Mul || of.Type.Elem != dtype.F32 {
		return v, nil
	}
	x, scale = of.Op.Args[0], of.Op.Args[1]
	return l.b.Extract(x, i), l.b.Extract(scale, i)
}

// sameLane reports whether two scalars are one lane of one value, or both nil.
func sameLane(x, y *simt.Value) bool {
	if x == nil || y == nil {
		return x == y
	}
	v, i := simt.LaneOf(x, 0)
	w, j := simt.LaneOf(y, 0)
	return v == w && i == j
}

// isOf reports whether a float of F32 was loaded from elements of a type.
func isOf(v *simt.Value, e dtype.Type) bool {
	v, _ = simt.LaneOf(v, 0)
	if v.Op == nil {
		return false
	}
	return v.Op.Kind == simt.Load && v.Op.Buffer.Elem == e && v.Op.Fill == 0 || v.Op.Kind == simt.Unpack && v.Op.Elem == e
}

// mantissa is the number of bits of a type's mantissa that are stored, and the bits of 2 to the power of that.
func mantissa(e dtype.Type) (n int, one uint32) {
	if e == dtype.BF16 {
		return 7, 0x4300
	}
	return 10, 0x6400
}

// integerPair is a word of the integer and of the one 16 bits above it, times a power of two if that is not nil; nil where the type does not hold all integers.
func (l *emitter) integerPair(x integer, e dtype.Type, times *simt.Value) *simt.Value {
	bits, one := mantissa(e)
	if x.width > bits || x.less < 0 || x.less > 1<<bits {
		return nil
	}
	w, shift := x.word, x.at%16
	if by := shift &^ 7; shift+x.width > bits { // of which the bits begin near the lowest of a byte, so that fields share what is shifted
		by = shift - max(min(shift-by, bits-x.width), 0)
		w, shift = l.b.Binary(simt.Shr, w, l.constantWord(uint32(by))), shift-by
	}
	mask := uint32(1<<x.width-1) << shift
	put := one | x.flip<<shift
	w = l.andXor(w, mask|mask<<16, put|put<<16)
	// (2^m + n·2^shift)·2^-shift - (2^(m-shift) + less) is n - less, without rounding.
	both := func(x float64) *simt.Value { return l.constantWord(simt.FillWord(e, x)) }
	product := func(x *simt.Value) *simt.Value { return l.pairProduct(e, x, times) }
	scale, less := both(math.Ldexp(1, -shift)), math.Ldexp(1, bits-shift)+float64(x.less)
	switch {
	case x.zero == nil:
		return l.b.PairFMA(e, w, product(scale), product(both(-less)))
	case int(less)+255 <= 1<<(bits+1): // a float, too
		sum := l.b.Binary(simt.Sub, l.b.Const(simt.Scalar(dtype.F32), -less), x.zero)
		return product(l.b.PairFMA(e, w, scale, l.b.Pack(l.b.Splat(sum, 2), e)))
	}
	return product(l.b.PairFMA(e, l.b.Pack(l.b.Splat(x.zero, 2), e), both(-1), l.b.PairFMA(e, w, scale, both(-less))))
}

// andXor is w & mask ^ put.
func (l *emitter) andXor(w *simt.Value, mask, put uint32) *simt.Value {
	if l.caps.Language == target.CUDA {
		return l.b.AndXor(w, l.constantWord(mask), l.constantWord(put))
	}
	return l.b.Binary(simt.Xor, l.b.Binary(simt.And, w, l.constantWord(mask)), l.constantWord(put))
}

func (l *emitter) constantWord(x uint32) *simt.Value {
	return l.b.Const(simt.Scalar(dtype.U32), float64(x))
}
