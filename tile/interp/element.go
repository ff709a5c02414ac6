package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

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

// take copies to each element the one that the integers of a register say.
func (k bank[T]) take(dst, src, places int) step {
	return func(w *worker) {
		r, at := k.of(w), w.i[places]
		from, last := r[src], len(r[src])-1
		for i := range r[dst] {
			r[dst][i] = from[int(at[i])&last]
		}
	}
}

// rank compiles the number of equal elements before each in its run.
func (c *compiler) rank(op *tile.Op) step {
	src, run, mask := c.where[op.Args[0]].index, int(op.Number), 1<<op.Axis-1
	dst := c.define(op.Result()).index
	counts := make([]int32, mask+1)
	return func(w *worker) {
		counts := slices.Clone(counts)
		for i, x := range w.i[src] {
			if i%run == 0 {
				clear(counts)
			}
			bin := int(x) & mask
			w.i[dst][i] = counts[bin]
			counts[bin]++
		}
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
