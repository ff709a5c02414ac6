package emit

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// An MN-major left operand of words is loaded from the lines where it is staged to the registers that warpgroups take. Four lanes of a row
// load 4 bytes of each of four lines, and another four lanes the bytes next to them. Lines have an XOR swizzle of 16-byte chunks, so that of eight rows, two
// chunks, neighbouring lines have both in the same banks. Since each lane needs a word four lines further on, too, odd ones load that
// first: then no two lanes access one bank. The lanes exchange what they loaded in their registers.

// loadedFragments are those of such an operand.
func (l *emitter) loadedFragments(s stagedMatrix, m mma.Product, acc layout.Linear, depth int) *fragments {
	l.note("operand a is MN-major: threads load its words")
	required := m.Operand(0, acc, depth)
	f := l.newFragments(required, m, 0)
	load := l.wordLoads(s, oddLanesAhead(required, m.Step()/2))
	f.load = func(word int) (int, *simt.Value) {
		first := word &^ 3 // of the piece: two rows, then the same two half a step on
		var words [4]*simt.Value
		for i := range words {
			_, words[i] = load(first + i)
		}
		odd := l.b.Binary(simt.Ne, l.b.Binary(simt.And, l.thread, l.b.Int(1)), l.b.Int(0))
		exchanged := make([]*simt.Value, len(words))
		for i := range words {
			exchanged[i] = l.b.Emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{odd, words[i^2], words[i]}}, words[i].Type)
		}
		return first, l.b.Compose(exchanged...)
	}
	return f
}

// oddLanesAhead is an operand's layout in which odd lanes have the elements some steps of K further on, and the other lanes theirs.
func oddLanesAhead(required layout.Linear, by int) layout.Linear {
	thread := bases(required, layout.Thread)
	thread[0] = slices.Clone(thread[0])
	thread[0][1] ^= by
	return distribution.MustLinear(required.Shape(), bases(required, layout.Register), thread)
}

// bases are the vectors of an input's bits.
func bases(l layout.Linear, input string) (list [][]int) {
	for bit := range l.Bits(input) {
		list = append(list, l.Basis(input, bit))
	}
	return list
}
