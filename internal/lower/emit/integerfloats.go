package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Integers of few bits become floats of 32 bits where they are in a word of memory: their bits, masked, are the lower bits of a mantissa, and a multiply-add takes
// what they are multiplied by there away together with the rest. That is two instructions for each, and a shift for those in the upper half of a word. Taking words
// apart into bytes first takes twice as many, which compilers of shaders do not put together.

// integerFloats is a difference of floats by fewer instructions, if all of its lanes are integers of few bits of words.
func (l *emitter) integerFloats(v *simt.Value) *simt.Value {
	if l.caps.Language == target.CUDA || v.Type.Elem != dtype.F32 || v.Op == nil || v.Op.Kind != simt.Sub {
		return v
	}
	list := make([]integer, v.Type.Width)
	for i := range list {
		var ok bool
		if list[i], ok = l.integer(v, i, dtype.F32); !ok || list[i].width > 8 {
			return v
		}
	}
	lanes := make([]*simt.Value, len(list))
	for i, n := range list {
		lanes[i] = l.integerFloat(n)
		if l.integers == nil {
			l.integers = map[*simt.Value]integer{}
		}
		l.integers[lanes[i]] = n
	}
	return l.b.Compose(lanes...)
}

// mantissa32 is the number of bits of F32's mantissa that are stored.
const mantissa32 = 23

// integerFloat is the float of an integer of few bits of a word. All steps are exact, fused or not.
func (l *emitter) integerFloat(n integer) *simt.Value {
	w, at := n.word, n.at
	if at+n.width > mantissa32 {
		w, at = l.b.Binary(simt.Shr, w, l.constantWord(16)), at-16
	}
	w = l.b.Binary(simt.And, w, l.constantWord((1<<n.width-1)<<at))
	x := l.bitsAs(l.b.Binary(simt.Xor, w, l.constantWord(exponent23|n.flip<<at)), dtype.F32)
	number := func(x float64) *simt.Value { return l.b.Const(simt.Scalar(dtype.F32), x) }
	// (2^23 + n·2^at)·2^-at - (2^(23-at) + less) is n - less.
	rest := number(-math.Ldexp(1, mantissa32-at) - float64(n.less))
	if n.zero != nil {
		rest = l.b.Binary(simt.Sub, rest, n.zero)
	}
	if at == 0 {
		return l.b.Binary(simt.Add, x, rest)
	}
	return l.b.FMA(x, number(math.Ldexp(1, -at)), rest)
}
