package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// elementAt lowers the choice of one element of a tile: the thread that holds it gives it
// to all through shared memory.
func (l *emitter) elementAt(op *tile.Op) {
	r := l.in(op.Args[0], l.assigned.OpAt(op))
	if op.Args[0].Type().Len() == 1 {
		l.scalars[op.Result()] = l.fromFirst(r.element(l.b, 0))
		return
	}
	var value, holds *simt.Value
	for register := range r.dist.Size(layout.Register) {
		here := l.b.Const(simt.Scalar(dtype.Bool), 1)
		for d, size := range r.dist.Shape() {
			at := l.coordinate(r.dist, d, l.threadCoord(r.dist, d), register)
			index := l.b.Binary(simt.And, l.scalars[op.Args[1+d]], l.b.Int(size-1))
			here = l.b.Binary(simt.And, here, l.b.Binary(simt.Eq, at, index))
		}
		element := r.element(l.b, register)
		switch never, ok := simt.ConstOf(here); {
		case value == nil:
			value, holds = element, here
		case !ok || never != 0:
			value, holds = l.b.Select(here, element, value), l.b.Binary(simt.Or, holds, here)
		}
	}
	if l.threads == 1 {
		l.scalars[op.Result()] = value
		return
	}
	l.note("one element for all threads through shared memory")
	shared := l.newShared("scalar", plan.SharedElem(value.Type.Elem), 1, "one element of a tile")
	l.sharedStore(shared, l.newSet(), l.b.Int(0), value, l.and(l.owner(r.dist), holds), 1)
	l.scalars[op.Result()] = l.forAll(shared, value.Type.Elem)
}
