package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// pixelsAtOnce is how many pixels of results one launch has if it has several images, so that they can be counted. It is
// changed by tests alone.
var pixelsAtOnce = kernels.MaxPixels

// split divides a dimension into groups and what each of them has.
func split(l layout.Layout, dim, groups int) (layout.Layout, error) {
	var shape, stride []int
	for d := range l.Rank() {
		n, step := l.Size(d), l.Stride(d)
		if d == dim {
			n /= groups
			shape, stride = append(shape, groups), append(stride, n*step)
		}
		shape, stride = append(shape, n), append(stride, step)
	}
	return layout.Strided(shape, stride, l.Offset())
}
