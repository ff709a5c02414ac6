package ops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// Windows says how indices name windows of a tensor x, as XLA's Gather and Scatter have it. The other tensor, the result of Gather or the updates
// of Scatter, has dimensions of two kinds: those of windows, and those of the indices, in the order of both tensors.
//
// An index vector says where a window starts. The elements of a vector are those of the indices along dimension Vector; if that is the indices'
// rank, each index is a vector by itself.
type Windows struct {
	Vector  int   // the dimension of the indices along which the elements of a vector stand
	Map     []int // for each element of a vector the dimension of x that it is an index of
	Dims    []int // the dimensions of the other tensor that are of windows, rising (XLA: offset_dims, update_window_dims)
	Dropped []int // the dimensions of x along which a window has one element and which the other tensor lacks (collapsed_slice_dims, inserted_window_dims)

	// Dimensions of x that are batches, and for each the dimension of the indices with the same batches. Windows have one element along
	// them, and the other tensor lacks them.
	Batch, IndexBatch []int

	// Sizes are those of a window, one for each dimension of x. Scatter takes them from the updates.
	Sizes []int
}

// encodeInts and decodeInts are lists as a string, which can be compared.
func encodeInts(lists ...[]int) string {
	var b []byte
	for _, list := range lists {
		for _, n := range list {
			b = fmt.Appendf(b, "%d ", n)
		}
		b = append(b, ';')
	}
	return string(b)
}

func decodeInts(s string) (lists [][]int) {
	for _, part := range strings.Split(strings.TrimSuffix(s, ";"), ";") {
		list := []int{}
		for _, field := range strings.Fields(part) {
			n, _ := strconv.Atoi(field)
			list = append(list, n)
		}
		lists = append(lists, list)
	}
	return lists
}

func (w Windows) encode() string {
	return encodeInts([]int{w.Vector}, w.Map, w.Dims, w.Dropped, w.Batch, w.IndexBatch, w.Sizes)
}

func decodeWindows(s string) Windows {
	l := decodeInts(s)
	return Windows{Vector: l[0][0], Map: l[1], Dims: l[2], Dropped: l[3], Batch: l[4], IndexBatch: l[5], Sizes: l[6]}
}

// check checks what does not depend on the other tensor.
func (w Windows) check(op string, x, indices []int) error {
	wrong := func(format string, args ...any) error {
		return fault.New(weft.ErrArgument, op, format, args...).For("windows")
	}
	if w.Vector < 0 || w.Vector > len(indices) {
		return wrong("Vector is %d for indices of %s", w.Vector, fault.Count(len(indices), "dimension"))
	}
	n := 1
	if w.Vector < len(indices) {
		n = indices[w.Vector]
	}
	if len(w.Map) != n {
		return fault.New(weft.ErrShape, op, "shape %v has vectors of %d, Map has %d", indices, n, len(w.Map)).For("indices")
	}
	used := make([]bool, len(x))
	for _, list := range []struct {
		name string
		dims []int
		rank int
		seen []bool
	}{{"Map", w.Map, len(x), make([]bool, len(x))}, {"Dropped", w.Dropped, len(x), used}, {"Batch", w.Batch, len(x), used}, {"IndexBatch", w.IndexBatch, len(indices), make([]bool, len(indices))}} {
		for _, d := range list.dims {
			if d < 0 || d >= list.rank || list.seen[d] {
				return wrong("%s is %v, want different dimensions below %d", list.name, list.dims, list.rank)
			}
			list.seen[d] = true
		}
	}
	for _, d := range w.Map {
		if slices.Contains(w.Batch, d) {
			return wrong("dimension %d is in Map and in Batch", d)
		}
	}
	if len(w.Batch) != len(w.IndexBatch) {
		return wrong("Batch is %v and IndexBatch %v, want as many", w.Batch, w.IndexBatch)
	}
	for i, d := range w.Batch {
		if j := w.IndexBatch[i]; j == w.Vector {
			return wrong("IndexBatch %v has Vector %d", w.IndexBatch, w.Vector)
		} else if x[d] != indices[j] {
			return fault.New(weft.ErrShape, op, "shape %v, of which dimension %d is dimension %d of %v", indices, j, d, x).For("indices")
		}
	}
	if want := len(x) - len(w.Dropped) - len(w.Batch); len(w.Dims) != want {
		return fault.New(weft.ErrShape, op, "Dims is %v, want %d of them for shape %v", w.Dims, want, x).For("windows")
	}
	rank := len(w.Dims) + w.indexRank(len(indices))
	for i, d := range w.Dims {
		if d < 0 || d >= rank || i > 0 && d <= w.Dims[i-1] {
			return wrong("Dims is %v, want rising dimensions below %d", w.Dims, rank)
		}
	}
	return nil
}

// indexRank is how many dimensions of indices are not those of vectors.
func (w Windows) indexRank(rank int) int {
	if w.Vector < rank {
		return rank - 1
	}
	return rank
}

// checkSizes checks the sizes of windows.
func (w Windows) checkSizes(op, arg string, x []int) error {
	if len(w.Sizes) != len(x) {
		return fault.New(weft.ErrShape, op, "Sizes is %v for shape %v", w.Sizes, x).For(arg)
	}
	for d, n := range w.Sizes {
		if one := slices.Contains(w.Dropped, d) || slices.Contains(w.Batch, d); one && n != 1 || n < 0 || n > x[d] {
			return fault.New(weft.ErrShape, op, "windows of %v in shape %v: dimension %d of %d", w.Sizes, x, d, n).For(arg)
		}
	}
	return nil
}

// kept are the dimensions of x that the other tensor has.
func (w Windows) kept(rank int) (dims []int) {
	for d := range rank {
		if !slices.Contains(w.Dropped, d) && !slices.Contains(w.Batch, d) {
			dims = append(dims, d)
		}
	}
	return dims
}

// shape is that of the other tensor.
func (w Windows) shape(x, indices []int) []int {
	shape := make([]int, 0, len(x)+len(indices))
	kept, rest := w.kept(len(x)), slices.Clone(indices)
	if w.Vector < len(rest) {
		rest = slices.Delete(rest, w.Vector, w.Vector+1)
	}
	for d := 0; len(kept)+len(rest) > 0; d++ {
		if slices.Contains(w.Dims, d) {
			shape, kept = append(shape, w.Sizes[kept[0]]), kept[1:]
		} else {
			shape, rest = append(shape, rest[0]), rest[1:]
		}
	}
	return shape
}

// fromUpdates fills in the sizes of windows from the shape of updates.
func (w *Windows) fromUpdates(op string, x, indices, updates []int) error {
	if rank := len(w.Dims) + w.indexRank(len(indices)); len(updates) != rank {
		return fault.New(weft.ErrShape, op, "shape %v, want %s", updates, fault.Count(rank, "dimension")).For("updates")
	}
	w.Sizes = slices.Repeat([]int{1}, len(x))
	for i, d := range w.kept(len(x)) {
		w.Sizes[d] = updates[w.Dims[i]]
	}
	if err := w.checkSizes(op, "updates", x); err != nil {
		return err
	}
	if want := w.shape(x, indices); !slices.Equal(updates, want) {
		return fault.New(weft.ErrShape, op, "shape %v, want %v", updates, want).For("updates")
	}
	return nil
}

// call adds the dimensions of a call.
func (w Windows) call(c *indexedCall, x, indices, y layout.Layout) {
	kept, d := w.kept(x.Rank()), 0
	sizes := make([]int, x.Rank()) // of windows
	for i := range sizes {
		sizes[i] = 1
	}
	for i := range y.Rank() {
		if slices.Contains(w.Dims, i) {
			of := kept[0]
			kept, sizes[of] = kept[1:], y.Size(i)
			c.window(y.Size(i), x.Stride(of), y.Stride(i))
			continue
		}
		if d == w.Vector {
			d++
		}
		stride := 0
		if at := slices.Index(w.IndexBatch, d); at >= 0 {
			stride = x.Stride(w.Batch[at])
		}
		c.row(y.Size(i), stride, y.Stride(i), indices.Stride(d))
		d++
	}
	for i, of := range w.Map {
		if most := x.Size(of) - sizes[of]; most > 0 || c.strict {
			coord := kernels.IndexedCoord{X: x.Stride(of), Most: most}
			if w.Vector < indices.Rank() {
				coord.I = i * indices.Stride(w.Vector)
			}
			c.Coords = append(c.Coords, coord)
		}
	}
}
