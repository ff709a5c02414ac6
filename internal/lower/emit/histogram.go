package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// histogram lowers sums by bins: the threads clear an array in shared memory, add their elements to it by atomic ops, and load what is theirs of the sums.
func (l *emitter) histogram(op *tile.Op) {
	at, to, elem := l.assigned.OpAt(op), l.assigned.Of(op.Result()), op.Result().Type().Elem
	s := l.newShared("sums", elem, op.Result().Type().Len(), "sums by bins")
	l.note("%d sums by atomic ops in shared memory", s.Len)
	if elem == dtype.F32 {
		l.note("sums of f32 in any order: not bit-reproducible")
	}
	accesses := l.accesses(l.rowMajor(to.Shape()), to, elem, memory.MaxVector(elem), to.FreeBits(layout.Thread))
	owner, set := l.owner(to), l.newSet()
	for _, a := range accesses {
		l.sharedStore(s, set, a.index, l.b.Const(simt.Vector(elem, len(a.registers)), 0), owner, a.cost)
	}
	span := l.factsOf(op.Args[0]).Span
	l.addByBins(s, l.in(op.Args[0], at), l.in(op.Args[1], at), span.Known && span.Lo >= 0 && span.Hi < int64(s.Len))

	elements, copies := make([]*simt.Value, to.Size(layout.Register)), to.FreeBits(layout.Register)
	for _, a := range accesses {
		for i, x := range l.loadAccess(s, elem, a) {
			elements[a.registers[i]] = x
		}
	}
	l.tiles[op.Result()] = l.filled(to, func(register int) *simt.Value { return elements[register&^copies] })
}

// addByBins adds weights to the sums of an array, those of elements with a bin that it has; all says that every element has one.
func (l *emitter) addByBins(s *simt.Shared, bins, weights regs, all bool) {
	owner, set, copies := l.owner(bins.dist), l.newSet(), bins.dist.FreeBits(layout.Register)
	length := l.b.Const(simt.Scalar(dtype.U32), float64(s.Len))
	for register := range bins.dist.Size(layout.Register) {
		if register&copies != 0 {
			continue
		}
		bin, mask := bins.element(l.b, register), owner
		if !all {
			number := l.b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{bin}}, simt.Scalar(dtype.U32))
			mask = l.and(owner, l.b.Binary(simt.Lt, number, length))
		}
		l.b.SharedAtomic(simt.RMWAdd, s, set, bin, weights.element(l.b, register), mask)
	}
}
