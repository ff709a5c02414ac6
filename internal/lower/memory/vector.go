package memory

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// ContiguousDim is the dimension whose elements are next to each other, the last one
// if there is none.
func ContiguousDim(v axis.ViewFacts) int {
	for dim, f := range v.Dims {
		if f.Kind == axis.UnitStride {
			return dim
		}
	}
	return len(v.Dims) - 1
}

// VectorWidth is the dimension along which the elements of a block are next to each other, and how many
// of them are inside or outside together and start at a multiple of their number, with what
// prevents more. Bits of inside are dimensions along which the block is within the view.
func VectorWidth(v axis.ViewFacts, t tile.Type, inside uint8) (dim, width int, reason string) {
	dim, width = len(t.Shape)-1, 1
	for d, f := range v.Dims {
		if f.Kind == axis.UnitStride && t.Shape[d] > 1 {
			dim, width = d, min(MaxVector(t.Elem), t.Shape[d])
		}
	}
	if width == 1 {
		return dim, 1, "no dimension of the block has stride 1"
	}
	limit := func(divisor int, format string, args ...any) {
		if divisor < width {
			width, reason = divisor, fmt.Sprintf(format, args...)
		}
	}
	limit(v.Offset, "offset known to be a multiple of %d", v.Offset)
	if inside>>dim&1 == 0 {
		limit(v.Dims[dim].Size, "size of dimension %d known to be a multiple of %d", dim, v.Dims[dim].Size)
	}
	for d, f := range v.Dims {
		if d != dim && f.Kind != axis.ZeroStride {
			limit(f.Stride, "stride of dimension %d known to be a multiple of %d", d, f.Stride)
		}
	}
	return dim, width, reason
}

// BlockVector is VectorWidth, limited to the elements that a thread holds in a distribution.
func BlockVector(f axis.ViewFacts, v *tile.View, dist layout.Linear, inside uint8) (dim, width int, reason string) {
	dim, width, reason = VectorWidth(f, tile.TileOf(v.Elem, dist.Shape()...), inside)
	if held := 1 << len(distribution.RunBits(dist, dim, width)); held < width {
		width, reason = held, fmt.Sprintf("a thread holds no longer run of dimension %d", dim)
	}
	return dim, width, reason
}

// PointVector is how many elements of a gather or scatter one access has in a distribution, along op.Axis.
func (p *Accesses) PointVector(op *tile.Op, dist layout.Linear) int {
	width := max(1, min(op.Run, MaxVector(op.View.Elem)))
	return min(width, 1<<len(distribution.RunBits(dist, op.Axis, width)))
}

// MaxVector is the most elements of a memory type that one access to a buffer covers. Those of
// 8 and 16 bits go beyond a register vector, in packed words.
func MaxVector(elem dtype.Type) int {
	if simt.PerWord(elem) == 0 {
		return distribution.RegisterLanes
	}
	return distribution.AccessBytes / elem.Size()
}
