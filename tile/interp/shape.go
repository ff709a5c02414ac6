package interp

import (
	"github.com/weftgpu/weft/tile"
)

// shape compiles splats, broadcasts and reductions; the result never shares a
// register with the operand.
func (c *compiler) shape(op *tile.Op) (step, error) {
	src := c.where[op.Args[0]]
	from, to := op.Args[0].Type(), op.Result().Type()
	dst := c.define(op.Result())
	b := banks[dst.class]
	switch op.Kind {
	case tile.OpSplat:
		return b.splat(dst.index, src.index), nil
	case tile.OpBroadcast:
		return b.broadcast(dst.index, src.index, from.Shape, to.Shape), nil
	}
	a := axisOf(from.Shape, op.Axis)
	var s step
	switch dst.class {
	case floats:
		s = reduceFloats(op.Kind, a, dst.index, src.index)
	case ints:
		s = reduceInts(intBank, op.Kind, a, dst.index, src.index)
	case words:
		s = reduceInts(wordBank, op.Kind, a, dst.index, src.index)
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

// foldRows combines whole rows: d[outer,inner] = x[outer,0,inner] op x[outer,1,inner] op …
func foldRows[T value](a axis, combine func(d, row []T), d, x []T) {
	for o := range a.outer {
		out := d[o*a.inner : (o+1)*a.inner]
		rows := x[o*a.n*a.inner:]
		copy(out, rows[:a.inner])
		for i := 1; i < a.n; i++ {
			combine(out, rows[i*a.inner:(i+1)*a.inner])
		}
	}
}

func reduceInts[T integer](k bank[T], kind tile.Kind, a axis, dst, src int) step {
	combine := map[tile.Kind]binaryFunc[T]{
		tile.OpReduceSum: add[T],
		tile.OpReduceMax: greatest[T],
		tile.OpReduceMin: least[T],
	}[kind]
	if combine == nil {
		return nil
	}
	return func(w *worker) {
		r := k.of(w)
		foldRows(a, func(d, row []T) { combine(d, d, row) }, r[dst], r[src])
	}
}

func reduceFloats(kind tile.Kind, a axis, dst, src int) step {
	switch kind {
	case tile.OpReduceSum:
		return func(w *worker) { w.sum(a, w.f[dst], w.f[src]) }
	case tile.OpReduceMax:
		return func(w *worker) { foldRows(a, func(d, row []float32) { greatest(d, d, row) }, w.f[dst], w.f[src]) }
	case tile.OpReduceMin:
		return func(w *worker) { foldRows(a, func(d, row []float32) { least(d, d, row) }, w.f[dst], w.f[src]) }
	}
	return nil
}

// sum adds rows in float64 and rounds once.
func (w *worker) sum(a axis, d, x []float32) {
	if len(w.sums) < a.inner {
		w.sums = make([]float64, a.inner)
	}
	sums := w.sums[:a.inner]
	for o := range a.outer {
		clear(sums)
		for range a.n {
			for j, v := range x[:a.inner] {
				sums[j] += float64(v)
			}
			x = x[a.inner:]
		}
		for j, s := range sums {
			d[o*a.inner+j] = float32(s)
		}
	}
}
