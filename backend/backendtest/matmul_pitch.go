package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// matmulPitch has tiles that are fewer columns apart than they hold: of operands and results in each form, with the reduction shared and not, with biases and other tensors after the product; and where
// tensor maps copy, one tile of a program and several, with the reduction shared by the programs of a cluster or of the grid.
func matmulPitch(s *suite) {
	for i, elem := range floatTypes {
		small := ops.MatMulConfig{BM: 16, BN: 32, BK: 8, Threads: 64, ColumnPitch: 16}
		multiply(s, elem, [3]int{37, 41, 53}, forms[i], forms[(i+1)%len(forms)], forms[(i+2)%len(forms)], ops.Tiles(small))
		small.BN, small.ColumnPitch, small.SplitK = 64, 48, 2
		multiply(s, elem, [3]int{20, 70, 99}, transposed, dense, transposed, ops.Tiles(small))
		multiplyBatch(s, elem, elem, []int{2, 19, 24}, []int{2, 24, 97}, dense, transposed, sliced, ops.Tiles(small))
		s.epilogue(elem, [4]int{3, 17, 20, 59}, []int{17, 1}, [6]form{dense, transposed, sliced, transposed, dense, transposed}, ops.Tiles(small))
	}
	multiplyBatch(s, weft.I8, weft.I32, []int{40, 96}, []int{96, 64}, dense, transposed, dense, ops.Tiles(ops.MatMulConfig{BM: 32, BN: 32, BK: 32, Threads: 64, ColumnPitch: 16}))
	if !s.dev.Caps().TensorMaps {
		return
	}
	for i, cfg := range []ops.MatMulConfig{
		{BM: 128, BN: 128, Threads: 256, Stages: 3, ColumnPitch: 112}, {BM: 64, BN: 128, Threads: 128, Stages: 3, Persistent: 4, ColumnPitch: 80}, {BM: 128, BN: 256, Threads: 256, Stages: 3, ColumnPitch: 144},
		{BM: 64, BN: 64, Threads: 128, Stages: 3, ClusterK: true, ColumnPitch: 48}, {BM: 128, BN: 64, Threads: 256, Stages: 2, SplitK: 2, ColumnPitch: 16},
	} {
		cfg.BK, cfg.Producers = 64, 1
		elem, f := []weft.DType{weft.F16, weft.BF16}[i%2], []form{dense, transposed}[i/2%2]
		multiply(s, elem, [3]int{300, 328, 296}, dense, transposed, f, ops.Tiles(cfg))
		multiply(s, elem, [3]int{136, 200, 237}, f, dense, transposed, ops.Tiles(cfg))
		s.epilogue(elem, [4]int{2, 130, 256, 200}, []int{200}, [6]form{dense, transposed, sliced, transposed, dense, f}, ops.Tiles(cfg))
	}
}
