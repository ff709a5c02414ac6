package lower_test

import (
	"math"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Few queries of warps: keys and values are copied asynchronously, also of pages, several of which a step may have, whose numbers are loaded before.
func TestLibraryAttentionFew(t *testing.T) {
	t.Parallel()
	base := kernels.AttentionConfig{Elem: weft.F16, Head: 64, BM: 16, BN: 64, BD: 64, BV: 64, Threads: 128, Stages: 2, Precision: tile.Float32Accumulate, Resident: true}
	for _, page := range []int{0, 16, 32, 64, 128} {
		for _, split := range []bool{false, true} {
			testenv.Sample(t)
			cfg := base
			cfg.Page, cfg.Split, cfg.Last, cfg.Stages = page, split, page == 32, 2+page/64%2
			k, err := kernels.Attention.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			q, kv := []int{2, 2, 9, 64}, []int{2, 1, 384, 64}
			shapes := [][]int{q, kv, kv}
			if page > 0 { // numbers that are of no page are those of the nearest
				kv = []int{5, 1, page, 64}
				shapes = [][]int{q, kv, kv, {2, 384 / page}}
			}
			if split {
				results := append([]int{3}, q...)
				shapes = append(shapes, results, results[:4])
			} else {
				shapes = append(shapes, q)
			}
			scale := math.Float32bits(float32(math.Log2E / 8))
			kernel, _ := lower.CheckLibraryOn(t, lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper), k, 2e-2, shapes, scale, 0, 370)
			copies := 0
			simt.Walk(kernel.Body, func(op *simt.Op) {
				if op.Kind == simt.CopyAsync {
					copies++
				}
			})
			if blocks := 64 * 64 * 2 / 16 / 128; copies != 2*blocks*cfg.Stages {
				t.Errorf("pages of %d, split %v: %d asynchronous copies, want %d of keys and of values in %d stages", page, split, copies, blocks, cfg.Stages)
			}
		}
	}
}
