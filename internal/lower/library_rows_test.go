package lower_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Of a tile that has more rows than the product, tensor maps copy, and warpgroups multiply, as many as MostRows alone, and of tiles that are fewer rows apart than they hold as many as RowPitch, by all that
// share K in some way. The result is that of the reference, and rows beyond it are not written.
func TestLibraryMostRows(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, c := range []struct {
		m, bm, most    int
		split          int
		shared         bool // K by clusters
		first, inOrder bool
		pitch          int
	}{
		{2, 64, 16, 0, false, false, false, 0}, // a single row is multiplied by warps
		{17, 64, 32, 0, true, false, false, 0},
		{33, 64, 48, 2, false, true, false, 0},
		{66, 128, 80, 0, false, true, false, 0},
		{80, 128, 80, 0, true, true, false, 0},
		{97, 128, 112, 0, false, true, true, 0},
		{112, 128, 112, 3, false, true, false, 0},
		{130, 256, 144, 0, true, true, true, 0},
		{129, 256, 144, 2, false, true, true, 0},
		{192, 256, 192, 0, false, true, false, 0},
		{193, 256, 0, 0, false, true, false, 0},
		{113, 128, 0, 0, false, true, false, 0},
		{33, 64, 0, 0, false, false, false, 16},
		{70, 64, 0, 2, false, true, false, 48},
		{150, 128, 0, 0, false, true, false, 80},
		{160, 128, 0, 0, true, true, false, 80},
		{300, 128, 0, 3, false, true, true, 112},
		{311, 256, 0, 0, true, true, true, 160},
		{257, 256, 0, 2, false, true, true, 144},
		{20, 256, 0, 0, true, true, false, 176},
	} {
		t.Run(fmt.Sprintf("%d rows of %d by %d", c.m, c.bm, c.pitch), func(t *testing.T) {
			const n, k = 70, 384
			view := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}
			cfg := kernels.MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: c.bm, BN: 128, BK: 128, Threads: 256, Stages: 2, Producers: 1, SplitK: c.split, ClusterK: c.shared, RowPitch: c.pitch,
				Precision: tile.Float32Accumulate, Weights: view, Interleave: 128, ScaleFirst: c.first, InOrder: c.inOrder}
			if err := cfg.Legal(hopper, c.m); err != nil {
				t.Fatal(err)
			}
			if cfg.Partial() {
				cfg.Out = weft.F32
			}
			cfg.MostRows = cfg.FitRows(c.m)
			if cfg.MostRows != c.most {
				t.Fatalf("for up to %d rows, want %d", cfg.MostRows, c.most)
			}
			want := cmp.Or(c.most, c.pitch, c.bm)
			kernel, _ := checkInterleaved(t, hopper, cfg, c.m, n, k)
			if lowertest.Count(kernel, simt.TensorCopy) == 0 || lowertest.Count(kernel, simt.GroupMMA) == 0 {
				t.Error("no copies by tensor maps, or no products of warpgroups")
			}
			simt.Walk(kernel.Body, func(op *simt.Op) {
				switch {
				case op.Kind == simt.TensorCopy && op.Map.Box[1] != want:
					t.Errorf("copies of %d rows, want %d", op.Map.Box[1], want)
				case op.Kind == simt.GroupMMA && len(op.Out)*simt.WarpgroupMMA.Columns != want:
					t.Errorf("products of %d columns, want %d", len(op.Out)*simt.WarpgroupMMA.Columns, want)
				}
			})
		})
	}
}
