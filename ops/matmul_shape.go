package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// matrices returns the layouts in which the kernel sees a, b, the tensors of the steps, and the
// result, which comes last: batches, in as few dimensions as they merge into, then rows and columns. What an operand
// repeats has stride 0. Where the result has fewer columns than rows, and few of them, rows and columns are
// exchanged, and a and b (in tensors, too): such a product is faster with few rows.
func matrices(tensors []*weft.Tensor) ([]layout.Layout, error) {
	layouts, err := aligned(tensors)
	if err != nil {
		return nil, err
	}
	last := layouts[len(layouts)-1]
	if last.Len() == 0 { // nothing to do, but the launch checks what it always checks
		empty, err := layout.Contiguous(0, 0)
		return slices.Repeat([]layout.Layout{empty}, len(layouts)), err
	}
	if layouts, err = merged(layouts); err != nil {
		return nil, err
	}
	last = layouts[len(layouts)-1]
	if rows, columns := last.Size(last.Rank()-2), last.Size(last.Rank()-1); columns < rows && columns <= kernels.MaxRowByRow {
		tensors[0], tensors[1] = tensors[1], tensors[0]
		layouts[0], layouts[1] = layouts[1], layouts[0]
		for i, l := range layouts {
			layouts[i] = l.Transpose()
		}
		return merged(layouts)
	}
	return layouts, nil
}

// aligned gives vectors the dimension that they lack as matrices and broadcasts batches and the tensors of
// the steps to the result's.
func aligned(tensors []*weft.Tensor) ([]layout.Layout, error) {
	a, b, out := tensors[0].Layout(), tensors[1].Layout(), tensors[len(tensors)-1].Layout()
	row, column := a.Rank() == 1, b.Rank() == 1
	layouts := make([]layout.Layout, len(tensors))
	for i, t := range tensors[2:] {
		l, err := t.Layout().Broadcast(out.Shape()...)
		if column && err == nil {
			l, err = l.Unsqueeze(l.Rank())
		}
		if row && err == nil {
			l, err = l.Unsqueeze(l.Rank() - 1)
		}
		if err != nil {
			return nil, err
		}
		layouts[2+i] = l
	}
	shape := layouts[len(layouts)-1].Shape()
	batch := shape[:len(shape)-2]
	for i, l := range []layout.Layout{a, b} {
		var err error
		if l.Rank() == 1 {
			l, err = l.Unsqueeze(i) // a is a row, b a column
		}
		if err == nil {
			r := l.Rank()
			l, err = l.Broadcast(append(slices.Clone(batch), l.Size(r-2), l.Size(r-1))...)
		}
		if err != nil {
			return nil, err
		}
		layouts[i] = l
	}
	return layouts, nil
}

// merged merges neighbouring batch dimensions that are one run in all layouts, and with the rows
// those that b repeats: a batch times one matrix is one larger matrix times that. The layouts are those of a, b and
// tensors of the result's shape, none of it empty.
func merged(layouts []layout.Layout) ([]layout.Layout, error) {
	rank := layouts[0].Rank()
	outer := make([]layout.Layout, len(layouts)) // batches and rows; b repeats the rows
	for i, l := range layouts {
		shape, stride := l.Shape()[:rank-1], l.Strides()[:rank-1]
		if i == 1 {
			shape[rank-2], stride[rank-2] = layouts[0].Size(rank-2), 0
		}
		var err error
		if outer[i], err = layout.Strided(shape, stride, l.Offset()); err != nil {
			return nil, err
		}
	}
	outer = layout.CoalesceTogether(outer...)
	r := outer[1].Rank()
	oneRow := outer[1].Size(r-1) > 1 && outer[1].Stride(r-1) != 0 // what comes last is a batch, then
	result := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		shape, stride := outer[i].Shape(), outer[i].Strides()
		if oneRow {
			shape, stride = append(shape, 1), append(stride, 0)
		}
		if i == 1 {
			n := len(shape)
			shape[n-1], stride[n-1] = l.Size(rank-2), l.Stride(rank-2)
		}
		var err error
		result[i], err = layout.Strided(append(shape, l.Size(rank-1)), append(stride, l.Stride(rank-1)), l.Offset())
		if err != nil {
			return nil, err
		}
	}
	return result, nil
}
