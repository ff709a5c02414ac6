package emit

import (
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/distribution"
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
func (l *emitter) iota(dist layout.Linear, axis int) regs {
	thread := l.threadCoord(dist, axis)
	return l.filled(dist, func(register int) *simt.Value { return l.coordinate(dist, axis, thread, register) })
}
