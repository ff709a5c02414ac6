package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
)

// transposes reports whether a product of some type and sizes can be computed as its transpose by warpgroups.
func transposes(elem weft.DType, m, n, k int) bool {
	return m > kernels.MaxRowByRow && n >= 64 && k*elem.Size() >= kernels.ProducerStep
}

// swaps reports whether the transpose is the better form of a product.
func (p matMulProblem) swaps(caps target.Caps) bool {
	m, n, k, _ := p.sizes()
	if !transposes(p.Elem, m, n, k) || !p.config().TakesProducers(caps) {
		return false
	}
	a, b := p.alongSums()
	if p.capsFor(caps).TensorMaps {
		return m <= kernels.MostSwapped && a // whose lines along K are long, as those across are not
	}
	return a && !b && p.config().LoadsWords() && kernels.TakesMap(p.Elem, p.A) && kernels.TakesMap(p.Elem, p.B)
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
