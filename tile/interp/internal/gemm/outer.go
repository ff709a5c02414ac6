package gemm

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

const (
	addProduct = vector.AddProduct
	addF       = vector.AddF
	xor        = vector.Xor
	shiftLeft  = vector.ShiftLeft
	less       = vector.Less
	atLeast    = vector.AtLeast
)

// An outer kernel adds a @ b to a tile of c, for b whose rows are contiguous: each step along k multiplies a column of a with vectors of a row of b. The fewer
// of both are kept in registers for the step, and the others pass through one.

var outers table

// outerSums are the registers of an outer kernel's sums, which come after those of its operands.
func outerSums(s spec, first int) [][]amd64.Vec {
	sums := make([][]amd64.Vec, s.rows)
	for r := range sums {
		for v := range s.vectors {
			sums[r] = append(sums[r], amd64.Vec(first+r*s.vectors+v))
		}
	}
	return sums
}

// outerOperands is how many vector registers the operands of an outer kernel take.
func outerOperands(rows, vectors int) int { return min(rows, vectors) + 1 }

// pairsSpare is a register for the products of pairs, where these are not added by one instruction: before that of the mask, if there is one.
func pairsSpare(s spec, last amd64.Vec) amd64.Vec { return last - amd64.Vec(number(s.part)) }

// outerUnroll is how many steps an outer kernel makes at a time.
const outerUnroll = 4

// outerAssembler makes the code of an outer kernel. The first registers after 0 have the operand of which there are fewer vectors in a step, and 0 has what passes.
type outerAssembler struct {
	assembler
	sums [][]amd64.Vec
	mask amd64.Vec
}

func generateOuter(s spec) []byte {
	g := outerAssembler{assembler: newAssembler(s), sums: outerSums(s, min(s.rows, s.vectors)+1)}
	g.mask = amd64.Vec(g.Registers() - 1)
	g.setMask(g.mask)
	g.rowsAt(frameA)
	g.MovLoad(count, g.word(frameK))
	g.MovLoad(aCol, g.word(frameACol))
	g.columnsAt()
	g.MovReg(bAdvance, bTriple)
	g.Add(bAdvance, bStep)
	g.clear(g.sums)
	g.steps()
	g.addSums()
	g.Return()
	return g.Code()
}

// steps makes the loop along k.
func (g *outerAssembler) steps() {
	if g.stepped {
		g.loop(1, g.step, func(int) {
			g.advance(func(base amd64.Reg) { g.Add(base, aCol) })
			g.Add(atB, bStep)
		})
		return
	}
	g.loop(outerUnroll, g.step, func(steps int) {
		g.advance(func(base amd64.Reg) { g.AddConst(base, int32(4*steps)) })
		if steps == outerUnroll {
			g.Add(atB, bAdvance)
		} else {
			g.Add(atB, bStep)
		}
	})
}

// step multiplies a column of a with a row of b.
func (g *outerAssembler) step(i int) {
	if g.vectors <= g.rows {
		for v := range g.vectors {
			g.loadB(amd64.Vec(1+v), i, v)
		}
		for r, row := range g.sums {
			g.Broadcast(0, g.row(r, 4*i))
			for v, sum := range row {
				g.multiply(sum, 0, amd64.Vec(1+v))
			}
		}
		return
	}
	for r := range g.rows {
		g.Broadcast(amd64.Vec(1+r), g.row(r, 4*i))
	}
	for v := range g.vectors {
		g.loadB(0, i, v)
		for r := range g.rows {
			g.multiply(g.sums[r][v], amd64.Vec(1+r), 0)
		}
	}
}

func (g *outerAssembler) loadB(d amd64.Vec, step, v int) {
	g.load(d, multiple(atB, bStep, bTriple, step, v*g.Lanes()*g.elem.Size()), g.mask, g.part && v == g.vectors-1)
}

// multiply adds products of elements, or of the pairs that words are.
func (g *outerAssembler) multiply(sum, x, y amd64.Vec) {
	switch g.elem {
	case dtype.U32:
		g.AddBFloatPairs(sum, x, y)
	case dtype.I32:
		g.AddPairs(sum, x, y, pairsSpare(g.spec, g.mask), processor.Pairs)
	default:
		g.Three(addProduct, sum, x, y)
	}
}

// addSums adds the sums to c.
func (g *outerAssembler) addSums() {
	add := addF
	if g.elem == dtype.I32 {
		add = vector.AddI
	}
	g.rowsAt(frameC)
	for r, row := range g.sums {
		for v, sum := range row {
			at := g.row(r, v*4*g.Lanes())
			if g.part && v == g.vectors-1 {
				g.LoadMasked(0, at, g.mask)
				g.Three(add, sum, sum, 0)
				g.StoreMasked(at, sum, g.mask)
				continue
			}
			g.ThreeMem(add, sum, sum, at)
			g.Store(at, sum)
		}
	}
}
