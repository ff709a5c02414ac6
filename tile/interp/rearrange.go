package interp

import (
	"unsafe"

	"github.com/weftgpu/weft/tile"
)

// numberAlong writes each element's coordinate along an axis.
func numberAlong(d []int32, a axis) {
	for i := range d {
		d[i] = int32(i / a.inner % a.n)
	}
}

// permuted is the distance in a tile's register of neighbours along each dimension
// of the tile with its dimensions reordered.
func permuted(shape, perm []int) []int {
	strides := make([]int, len(perm))
	for d, p := range perm {
		strides[d] = axisOf(shape, p).inner
	}
	return strides
}

// pick fills dst, a tile of a shape, with elements of src that are strides apart, from at on.
func (k bank[T]) pick(dst, src int, shape, strides []int, at int) step {
	last := len(shape) - 1
	row, stride := shape[last], strides[last]
	starts := rowStarts(nil, shape[:last], strides, at)
	return func(w *worker) {
		r := k.of(w)
		d, s := r[dst], r[src]
		for i, from := range starts {
			for j := range d[i*row : (i+1)*row] {
				d[i*row+j] = s[from+j*stride]
			}
		}
	}
}

// permute is pick of all elements of a tile, as a copy of a block: dst gets a type's elements, which are strides apart in src.
func permute(dst, src reg, t tile.Type, strides []int) step {
	size := laneElem(t.Elem).Size()
	from, to := block{}, block{stride: denseStrides(t.Shape)}
	copy(from.stride[:], strides)
	return func(w *worker) {
		from, to := from, to
		from.data = unsafe.Slice((*byte)(w.pointer(src)), t.Len()*size)
		to.data = unsafe.Slice((*byte)(w.pointer(dst)), t.Len()*size)
		copyBlock(to, from, t.Shape, size)
	}
}

// place writes src to every stride-th element of dst from at on.
func (k bank[T]) place(dst, src, stride, at int) step {
	return func(w *worker) {
		r := k.of(w)
		d := r[dst]
		for i, x := range r[src] {
			d[at+i*stride] = x
		}
	}
}
