package compile

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile"
)

// rebase finds what each binding reaches of its buffer: what all views of the buffer reach together. If that ends beyond
// what the device can bind, the binding begins near the first byte reached, and the views' offset words count from there.
//
// The layouts alone decide, so a Prepared serves all buffers, and views of a buffer that the device can bind whole share one binding of
// it. A range begins at a multiple of backend.RangeAlign bytes, which is a multiple of the largest divisor of an
// offset that kernels are compiled for, in elements of any type: the facts that hold for the layouts hold for the words too.
func (c *Compiler) rebase(k *tile.Func, words []uint32, args []Arg) []backend.Range {
	buffers, index := distinct(args)
	limit := c.dev.Caps().MaxBindingBytes
	ranges := make([]backend.Range, len(buffers))
	reached := make([]bool, len(buffers))
	for i, a := range args {
		lo, hi := a.Layout.Bounds()
		if lo > hi {
			continue // reaches nothing
		}
		size, r := int64(a.Elem.Size()), &ranges[index[i]]
		start, end := int64(lo)*size, (int64(hi)+1)*size
		if reached[index[i]] {
			start, end = min(start, r.Offset), max(end, r.Offset+r.Bytes)
		}
		*r, reached[index[i]] = backend.Range{Offset: start, Bytes: end - start}, true
	}
	for i := range ranges {
		r := &ranges[i]
		end, start := r.Offset+r.Bytes, int64(0)
		if limit > 0 && end > limit {
			start = r.Offset / backend.RangeAlign * backend.RangeAlign
		}
		*r = backend.Range{Offset: start, Bytes: end - start}
	}
	for i, a := range args {
		if lo, hi := a.Layout.Bounds(); lo <= hi {
			words[k.ViewWord(k.Views[i])] -= uint32(ranges[index[i]].Offset / int64(a.Elem.Size()))
		}
	}
	return ranges
}
