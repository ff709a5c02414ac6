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

// outerHeld is how many vector registers the operands of an outer kernel take.
func outerHeld(rows, vectors int) int { return min(rows, vectors) + 1 }

// pairsSpare is a register for the products of pairs, where these are not added by one instruction: before that of the mask, if there is one.
func pairsSpare(s spec, last amd64.Vec) amd64.Vec { return last - amd64.Vec(number(s.part)) }

func generateOuter(s spec) []byte {
	const unroll = 4
	g := newAssembler(s)
	held := min(s.rows, s.vectors) // registers 1 to held, or the factor of a whole step; 0 is what passes
	mask := amd64.Vec(g.Registers() - 1)
	sums := outerSums(s, held+1)
	size := s.elem.Size()

	g.setMask(mask)
	g.rowsAt(frameA)
	g.MovLoad(count, g.word(frameK))
	g.MovLoad(aCol, g.word(frameACol))
	g.MovLoad(atB, g.word(frameB))
	g.MovLoad(bStep, g.word(frameBStep))
	g.MovReg(bTriple, bStep)
	g.Add(bTriple, bStep)
	g.Add(bTriple, bStep)
	g.MovReg(bAdvance, bTriple)
	g.Add(bAdvance, bStep)
	g.clear(sums)

	add := addF
	multiply := func(sum, x, y amd64.Vec) { g.Three(addProduct, sum, x, y) }
	switch s.elem {
	case dtype.U32:
		multiply = g.AddBFloatPairs
	case dtype.I32:
		add = vector.AddI
		multiply = func(sum, x, y amd64.Vec) { g.AddPairs(sum, x, y, pairsSpare(s, mask), processor.Pairs) }
	}
	loadB := func(d amd64.Vec, step, v int) {
		g.load(d, multiple(atB, bStep, bTriple, step, v*g.Lanes()*size), mask, s.part && v == s.vectors-1)
	}
	step := func(i int) {
		if s.vectors <= s.rows {
			for v := range s.vectors {
				loadB(amd64.Vec(1+v), i, v)
			}
			for r := range s.rows {
				g.Broadcast(0, g.row(r, 4*i))
				for v, sum := range sums[r] {
					multiply(sum, 0, amd64.Vec(1+v))
				}
			}
			return
		}
		for r := range s.rows {
			g.Broadcast(amd64.Vec(1+r), g.row(r, 4*i))
		}
		for v := range s.vectors {
			loadB(0, i, v)
			for r := range s.rows {
				multiply(sums[r][v], amd64.Vec(1+r), 0)
			}
		}
	}
	if s.stepped {
		g.loop(1, step, func(int) {
			g.advance(func(base amd64.Reg) { g.Add(base, aCol) })
			g.Add(atB, bStep)
		})
	} else {
		g.loop(unroll, step, func(steps int) {
			g.advance(func(base amd64.Reg) { g.AddConst(base, int32(4*steps)) })
			if steps == unroll {
				g.Add(atB, bAdvance)
			} else {
				g.Add(atB, bStep)
			}
		})
	}

	g.rowsAt(frameC)
	for r, row := range sums {
		for v, sum := range row {
			at := g.row(r, v*4*g.Lanes())
			if s.part && v == s.vectors-1 {
				g.LoadMasked(0, at, mask)
				g.Three(add, sum, sum, 0)
				g.StoreMasked(at, sum, mask)
				continue
			}
			g.ThreeMem(add, sum, sum, at)
			g.Store(at, sum)
		}
	}
	g.Return()
	return g.Code()
}
