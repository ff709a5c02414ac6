package gemm

import "github.com/weftgpu/weft/tile/interp/internal/native/amd64"

// An inner kernel adds a @ b to a tile of c, for b whose columns are contiguous: each step multiplies vectors along k of rows of a and of columns of b. The lanes
// of the sums are added at the end.

// innerColumns is how many columns an inner kernel has, if not one.
const innerColumns = 4

var inners table

// innerRows is how many rows an inner kernel has at most.
func innerRows(registers int) int { return (registers - innerColumns - 2) / innerColumns }

func generateInner(s spec) []byte {
	g := newAssembler(s)
	x, mask := amd64.Vec(s.vectors), amd64.Vec(g.Registers()-1) // the columns' are 0 to vectors-1
	sums := outerSums(s, max(s.vectors, innerColumns)+1)
	size, unroll := s.elem.Size(), max(1, 16/(s.rows*s.vectors))
	unroll = min(unroll, 4)

	g.setMask(mask)
	g.rowsAt(frameA)
	g.MovLoad(count, g.word(frameK))
	g.columnsAt()
	g.clear(sums)

	vectors := func(i int, part bool) {
		for v := range s.vectors {
			g.load(amd64.Vec(v), multiple(atB, bStep, bTriple, v, i*g.Lanes()*size), mask, part)
		}
		for r, row := range sums {
			at := g.row(r, i*g.Lanes()*4)
			switch {
			case part:
				g.LoadMasked(x, at, mask)
			case s.vectors == 1:
				g.ThreeMem(addProduct, row[0], 0, at)
				continue
			default:
				g.Load(x, at)
			}
			for v, sum := range row {
				g.Three(addProduct, sum, x, amd64.Vec(v))
			}
		}
	}
	g.loop(unroll, func(i int) { vectors(i, false) }, func(steps int) {
		g.advance(func(base amd64.Reg) { g.AddConst(base, int32(steps*g.Lanes()*4)) })
		g.AddConst(atB, int32(steps*g.Lanes()*size))
	})
	if s.part {
		vectors(0, true)
	}

	g.rowsAt(frameC)
	for r, row := range sums {
		if s.vectors == innerColumns {
			for v, sum := range row {
				g.AddHalves(amd64.Vec(v), sum)
			}
			g.FoldFour([4]amd64.Vec{0, 1, 2, 3}, g.row(r, 0))
			continue
		}
		for v, sum := range row {
			g.Fold(addF, sum, sum, 0)
			g.AddFirst(sum, g.row(r, 4*v))
			g.StoreFirst(f32, g.row(r, 4*v), sum, 0)
		}
	}
	g.Return()
	return g.Code()
}
