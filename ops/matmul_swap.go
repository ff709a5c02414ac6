package ops

import (
	"github.com/weftgpu/weft"
)

// swapped are the views of the transpose.
func swapped(views []weft.TensorView) []weft.TensorView {
	list := transposes(views)
	list[0], list[1] = list[1], list[0]
	return list
}

// transposes are the transposes of views.
func transposes(views []weft.TensorView) []weft.TensorView {
	list := make([]weft.TensorView, len(views))
	for i, v := range views {
		list[i] = weft.TensorView{Tensor: v.Tensor, Layout: v.Layout.Transpose()}
	}
	return list
}
