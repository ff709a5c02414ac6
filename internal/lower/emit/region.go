package emit

import (
	"maps"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// region lowers the ops of a body in order, up to a Yield, whose operands it returns as
// vectors, in the distributions of what receives them. Copies of tiles in
// other distributions, like staged invariants and promises, hold to its end.
func (l *emitter) region(r *tile.Region) (yielded []*simt.Value) {
	promised, copies, invariants := l.promised, l.copies, l.invariants
	l.promised, l.copies, l.invariants = promised.clone(), maps.Clone(copies), maps.Clone(invariants)
	defer func() { l.promised, l.copies, l.invariants = promised, copies, invariants }()
	for _, op := range r.Ops {
		if l.err != nil {
			return nil
		}
		if op.Kind == tile.OpYield {
			return l.flatFor(op.Args, l.assigned.Into[op])
		}
		l.op = op
		if !l.needed[op] {
			continue
		}
		l.b.SetLine(op.Pos.String())
		l.lowerOp(op)
		l.noteSite(l.assigned.At[op])
	}
	return nil
}

func (l *emitter) lowerOp(op *tile.Op) {
	if r := op.Result(); r != nil && !r.Type().IsScalar() && l.assigned.Made[r] == nil {
		l.tiles[r] = l.make(r, l.assigned.Of(r))
		return
	}
	switch op.Kind.Fact().Class {
	case tile.Leaf:
		l.leaf(op)
	case tile.Unary, tile.Binary, tile.Compare, tile.Ternary:
		l.elementwise(op)
	case tile.Shape:
		switch op.Kind {
		case tile.OpJoin:
			l.join(op)
		case tile.OpSplit:
			l.split(op)
		case tile.OpReorder:
			l.reorder(op)
		case tile.OpHistogram:
			l.histogram(op)
		case tile.OpRank:
			l.rank(op)
		case tile.OpTake:
			l.take(op)
		case tile.OpAt:
			l.elementAt(op)
		case tile.OpPeer:
			l.peer(op)
		default:
			l.fail(fault.ErrUnsupported, "the compiler does not support this op")
		}
	case tile.Reduction:
		l.reduce(op)
	case tile.Combine:
		if op.Kind == tile.OpScan {
			l.scan(op)
		} else {
			l.reduce(op)
		}
	case tile.Matrix:
		l.dot(op)
	case tile.Memory:
		switch op.Kind {
		case tile.OpLoad:
			l.load(op)
		case tile.OpStore:
			l.store(op)
		default:
			l.points(op)
		}
	case tile.Hint:
		l.hint(op)
	case tile.Control:
		l.control(op)
	default:
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
}

// leaf lowers scalars without operands.
func (l *emitter) leaf(op *tile.Op) {
	r := op.Result()
	switch op.Kind {
	case tile.OpConst:
		l.scalars[r] = l.constant(op, r.Type())
	case tile.OpProgramID:
		l.scalars[r] = l.grid[op.Axis]
	case tile.OpNumPrograms:
		l.scalars[r] = l.gridSize(op.Axis)
	case tile.OpDim:
		l.scalars[r] = l.param(l.sizeWord(op.View, op.Axis))
	case tile.OpArg:
		l.scalars[r] = l.param(l.kernel.ScalarWord(op.Scalar))
	default:
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
}

// roundConst rounds a constant to its element type.
func roundConst(e dtype.Type, x float64) float64 {
	if !e.IsFloat() {
		return x
	}
	return dtype.Nearest(e, x)
}

func (l *emitter) sizeWord(v *tile.View, dim int) int { return l.kernel.ViewWord(v) + 1 + dim }

func (l *emitter) strideWord(v *tile.View, dim int) int {
	return l.kernel.ViewWord(v) + 1 + v.Rank + dim
}

func (l *emitter) constant(op *tile.Op, t tile.Type) *simt.Value {
	return l.b.Const(simt.Scalar(simt.Register(t.Elem)), roundConst(t.Elem, op.Number))
}

// splat is a tile whose elements all are one scalar.
func (l *emitter) splat(x *simt.Value, dist layout.Linear) regs {
	r := emptyRegs(dist)
	v := l.b.Splat(x, r.width)
	for i := range r.vecs {
		r.vecs[i] = v
	}
	return r
}

// loop lowers a counted loop; a carried tile is carried as its vectors.
func (l *emitter) loop(op *tile.Op) {
	carried := l.flatFor(op.Args[3:], op.Out)
	l.prepare(op)
	lo, hi, step := l.scalars[op.Args[0]], l.scalars[op.Args[1]], l.scalars[op.Args[2]]
	end, by := l.factsOf(op.Args[1]), l.factsOf(op.Args[2])
	if !by.Known || by.Lo < 1 { // a step that is not positive makes no iterations
		hi = l.b.Select(l.b.Binary(simt.Gt, step, l.b.Int(0)), hi, lo)
	}
	final := l.b.For(lo, hi, step, carried, false, func(i *simt.Value, now []*simt.Value) []*simt.Value {
		l.scalars[op.Body.Args[0]] = i
		return l.iteration(op, op.Body.Args[1:], now)
	})
	loop := l.b.Last()
	ahead := int64(max(minAhead, l.kernel.Schedule.Stages))
	loop.Wraps = !end.Known || !by.Known || end.Hi+ahead*by.Hi > math.MaxInt32
	name(final, carriedName(op))
	l.unflatten(op.Out, final)
}

// minAhead is how many iterations ahead of the one at hand passes may compute the index of one, if the schedule asks for no more.
const minAhead = 16

// factsOf is what is known of a scalar of the kernel as it is lowered.
func (l *emitter) factsOf(v *tile.Value) axis.Value {
	return l.axes().Of(v)
}

// iteration lowers the body of a loop, given the values that it carries now, and
// returns the next ones.
func (l *emitter) iteration(loop *tile.Op, args []*tile.Value, now []*simt.Value) []*simt.Value {
	l.unflatten(args, now)
	name(now, carriedName(loop))
	next := l.region(loop.Body)
	if l.err != nil {
		return slices.Clone(now)
	}
	return next
}

// carriedName is what emitted code calls the values that a loop carries.
func carriedName(loop *tile.Op) string {
	for _, next := range loop.Body.Ops[len(loop.Body.Ops)-1].Args {
		if next.Op() != nil && next.Op().Kind == tile.OpDot {
			return "acc"
		}
	}
	return "carried"
}

func name(values []*simt.Value, hint string) {
	for _, v := range values {
		v.Hint = hint
	}
}

// flatFor lists the register vectors of values, each in the distribution of what receives it.
func (l *emitter) flatFor(vs, into []*tile.Value) (out []*simt.Value) {
	for i, v := range vs {
		if v.Type().IsScalar() {
			out = append(out, l.scalars[v])
			continue
		}
		out = append(out, l.in(v, l.assigned.Of(into[i])).vecs...)
	}
	return out
}

// unflatten gives values their register vectors from a list.
func (l *emitter) unflatten(vs []*tile.Value, flat []*simt.Value) {
	if l.err != nil {
		return
	}
	for _, v := range vs {
		if v.Type().IsScalar() {
			l.scalars[v], flat = flat[0], flat[1:]
			continue
		}
		r := emptyRegs(l.assigned.Of(v))
		copy(r.vecs, flat)
		flat = flat[len(r.vecs):]
		l.tiles[v] = r
	}
}
