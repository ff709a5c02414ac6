package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft/layout"
)

// isView reports whether the results of an op are elements of its operand, in another order.
func isView(op backends.OpType) bool {
	switch op {
	case backends.OpTypeIdentity, backends.OpTypeReshape, backends.OpTypeTranspose, backends.OpTypeBroadcast,
		backends.OpTypeBroadcastInDim, backends.OpTypeSlice, backends.OpTypeReverse:
		return true
	}
	return false
}

// placeView is the layout of a view of its operand. Only a Reshape may have to copy.
func (p *planner) placeView(n *node) (operand, error) {
	x := p.in(n, 0)
	if n.op == backends.OpTypeReshape {
		return p.reshape(n, x, n.shape.Dimensions...)
	}
	l, err := viewLayout(n, x.layout)
	return operand{x.storage, l}, err
}

func viewLayout(n *node, x layout.Layout) (layout.Layout, error) {
	switch n.op {
	case backends.OpTypeTranspose:
		return x.Permute(n.attrs.([]int)...)
	case backends.OpTypeBroadcast:
		return x.Broadcast(n.shape.Dimensions...)
	case backends.OpTypeBroadcastInDim:
		return broadcastInDim(x, n.shape.Dimensions, n.attrs.([]int))
	case backends.OpTypeSlice:
		return sliceLayout(x, n.attrs.(sliceAttrs))
	case backends.OpTypeReverse:
		return reverse(x, n.attrs.([]int))
	}
	return x, nil
}

// broadcastInDim makes dimension i of x dimension axes[i] of dims; what is not among them, or has size 1, repeats.
func broadcastInDim(x layout.Layout, dims, axes []int) (layout.Layout, error) {
	strides := make([]int, len(dims))
	for i, d := range axes {
		if x.Size(i) == dims[d] {
			strides[d] = x.Stride(i)
		}
	}
	return layout.Strided(dims, strides, x.Offset())
}

func sliceLayout(x layout.Layout, a sliceAttrs) (_ layout.Layout, err error) {
	for d := range x.Rank() {
		step := 1
		if len(a.strides) > 0 {
			step = a.strides[d]
		}
		if x, err = x.Slice(d, a.starts[d], a.limits[d], step); err != nil {
			return x, err
		}
	}
	return x, nil
}

// reverse turns dimensions round.
func reverse(x layout.Layout, axes []int) (layout.Layout, error) {
	strides, offset := slices.Clone(x.Strides()), x.Offset()
	for _, d := range axes {
		if n := x.Size(d); n > 0 {
			offset += (n - 1) * strides[d]
			strides[d] = -strides[d]
		}
	}
	return layout.Strided(x.Shape(), strides, offset)
}
