package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// dot lowers acc + a @ b to fused multiply-adds: both operands are staged in
// shared memory with k as the slow dimension, and each thread accumulates the
// outer products of its rows of a and columns of b.
func (l *lowerer) dot(op *tile.Op) {
	a, b := op.Args[0], op.Args[1]
	acc := l.convert(l.tiles[op.Args[2]], l.dists.of(op.Result().Type().Shape), op.Result().Type().Elem)
	l.note("fused multiply-adds in f32, operands through shared memory, %d elements a thread", acc.dist.Size(layout.Register))
	left := l.stage("a", l.tiles[a], 1)
	right := l.stage("b", l.tiles[b], 0)
	depth := a.Type().Shape[1]
	zero := l.b.Int(0)
	unroll := min(depth, l.unrolling())
	final := l.b.For(zero, l.b.Int(depth), l.b.Int(unroll), acc.vecs, true, func(k *simt.Value, sum []*simt.Value) []*simt.Value {
		name(sum, "acc")
		for u := range unroll {
			rows := l.fragment(left, acc.dist, 0, k, u)
			columns := l.fragment(right, acc.dist, 1, k, u)
			sum = l.outerProduct(acc, rows, columns, sum)
		}
		return sum
	})
	name(final, "acc")
	l.tiles[op.Result()] = regs{dist: acc.dist, width: acc.width, vecs: final}
}

// outerProduct adds the products of the rows' and the columns' elements to an
// accumulator's vectors.
func (l *lowerer) outerProduct(acc regs, rows, columns map[int]*simt.Value, sum []*simt.Value) []*simt.Value {
	next := make([]*simt.Value, len(sum))
	for i, s := range sum {
		lanes := make([][2]*simt.Value, acc.width)
		for j := range lanes {
			at := registerCoord(acc.dist, i*acc.width+j)
			lanes[j] = [2]*simt.Value{rows[at[0]], columns[at[1]]}
		}
		next[i] = l.b.FMA(vector(l.b, lanes, 0), vector(l.b, lanes, 1), s)
	}
	return next
}

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

// staged is an operand of a Dot in shared memory: element (k, free) lies at
// k*free size + free.
type staged struct {
	array *simt.Shared
	free  int
}

// stage writes an operand to a shared array of its own, in vectors along its free dimension.
func (l *lowerer) stage(name string, r regs, kDim int) staged {
	shape := r.dist.Shape()
	s := staged{free: shape[1-kDim]}
	s.array = l.b.NewShared("tile_"+name, simt.Register(r.vecs[0].Type.Elem), shape[0]*shape[1])
	owner, store := l.owner(r.dist), l.newRun()
	for _, run := range runs(r.dist, 1-kDim, maxVector) {
		k := l.coordinate(r.dist, kDim, l.threadCoord(r.dist, kDim), run[0])
		free := l.coordinate(r.dist, 1-kDim, l.threadCoord(r.dist, 1-kDim), run[0])
		index := l.b.Binary(simt.Add, l.b.Binary(simt.Mul, k, l.b.Int(s.free)), free)
		l.b.SharedStore(s.array, store, index, l.gather(r, run), owner)
	}
	return s
}

// fragment loads what a thread needs of an operand at k+u: for each coordinate
// along dim that the accumulator's registers reach, its element.
func (l *lowerer) fragment(s staged, acc layout.Linear, dim int, k *simt.Value, u int) map[int]*simt.Value {
	out := map[int]*simt.Value{}
	thread := l.threadCoord(acc, dim)
	row := l.b.Binary(simt.Add, l.b.Binary(simt.Mul, k, l.b.Int(s.free)), thread)
	for _, run := range runs(acc, dim, maxVector) {
		first := registerCoord(acc, run[0])[dim]
		if out[first] != nil {
			continue
		}
		v := l.b.SharedLoad(s.array, l.b.Binary(simt.Add, row, l.b.Int(u*s.free+first)), len(run))
		for i, register := range run {
			out[registerCoord(acc, register)[dim]] = l.b.Extract(v, i)
		}
	}
	return out
}
