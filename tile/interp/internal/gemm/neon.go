package gemm

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/arm64"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// The micro-kernels of NEON, which multiplies vectors by one lane of another: a register holds four steps of a row of a. There are no masks: elements of parts are
// loaded and stored one by one, and b comes in panels with room for whole vectors.

// neonOperands is how many vector registers the operands of an outer kernel take: four steps of each row of a, and two vectors of b, of one step and the next.
func neonOperands(rows, vectors int) int { return rows + 2 }

// The general registers.
const (
	neonFrame arm64.Reg = 0
	neonStep  arm64.Reg = 1 // of b
	neonRow   arm64.Reg = 2 // distance of rows
	neonCol   arm64.Reg = 3 // distance along a row of a
	neonB     arm64.Reg = 4
	neonCount arm64.Reg = 5
	neonPart  arm64.Reg = 25 // how many lanes the last vector has
)

// neonBases lead to rows, and then to columns of b.
var neonBases = []arm64.Reg{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24}

type neonAssembler struct {
	arm64.Asm
	spec
}

func (g *neonAssembler) load64(d arm64.Reg, word int) {
	g.MovLoad(d, arm64.Mem{Base: neonFrame, Disp: int32(8 * word)})
}

// rowsAt makes registers lead to places: the first one is at a word of the frame, and their distance at another.
func (g *neonAssembler) rowsAt(bases []arm64.Reg, word, distance int) {
	g.load64(bases[0], word)
	g.load64(neonRow, distance)
	for i := 1; i < len(bases); i++ {
		g.MovReg(bases[i], bases[i-1])
		g.Add(bases[i], neonRow)
	}
}

// loop makes steps, so many at a time, while there are as many.
func (g *neonAssembler) loop(steps int, body func()) {
	g.AddConst(neonCount, int32(-steps))
	g.CompareConst(neonCount, 0)
	past := g.Jump(less)
	again := g.Here()
	body()
	g.AddConst(neonCount, int32(-steps))
	g.CompareConst(neonCount, 0)
	g.To(g.Jump(atLeast), again)
	g.Land(past)
	g.AddConst(neonCount, int32(steps))
}

// widen makes floats of what LoadAs and LoadPart leave as bits.
func (g *neonAssembler) widen(d arm64.Vec) {
	if g.elem == dtype.BF16 {
		g.Shift(shiftLeft, d, d, 16)
	}
}

func (g *neonAssembler) sums(first int) [][]arm64.Vec {
	sums := outerSums(g.spec, first)
	for _, row := range sums {
		for _, x := range row {
			g.Clear(x)
		}
	}
	return sums
}

func neonOuter(s spec) []byte {
	g := &neonAssembler{spec: s}
	size, bases := s.elem.Size(), neonBases[:s.rows]
	// The rows of a are in the first registers, and b in the last two, or before those of package arm64 if that takes them for pairs.
	sums := g.sums(s.rows)
	b, add, spare := arm64.Vec(30), addF, arm64.Vec(27)
	if s.elem == dtype.I32 {
		b, add = 28, vector.AddI
	}
	g.rowsAt(bases, frameA, frameARow)
	g.load64(neonCount, frameK)
	g.load64(neonCol, frameACol)
	g.load64(neonB, frameB)
	g.load64(neonStep, frameBStep)
	g.load64(neonPart, framePart)

	step := func(lane int) {
		for v := range s.vectors {
			y := b + arm64.Vec(v%2)
			g.LoadAs(s.elem, y, arm64.Mem{Base: neonB, Disp: int32(v * g.Lanes() * size)})
			g.widen(y)
			for r := range s.rows {
				if s.elem == dtype.I32 {
					g.AddPairsBy(sums[r][v], y, arm64.Vec(r), lane, spare)
				} else {
					g.AddProductBy(sums[r][v], y, arm64.Vec(r), lane)
				}
			}
		}
		g.Add(neonB, neonStep)
	}
	if !s.stepped {
		g.loop(g.Lanes(), func() {
			for r, base := range bases {
				g.LoadNext(arm64.Vec(r), base)
			}
			for lane := range g.Lanes() {
				step(lane)
			}
		})
	}
	g.loop(1, func() {
		for r, base := range bases {
			g.LoadFirst(f32, arm64.Vec(r), arm64.Mem{Base: base})
			g.Add(base, neonCol)
		}
		step(0)
	})

	g.rowsAt(bases, frameC, frameCRow)
	for r, row := range sums {
		for v, sum := range row {
			at := arm64.Mem{Base: bases[r], Disp: int32(v * 4 * g.Lanes())}
			if s.part && v == s.vectors-1 {
				g.LoadPart(f32, b, at, 0, neonPart)
				g.Three(add, sum, sum, b)
				g.StorePart(f32, at, sum, 0, 0, neonPart)
				continue
			}
			g.Load(b, at)
			g.Three(add, sum, sum, b)
			g.Store(at, sum)
		}
	}
	g.Return()
	return g.Code()
}

func neonInner(s spec) []byte {
	g := &neonAssembler{spec: s}
	rows, columns := neonBases[:s.rows], neonBases[s.rows:s.rows+s.vectors]
	size, x := s.elem.Size(), arm64.Vec(s.vectors)
	sums := g.sums(max(s.vectors, innerColumns) + 1)
	g.rowsAt(rows, frameA, frameARow)
	g.rowsAt(columns, frameB, frameBStep)
	g.load64(neonCount, frameK)

	multiply := func(load func(elem dtype.Type, d arm64.Vec, at arm64.Reg)) {
		for v, base := range columns {
			load(s.elem, arm64.Vec(v), base)
			g.widen(arm64.Vec(v))
		}
		for r, row := range sums {
			load(f32, x, rows[r])
			for v, sum := range row {
				g.Three(addProduct, sum, x, arm64.Vec(v))
			}
		}
	}
	g.loop(1, func() {
		multiply(func(elem dtype.Type, d arm64.Vec, at arm64.Reg) { g.LoadAs(elem, d, arm64.Mem{Base: at}) })
		for _, base := range rows {
			g.AddConst(base, int32(g.Lanes()*4))
		}
		for _, base := range columns {
			g.AddConst(base, int32(g.Lanes()*size))
		}
	})
	if s.part {
		g.load64(neonPart, framePart)
		multiply(func(elem dtype.Type, d arm64.Vec, at arm64.Reg) {
			g.Clear(d)
			g.LoadPart(elem, d, arm64.Mem{Base: at}, 0, neonPart)
		})
	}

	g.rowsAt(rows, frameC, frameCRow)
	for r, row := range sums {
		if s.vectors == innerColumns {
			g.FoldFour([4]arm64.Vec(row), arm64.Mem{Base: rows[r]})
			continue
		}
		for v, sum := range row {
			g.FoldOne(sum, arm64.Mem{Base: rows[r], Disp: int32(4 * v)})
		}
	}
	g.Return()
	return g.Code()
}
