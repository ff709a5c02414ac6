package interp

import (
	"github.com/weftgpu/weft/tile"
)

// points are the registers that hold the indices and the mask of an op on
// points of a view; mask is -1 if there is none.
type points struct {
	view    int
	indices []int
	mask    int
}

// points compiles an op on points.
func (c *compiler) points(op *tile.Op) (step, error) {
	values, indices, mask := op.Points()
	at := points{view: op.View.Index, indices: c.indices(indices), mask: -1}
	if mask != nil {
		at.mask = c.where[mask].index
	}
	switch op.Kind {
	case tile.OpGather:
		dst := c.define(op.Result())
		return banks[dst.class].readPoints(op, dst.index, at), nil
	case tile.OpScatter:
		src := c.where[values[0]]
		return banks[src.class].writePoints(op, src.index, at), nil
	case tile.OpAtomic:
		return c.atomic(op, values, at), nil
	}
	return nil, unknown(op)
}

// find is the position in memory of point i, in elements; ok is false if the
// point is left out.
func (p *points) find(w *worker, i int) (at int, ok bool) {
	if p.mask >= 0 && !w.b[p.mask][i] {
		return 0, false
	}
	v := &w.views[p.view]
	at = v.offset
	for d, r := range p.indices {
		x := int(w.i[r][i])
		if x < 0 || x >= v.size[d] {
			return 0, false
		}
		at += x * v.stride[d]
	}
	return at, true
}

func (k bank[T]) readPoints(op *tile.Op, dst int, at points) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	edge := k.to(elem, op.Number)
	get := decoders[T](elem)
	return func(w *worker) {
		d, data := k.of(w)[dst], w.views[at.view].data
		for i := range d {
			if m, ok := at.find(w, i); ok {
				get(d, i, 1, data, m*size, size, 1)
			} else {
				d[i] = edge
			}
		}
	}
}

func (k bank[T]) writePoints(op *tile.Op, src int, at points) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	put := encoders[T](elem)
	return func(w *worker) {
		s, data := k.of(w)[src], w.views[at.view].data
		for i := range s {
			if m, ok := at.find(w, i); ok {
				put(s, i, 1, data, m*size, size, 1)
			}
		}
	}
}
