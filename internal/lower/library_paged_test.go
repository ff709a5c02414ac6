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

// fewQueries are the configs of attention of few queries: of so many rows a program, or each row by itself.
var fewQueries = kernels.AttentionConfig{Elem: weft.F16, Head: 64, BM: 16, BN: 64, BD: 64, BV: 64, Threads: 128, Stages: 2, Precision: tile.Float32Accumulate, Resident: true}

// forFewQueries checks a config on a device with keys in order, so many, and in pages of all sizes, in one part and in several.
func forFewQueries(t *testing.T, caps target.Caps, base kernels.AttentionConfig, keys int, each func(cfg kernels.AttentionConfig, kernel *simt.Func)) {
	t.Helper()
	for _, page := range []int{0, 16, 32, 64, 128} {
		for _, split := range []bool{false, true} {
			testenv.Sample(t)
			cfg := base
			cfg.Page, cfg.Split, cfg.Last = page, split, page == 32
			if caps.AsyncCopy {
				cfg.Stages += page / 64 % 2
			}
			k, err := kernels.Attention.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			q, kv := []int{2, 2, 9, 64}, []int{2, 1, keys, 64}
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
			kernel, _ := lower.CheckLibraryOn(t, caps, k, 2e-2, shapes, scale, 0, 370)
			each(cfg, kernel)
		}
	}
}

// Few queries of warps: keys and values are copied asynchronously, also of pages, several of which a step may have, whose numbers are loaded before.
func TestLibraryAttentionFew(t *testing.T) {
	t.Parallel()
	caps := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	forFewQueries(t, caps, fewQueries, 384, func(cfg kernels.AttentionConfig, kernel *simt.Func) {
		copies := 0
		simt.Walk(kernel.Body, func(op *simt.Op) {
			if op.Kind == simt.CopyAsync {
				copies++
			}
		})
		if blocks := 64 * 64 * 2 / 16 / 128; copies != 2*blocks*cfg.Stages {
			t.Errorf("pages of %d, split %v: %d asynchronous copies, want %d of keys and of values in %d stages", cfg.Page, cfg.Split, copies, blocks, cfg.Stages)
		}
	})
}

// Without asynchronous copies keys and values are loaded an iteration ahead. Those of keys that steps do not divide, and of pages, which may end within a step, share branches.
func TestLibraryAttentionFewStaged(t *testing.T) {
	t.Parallel()
	preset, ok := target.PresetNamed("vulkan-nvidia")
	if !ok {
		t.Fatal("no preset")
	}
	forFewQueries(t, *preset.SPIRV, fewQueries, 371, func(cfg kernels.AttentionConfig, kernel *simt.Func) {
		if joined := joinedLoads(kernel); joined == 0 {
			t.Errorf("pages of %d, split %v: no loads share a branch", cfg.Page, cfg.Split)
		}
	})
	rows := fewQueries
	rows.BM, rows.Threads, rows.ByRows, rows.Resident = 4, 256, true, false
	forFewQueries(t, *preset.SPIRV, rows, 371, func(kernels.AttentionConfig, *simt.Func) {})
}

// joinedLoads are the loads without masks of a kernel's branches, each of which has four or more.
func joinedLoads(kernel *simt.Func) (all int) {
	simt.Walk(kernel.Body, func(op *simt.Op) {
		if op.Kind != simt.Branch {
			return
		}
		loads := 0
		for _, in := range op.Body.Ops {
			if in.Kind == simt.Load && in.Mask() == nil {
				loads++
			}
		}
		if loads >= 4 {
			all += loads
		}
	})
	return all
}
