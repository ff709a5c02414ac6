package weft

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft/layout"
)

// term is one dimension of the question whether two layouts share an element: an
// integer lo <= k <= hi times a positive stride.
type term struct{ stride, lo, hi int }

// meet reports whether two layouts over one buffer share an element.
//
// They do if the distance between their offsets is a sum of k*stride over the
// dimensions of both, with k in the range of the dimension's coordinates,
// negative for those of l. Interleaved columns of one matrix, whose ranges of
// addresses overlap, are so told apart.
func meet(l, m layout.Layout) bool {
	if l.Len() == 0 || m.Len() == 0 {
		return false
	}
	budget := 10_000 // views of one tensor need a handful of steps
	return reaches(m.Offset()-l.Offset(), terms(l, m), &budget)
}

// terms collects the dimensions of both layouts, equal strides merged, largest
// stride first. A coordinate of l moves the two together, one of m apart.
func terms(l, m layout.Layout) []term {
	var all []term
	put := func(l layout.Layout, sign int) {
		for d := range l.Rank() {
			stride, last := sign*l.Stride(d), l.Size(d)-1
			switch {
			case last == 0 || stride == 0:
			case stride > 0:
				all = append(all, term{stride, 0, last})
			default:
				all = append(all, term{-stride, -last, 0})
			}
		}
	}
	put(l, 1)
	put(m, -1)
	slices.SortFunc(all, func(a, b term) int { return cmp.Compare(b.stride, a.stride) })
	merged := all[:0]
	for _, t := range all {
		if n := len(merged); n > 0 && merged[n-1].stride == t.stride {
			merged[n-1].lo += t.lo
			merged[n-1].hi += t.hi
			continue
		}
		merged = append(merged, t)
	}
	return merged
}

// reaches reports whether distance is a sum of the terms; when the budget of
// steps is used up it says yes, to be safe.
func reaches(distance int, list []term, budget *int) bool {
	if *budget--; *budget < 0 {
		return true
	}
	if len(list) == 0 {
		return distance == 0
	}
	var lo, hi int // what the later terms can add
	for _, t := range list[1:] {
		lo, hi = lo+t.lo*t.stride, hi+t.hi*t.stride
	}
	t := list[0]
	from := max(t.lo, ceilDiv(distance-hi, t.stride))
	to := min(t.hi, -ceilDiv(lo-distance, t.stride))
	for k := from; k <= to; k++ {
		if reaches(distance-k*t.stride, list[1:], budget) {
			return true
		}
	}
	return false
}

// ceilDiv rounds x/d up, for d > 0.
func ceilDiv(x, d int) int {
	if x > 0 {
		return (x-1)/d + 1
	}
	return x / d
}

// repeats reports whether two coordinates of a layout are one element, as in a
// broadcast; such a layout cannot be written. Strides that are not nested count
// as repeating.
func repeats(l layout.Layout) bool {
	if l.Len() == 0 {
		return false
	}
	var dims []term
	for d := range l.Rank() {
		if n := l.Size(d); n > 1 {
			dims = append(dims, term{max(l.Stride(d), -l.Stride(d)), 0, n - 1})
		}
	}
	slices.SortFunc(dims, func(a, b term) int { return cmp.Compare(a.stride, b.stride) })
	reach := 0 // the largest distance within the dimensions before
	for _, t := range dims {
		if t.stride <= reach {
			return true
		}
		reach += t.hi * t.stride
	}
	return false
}
