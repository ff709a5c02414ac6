package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// group is tiles of one shape in one distribution: what a reduction or a scan
// combines together.
type group []regs

// bundle is one value of each tile of a group, scalars or vectors of one width.
type bundle []*simt.Value

// at is vector i of every tile.
func (g group) at(i int) bundle {
	b := make(bundle, len(g))
	for j, r := range g {
		b[j] = r.vecs[i]
	}
	return b
}

func (g group) set(i int, b bundle) {
	for j, r := range g {
		r.vecs[i] = b[j]
	}
}

// fill sets every register of every tile, composing vectors.
func (g group) fill(b *simt.Builder, f func(register int) bundle) {
	for j, r := range g {
		r.fill(b, func(register int) *simt.Value { return f(register)[j] })
	}
}

// emptyGroup makes room for n tiles.
func emptyGroup(like regs, n int) group {
	g := make(group, n)
	for j := range g {
		g[j] = like
		g[j].vecs = make([]*simt.Value, len(like.vecs))
	}
	return g
}

// lane is one lane of every vector.
func (l *emitter) lane(b bundle, i int) bundle {
	return l.each(b, func(_ int, v *simt.Value) *simt.Value { return l.b.Extract(v, i) })
}

// each applies f to the values of a bundle.
func (l *emitter) each(b bundle, f func(i int, v *simt.Value) *simt.Value) bundle {
	out := make(bundle, len(b))
	for i, v := range b {
		out[i] = f(i, v)
	}
	return out
}

// choose is x where a scalar condition holds, else y.
func (l *emitter) choose(cond *simt.Value, x, y bundle) bundle {
	return l.each(x, func(i int, v *simt.Value) *simt.Value {
		if v == y[i] {
			return v
		}
		return l.b.Select(l.b.Splat(cond, v.Type.Width), v, y[i])
	})
}

// combiner combines two bundles of one width into one, lane by lane.
type combiner struct {
	apply func(x, y bundle) bundle
	// symmetric: x and y may change places without a change of any bit
	symmetric bool
}

// join is y where there is no x yet.
func (c combiner) join(x, y bundle) bundle {
	if x == nil {
		return y
	}
	return c.apply(x, y)
}

// combiner returns what a reduction or a scan combines by.
func (l *emitter) combiner(op *tile.Op) combiner {
	if op.Kind.Fact().Class == tile.Combine {
		return combiner{apply: func(x, y bundle) bundle { return l.combineBody(op.Body, append(x[:len(x):len(x)], y...)) }}
	}
	kind, ok := combines[op.Kind]
	if !ok {
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
	return combiner{symmetric: true, apply: func(x, y bundle) bundle { return bundle{l.b.Binary(kind, x[0], y[0])} }}
}

// combineBody emits a combine's body for the values of its arguments.
func (l *emitter) combineBody(body *tile.Region, args bundle) bundle {
	values := map[*tile.Value]*simt.Value{}
	for i, a := range body.Args {
		values[a] = args[i]
	}
	width := args[0].Type.Width
	operand := func(v *tile.Value) *simt.Value {
		if x := values[v]; x != nil {
			return x
		}
		return l.b.Splat(l.scalars[v], width) // from outside
	}
	for _, op := range body.Ops {
		list := make(bundle, len(op.Args))
		for i, a := range op.Args {
			list[i] = operand(a)
		}
		switch r := op.Result(); op.Kind {
		case tile.OpYield:
			return list
		case tile.OpConst:
			t := simt.Vector(simt.Register(r.Type().Elem), width)
			values[r] = l.b.Const(t, roundConst(r.Type().Elem, op.Number))
		default:
			if values[r] = l.apply(op, list); l.err != nil {
				return args[:len(args)/2]
			}
		}
	}
	return args[:len(args)/2]
}

// inputs are an op's first n operands in the op's distribution.
func (l *emitter) inputs(op *tile.Op, n int) group {
	g := make(group, n)
	for i, v := range op.Args[:n] {
		g[i] = l.in(v, l.assigned.OpAt(op))
	}
	return g
}

// results gives an op's results their tiles.
func (l *emitter) results(op *tile.Op, g group) {
	for i, v := range op.Out {
		for j, x := range g[i].vecs {
			g[i].vecs[j] = l.wrap(x, v.Type().Elem)
		}
		l.tiles[v] = g[i]
	}
}

// hasBit reports, as a scalar, whether a bit of the thread's number is set.
func (l *emitter) hasBit(bit int) *simt.Value {
	return l.b.Binary(simt.Ne, l.b.Binary(simt.And, l.thread, l.b.Int(1<<bit)), l.b.Const(simt.Scalar(dtype.I32), 0))
}

// inOrder returns this thread's bundle and that of the thread whose number differs in
// a bit, the one of the lower number first, so that both combine the same way.
func (l *emitter) inOrder(bit int, mine, other bundle) (low, high bundle) {
	upper := l.hasBit(bit)
	return l.choose(upper, other, mine), l.choose(upper, mine, other)
}
