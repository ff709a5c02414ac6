package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// axes are layouts whose sizes differ along some dimensions alone, which stay what they are; the others merge.
type axes struct {
	layouts []layout.Layout
	own     []int // for each dimension of the layouts the one it was, -1 for merged ones
}

// mergeAxes brings dimensions into the order of memory of the last layout, and merges neighbours that form one run everywhere, but for those
// that are kept. At least one dimension is left.
func mergeAxes(layouts []layout.Layout, kept func(d int) bool) (axes, error) {
	order := memoryOrder(layouts[len(layouts)-1])
	sorted := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		var err error
		if sorted[i], err = l.Permute(order...); err != nil {
			return axes{}, err
		}
	}
	shapes, strides := make([][]int, len(layouts)), make([][]int, len(layouts))
	var own []int
	for from := 0; from < len(order); {
		if kept(order[from]) {
			for i, l := range sorted {
				shapes[i], strides[i] = append(shapes[i], l.Size(from)), append(strides[i], l.Stride(from))
			}
			own = append(own, order[from])
			from++
			continue
		}
		to := from
		for to < len(order) && !kept(order[to]) {
			to++
		}
		parts := make([]layout.Layout, len(layouts))
		for i, l := range sorted {
			var err error
			if parts[i], err = layout.Strided(l.Shape()[from:to], l.Strides()[from:to], 0); err != nil {
				return axes{}, err
			}
		}
		parts = layout.CoalesceTogether(parts...)
		for d := range parts[0].Rank() {
			if parts[0].Size(d) == 1 {
				continue
			}
			for i, l := range parts {
				shapes[i], strides[i] = append(shapes[i], l.Size(d)), append(strides[i], l.Stride(d))
			}
			own = append(own, -1)
		}
		from = to
	}
	if len(own) == 0 { // one element, in no dimensions or in some of size 1
		for i := range layouts {
			shapes[i], strides[i] = []int{1}, []int{1}
		}
		own = []int{-1}
	}
	return newAxes(layouts, shapes, strides, own)
}

func newAxes(layouts []layout.Layout, shapes, strides [][]int, own []int) (axes, error) {
	a := axes{own: own, layouts: make([]layout.Layout, len(layouts))}
	for i := range layouts {
		var err error
		if a.layouts[i], err = layout.Strided(shapes[i], strides[i], layouts[i].Offset()); err != nil {
			return a, err
		}
	}
	return a, nil
}

// fuse merges a dimension that is kept with the one after it, where both form one run in all layouts: so many elements of the one are each
// element of the other. It returns how many.
func (a axes) fuse(d int) (axes, int, error) {
	if d+1 >= len(a.own) || a.own[d+1] >= 0 {
		return a, 1, nil
	}
	n := a.layouts[0].Size(d + 1)
	shapes, strides := make([][]int, len(a.layouts)), make([][]int, len(a.layouts))
	for i, l := range a.layouts {
		if l.Size(d) > 1 && l.Stride(d) != n*l.Stride(d+1) {
			return a, 1, nil
		}
		shape := l.Shape()
		shape[d] *= n
		shapes[i], strides[i] = slices.Delete(shape, d+1, d+2), slices.Delete(l.Strides(), d, d+1)
	}
	own := slices.Delete(slices.Clone(a.own), d+1, d+2)
	fused, err := newAxes(a.layouts, shapes, strides, own)
	return fused, n, err
}

// wordsOf are views of tensors of one element type as a kernel moves them: Bool as U8, integers of 64 bits as two words each, in a last
// dimension, where the device has none, and the others as words of 32 bits where all layouts consist of whole ones.
func wordsOf(views []weft.TensorView) []weft.TensorView {
	t := views[0].Tensor
	elem, seen := t.DType(), slices.Clone(views)
	switch {
	case elem.Size() == 8 && !t.Device().Caps().Int64:
		return halvesOf(views)
	case elem == weft.F64:
		for i := range seen {
			seen[i].Elem = weft.U64
		}
	case elem.Size() <= 4:
		for i, v := range views {
			l, ok := elementwise.Words(v.Layout, v.Layout.Rank()-1, 4/elem.Size())
			if !ok {
				return asBytes(views)
			}
			seen[i].Layout, seen[i].Elem = l, weft.U32
		}
	}
	return seen
}

// halvesOf are views of elements of 64 bits as two words each, in a last dimension.
func halvesOf(views []weft.TensorView) []weft.TensorView {
	seen := slices.Clone(views)
	for i, v := range views {
		l, ok := elementwise.Halves(v.Layout)
		if !ok {
			return views // strides beyond 2^62, of which there are no tensors
		}
		seen[i].Layout, seen[i].Elem = l, weft.U32
	}
	return seen
}

// asBytes are views of Bool as U8.
func asBytes(views []weft.TensorView) []weft.TensorView {
	if views[0].Tensor.DType() != weft.Bool {
		return views
	}
	seen := slices.Clone(views)
	for i := range seen {
		seen[i].Elem = weft.U8
	}
	return seen
}

// checkRank refuses views of more dimensions than a kernel has.
func checkRank(op, arg string, shape []int, rank int) error {
	if rank > kernels.MaxRank {
		return fault.New(weft.ErrUnsupported, op, "shape %v has too many dimensions, want at most %d that do not merge", shape, kernels.MaxRank).For(arg)
	}
	return nil
}
