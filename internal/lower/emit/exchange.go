package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// exchangeWords brings elements of 8 or 16 bits into another distribution by shuffles of words that hold several of them each.
func (l *emitter) exchangeWords(r regs, to layout.Linear, e cost.Exchange, elem dtype.Type) regs {
	l.note("%vs change threads by %d shuffles of words", elem, len(e.Swaps))
	perWord := e.PerWord
	all := r.elements(l.b)
	var words []*simt.Value
	for part := range slices.Chunk(all, distribution.RegisterLanes) { // as many as words are unpacked to at once
		words = append(words, l.lanes(l.packed(part, elem))...)
	}
	for _, s := range e.Swaps {
		lane := l.b.Binary(simt.Ne, l.b.Binary(simt.And, l.thread, l.b.Int(1<<s.Thread)), l.b.Int(0)) // has the bit
		if s.InWord(perWord) {
			for i, w := range words {
				words[i] = l.swapParts(w, lane, s, perWord)
			}
			continue
		}
		step := 1 << s.Register / perWord
		for i := range words {
			if i&step == 0 {
				words[i], words[i+step] = l.swapWords(words[i], words[i+step], lane, s)
			}
		}
	}
	var elements []*simt.Value
	for part := range slices.Chunk(words, distribution.RegisterLanes/perWord) {
		elements = append(elements, l.lanes(l.b.Unpack(l.b.Compose(part...), elem))...)
	}
	return l.filled(to, func(register int) *simt.Value { return elements[e.Order[register]] })
}

// swapWords exchanges the second word of threads without a bit and the first one of those that have it.
func (l *emitter) swapWords(first, second, lane *simt.Value, s distribution.Swap) (x, y *simt.Value) {
	got := l.shuffled(l.b.Select(lane, first, second), s)
	return l.b.Select(lane, got, first), l.b.Select(lane, second, got)
}

// swapParts exchanges the parts of a word that have a bit in their number, of threads without another one, and those without it of threads that have that one. Words are
// rotated so that what arrives is in its place.
func (l *emitter) swapParts(w, lane *simt.Value, s distribution.Swap, perWord int) *simt.Value {
	var by, keep *simt.Value      // bits of the rotation, and those that stay
	if 2<<s.Register == perWord { // halves
		by = l.constantWord(16)
		keep = l.b.Select(lane, l.constantWord(0xffff0000), l.constantWord(0x0000ffff))
	} else {
		by = l.b.Select(lane, l.constantWord(8), l.constantWord(24))
		keep = l.b.Select(lane, l.constantWord(0xff00ff00), l.constantWord(0x00ff00ff))
	}
	back := l.b.Binary(simt.Sub, l.constantWord(32), by)
	got := l.shuffled(l.b.Binary(simt.Or, l.b.Binary(simt.Shl, w, by), l.b.Binary(simt.Shr, w, back)), s)
	return l.b.Binary(simt.Xor, got, l.b.Binary(simt.And, l.b.Binary(simt.Xor, got, w), keep))
}

// shuffled is the word of the thread whose number differs in a swap's bit.
func (l *emitter) shuffled(w *simt.Value, s distribution.Swap) *simt.Value {
	return l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{w}, LaneMask: 1 << s.Thread}, w.Type)
}
