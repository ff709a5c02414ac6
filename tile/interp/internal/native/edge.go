package native

import (
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// The edge of a row: vectors of which a stream has the first lanes, or none. Elements that a stream does not have are neither read nor written. Rows of pairs have whole
// vectors to their end.

// first makes the mask of the lanes that are before a column whose number is in the frame.
func (g *generator) first(mask vector.Vec, word int) {
	numbers := g.spare()
	g.left(word)
	g.mask(mask, numbers)
}

// left counts the columns before one whose number is in the frame: there may be more than a vector has lanes, or fewer than none.
func (g *generator) left(word int) {
	g.MovLoad(g.regs.Count, g.word(word))
	g.Sub(g.regs.Count, g.regs.Index)
}

// mask makes the mask of as many lanes as were counted.
func (g *generator) mask(d, numbers vector.Vec) {
	g.SpreadReg(d, g.regs.Count)
	g.Load(numbers, g.laneNumbers(0))
	g.CompareGreater(d, d, numbers)
}

// parted makes the code of a vector whose lanes are all before a column whose number is in the frame, or some of them; nothing is done if none is. Registers that
// they need have been taken before: which code runs is not known here.
func (g *generator) parted(word int, whole func(), some func(mask vector.Vec)) {
	mask, numbers, lanes := g.spare(), g.spare(), int32(g.Lanes())
	g.left(word)
	g.CompareConst(g.regs.Count, lanes)
	part := g.Jump(vector.Less)
	whole()
	g.CompareConst(g.regs.Count, lanes)
	done := g.Jump(vector.AtLeast) // always
	g.Land(part)
	g.CompareConst(g.regs.Count, 0)
	none := g.Jump(vector.AtMost)
	g.mask(mask, numbers)
	some(mask)
	g.Land(none)
	g.Land(done)
}

func (g *generator) loadEdge(s int) {
	st, d, part := g.streams[s], g.spare(), g.spare()
	g.Load(d, g.constantAt(st.beyond))
	g.parted(streamWord(s)+streamWidth, func() { g.load(d, s, 0) }, func(mask vector.Vec) {
		g.LoadPart(st.elem, part, g.elements(s, 0), mask, g.regs.Count)
		g.Select(d, mask, part, d)
	})
	g.Move(g.result(), d)
}

func (g *generator) storeEdge(s int, x, spare vector.Vec) {
	g.parted(streamWord(s)+streamWidth, func() { g.store(s, 0, x, spare) }, func(mask vector.Vec) {
		g.StorePart(g.streams[s].elem, g.elements(s, 0), x, spare, mask, g.regs.Count)
	})
}

// combineEdge combines the lanes of columns into a sum.
func (g *generator) combineEdge(op vector.Op, sum, x vector.Vec, identity uint32) {
	other := g.spare()
	g.parted(frameColumns, func() { g.Three(op, sum, sum, x) }, func(mask vector.Vec) {
		g.Load(other, g.constantAt(identity))
		g.Select(other, mask, x, other)
		g.Three(op, sum, sum, other)
	})
}
