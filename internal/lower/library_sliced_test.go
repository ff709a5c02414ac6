package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Warps of a workgroup sum parts of each step of K of products with weights of few bits: as many as there are parts, or several for each, at edges of the result,
// with K that ends within a step, and with further parts of K. Scales of 16 bits, and zero points, which no asynchronous copies bring, take no barrier of their own.
func TestLibrarySliced(t *testing.T) {
	t.Parallel()
	vulkan, _ := target.PresetNamed("vulkan-nvidia")
	for name, c := range map[string]struct {
		elem                weft.DType
		bits                int
		asymmetric          bool
		group               int // of a column; 0 is all of it
		m, n, k             int
		bm, bn, bk, threads int
		slices, split       int
	}{
		"one row":            {weft.F16, 4, false, 128, 1, 70, 1024, 8, 32, 512, 128, 4, 0},
		"some rows":          {weft.F16, 4, false, 128, 13, 64, 1280, 16, 32, 512, 128, 4, 0},
		"several warps each": {weft.F16, 4, false, 128, 5, 100, 640, 8, 32, 256, 128, 2, 0},
		"several steps":      {weft.BF16, 4, false, 128, 8, 40, 1536, 8, 16, 1024, 128, 4, 0},
		"large groups":       {weft.F16, 4, false, 256, 3, 40, 1024, 8, 32, 512, 128, 4, 0},
		"small groups":       {weft.F16, 4, false, 32, 3, 40, 320, 8, 32, 128, 128, 4, 0},
		"zero points":        {weft.F16, 4, true, 128, 9, 64, 768, 16, 32, 512, 128, 4, 0},
		"columns":            {weft.BF16, 4, false, 0, 2, 130, 640, 8, 64, 512, 128, 4, 0},
		"parts of K":         {weft.F16, 4, false, 128, 2, 32, 2048, 8, 32, 512, 128, 4, 2},
		"bytes":              {weft.F16, 8, false, 64, 7, 80, 448, 8, 32, 256, 128, 4, 0},
		"eight parts":        {weft.F16, 4, false, 128, 13, 70, 4096, 16, 32, 1024, 256, 8, 0},
		"eight with zeros":   {weft.F16, 4, true, 128, 13, 70, 4096, 16, 32, 1024, 256, 8, 0},
		"bytes of columns":   {weft.F16, 8, false, 0, 1, 64, 256, 8, 16, 256, 128, 4, 0},
	} {
		for device, caps := range map[string]target.Caps{
			"sm_90a": lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper), "sm_80": lowertest.MatrixTarget("sm_80", 163<<10), "vulkan": *vulkan.SPIRV,
		} {
			for _, scale := range []weft.DType{weft.F32, weft.F16} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, device, scale), func(t *testing.T) {
					testenv.Sample(t)
					view := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: c.bits, Asymmetric: c.asymmetric, Block: [2]int{c.group, 1}}, Scale: scale}
					cfg := kernels.MatMulConfig{Elem: c.elem, Out: c.elem, BM: c.bm, BN: c.bn, BK: c.bk, Threads: c.threads, Stages: 3, SplitK: c.split,
						Precision: tile.Float32Accumulate, Weights: view, Interleave: view.InterleavedBlock(c.k), SliceK: c.slices}
					product, most := simt.MMA, c.slices*c.bn*4 // elements of scales
					if cfg.IsCooperative(caps) {
						product, cfg.Stages = simt.CooperativeMulAdd, 2
						if c.elem == weft.BF16 { // no matrices of which have 8 columns
							cfg.BM = max(cfg.BM, 16)
						}
						most = max(most, cfg.BM*cfg.BK) // of rows
					}
					if err := cfg.Legal(caps, c.m); err != nil {
						t.Fatal(err)
					}
					if cfg.Partial() {
						cfg.Out = weft.F32
					}
					kernel, notes := checkInterleaved(t, caps, cfg, c.m, c.n, c.k)
					if lowertest.Count(kernel, product) == 0 {
						t.Error("no products by matrix instructions")
					}
					if pairs := lowertest.Count(kernel, simt.PairFMA); caps.Language == target.CUDA && (c.bits == 4 || c.elem == weft.F16) && pairs == 0 {
						t.Error("integers become floats one by one")
					}
					simt.Walk(kernel.Body, func(loop *simt.Op) {
						if loop.Kind != simt.For {
							return
						}
						barriers, copies := 0, 0
						simt.Walk(loop.Body, func(op *simt.Op) {
							switch op.Kind {
							case simt.Barrier:
								barriers++
							case simt.CopyAsync:
								copies++
							}
							if op.Kind == simt.SharedStore && op.Shared.Len > most {
								t.Errorf("loops store %d elements to shared memory, want operands in registers", op.Shared.Len)
							}
						})
						if copies > 0 && barriers > 1 {
							t.Errorf("a loop that copies has %d barriers, want one", barriers)
						}
					})
					if t.Failed() {
						t.Log(strings.Join(notes, "\n"))
					}
				})
			}
		}
	}
}
