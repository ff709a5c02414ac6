package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
)

// asWords sees views of floats of one type as words of 32 bits where all of them consist of whole
// ones along their last dimension: rows that are moved keep every bit then, and take no
// conversions.
func asWords(views ...weft.TensorView) []weft.TensorView {
	words := slices.Clone(views)
	for i, v := range views {
		l, ok := elementwise.Words(v.Layout, v.Layout.Rank()-1, weft.U32.Size()/v.Tensor.DType().Size())
		if !ok {
			return views
		}
		words[i] = weft.TensorView{Tensor: v.Tensor, Layout: l, Elem: weft.U32}
	}
	return words
}

// seenElem is the element type of a view.
func seenElem(v weft.TensorView) weft.DType {
	if v.Elem.Valid() {
		return v.Elem
	}
	return v.Tensor.DType()
}
