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
	heads := tune.View{Rank: 4, Unit: true, Align: 4, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{2, 3, 30, 36}}
	add("cache_append", probeOf(cacheTune, kernels.CacheProblem{Elem: weft.U32, X: heads}))
	add("cache_append to pages", probeOf(cacheTune, kernels.CacheProblem{Elem: weft.F16, X: heads, Paged: true, Cache: tune.Strides{Rank: 4, Unit: true, Align: 1, Order: [5]int8{0, 1, 2, 3}}}))
}
