package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// normViews are the tensors of a call in the order of the kernel's views.
func normViews(out *weft.Tensor, in []*weft.Tensor) (list []operand) {
	for _, o := range []operand{{"x", in[0]}, {"residual", in[3]}, {"weight", in[1]}, {"bias", in[2]}, {"sum", in[4]}, {"out", out}} {
		if o.tensor != nil {
			list = append(list, o)
		}
	}
	return list
}

// merged brings the inputs and the results, of which out comes last, into the fewest dimensions. row says which ones make up a row; there is one
// at least.
func (n *normOptions) merged(result *weft.Tensor, in []*weft.Tensor) (views []weft.TensorView, row [kernels.MaxRank]bool, err error) {
	inRow, err := n.row(in[0])
	if err != nil {
		return nil, row, err
	}
	m := normMerge{op: n.op, row: inRow, along: inRow}
	for _, o := range normViews(result, in) {
		m.list = append(m.list, normOperand{o, o.name == "weight" || o.name == "bias"})
	}
	merged, err := m.merge(result.Layout())
	return merged.views, merged.row, err
}

// normMerge is what a normalisation, or its gradient, works on.
type normMerge struct {
	op         string
	row, along []bool // the dimensions of x that make up a row, and those in which weights differ
	list       []normOperand
	apart      bool // there is to be a dimension that is neither of a row nor along weights, of size 1 if need be
}

// normOperand is a tensor in the shape of x, or that of weights.
type normOperand struct {
	operand
	weight bool
}

// mergedNorm are the operands as kernels see them.
type mergedNorm struct {
	views      []weft.TensorView
	shape      []int // of x
	row, along [kernels.MaxRank]bool
}

// merge brings the operands into the fewest dimensions: ordered by the strides of a layout, and merged where they are one run in all.
func (m normMerge) merge(out layout.Layout) (merged mergedNorm, err error) {
	order := memoryOrder(out)
	var all []layout.Layout
	for _, o := range m.list {
		l := o.tensor.Layout()
		for d := 0; o.weight && l.Rank() < out.Rank(); d++ {
			if !m.along[d] {
				if l, err = l.Unsqueeze(d); err != nil {
					return merged, err
				}
			}
		}
		if l, err = l.Broadcast(out.Shape()...); err != nil {
			return merged, err
		}
		l, _ = l.Permute(order...)
		all = append(all, l)
	}
	length := 1
	for _, dims := range [][]bool{m.along, m.row} {
		marker, n, err := markerOf(all[0].Shape(), order, dims)
		if err != nil {
			return merged, err
		}
		all, length = append(all, marker), n
	}
	all = layout.CoalesceTogether(all...)
	marked := func(i, d int) bool { return all[len(m.list)+i].Stride(d) != 0 && all[0].Size(d) > 1 }
	others := false
	for d := range all[0].Rank() {
		others = others || !marked(0, d) && !marked(1, d)
	}
	for _, need := range []bool{m.apart && !others, length == 1} { // the last of which is that of rows
		if need {
			for i := range all {
				if all[i], err = all[i].Unsqueeze(0); err != nil {
					return merged, err
				}
			}
		}
	}
	merged.row[0] = length == 1
	merged.shape = all[0].Shape()
	if err := checkMerged(m.op, out.Shape(), len(merged.shape)); err != nil {
		return merged, err
	}
	weights := make([]int, len(merged.shape))
	for d, n := range merged.shape {
		merged.row[d] = merged.row[d] || marked(1, d)
		if merged.along[d] = marked(0, d); merged.along[d] {
			weights[d] = n
		} else {
			weights[d] = 1
		}
	}
	for i, o := range m.list {
		if o.weight {
			if all[i], err = layout.Strided(weights, all[i].Strides(), all[i].Offset()); err != nil {
				return merged, err
			}
		}
		merged.views = append(merged.views, weft.TensorView{Tensor: o.tensor, Layout: all[i]})
	}
	return merged, nil
}

// markerOf is a layout with strides in some dimensions, in the order of memory, and none in others, so that they do not merge. length is the number of elements
// along them.
func markerOf(shape, order []int, dims []bool) (marker layout.Layout, length int, err error) {
	strides, length := make([]int, len(order)), 1
	for i := len(order) - 1; i >= 0; i-- {
		if dims[order[i]] {
			strides[i] = length
			length *= shape[i]
		}
	}
	marker, err = layout.Strided(shape, strides, 0)
	return marker, length, err
}
