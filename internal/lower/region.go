package lower

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// region lowers the ops of a body in order, up to a Yield, which it returns.
func (l *lowerer) region(r *tile.Region) (yield *tile.Op) {
	outer := l.promised
	l.promised = outer.clone()
	defer func() { l.promised = outer }()
	for _, op := range r.Ops {
		if l.err != nil {
			return nil
		}
		if op.Kind == tile.OpYield {
			return op
		}
		l.op = op
		if !l.needed[op] {
			continue
		}
		l.b.SetLine(op.Pos.String())
		l.lowerOp(op)
	}
	return nil
}

func (l *lowerer) lowerOp(op *tile.Op) {
	switch op.Kind.Fact().Class {
	case tile.Leaf:
		l.leaf(op)
	case tile.Unary, tile.Binary, tile.Compare, tile.Ternary:
		l.elementwise(op)
	case tile.Shape:
		l.shape(op)
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
		l.fail(fault.ErrUnsupported, "no lowering")
	}
}

// leaf lowers ops without operands.
func (l *lowerer) leaf(op *tile.Op) {
	r := op.Result()
	switch op.Kind {
	case tile.OpConst:
		c := l.b.Const(simt.Scalar(simt.Register(r.Type().Elem)), roundConst(r.Type().Elem, op.Number))
		if r.Type().IsScalar() {
			l.scalars[r] = c
		} else {
			l.tiles[r] = l.splat(c, r.Type())
		}
	case tile.OpProgramID:
		l.scalars[r] = l.grid[op.Axis]
	case tile.OpNumPrograms:
		l.scalars[r] = l.gridSize(op.Axis)
	case tile.OpDim:
		l.scalars[r] = l.param(l.sizeWord(op.View, op.Axis))
	case tile.OpIota:
		l.tiles[r] = l.iota(r.Type(), op.Axis)
	case tile.OpArg:
		l.scalars[r] = l.param(l.kernel.ScalarWord(op.Scalar))
	default:
		l.fail(fault.ErrUnsupported, "no lowering")
	}
}

// roundConst rounds a constant to its element type.
func roundConst(e dtype.Type, x float64) float64 {
	if !e.IsFloat() {
		return x
	}
	return float64(dtype.Round(e, float32(x)))
}

func (l *lowerer) sizeWord(v *tile.View, dim int) int { return l.kernel.ViewWord(v) + 1 + dim }

func (l *lowerer) strideWord(v *tile.View, dim int) int {
	return l.kernel.ViewWord(v) + 1 + v.Rank + dim
}

// splat is a tile whose elements all are one scalar.
func (l *lowerer) splat(x *simt.Value, t tile.Type) regs {
	r := l.newRegs(t)
	v := l.b.Splat(x, r.width)
	for i := range r.vecs {
		r.vecs[i] = v
	}
	return r
}

// shape lowers ops that repeat elements.
func (l *lowerer) shape(op *tile.Op) {
	r := op.Result()
	switch op.Kind {
	case tile.OpSplat:
		l.tiles[r] = l.splat(l.scalars[op.Args[0]], r.Type())
		return
	case tile.OpReshape, tile.OpPermute, tile.OpJoin, tile.OpSplit:
		l.rearrange(op)
		return
	}
	out := l.newRegs(r.Type())
	small := op.Args[0].Type().Shape
	in := l.convert(l.tiles[op.Args[0]], dropTo(out.dist, small), op.Args[0].Type().Elem)
	out.fill(l.b, func(register int) *simt.Value {
		return in.element(l.b, dropRegister(out.dist, small, register))
	})
	l.tiles[r] = out
}

// loop lowers a counted loop; a carried tile is carried as its vectors.
func (l *lowerer) loop(op *tile.Op) {
	var carried []*simt.Value
	for _, init := range op.Args[3:] {
		carried = append(carried, l.flat(init)...)
	}
	bounds := l.flatAll(op.Args[:3])
	final := l.b.For(bounds[0], bounds[1], bounds[2], carried, false, func(i *simt.Value, now []*simt.Value) []*simt.Value {
		l.scalars[op.Body.Args[0]] = i
		return l.iteration(op, op.Body.Args[1:], now)
	})
	name(final, carriedName(op))
	l.unflatten(op.Out, final)
}

// iteration lowers the body of a loop, given the values that it carries now, and
// returns the next ones.
func (l *lowerer) iteration(loop *tile.Op, args []*tile.Value, now []*simt.Value) []*simt.Value {
	l.unflatten(args, now)
	name(now, carriedName(loop))
	yield := l.region(loop.Body)
	if l.err != nil {
		return slices.Clone(now)
	}
	return l.flatAll(yield.Args)
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

// flat is a value as a list of register vectors.
func (l *lowerer) flat(v *tile.Value) []*simt.Value {
	if v.Type().IsScalar() {
		return []*simt.Value{l.scalars[v]}
	}
	return l.tiles[v].vecs
}

func (l *lowerer) flatAll(vs []*tile.Value) (out []*simt.Value) {
	for _, v := range vs {
		out = append(out, l.flat(v)...)
	}
	return out
}

// unflatten gives values their register vectors from a list.
func (l *lowerer) unflatten(vs []*tile.Value, flat []*simt.Value) {
	if l.err != nil {
		return
	}
	for _, v := range vs {
		if v.Type().IsScalar() {
			l.scalars[v], flat = flat[0], flat[1:]
			continue
		}
		r := l.newRegs(v.Type())
		copy(r.vecs, flat)
		flat = flat[len(r.vecs):]
		l.tiles[v] = r
	}
}
