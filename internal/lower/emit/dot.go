package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// dot lowers acc + a @ b to fused multiply-adds: both operands are staged in
// shared memory with k as the slow dimension, and each thread accumulates the
// outer products of its rows of a and columns of b.
func (l *emitter) dot(op *tile.Op) {
	l.dots++
	m, reason := mma.Choose(op, l.caps, l.threads)
	switch {
	case reason == "" && m.Cooperative:
		l.cooperativeDot(op, m)
		return
	case reason == "":
		l.matrixDot(op, m)
		return
	}
	if l.caps.MatrixTypes() != 0 {
		l.note("no matrix instructions: %s", reason)
	}
	a, b := op.Args[0], op.Args[1]
	acc := l.in(op.Args[2], l.assigned.OpAt(op))
	stages := l.assigned.Stages[op]
	last := len(a.Type().Shape) - 1
	how := "fused multiply-adds in f32"
	if op.Result().Type().Elem == dtype.I32 {
		how = "products and sums in i32"
	}
	l.note("%s, operands through shared memory, %d elements a thread", how, acc.dist.Size(layout.Register))
	if e := a.Type().Elem; simt.Register(e) != e {
		l.note("operands of %v staged as %v: converted once, not by every thread that loads them", e, simt.Register(e))
	}
	x, y := l.signed(l.in(a, l.assigned.In(stages[0]))), l.signed(l.in(b, l.assigned.In(stages[1])))
	left, right := l.operands(op)
	left, right = l.stage("a", left, x), l.stage("b", right, y)
	sums := l.sumsOf(acc)
	each := max(left.deep, right.deep)
	final := l.steps(a.Type().Shape[last], each, sums.of(l), func(k *simt.Value, u int, now []*simt.Value) []*simt.Value {
		rows := l.loadSteps(left, k, u, each)
		columns := l.loadSteps(right, k, u, each)
		for i := range each {
			now = l.outerProduct(sums, rows[i], columns[i], now)
		}
		return now
	})
	l.tiles[op.Result()] = sums.regs(l.b, final)
}

// maxProducts is how many products of a thread a loop of a Dot that the language unrolls spells out: 32 KB of instructions. NVRTC takes half a
// second for so many.
const maxProducts = 2048

// steps is the loop of a Dot along K, with initial values of the accumulator. A step is one at k+u, or some from there on.
func (l *emitter) steps(depth, each int, initial []*simt.Value, step func(k *simt.Value, u int, sums []*simt.Value) []*simt.Value) []*simt.Value {
	products := len(initial) * initial[0].Type.Width
	if part := max(maxProducts/products, each); l.caps.Language != target.WGSL && part < depth {
		return l.counted(depth, part, false, initial, func(from *simt.Value, sums []*simt.Value) []*simt.Value {
			return l.counted(part, each, !l.fewRegisters(), sums, func(k *simt.Value, sums []*simt.Value) []*simt.Value {
				return step(l.b.Binary(simt.Add, from, k), 0, sums)
			})
		})
	}
	by := min(depth, max(l.unrolling(), each))
	return l.counted(depth, by, !l.fewRegisters(), initial, func(k *simt.Value, sums []*simt.Value) []*simt.Value {
		for u := 0; u < by; u += each {
			sums = step(k, u, sums)
		}
		return sums
	})
}

// counted is a loop that counts to n by a step and carries sums.
func (l *emitter) counted(n, by int, unroll bool, initial []*simt.Value, body func(k *simt.Value, sums []*simt.Value) []*simt.Value) []*simt.Value {
	final := l.b.For(l.b.Int(0), l.b.Int(n), l.b.Int(by), initial, unroll, func(k *simt.Value, sums []*simt.Value) []*simt.Value {
		name(sums, "acc")
		return body(k, sums)
	})
	name(final, "acc")
	return final
}

// sums are a thread's sums of products in the order in which a step of a Dot adds to them: vectors, each of some of the accumulator's registers.
type sums struct {
	acc   regs
	width int
	first []int // registers of the vectors
}

// sumsOf are vectors as they are for WGSL, and elements in serpentine order for CUDA and SPIR-V, to whose compilers vectors are elements.
func (l *emitter) sumsOf(acc regs) sums {
	if l.caps.Language != target.WGSL {
		return sums{acc, 1, serpentine(acc.dist)}
	}
	s := sums{acc: acc, width: acc.width}
	for i := range acc.vecs {
		s.first = append(s.first, i*acc.width)
	}
	return s
}

// serpentine lists registers row by row, there and back: each has its row or its column in common with the one before, so that a
// multiply-add reads one operand less from the register file. The two banks of that, of even and of odd registers, give one register each in a
// cycle. (For 8 × 8 sums, the instructions that ptxas makes of F32 products in the order of registers read so often from one bank that
// they take 1.15 cycles each, those in this order 1.03.)
func serpentine(dist layout.Linear) []int {
	order, last := make([]int, dist.Size(layout.Register)), dist.Rank()-1
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		return slices.Compare(distribution.RegisterCoord(dist, x), distribution.RegisterCoord(dist, y))
	})
	row := func(i int) []int { return distribution.RegisterCoord(dist, order[i])[:last] }
	n := 1 // of a row, which all have as many
	for n < len(order) && slices.Equal(row(n), row(0)) {
		n++
	}
	for i := n; i < len(order); i += 2 * n {
		slices.Reverse(order[i : i+n])
	}
	return order
}

// of are the sums of an accumulator.
func (s sums) of(l *emitter) []*simt.Value {
	out, registers := make([]*simt.Value, len(s.first)), make([]int, s.width)
	for i, first := range s.first {
		for j := range registers {
			registers[j] = first + j
		}
		out[i] = l.gather(s.acc, registers)
	}
	return out
}

// regs is the accumulator of given sums.
func (s sums) regs(b *simt.Builder, now []*simt.Value) regs {
	elements := make([]*simt.Value, len(now)*s.width)
	for i, first := range s.first {
		for j := range s.width {
			elements[first+j] = b.Extract(now[i], j)
		}
	}
	out := regs{dist: s.acc.dist, width: s.acc.width, vecs: make([]*simt.Value, len(s.acc.vecs))}
	out.fill(b, func(register int) *simt.Value { return elements[register] })
	return out
}

// outerProduct adds the products of the rows' and the columns' elements to the sums.
func (l *emitter) outerProduct(s sums, rows, columns map[place]*simt.Value, now []*simt.Value) []*simt.Value {
	next, last := make([]*simt.Value, len(now)), s.acc.dist.Rank()-1
	for i, first := range s.first {
		lanes := make([][2]*simt.Value, s.width)
		for j := range lanes {
			at := distribution.RegisterCoord(s.acc.dist, first+j)
			lanes[j] = [2]*simt.Value{rows[placeOf(at, last-1)], columns[placeOf(at, last)]}
		}
		next[i] = l.multiplyAdd(vector(l.b, lanes, 0), vector(l.b, lanes, 1), now[i])
	}
	return next
}

// multiplyAdd is x*y + sum.
func (l *emitter) multiplyAdd(x, y, sum *simt.Value) *simt.Value {
	if sum.Type.Elem == dtype.I32 {
		return l.b.Binary(simt.Add, l.b.Binary(simt.Mul, x, y), sum)
	}
	return l.b.FMA(x, y, sum)
}

// signed is a tile of U8, which registers hold as U32, in I32; other tiles are themselves.
func (l *emitter) signed(r regs) regs {
	if r.vecs[0].Type.Elem != dtype.U32 {
		return r
	}
	out := emptyRegs(r.dist)
	for i, v := range r.vecs {
		out.vecs[i] = l.bitsAs(v, dtype.I32)
	}
	return out
}

// unrolling is how many steps of a Dot one iteration of its loop spells out:
// WGSL cannot ask for a loop to be unrolled, and drivers do it too rarely.
func (l *emitter) unrolling() int {
	if l.fewRegisters() || l.caps.Language != target.WGSL {
		return 1
	}
	return 4
}

// fewRegisters says that a thread has not enough of them for the operands of several steps of a Dot.
func (l *emitter) fewRegisters() bool { return l.caps.Registers > 0 && l.caps.Registers < 64 }

// vector composes one operand of a vector multiply-add.
func vector(b *simt.Builder, lanes [][2]*simt.Value, operand int) *simt.Value {
	list := make([]*simt.Value, len(lanes))
	for i, l := range lanes {
		list[i] = l[operand]
	}
	return compose(b, list)
}

// place is where registers of an accumulator are: the matrix of a batch, 0 if there is
// none, and the coordinate along a dimension.
type place struct{ batch, at int }

func placeOf(coord []int, dim int) place {
	p := place{at: coord[dim]}
	if len(coord) > 2 {
		p.batch = coord[0]
	}
	return p
}
