package emit

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

var rmws = [tile.NumRMW]simt.RMW{
	tile.RMWAdd: simt.RMWAdd, tile.RMWMax: simt.RMWMax, tile.RMWMin: simt.RMWMin, tile.RMWAnd: simt.RMWAnd, tile.RMWOr: simt.RMWOr,
	tile.RMWXor: simt.RMWXor, tile.RMWExchange: simt.RMWExchange, tile.RMWCompare: simt.RMWCompare,
}

var orders = map[tile.MemoryOrder]simt.MemoryOrder{
	tile.Acquire: simt.Acquire, tile.Release: simt.Release, tile.AcquireRelease: simt.AcquireRelease,
}

// atomic lowers an atomic op: each element is changed by one of the threads that
// hold a copy of it, from which the others get the old value if it is used.
func (l *emitter) atomic(op *tile.Op, p *points, values []*tile.Value) {
	if op.View.Elem == dtype.F32 {
		l.note("sums of f32 in any order: not bit-reproducible")
	}
	used := len(l.uses[op.Result()]) > 0
	order, fill := l.atomicOrder(op, used), roundConst(op.View.Elem, op.Number)
	one := func(register int, owner *simt.Value) *simt.Value {
		index, inside := p.at(register)
		operands := make([]*simt.Value, len(values))
		for i, v := range values { // simt has the value first, then what to compare with
			operands[len(values)-1-i] = p.element(v, register)
		}
		v := l.b.Atomic(rmws[op.RMW], p.buffer, index, l.and(owner, inside), fill, operands...)
		order.of(v.Op)
		return v
	}
	t := op.Result().Type()
	if op.Order != tile.Relaxed {
		l.scalars[op.Result()] = l.orderedAtomic(op, used, one)
		return
	}
	if t.IsScalar() {
		v := one(0, l.first())
		if used {
			v = l.fromFirst(v)
		}
		l.scalars[op.Result()] = v
		return
	}
	owner := l.owner(p.dist)
	out := l.filled(p.dist, func(register int) *simt.Value { return one(register, owner) })
	if used && out.dist.FreeBits(layout.Thread) != 0 {
		out = l.redistribute(out, out.dist, op.View.Elem)
	}
	l.tiles[op.Result()] = out
}

// orderedAtomic lowers an atomic op that orders accesses of all threads: by barriers between these and the first thread's op.
func (l *emitter) orderedAtomic(op *tile.Op, used bool, one func(register int, owner *simt.Value) *simt.Value) *simt.Value {
	meet := func() {
		if l.threads > 1 {
			l.b.Do(&simt.Op{Kind: simt.Barrier, Buffers: true})
		}
	}
	order := orders[op.Order]
	if order.Releases() {
		meet()
	}
	v := one(0, l.first())
	v.Op.Order = order
	if used {
		v = l.fromFirst(v)
	}
	if order.Acquires() {
		meet()
	}
	return v
}

// atomicOrder is the order of an atomic op's accesses: ops that may be reordered
// and whose old values are not used are of one alias class.
func (l *emitter) atomicOrder(op *tile.Op, used bool) ordering {
	if used || op.RMW == tile.RMWExchange || op.RMW == tile.RMWCompare {
		return ordering{unordered: l.newSet()}
	}
	return ordering{alias: l.aliasOf(fmt.Sprint("atomic ", op.RMW))}
}
