package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// addData adds problems of ops that move rows.
func addData(add func(name string, p probe)) {
	add("embedding", probeOf(embeddingTune, kernels.EmbeddingProblem{Elem: weft.U32, Table: kernels.MatrixView(50, 1000, 1), Out: kernels.MatrixView(37, 1000, 1)}))
	add("embedding of odd rows", probeOf(embeddingTune, kernels.EmbeddingProblem{Elem: weft.BF16, Table: kernels.MatrixView(50, 333, 0),
		Out: tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{1, 0, 2}, Size: [5]int{3, 40, 333}}}))
}
