package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// shape compiles splats, broadcasts and reductions; the result never shares a
// register with the operand.
func (c *compiler) shape(op *tile.Op) (step, error) {
	if op.Kind == tile.OpReshape || op.Kind.Fact().Class == tile.Reduction && !reduces(op) { // the elements stay where they are
		src := c.where[op.Args[0]]
		if dst := c.take(op, op.Result(), op.Args[0]); dst != src {
			return banks[dst.class].copy(dst.index, src.index), nil
		}
		return func(*worker) {}, nil
	}
	switch op.Kind {
	case tile.OpAt:
		return c.at(op), nil
	case tile.OpHistogram:
		return c.histogram(op), nil
	case tile.OpRank:
		return c.rank(op), nil
	case tile.OpPeer:
		src, dst := c.where[op.Args[0]], c.define(op.Result())
		return banks[dst.class].copyPeer(dst.index, src.index), nil
	}
	src := c.where[op.Args[0]]
	from, to := op.Args[0].Type(), op.Result().Type()
	dst := c.define(op.Result())
	b := banks[dst.class]
	switch op.Kind {
	case tile.OpSplat:
		return b.splat(dst.index, src.index), nil
	case tile.OpBroadcast:
		return b.broadcast(dst.index, src.index, from.Shape, to.Shape), nil
	case tile.OpPermute:
		if c.how > inGo && len(to.Shape) <= len(block{}.stride) {
			return permute(dst, src, to, permuted(from.Shape, op.Perm)), nil
		}
		return b.pick(dst.index, src.index, to.Shape, permuted(from.Shape, op.Perm), 0), nil
	case tile.OpReorder:
		return b.reorder(dst.index, src.index, c.where[op.Args[1]].index), nil
	case tile.OpTake:
		return b.take(dst.index, src.index, c.where[op.Args[1]].index), nil
	case tile.OpSplit:
		return b.pick(dst.index, src.index, []int{to.Len()}, []int{2}, op.Axis), nil
	case tile.OpJoin:
		other := c.where[op.Args[1]]
		return then(b.place(dst.index, src.index, 2, 0), b.place(dst.index, other.index, 2, 1)), nil
	}
	a := axisOf(from.Shape, op.Axis)
	s := b.reduce(op.Kind, a, dst.index, src.index)
	if dst.class == floats && (op.Kind == tile.OpReduceSum || op.Kind == tile.OpReduceProd) {
		s = reduceFloats(op.Kind, a, dst.index, src.index)
	}
	if s == nil {
		return nil, unknown(op)
	}
	return then(s, narrow(to.Elem, dst.index)), nil
}

// axis is a tile seen as outer × n × inner elements around the axis of a reduction.
type axis struct{ outer, n, inner int }

func axisOf(shape []int, d int) axis {
	return axis{
		outer: tile.Type{Shape: shape[:d]}.Len(),
		n:     shape[d],
		inner: tile.Type{Shape: shape[d+1:]}.Len(),
	}
}

// A reduction has a loop along a row, for the last axis, and one that combines
// two rows, for the others.
type reduction[T value] struct {
	along   func(row []T) T
	combine binaryFunc[T]
}

func (r reduction[T]) run(a axis, d, x []T) {
	if a.inner == 1 {
		for o := range a.outer {
			d[o] = r.along(x[o*a.n : (o+1)*a.n])
		}
		return
	}
	for o := range a.outer {
		out := d[o*a.inner : (o+1)*a.inner]
		rows := x[o*a.n*a.inner:]
		copy(out, rows)
		for i := 1; i < a.n; i++ {
			r.combine(out, out, rows[i*a.inner:(i+1)*a.inner])
		}
	}
}

func (k bank[T]) reduce(kind tile.Kind, a axis, dst, src int) step {
	r := k.reductions(kind)
	if r.along == nil {
		return nil
	}
	return func(w *worker) {
		regs := k.of(w)
		r.run(a, regs[dst], regs[src])
	}
}

func reductionOf[T number](kind tile.Kind) reduction[T] {
	switch kind {
	case tile.OpReduceSum:
		return reduction[T]{total[T], add[T]}
	case tile.OpReduceMax:
		return reduction[T]{largest[T], greatest[T]}
	case tile.OpReduceProd:
		return reduction[T]{product[T], mul[T]}
	case tile.OpReduceMin:
		return reduction[T]{smallest[T], least[T]}
	}
	return reduction[T]{}
}

// reduceFloats is a sum or a product.
func reduceFloats(kind tile.Kind, a axis, dst, src int) step {
	if kind == tile.OpReduceSum {
		return func(w *worker) { w.accumulate(a, w.f[dst], w.f[src], 0, sumRow, plus) }
	}
	return func(w *worker) { w.accumulate(a, w.f[dst], w.f[src], 1, productRow, times) }
}

// accumulate adds or multiplies floats in float64 and rounds once.
func (w *worker) accumulate(a axis, d, x []float32, start float64, along func(x []float32) float32, into func(acc []float64, x []float32)) {
	if a.inner == 1 {
		for o := range a.outer {
			d[o] = along(x[o*a.n : (o+1)*a.n])
		}
		return
	}
	if len(w.sums) < a.inner {
		w.sums = make([]float64, a.inner)
	}
	sums := w.sums[:a.inner]
	for o := range a.outer {
		fillFloats(sums, start)
		for range a.n {
			into(sums, x[:a.inner])
			x = x[a.inner:]
		}
		for j, s := range sums {
			d[o*a.inner+j] = float32(s)
		}
	}
}

// sumRow keeps four sums, so that an addition need not wait for the one before.
func sumRow(x []float32) float32 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += float64(x[0])
		s1 += float64(x[1])
		s2 += float64(x[2])
		s3 += float64(x[3])
	}
	for _, v := range x {
		s0 += float64(v)
	}
	return float32((s0 + s1) + (s2 + s3))
}

func plus(acc []float64, x []float32) {
	for j, v := range x {
		acc[j] += float64(v)
	}
}

func times(acc []float64, x []float32) {
	for j, v := range x {
		acc[j] *= float64(v)
	}
}

func fillFloats(d []float64, x float64) {
	for i := range d {
		d[i] = x
	}
}

// productRow rounds once; beyond float64 the product is infinite or 0 as beyond float32.
func productRow(x []float32) float32 {
	p := 1.0
	for _, v := range x {
		p *= float64(v)
	}
	return float32(p)
}

var truthReduction = map[tile.Kind]reduction[bool]{
	tile.OpReduceAny: {func(x []bool) bool { return slices.Contains(x, true) }, boolBinary[tile.OpOr]},
	tile.OpReduceAll: {func(x []bool) bool { return !slices.Contains(x, false) }, boolBinary[tile.OpAnd]},
}
