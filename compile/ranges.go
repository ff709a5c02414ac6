package compile

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile"
)

// reaches finds what each binding reaches of its buffer: what all views of the buffer reach together. If that ends beyond
// what the device can bind, the binding begins near the first byte reached. If it is more than the device can bind, and the device gives
// addresses, the kernel has these: it reaches all buffers from their first bytes on.
//
// The layouts alone decide, so a Prepared serves all buffers, and views of a buffer that the device can bind whole share one binding of
// it. A range begins at a multiple of backend.RangeAlign bytes, which is a multiple of the largest divisor of an
// offset that kernels are compiled for, in elements of any type: the facts that hold for the layouts hold for the words too.
func (c *Compiler) reaches(args []Arg) (ranges []backend.Range, addressed bool) {
	buffers, index := distinct(args)
	caps := c.dev.Caps()
	limit := caps.MaxBindingBytes
	ranges = make([]backend.Range, len(buffers))
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
		addressed = addressed || caps.DeviceAddresses && r.Bytes > limit
	}
	for i := range ranges {
		if r := &ranges[i]; addressed {
			*r = backend.Range{Bytes: r.Offset + r.Bytes}
		}
	}
	return ranges, addressed
}

// rebase makes the views' offset words count from where the bindings begin.
func rebase(k *tile.Func, ranges []backend.Range, words []uint32, args []Arg) {
	_, index := distinct(args)
	for i, a := range args {
		if lo, hi := a.Layout.Bounds(); lo <= hi {
			words[k.ViewWord(k.Views[i])] -= uint32(ranges[index[i]].Offset / int64(a.Elem.Size()))
		}
	}
}
