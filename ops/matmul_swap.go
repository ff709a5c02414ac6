package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Warpgroups multiply 64 rows at a time, by any number of columns. A product of fewer rows is therefore computed as its transpose, bᵀ·aᵀ, whose
// columns they are: nothing is copied, all views are transposed.

// mostSwapped is the most rows of a product that are worth it.
const mostSwapped = 32

// swaps reports whether the transpose is the better form of a product.
func (p matMulProblem) swaps(caps target.Caps) bool {
	m, n, k, _ := p.sizes()
	return m > maxRowByRow && m <= mostSwapped && n >= 64 && k*p.Elem.Size() >= producerStep && p.capsFor(caps).TensorMaps && p.config().takesProducers(caps) &&
		p.A.Order[p.A.Rank-1] == p.A.Rank-1 // whose lines along the sums are long, as those across are not
}

// swapped are the views of the transpose.
func swapped(views []weft.View) []weft.View {
	list := make([]weft.View, len(views))
	for i, v := range views {
		list[i] = weft.View{Tensor: v.Tensor, Layout: v.Layout.Transpose()}
	}
	list[0], list[1] = list[1], list[0]
	return list
}
