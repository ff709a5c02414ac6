package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// rankPairs is among how many registers of a warp equal elements are found for all pairs of registers, without memory. The work for more of them grows by their square.
const rankPairs = 4

// countsFit reports whether shared memory has room for so many counts, beside what else is kept there.
func (l *emitter) countsFit(n int) bool { return 4*n <= l.caps.SharedBytes/4 }

// rankByCounts counts, for each run, the equal elements so far in shared memory, from register to register.
func (l *emitter) rankByCounts(op *tile.Op, in regs, runs int) regs {
	b, n := l.b, runs<<op.Axis
	s, threads := l.newShared("ranks", dtype.I32, n, "counts of equal elements"), in.dist.Size(layout.Thread)
	l.note("equal elements by ballots of warps and %d counts in shared memory", n)
	wide := min(4, max(n/threads, 1))
	zero, clear := b.Const(simt.Vector(dtype.I32, wide), 0), l.newSet()
	for first := 0; first < n; first += threads * wide {
		at := b.Binary(simt.Add, b.Binary(simt.Mul, l.thread, b.Int(wide)), b.Int(first))
		var mask *simt.Value
		if n < threads {
			mask = b.Binary(simt.Lt, l.thread, b.Int(n))
		}
		l.sharedStore(s, clear, at, zero, mask, 0)
	}
	places, set := l.placesIn(in.dist), l.newSet()
	thread, ranks := l.threadCoord(places, 0), []*simt.Value(nil)
	for register, x := range in.elements(b) {
		run := b.Binary(simt.Div, l.coordinate(places, 0, thread, register), b.Int(int(op.Number)))
		at := b.Binary(simt.Add, b.Binary(simt.Shl, run, b.Int(op.Axis)), b.Binary(simt.And, x, b.Int(1<<op.Axis-1)))
		ranks = append(ranks, b.SharedRank(s, set, at, op.Axis))
	}
	return l.holding(l.assigned.OpAt(op), ranks)
}

// rank lowers the number of equal elements before each in its run: by ballots, where warps have whole runs, else through shared memory.
func (l *emitter) rank(op *tile.Op) {
	at := l.assigned.OpAt(op)
	in := l.in(op.Args[0], at)
	if needed, ok := l.assigned.Costs.RankTile(op); !ok || !at.Equal(needed) {
		l.tiles[op.Result()] = l.rankThroughShared(op, in)
		return
	}
	per := int(op.Number) / simt.WarpThreads
	if runs := in.dist.Size(layout.Thread) / simt.WarpThreads * (in.dist.Size(layout.Register) / per); per > rankPairs && l.countsFit(runs<<op.Axis) {
		l.tiles[op.Result()] = l.rankByCounts(op, in, runs)
		return
	}
	l.note("equal elements by ballots of warps, %d registers of a thread at a time", per)
	all, ranks := in.elements(l.b), []*simt.Value(nil)
	for first := 0; first < len(all); first += per {
		ranks = append(ranks, l.rankRun(all[first:first+per], op.Axis)...)
	}
	l.tiles[op.Result()] = l.holding(at, ranks)
}

// rankRun is the ranks in a run that registers of a warp hold, one after the other. For each bit a ballot tells the elements of a register that have it, of which those that agree in all bits
// are equal.
func (l *emitter) rankRun(elements []*simt.Value, bits int) (ranks []*simt.Value) {
	b := l.b
	lane := b.Binary(simt.And, b.Convert(l.thread, dtype.U32), l.constantWord(simt.WarpThreads-1))
	before := b.Binary(simt.Sub, b.Binary(simt.Shl, l.constantWord(1), lane), l.constantWord(1))
	ballots, own := make([][]*simt.Value, len(elements)), make([][]*simt.Value, len(elements))
	for i, x := range elements {
		for bit := range bits {
			sign := b.Binary(simt.Shl, x, b.Int(31-bit))
			set := b.Binary(simt.Ne, b.Binary(simt.And, x, b.Int(1<<bit)), b.Int(0))
			ballots[i] = append(ballots[i], b.Emit(&simt.Op{Kind: simt.Ballot, Args: []*simt.Value{set}}, simt.Scalar(dtype.U32)))
			own[i] = append(own[i], b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{b.Binary(simt.Shr, sign, b.Int(31))}}, simt.Scalar(dtype.U32)))
		}
	}
	for i := range elements {
		var count *simt.Value
		for j := range i + 1 {
			differ := b.Binary(simt.Xor, ballots[j][0], own[i][0])
			for bit := 1; bit < bits; bit++ {
				differ = b.Binary(simt.Or, differ, b.Binary(simt.Xor, ballots[j][bit], own[i][bit]))
			}
			equal := b.Unary(simt.Not, differ)
			if j == i {
				equal = b.Binary(simt.And, equal, before)
			}
			n := b.Unary(simt.BitCount, equal)
			if count == nil {
				count = n
			} else {
				count = b.Binary(simt.Add, count, n)
			}
		}
		ranks = append(ranks, b.Convert(count, dtype.I32))
	}
	return ranks
}

// rankThroughShared compares each element with all of its run, one after the other.
func (l *emitter) rankThroughShared(op *tile.Op, in regs) regs {
	b, run := l.b, int(op.Number)
	s := l.newShared("run", dtype.I32, op.Result().Type().Len(), "elements that are compared with those of their run")
	l.note("equal elements by comparisons with all of their run")
	places := l.placesIn(in.dist)
	thread, owner, set, copies := l.threadCoord(places, 0), l.owner(in.dist), l.newSet(), in.dist.FreeBits(layout.Register)
	var own, index, counts []*simt.Value
	for register, x := range in.elements(b) {
		if register&copies != 0 {
			continue
		}
		at := l.coordinate(places, 0, thread, register)
		x = b.Binary(simt.And, x, b.Int(1<<op.Axis-1))
		l.sharedStore(s, set, at, x, owner, 0)
		own, index, counts = append(own, x), append(index, at), append(counts, b.Int(0))
	}
	counts = b.For(b.Int(0), b.Int(run), b.Int(1), counts, false, func(i *simt.Value, now []*simt.Value) []*simt.Value {
		next := make([]*simt.Value, len(now))
		for j, count := range now {
			other := b.Binary(simt.Add, b.Binary(simt.And, index[j], b.Int(-run)), i)
			equal := b.Binary(simt.Eq, l.sharedLoad(s, dtype.I32, other, 1, 0), own[j])
			counted := b.Binary(simt.And, equal, b.Binary(simt.Lt, other, index[j]))
			next[j] = b.Binary(simt.Add, count, b.Convert(counted, dtype.I32))
		}
		return next
	})
	ranks, n := make([]*simt.Value, in.dist.Size(layout.Register)), 0
	for register := range ranks {
		if register&copies == 0 {
			ranks[register], n = counts[n], n+1
		}
	}
	return l.filled(in.dist, func(register int) *simt.Value { return ranks[register&^copies] })
}

// placesIn is where a distribution has its elements in row-major order.
func (l *emitter) placesIn(dist layout.Linear) layout.Linear {
	names := make([]string, dist.Rank())
	for d := range names {
		names[d] = layout.DimName(d)
	}
	places, err := dist.Compose(l.rowMajor(dist.Shape()), names...)
	if err != nil {
		panic(err) // the array is one of the tile's
	}
	return places
}

// take lowers elements at computed places of a tile, through shared memory.
func (l *emitter) take(op *tile.Op) {
	v, at, elem := op.Args[0], l.assigned.OpAt(op), op.Result().Type().Elem
	from, n := l.in(v, l.assigned.AsMade(v)), v.Type().Len()
	s := l.newShared("taken", plan.SharedElem(elem), n, "elements at computed places")
	l.note("elements at computed places of shared memory")
	owner, set := l.owner(from.dist), l.newSet()
	for _, a := range l.accesses(l.rowMajor(from.dist.Shape()), from.dist, s.Elem, pieceOf(s.Elem), from.dist.FreeBits(layout.Thread)) {
		l.sharedStore(s, set, a.index, l.gather(from, a.registers), owner, a.cost)
	}
	places, copies := l.in(op.Args[1], at), at.FreeBits(layout.Register)
	elements := make([]*simt.Value, at.Size(layout.Register))
	for register := range elements {
		if register&copies == 0 {
			place := l.b.Binary(simt.And, places.element(l.b, register), l.b.Int(n-1))
			elements[register] = l.sharedLoad(s, elem, place, 1, 0) // conflicts of banks depend on the places
		}
	}
	l.tiles[op.Result()] = l.filled(at, func(register int) *simt.Value { return elements[register&^copies] })
}
