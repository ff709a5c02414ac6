package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// exchangeWords brings bytes into another distribution by shuffles of words that hold four of them each.
func (l *emitter) exchangeWords(r regs, to layout.Linear, e cost.Exchange, elem dtype.Type) regs {
	l.note("bytes change threads by %d shuffles of words", len(e.Swaps))
	const perWord = 4
	all := r.elements(l.b)
	words := make([]*simt.Value, len(all)/perWord)
	for i := range words {
		words[i] = l.packed(all[i*perWord:][:perWord], elem)
	}
	for _, s := range e.Swaps {
		lane := l.b.Binary(simt.Ne, l.b.Binary(simt.And, l.thread, l.b.Int(1<<s.Thread)), l.b.Int(0)) // has the bit
		if s.InWord() {
			for i, w := range words {
				words[i] = l.swapBytes(w, lane, s)
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
	for _, w := range words {
		elements = append(elements, l.lanes(l.b.Unpack(w, elem))...)
	}
	return l.filled(to, func(register int) *simt.Value { return elements[e.Order[register]] })
}

// swapWords exchanges the second word of threads without a bit and the first one of those that have it.
func (l *emitter) swapWords(first, second, lane *simt.Value, s distribution.Swap) (x, y *simt.Value) {
	got := l.shuffled(l.b.Select(lane, first, second), s)
	return l.b.Select(lane, got, first), l.b.Select(lane, second, got)
}

// swapBytes exchanges the bytes of a word that have a bit in their number, of threads without another one, and those without it of threads that have that one. Words are
// rotated so that what arrives is in its place.
func (l *emitter) swapBytes(w, lane *simt.Value, s distribution.Swap) *simt.Value {
	var by, keep *simt.Value // bits of the rotation, and those that stay
	if s.Register == 1 {
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
