package emit

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// control lowers loops and conditions. Conditions are scalars, and those are the
// same in all threads, so that barriers may stand in the bodies; simt.Verify proves it.
func (l *emitter) control(op *tile.Op) {
	switch op.Kind {
	case tile.OpFor:
		l.loop(op)
	case tile.OpIf:
		way := func(r *tile.Region) func() []*simt.Value {
			return func() []*simt.Value { return l.region(r) }
		}
		l.unflatten(op.Out, l.b.Branch(l.scalars[op.Args[0]], way(op.Body), way(op.Else)))
	case tile.OpWhile:
		carried := l.flatFor(op.Args, op.Out)
		l.prepare(op)
		final := l.b.While(carried, func(now []*simt.Value) []*simt.Value {
			return l.iteration(op, op.Body.Args, now)
		})
		name(final, carriedName(op))
		l.unflatten(op.Out, final)
	case tile.OpCondition:
		l.b.Break(l.b.Unary(simt.Not, l.scalars[op.Args[0]]))
	case tile.OpExit:
		l.b.Do(&simt.Op{Kind: simt.Exit, Args: []*simt.Value{l.scalars[op.Args[0]]}})
	default:
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
}
