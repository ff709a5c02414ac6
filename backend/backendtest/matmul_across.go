package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// matmulAcross runs products of TF32 whose operands are K-major or MN-major, as the rule computes them: where warpgroups take an MN-major left operand
// and no MN-major right one, some are computed as their transposes. Sizes are multiples of lines, of 16 bytes and of nothing, of few rows and of many tiles.
func matmulAcross(s *suite) {
	sizes := [][3]int{{40, 64, 72}}
	if s.dev.Caps().TensorMaps {
		sizes = append(sizes, [][3]int{{256, 256, 256}, {260, 100, 132}, {1156, 68, 1028}, {17, 96, 260}, {131, 67, 97}, {2048, 32, 2560}}...)
	}
	for i, size := range sizes {
		for _, fa := range []form{dense, transposed} {
			for _, fb := range []form{dense, transposed} {
				out := []form{dense, transposed, sliced}[i%3]
				multiplyAs(s, weft.F32, tile.TF32, size, fa, fb, out, ops.Precision(tile.TF32))
			}
		}
		acrossWithEpilogue(s, size)
	}
	if s.dev.Caps().TensorMaps {
		acrossInTiles(s)
	}
}

// acrossInTiles runs tiles of one warpgroup, of several, of ping-pong consumers, and of clusters.
func acrossInTiles(s *suite) {
	for _, cfg := range []ops.MatMulConfig{
		{BM: 64, BN: 64, BK: 32, Threads: 128, Stages: 2, Producers: 1}, {BM: 128, BN: 128, BK: 32, Threads: 128, Stages: 3, Producers: 1},
		{BM: 256, BN: 128, BK: 32, Threads: 256, Stages: 3, Producers: 1, Persistent: 2},
		{BM: 128, BN: 128, BK: 32, Threads: 128, Stages: 4, Producers: 1, Consumers: 2, Persistent: 3, InFlight: 2},
		{BM: 64, BN: 64, BK: 32, Threads: 128, Stages: 3},
	} {
		for i, size := range [][3]int{{256, 320, 512}, {264, 100, 132}} {
			multiplyAs(s, weft.F32, tile.TF32, size, transposed, transposed, []form{transposed, dense}[i], ops.Precision(tile.TF32), ops.Tiles(cfg))
		}
	}
	if s.dev.Caps().Clusters {
		cfg := ops.MatMulConfig{BM: 128, BN: 256, BK: 32, Threads: 256, Stages: 4, Producers: 1, Cluster: 2}
		multiplyAs(s, weft.F32, tile.TF32, [3]int{520, 160, 516}, transposed, transposed, transposed, ops.Precision(tile.TF32), ops.Tiles(cfg))
	}
}

// acrossWithEpilogue is a batch of such products with a bias of each row, one of each column and GELU after it, which a transpose has to transpose, too.
func acrossWithEpilogue(s *suite, size [3]int) {
	m, k, n := size[0], size[1], size[2]
	a, b, rows, columns := s.random(weft.F32, 2, m, k), s.random(weft.F32, 2, k, n), s.random(weft.F32, m, 1), s.random(weft.F32, n)
	shape, sums, magnitudes := reference.BatchedMatMul(a.shape, a.x, b.shape, b.x)
	r, c, want := broadcastTo(s, rows, shape), broadcastTo(s, columns, shape), make([]float64, len(sums))
	for i := range sums {
		magnitudes[i] += math.Abs(r[i]) + math.Abs(c[i])
		sums[i] += r[i] + c[i]
		want[i] = sums[i] / 2 * (1 + math.Erf(sums[i]/math.Sqrt2))
	}
	out := s.output(dense, weft.F32, shape...)
	s.try(ops.MatMulInto(out.Tensor, s.input(dense, a), s.input(dense, b), ops.Precision(tile.TF32),
		ops.Bias(s.input(sliced, rows)), ops.Bias(s.input(sliced, columns)), ops.Fuse(ops.GELUMap)))
	out.check(want, func(i int) float64 {
		e := bounds.MatMulSum(tile.TF32, k, magnitudes[i]) + 0x1p-22*magnitudes[i]
		return bounds.Activation(weft.F32, sums[i], e, want[i])
	})
}
