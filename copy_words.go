package weft

import (
	"slices"

	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
)

// Copies of narrow elements move words of 32 bits, which keeps every bit and takes no
// conversions: directly where both sides are contiguous along one dimension (asWords), and otherwise in small squares
// of elements that are transposed within registers (elementwise.Squares).

// asWords sees tensors of one element type through merged layouts as words of 32 bits, if they
// consist of whole ones: runs of narrower elements, F32, and elements of 64 bits where the device
// has no such integers. F64 moves as U64 where it has them.
func asWords(tensors []*Tensor, layouts []layout.Layout) ([]*Tensor, []layout.Layout) {
	if tensors[0].elem == Bool { // U8 has longer vectors
		tensors = seenAs(U8, tensors)
	}
	if tensors[0].elem == F64 {
		tensors = seenAs(U64, tensors)
	}
	t := tensors[0]
	split := t.elem.Size() == 2*U32.Size() && !t.mem.dev.Caps().Int64
	if t.elem.Size() >= U32.Size() && t.elem != F32 && !split {
		return tensors, layouts
	}
	words := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		var ok bool
		if split {
			words[i], ok = elementwise.Halves(l)
		} else {
			words[i], ok = elementwise.Words(l, l.Rank()-1, U32.Size()/t.elem.Size())
		}
		if !ok {
			return tensors, layouts
		}
	}
	return seenAs(U32, tensors), layout.CoalesceTogether(words...)
}

// seenAs are the memories of tensors, which the caller holds, with another element type.
func seenAs(elem DType, tensors []*Tensor) []*Tensor {
	seen := slices.Clone(tensors)
	for i, t := range tensors {
		seen[i] = &Tensor{mem: t.mem, elem: elem, rec: t.rec}
	}
	return seen
}

// copySquares transposes narrow elements.
var copySquares = NewKernel("copy_squares", elementwise.DescribeCopySquares)
