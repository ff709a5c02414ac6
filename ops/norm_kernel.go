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

// merged brings the inputs and the results, of which out comes last, into the fewest dimensions: ordered by out's
// strides, and merged where they are one run in all. row says which ones make up a row; there is one
// at least.
func (n *normOptions) merged(result *weft.Tensor, in []*weft.Tensor) (views []weft.TensorView, row [kernels.MaxRank]bool, err error) {
	list := normViews(result, in)
	out := result.Layout()
	inRow, err := n.row(in[0])
	if err != nil {
		return nil, row, err
	}
	order := memoryOrder(out)
	rowStrides, length := make([]int, out.Rank()), 1 // 0 along other dimensions than the row, so that nothing merges with it
	for i := len(order) - 1; i >= 0; i-- {
		if inRow[order[i]] {
			rowStrides[i] = length
			length *= out.Size(order[i])
		}
	}
	var all []layout.Layout
	for _, o := range list {
		l := o.tensor.Layout()
		for d := 0; l.Rank() < out.Rank() && o.name != "x"; d++ { // weight and bias have the dimensions of a row
			if !inRow[d] {
				if l, err = l.Unsqueeze(d); err != nil {
					return nil, row, err
				}
			}
		}
		if l, err = l.Broadcast(out.Shape()...); err != nil {
			return nil, row, err
		}
		l, _ = l.Permute(order...)
		all = append(all, l)
	}
	marker, err := layout.Strided(all[0].Shape(), rowStrides, 0)
	if err != nil {
		return nil, row, err
	}
	all = layout.CoalesceTogether(append(all, marker)...)
	if length == 1 {
		for i := range all {
			if all[i], err = all[i].Unsqueeze(0); err != nil {
				return nil, row, err
			}
		}
		row[0] = true
	}
	marker = all[len(list)]
	if err := checkMerged(n.op, out.Shape(), marker.Rank()); err != nil {
		return nil, row, err
	}
	shape := marker.Shape()
	for d := range shape {
		row[d] = row[d] || marker.Stride(d) != 0 && marker.Size(d) > 1
		if !row[d] {
			shape[d] = 1
		}
	}
	for i, o := range list {
		if o.name == "weight" || o.name == "bias" {
			if all[i], err = layout.Strided(shape, all[i].Strides(), all[i].Offset()); err != nil {
				return nil, row, err
			}
		}
		views = append(views, weft.TensorView{Tensor: o.tensor, Layout: all[i]})
	}
	return views, row, nil
}
