package tile

import (
	"math"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// A launch hands a kernel its views' layouts and its scalars as 32-bit words:
// for each view in order its offset, its sizes and its strides, in elements,
// and then the scalar parameters. Every backend uses this one order.

// ViewWord is the index of the word that holds a view's offset; its sizes
// follow, and then its strides.
func (k *Func) ViewWord(v *View) int {
	n := 0
	for _, w := range k.Views[:v.Index] {
		n += 1 + 2*w.Rank
	}
	return n
}

// ScalarWord is the index of the word that holds a scalar parameter.
func (k *Func) ScalarWord(s *Scalar) int { return k.WordCount() - len(k.Scalars) + s.Index }

// WordCount is the number of words of a launch.
func (k *Func) WordCount() int {
	n := len(k.Scalars)
	for _, v := range k.Views {
		n += 1 + 2*v.Rank
	}
	return n
}

// Words encodes a launch. Sizes, strides and element offsets beyond 31 bits are fault.ErrLimit.
func (k *Func) Words(layouts []layout.Layout, scalars []uint32) ([]uint32, error) {
	if len(layouts) != len(k.Views) || len(scalars) != len(k.Scalars) {
		return nil, fault.New(fault.ErrArgument, k.Name, "%s and %s given, the kernel has %d and %d",
			fault.Count(len(layouts), "view"), fault.Count(len(scalars), "scalar"), len(k.Views), len(k.Scalars))
	}
	words := make([]uint32, 0, k.WordCount())
	for i, l := range layouts {
		v := k.Views[i]
		if l.Rank() != v.Rank {
			return nil, fault.New(fault.ErrShape, k.Name, "the rank is %d, the view has %d", l.Rank(), v.Rank).For(v.Name)
		}
		lo, hi := l.Bounds()
		if lo < 0 && lo <= hi {
			return nil, fault.New(fault.ErrShape, k.Name, "the layout %v reaches element %d, want 0 or more", l, lo).For(v.Name)
		}
		if hi > math.MaxInt32-MaxTileElements {
			return nil, fault.New(fault.ErrLimit, k.Name, "the layout %v reaches element %d, kernels address less than 2^31-2^20", l, hi).For(v.Name)
		}
		words = append(words, uint32(l.Offset()))
		for d := range l.Rank() {
			if l.Size(d) > math.MaxInt32-MaxTileElements {
				return nil, fault.New(fault.ErrLimit, k.Name, "size %d of dimension %d, want less than 2^31-2^20", l.Size(d), d).For(v.Name)
			}
			words = append(words, uint32(l.Size(d)))
		}
		for d := range l.Rank() {
			stride := l.Stride(d)
			if l.Size(d) <= 1 || l.Len() == 0 {
				stride = 0 // never used; it may be beyond 32 bits
			}
			words = append(words, uint32(int32(stride)))
		}
	}
	return append(words, scalars...), nil
}
