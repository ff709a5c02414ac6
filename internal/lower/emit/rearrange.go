package emit

import (
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// renamed is a value whose op only names elements anew, in a distribution.
func (l *emitter) renamed(op *tile.Op, to layout.Linear) regs {
	in := l.in(op.Args[0], assign.OperandIn(op, to))
	return l.filled(to, func(register int) *simt.Value {
		if op.Kind == tile.OpBroadcast {
			register = distribution.DropRegister(to, op.Args[0].Type().Shape, register)
		}
		return in.element(l.b, register)
	})
}

// join lowers a join: the lowest bit of a register's number chooses between the two.
func (l *emitter) join(op *tile.Op) {
	at := l.assigned.OpAt(op)
	halves := [2]regs{l.in(op.Args[0], at), l.in(op.Args[1], at)}
	l.tiles[op.Result()] = l.filled(distribution.Joined(at), func(register int) *simt.Value { return halves[register&1].element(l.b, register>>1) })
}

// split lowers a split, of which every other register goes into the result.
func (l *emitter) split(op *tile.Op) {
	at := l.assigned.OpAt(op)
	in := l.in(op.Args[0], distribution.Joined(at))
	l.tiles[op.Result()] = l.filled(at, func(register int) *simt.Value { return in.element(l.b, register<<1|op.Axis) })
}

// iota is a tile of coordinates along an axis, which every thread knows of its elements.
func (l *emitter) iota(op *tile.Op, dist layout.Linear) regs {
	thread := l.threadCoord(dist, op.Axis)
	r, _ := l.assigned.Costs.RotationOf(op)
	return l.filled(dist, func(register int) *simt.Value {
		place := l.coordinate(dist, op.Axis, thread, register)
		if r != nil {
			place = l.b.Binary(simt.And, l.b.Binary(simt.Sub, place, l.rotation(r)), l.b.Int(dist.Shape()[op.Axis]-1))
		}
		return place
	})
}

// reorder lowers a move of elements to computed places: each thread stores its own where they belong in shared memory.
func (l *emitter) reorder(op *tile.Op) {
	at, n := l.assigned.OpAt(op), op.Result().Type().Len()
	value, places := l.in(op.Args[0], at), l.in(op.Args[1], at)
	s := l.newShared("reorder", plan.SharedElem(op.Result().Type().Elem), n, "elements go to computed places")
	l.note("elements go to computed places of shared memory")
	array := l.rowMajor(at.Shape())
	owner, set, copies := l.owner(at), l.newSet(), at.FreeBits(layout.Register)
	for register := range at.Size(layout.Register) {
		if register&copies != 0 {
			continue
		}
		place := l.b.Binary(simt.And, places.element(l.b, register), l.b.Int(n-1))
		l.sharedStore(s, set, place, value.element(l.b, register), owner, 0) // conflicts of banks depend on the places
	}
	elements := make([]*simt.Value, at.Size(layout.Register))
	for _, a := range l.accesses(array, at, s.Elem, pieceOf(s.Elem), 0) {
		for i, x := range l.loadAccess(s, op.Result().Type().Elem, a) {
			elements[a.registers[i]] = x
		}
	}
	l.tiles[op.Result()] = l.filled(at, func(register int) *simt.Value { return elements[register&^copies] })
}

// rowMajor is where the elements of a tile are in an array in their order.
func (l *emitter) rowMajor(shape []int) layout.Linear {
	dense, err := layout.Contiguous(shape...)
	if err != nil {
		panic(err) // tiles are not as large
	}
	plain, err := layout.NewSwizzled(layout.Swizzle{}, dense)
	if err != nil {
		panic(err) // nothing is swizzled
	}
	array, err := plain.Linear()
	if err != nil {
		panic(err) // the sizes of tiles are powers of two
	}
	return array
}
