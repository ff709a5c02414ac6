package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// mergedReduction brings x and a result, whose strides of x's dimensions are given and 0 where they
// are reduced, into the fewest dimensions that a kernel can walk: ordered by x's strides, so that
// memory is read in runs, and with neighbours merged that are one run in both. Reduced dimensions
// keep their order if it matters. Dimension d of the views is reduced where reduced[d] says so;
// there is one at least.
func mergedReduction(op string, x, out layout.Layout, ordered bool) (
	views [2]layout.Layout, reduced [kernels.MaxRank]bool, err error) {
	if x.Len() == 0 {
		x, out, err = emptyReduction(x, out)
	} else {
		order := reductionOrder(x, out, ordered)
		x, _ = x.Permute(order...)
		out, _ = out.Permute(order...)
		merged := layout.CoalesceTogether(x, out)
		x, out = merged[0], merged[1]
	}
	if err != nil {
		return views, reduced, err
	}
	isReduced := func(d int) bool { return out.Stride(d) == 0 && x.Size(d) != 1 }
	none := true
	for d := range x.Rank() {
		none = none && !isReduced(d)
	}
	if none {
		if x, err = x.Unsqueeze(0); err == nil {
			out, err = out.Unsqueeze(0)
		}
		if err != nil {
			return views, reduced, err
		}
	}
	if err := checkMerged(op, x.Shape(), x.Rank()); err != nil {
		return views, reduced, err
	}
	shape := x.Shape()
	for d := range shape {
		if reduced[d] = isReduced(d) || none && d == 0; reduced[d] {
			shape[d] = 1
		}
	}
	views[0] = x
	views[1], err = layout.Strided(shape, out.Strides(), out.Offset())
	return views, reduced, err
}

// emptyReduction is a view of no elements that are reduced to each element of the result.
func emptyReduction(x, out layout.Layout) (layout.Layout, layout.Layout, error) {
	shape, strides := []int{0}, []int{0}
	for d, n := range x.Shape() {
		if out.Stride(d) != 0 && n != 1 {
			shape, strides = append(shape, n), append(strides, out.Stride(d))
		}
	}
	to, err := layout.Strided(shape, strides, out.Offset())
	if err != nil {
		return x, out, err
	}
	from, err := layout.Contiguous(shape...)
	return from, to, err
}

// reductionOrder lists the dimensions by falling strides of x, those that are reduced in their own
// order if it matters.
func reductionOrder(x, out layout.Layout, ordered bool) []int {
	order := memoryOrder(x)
	if !ordered {
		return order
	}
	next := 0
	for i, d := range order {
		if out.Stride(d) != 0 || x.Size(d) == 1 {
			continue
		}
		for out.Stride(next) != 0 || x.Size(next) == 1 {
			next++
		}
		order[i] = next
		next++
	}
	return order
}
