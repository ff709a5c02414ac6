package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Warpgroups multiply 64 rows at a time, by any number of columns. A product of fewer rows is therefore computed as its transpose, bᵀ·aᵀ, whose
// columns they are: nothing is copied, all views are transposed. So is one of F32 in the precision TF32 whose right operand lies across the sums, where
// warpgroups take the left one alone: threads load its words.

// mostSwapped is the most rows of a product that are worth it.
const mostSwapped = 32

// transposes reports whether a product of some type and sizes can be computed as its transpose by warpgroups.
func transposes(elem weft.DType, m, n, k int) bool {
	return m > maxRowByRow && n >= 64 && k*elem.Size() >= producerStep
}

// swaps reports whether the transpose is the better form of a product.
func (p matMulProblem) swaps(caps target.Caps) bool {
	m, n, k, _ := p.sizes()
	if !transposes(p.Elem, m, n, k) || !p.config().takesProducers(caps) {
		return false
	}
	a, b := p.alongSums()
	if p.capsFor(caps).TensorMaps {
		return m <= mostSwapped && a // whose lines along the sums are long, as those across are not
	}
	return a && !b && p.config().loadsWords() && takesMap(p.Elem, p.A) && takesMap(p.Elem, p.B)
}

// swapped are the views of the transpose.
func swapped(views []weft.TensorView) []weft.TensorView {
	list := make([]weft.TensorView, len(views))
	for i, v := range views {
		list[i] = weft.TensorView{Tensor: v.Tensor, Layout: v.Layout.Transpose()}
	}
	list[0], list[1] = list[1], list[0]
	return list
}
