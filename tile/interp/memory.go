package interp

import (
	"encoding/binary"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// region is the part of a tile that is within its view.
type region struct {
	lo, n [5]int // of each dimension
	at    int    // the first element in memory
	empty bool
}

// regionOf is where a tile at the coordinates in registers is, or at the offsets there if it is placed by element.
func (w *worker) regionOf(v *view, shape, coords []int, byElement bool) (r region) {
	r.at = v.offset
	for d := range shape {
		start := int64(w.i[coords[d]][0])
		if !byElement {
			start *= int64(shape[d])
		}
		lo, hi := max(0, -start), min(int64(shape[d]), int64(v.size[d])-start)
		if lo >= hi {
			r.empty = true
			return r
		}
		r.lo[d], r.n[d] = int(lo), int(hi-lo)
		r.at += int(start+lo) * v.stride[d]
	}
	return r
}

// whole reports whether a region is all of a tile.
func (r *region) whole(shape []int) bool {
	for d, n := range shape {
		if r.n[d] != n {
			return false
		}
	}
	return !r.empty
}

// denseStrides are those of a tile in a register.
func denseStrides(shape []int) (strides [5]int) {
	for d, stride := len(shape)-1, 1; d >= 0; d-- {
		strides[d] = stride
		stride *= shape[d]
	}
	return strides
}

// window is the part of a tile that is within its view: one run of elements
// along each dimension, those of length 1 left out. There is always a last run.
type window struct {
	rank     int
	n        [5]int // elements of a run
	mem, reg [5]int // distance of neighbours in memory and in the register
	memAt    int    // first element
	regAt    int
	whole    bool // the window is the whole tile
}

// window places a tile of the shape at the coordinates in registers coords, or at the offsets there if
// it is placed by element; inside is false if nothing of it is within the view.
func (w *worker) window(v *view, shape, coords []int, byElement bool) (win window, inside bool) {
	r := w.regionOf(v, shape, coords, byElement)
	if r.empty {
		return win, false
	}
	n, mem, reg := r.n, v.stride, denseStrides(shape)
	win.memAt, win.whole = r.at, r.whole(shape)
	for d := range shape {
		win.regAt += r.lo[d] * reg[d]
		if n[d] == 1 {
			continue
		}
		// Two dimensions that continue each other on both sides are one.
		if r := win.rank - 1; r >= 0 && win.mem[r] == mem[d]*n[d] && win.reg[r] == reg[d]*n[d] {
			win.n[r], win.mem[r], win.reg[r] = win.n[r]*n[d], mem[d], reg[d]
			continue
		}
		win.n[win.rank], win.mem[win.rank], win.reg[win.rank] = n[d], mem[d], reg[d]
		win.rank++
	}
	if win.rank == 0 {
		win.rank, win.n[0], win.mem[0], win.reg[0] = 1, 1, 1, 1
	}
	return win, true
}

// rows calls visit with the first element of every run of the last dimension.
func (win *window) rows(visit func(mem, reg int)) {
	last := win.rank - 1
	var at [5]int
	mem, reg := win.memAt, win.regAt
	for {
		visit(mem, reg)
		d := last - 1
		for ; d >= 0; d-- {
			at[d]++
			mem, reg = mem+win.mem[d], reg+win.reg[d]
			if at[d] < win.n[d] {
				break
			}
			mem, reg = mem-win.n[d]*win.mem[d], reg-win.n[d]*win.reg[d]
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

func (k bank[T]) load(op *tile.Op, dst int, coords []int) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	index, shape := op.View.Index, op.Result().Type().Shape
	edge := k.to(elem, op.Number)
	get := decoders[T](elem)
	raw := isRaw(elem)
	return func(w *worker) {
		d, v := k.of(w)[dst], &w.views[index]
		win, inside := w.window(v, shape, coords, op.ByElement)
		if !inside || !win.whole {
			fill(d, edge)
		}
		if !inside {
			return
		}
		last := win.rank - 1
		n, ms, rs := win.n[last], win.mem[last], win.reg[last]
		if raw && ms == 1 && rs == 1 {
			b := bytesOf(d)
			win.rows(func(m, r int) { copy(b[r*size:(r+n)*size], v.data[m*size:]) })
			return
		}
		win.rows(func(m, r int) { get(d, r, rs, v.data, m*size, ms*size, n) })
	}
}

func (k bank[T]) store(op *tile.Op, src int, coords []int) step {
	elem, size := op.View.Elem, op.View.Elem.Size()
	index, shape := op.View.Index, op.Args[0].Type().Shape
	put := encoders[T](elem)
	raw := isRaw(elem)
	return func(w *worker) {
		s, v := k.of(w)[src], &w.views[index]
		win, inside := w.window(v, shape, coords, op.ByElement)
		if !inside {
			return
		}
		last := win.rank - 1
		n, ms, rs := win.n[last], win.mem[last], win.reg[last]
		if raw && ms == 1 && rs == 1 {
			b := bytesOf(s)
			win.rows(func(m, r int) { copy(v.data[m*size:(m+n)*size], b[r*size:]) })
			return
		}
		win.rows(func(m, r int) { put(s, r, rs, v.data, m*size, ms*size, n) })
	}
}

// isRaw reports whether registers hold an element type as memory does, on a
// little-endian host.
func isRaw(e dtype.Type) bool {
	return e.Size() >= 4 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// bytesOf is the memory of a register.
func bytesOf[T value](d []T) []byte {
	if len(d) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&d[0])), len(d)*int(unsafe.Sizeof(d[0])))
}
