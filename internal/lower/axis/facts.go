package axis

import (
	"slices"
	"strconv"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Facts is what a compiled kernel may rely on about its arguments beyond their
// element types: it is specialised to them, and they are part of its cache key.
type Facts struct {
	Views []ViewFacts // one for each view of the kernel
	// Folded says that the grid is launched as a rectangle of workgroups that
	// the kernel unfolds, since a dimension is beyond the device's limit.
	Folded bool
	// DeviceAddresses says that the kernel reaches more of a buffer than the device binds, and has the addresses of its buffers.
	DeviceAddresses bool
}

// ViewFacts are the facts about one view. Divisors are powers of two, cut off at a limit
// beyond which they change nothing.
type ViewFacts struct {
	Buffer int // index of the view's buffer; views over the same memory share one
	Offset int // divisor of the offset
	Dims   []DimFacts
	// Like is the same number for views of which the element at given coordinates is as far from a multiple of StrideLimit: their offsets and
	// strides are equal modulo that. It is 0 if there is none, and if all elements that a stride leads to are such multiples.
	Like int
}

// DimFacts are the facts about one dimension of a view.
type DimFacts struct {
	Size   int        // divisor of the size
	Stride int        // divisor of the stride
	Kind   StrideKind // strides that are known
}

// StrideKind is what is known of a stride.
type StrideKind uint8

// The kinds of strides.
const (
	AnyStride      StrideKind = iota
	UnitStride                // 1: elements are consecutive
	ZeroStride                // 0: the dimension repeats one element
	NegativeStride            // below 0: elements are in reverse order, which tensor maps do not copy
)

// Limits of divisors: a tile's side for sizes, the widest vector access for
// strides and offsets.
const (
	sizeLimit   = 256
	StrideLimit = 16
)

// FactsOf collects the facts about a kernel's arguments.
func FactsOf(layouts []layout.Layout, buffers []int) Facts {
	f := Facts{Views: make([]ViewFacts, len(layouts))}
	for i, l := range layouts {
		v := ViewFacts{Buffer: buffers[i], Dims: make([]DimFacts, l.Rank()), Offset: StrideLimit}
		for d := range v.Dims {
			v.Dims[d].Size, _, _ = l.Divisibility(d, sizeLimit)
			_, v.Dims[d].Stride, v.Offset = l.Divisibility(d, StrideLimit)
			v.Dims[d].Kind = strideKind(l, d)
			if l.Size(d) <= 1 {
				v.Dims[d].Stride = StrideLimit
			}
		}
		f.Views[i] = v
	}
	for i, v := range f.Views {
		if !v.unaligned() {
			continue
		}
		if j := slices.IndexFunc(layouts[:i], func(l layout.Layout) bool { return alike(l, layouts[i]) }); j >= 0 {
			f.Views[i].Like, f.Views[j].Like = j+1, j+1
		}
	}
	return f
}

// unaligned reports whether rows may begin elsewhere than at multiples of StrideLimit.
func (v ViewFacts) unaligned() bool {
	aligned := v.Offset
	for _, d := range v.Dims {
		if d.Kind != UnitStride && d.Kind != ZeroStride {
			aligned = min(aligned, d.Stride)
		}
	}
	return aligned < StrideLimit
}

// alike reports whether offsets and strides of layouts are equal modulo StrideLimit.
func alike(a, b layout.Layout) bool {
	if a.Rank() != b.Rank() || (a.Offset()-b.Offset())%StrideLimit != 0 {
		return false
	}
	for d := range a.Rank() {
		if strideKind(a, d) != strideKind(b, d) || strideKind(a, d) != ZeroStride && (a.Stride(d)-b.Stride(d))%StrideLimit != 0 {
			return false
		}
	}
	return true
}

func strideKind(l layout.Layout, d int) StrideKind {
	switch {
	case l.Size(d) <= 1:
		return ZeroStride // never stepped along
	case l.Stride(d) == 1:
		return UnitStride
	case l.Stride(d) == 0:
		return ZeroStride
	case l.Stride(d) < 0:
		return NegativeStride
	}
	return AnyStride
}

// Generic is the facts that hold for any arguments of a kernel, each view in a
// buffer of its own, with unit strides in the last dimension: what a kernel is
// compiled for where there are no arguments, as when it is only shown.
func Generic(k *tile.Func) Facts {
	f := Facts{Views: make([]ViewFacts, len(k.Views))}
	for i, view := range k.Views {
		f.Views[i] = ViewFacts{Buffer: i, Offset: 1, Dims: make([]DimFacts, view.Rank)}
		for d := range view.Rank {
			f.Views[i].Dims[d] = DimFacts{Size: 1, Stride: 1}
		}
		f.Views[i].Dims[view.Rank-1] = DimFacts{Size: 1, Stride: 1, Kind: UnitStride}
	}
	return f
}

// Key is a text that is equal for equal facts. It is made at every launch.
func (f Facts) Key() string {
	b := make([]byte, 0, 64)
	number := func(mark byte, n int) { b = strconv.AppendInt(append(b, mark), int64(n), 10) }
	for _, v := range f.Views {
		number('@', v.Buffer)
		number('+', v.Offset)
		if v.Like != 0 {
			number('=', v.Like)
		}
		for _, d := range v.Dims {
			number(',', d.Size)
			number(':', d.Stride)
			b = append(b, "*10-"[d.Kind])
		}
	}
	if f.Folded {
		b = append(b, "/folded"...)
	}
	if f.DeviceAddresses {
		b = append(b, "/addresses"...)
	}
	return string(b)
}

// Buffers is the number of distinct buffers.
func (f Facts) Buffers() int {
	n := 0
	for _, v := range f.Views {
		n = max(n, v.Buffer+1)
	}
	return n
}
