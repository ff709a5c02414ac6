package native

import (
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// The edge of a row: vectors of which a stream has the first lanes, or none. Elements that a stream does not have are neither read nor written. Rows of pairs have whole
// vectors to their end.

// first makes the mask of the lanes that are before a column whose number is in the frame, and counts them: there may be more than a vector has, or fewer
// than none.
func (g *generator) first(mask vector.Vec, word int) {
	numbers := g.spare()
	g.MovLoad(g.regs.Count, g.word(word))
	g.Sub(g.regs.Count, g.regs.Index)
	g.SpreadReg(mask, g.regs.Count)
	g.Load(numbers, g.laneNumbers(0))
	g.CompareGreater(mask, mask, numbers)
}

// ifAny makes the code of what is done where a stream has any lanes.
func (g *generator) ifAny(code func()) {
	g.CompareConst(g.regs.Count, 0)
	none := g.Jump(vector.AtMost)
	code()
	g.Land(none)
}

func (g *generator) loadEdge(s int) {
	st, d, mask, beyond := g.streams[s], g.spare(), g.spare(), g.spare()
	g.Load(beyond, g.constantAt(st.beyond))
	g.Move(d, beyond)
	g.first(mask, streamWord(s)+streamWidth)
	g.ifAny(func() {
		g.LoadPart(st.elem, d, g.elements(s, 0), mask, g.regs.Count)
		g.Select(d, mask, d, beyond)
	})
	g.Move(g.result(), d)
}

func (g *generator) storeEdge(s int, x, spare vector.Vec) {
	mask := g.spare()
	g.first(mask, streamWord(s)+streamWidth)
	g.ifAny(func() {
		g.StorePart(g.streams[s].elem, g.elements(s, 0), x, spare, mask, g.regs.Count)
	})
}

// combineEdge combines the lanes of columns into a sum.
func (g *generator) combineEdge(op vector.Op, sum, x vector.Vec, identity uint32) {
	mask, other := g.spare(), g.spare()
	g.first(mask, frameColumns)
	g.Load(other, g.constantAt(identity))
	g.Select(other, mask, x, other)
	g.Three(op, sum, sum, other)
}
