package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// matmulTogether has batches of a few matrices that have the same left operand, whose tiles programs take together: one for each tile, several by a program, of ping-pong groups, and with the reduction
// shared by the programs of a cluster or of the grid.
func matmulTogether(s *suite) {
	if !s.dev.Caps().TensorMaps {
		return
	}
	for i, cfg := range []ops.MatMulConfig{
		{BM: 128, BN: 128, Threads: 256, Stages: 3}, {BM: 64, BN: 128, Threads: 128, Stages: 3, Persistent: 4}, {BM: 128, BN: 128, Threads: 128, Stages: 4, Consumers: 2, InFlight: 2, Persistent: 3},
		{BM: 64, BN: 64, Threads: 128, Stages: 3, ClusterK: true}, {BM: 128, BN: 64, Threads: 256, Stages: 2, SplitK: 2}, {BM: 64, BN: 128, Threads: 128, Stages: 3, Cluster: 2, Persistent: 4},
	} {
		cfg.BK, cfg.Producers = 64, 1
		elem, f := []weft.DType{weft.F16, weft.BF16}[i%2], []form{dense, transposed}[i/2%2]
		multiplyBatch(s, elem, elem, []int{300, 328}, []int{3, 328, 136}, dense, f, dense, ops.Tiles(cfg))
		multiplyBatch(s, elem, elem, []int{2, 1, 136, 192}, []int{2, 5, 192, 72}, f, dense, dense, ops.Tiles(cfg))
	}
}
