package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// dot lowers acc + a @ b to fused multiply-adds: both operands are staged in
// shared memory with k as the slow dimension, and each thread accumulates the
// outer products of its rows of a and columns of b.
func (l *lowerer) dot(op *tile.Op) {
	m, reason := matrixOf(op, l.caps, l.threads)
	if reason == "" {
		l.matrixDot(op, m)
		return
	}
	if l.caps.Matrix != 0 {
		l.note("no matrix instructions: %s", reason)
	}
	a, b := op.Args[0], op.Args[1]
	acc := l.in(op.Args[2], l.assigned.opAt(op))
	stages := l.assigned.stages[op]
	last := len(a.Type().Shape) - 1
	how := "fused multiply-adds in f32"
	if op.Result().Type().Elem == dtype.I32 {
		how = "products and sums in i32"
	}
	l.note("%s, operands through shared memory, %d elements a thread", how, acc.dist.Size(layout.Register))
	if e := a.Type().Elem; simt.Register(e) != e {
		l.note("operands of %v staged as %v: converted once, not by every thread that loads them", e, simt.Register(e))
	}
	x, y := l.signed(l.in(a, l.assigned.in(stages[0]))), l.signed(l.in(b, l.assigned.in(stages[1])))
	left := l.stage("a", x, last, acc.dist, tileBytes(y.dist, b.Type().Elem))
	right := l.stage("b", y, last-1, acc.dist, left.array.Bytes())
	depth := a.Type().Shape[last]
	zero := l.b.Int(0)
	unroll, whole := min(depth, l.unrolling()), true
	if sums := acc.dist.Size(layout.Register); l.caps.Language == target.CUDA && depth*sums > maxProducts {
		unroll, whole = max(maxProducts/sums, 1), false
	}
	final := l.b.For(zero, l.b.Int(depth), l.b.Int(unroll), acc.vecs, whole, func(k *simt.Value, sum []*simt.Value) []*simt.Value {
		name(sum, "acc")
		for u := range unroll {
			rows := l.fragment(left, k, u)
			columns := l.fragment(right, k, u)
			sum = l.outerProduct(acc, rows, columns, sum)
		}
		return sum
	})
	name(final, "acc")
	l.tiles[op.Result()] = regs{dist: acc.dist, width: acc.width, vecs: final}
}

// outerProduct adds the products of the rows' and the columns' elements to an
// accumulator's vectors.
func (l *lowerer) outerProduct(acc regs, rows, columns map[place]*simt.Value, sum []*simt.Value) []*simt.Value {
	next := make([]*simt.Value, len(sum))
	for i, s := range sum {
		lanes := make([][2]*simt.Value, acc.width)
		for j := range lanes {
			at, last := registerCoord(acc.dist, i*acc.width+j), acc.dist.Rank()-1
			lanes[j] = [2]*simt.Value{rows[placeOf(at, last-1)], columns[placeOf(at, last)]}
		}
		next[i] = l.multiplyAdd(vector(l.b, lanes, 0), vector(l.b, lanes, 1), s)
	}
	return next
}

// multiplyAdd is x*y + sum.
func (l *lowerer) multiplyAdd(x, y, sum *simt.Value) *simt.Value {
	if sum.Type.Elem == dtype.I32 {
		return l.b.Binary(simt.Add, l.b.Binary(simt.Mul, x, y), sum)
	}
	return l.b.FMA(x, y, sum)
}

// signed is a tile of U8, which registers hold as U32, in I32; other tiles are themselves.
func (l *lowerer) signed(r regs) regs {
	if r.vecs[0].Type.Elem != dtype.U32 {
		return r
	}
	out := emptyRegs(r.dist)
	for i, v := range r.vecs {
		out.vecs[i] = l.bitsAs(v, dtype.I32)
	}
	return out
}

// maxProducts is how many products of a thread the loop of a Dot spells out on CUDA: 32 KB of instructions. NVRTC takes half a second for so many.
const maxProducts = 2048

// unrolling is how many steps of a Dot one iteration of its loop spells out:
// WGSL cannot ask for a loop to be unrolled, and drivers do it too rarely.
func (l *lowerer) unrolling() int {
	few := l.caps.Registers > 0 && l.caps.Registers < 64
	if few || l.caps.Language != target.WGSL {
		return 1
	}
	return 4
}

// vector composes one operand of a vector multiply-add.
func vector(b *simt.Builder, lanes [][2]*simt.Value, operand int) *simt.Value {
	list := make([]*simt.Value, len(lanes))
	for i, l := range lanes {
		list[i] = l[operand]
	}
	return compose(b, list)
}

// place is where registers of an accumulator lie: the matrix of a batch, 0 if there is
// none, and the coordinate along a dimension.
type place struct{ batch, at int }

func placeOf(coord []int, dim int) place {
	p := place{at: coord[dim]}
	if len(coord) > 2 {
		p.batch = coord[0]
	}
	return p
}
