package interp

import "github.com/weftgpu/weft/tile"

// at compiles the choice of one element of a tile.
func (c *compiler) at(op *tile.Op) step {
	src, indices, shape := c.where[op.Args[0]], c.indices(op.Args[1:]), op.Args[0].Type().Shape
	dst := c.define(op.Result())
	return banks[dst.class].element(dst.index, src.index, func(w *worker) int {
		at := 0
		for d, r := range indices {
			at = at*shape[d] + int(w.i[r][0])&(shape[d]-1)
		}
		return at
	})
}

// element copies one element of src, whose position a function tells.
func (k bank[T]) element(dst, src int, at func(w *worker) int) step {
	return func(w *worker) {
		r := k.of(w)
		r[dst][0] = r[src][at(w)]
	}
}

// histogram compiles sums of weights by bins, in the order of the elements.
func (c *compiler) histogram(op *tile.Op) step {
	bins, weights := c.where[op.Args[0]].index, c.where[op.Args[1]]
	dst := c.define(op.Result())
	switch dst.class {
	case floats:
		return func(w *worker) { addByBins(w.f[dst.index], w.i[bins], w.f[weights.index]) }
	case words:
		return func(w *worker) { addByBins(w.u[dst.index], w.i[bins], w.u[weights.index]) }
	}
	return func(w *worker) { addByBins(w.i[dst.index], w.i[bins], w.i[weights.index]) }
}

// addByBins sets sums to the weights of each of its elements.
func addByBins[T int32 | uint32 | float32](sums []T, bins []int32, weights []T) {
	clear(sums)
	for i, bin := range bins {
		if uint(bin) < uint(len(sums)) {
			sums[bin] += weights[i]
		}
	}
}

// reorder moves each element to the place that the integers of a register say.
func (k bank[T]) reorder(dst, src, places int) step {
	return func(w *worker) {
		r, at := k.of(w), w.i[places]
		to, last := r[dst], len(r[dst])-1
		for i, x := range r[src] {
			to[int(at[i])&last] = x
		}
	}
}
