package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// elementAt lowers the choice of one element of a tile: the thread that holds it gives it
// to all through shared memory.
func (l *lowerer) elementAt(op *tile.Op) {
	r := l.in(op.Args[0], l.assigned.opAt(op))
	if op.Args[0].Type().Len() == 1 {
		l.scalars[op.Result()] = l.fromFirst(r.element(l.b, 0))
		return
	}
	l.note("one element for all threads through shared memory")
	elem, run, owner := r.vecs[0].Type.Elem, l.newRun(), l.owner(r.dist)
	shared := l.newShared("scalar", elem, 1, "one element of a tile")
	for register := range r.dist.Size(layout.Register) {
		mask := owner
		for d, size := range r.dist.Shape() {
			at := l.coordinate(r.dist, d, l.threadCoord(r.dist, d), register)
			index := l.b.Binary(simt.And, l.scalars[op.Args[1+d]], l.b.Int(size-1))
			mask = l.and(mask, l.b.Binary(simt.Eq, at, index))
		}
		if never, ok := simt.ConstOf(mask); !ok || never != 0 {
			l.sharedStore(shared, run, l.b.Int(0), r.element(l.b, register), mask, 1)
		}
	}
	l.scalars[op.Result()] = l.forAll(shared, elem)
}
