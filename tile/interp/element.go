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
