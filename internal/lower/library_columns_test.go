package lower_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Of a tile that has more columns than the product, tensor maps copy, and warpgroups multiply, as many as MostColumns alone, and of tiles that are fewer columns apart than they hold as many as ColumnPitch: of
// right operands in both orders, of matrices of a batch, in one tile of a program and in several, and however K is shared. The result is that of the reference, also where columns of it are contiguous, and columns beyond it are not written. What programs of a cluster exchange has the place of
// stages where there is no room beside them.
func TestLibraryMostColumns(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, c := range []struct {
		n, bm, bn, most int
		split           int
		shared          bool // K by clusters
		acrossK         bool // lines of the right operand are along its columns
		batch, stages   int
		late            bool // what is exchanged has the place of stages
		pitch           int
		persistent      int
	}{
		{n: 5, bm: 64, bn: 64, most: 16, stages: 2},
		{n: 33, bm: 64, bn: 64, most: 48, stages: 3, shared: true},
		{n: 66, bm: 128, bn: 128, most: 80, stages: 3, split: 2},
		{n: 72, bm: 128, bn: 128, most: 80, stages: 2, acrossK: true},
		{n: 130, bm: 128, bn: 256, most: 144, stages: 6, shared: true, late: true},
		{n: 200, bm: 64, bn: 256, most: 208, stages: 2, acrossK: true, shared: true},
		{n: 72, bm: 64, bn: 128, most: 80, stages: 2, batch: 3},
		{n: 120, bm: 64, bn: 128, stages: 2},
		{n: 150, bm: 256, bn: 256, most: 160, stages: 2},
		{n: 33, bm: 64, bn: 64, pitch: 16, stages: 2},
		{n: 90, bm: 64, bn: 64, pitch: 48, stages: 2, shared: true},
		{n: 150, bm: 128, bn: 128, pitch: 80, stages: 2, split: 2},
		{n: 168, bm: 128, bn: 128, pitch: 80, stages: 2, acrossK: true},
		{n: 300, bm: 128, bn: 256, pitch: 160, stages: 2, persistent: 3},
		{n: 20, bm: 128, bn: 256, pitch: 176, stages: 2, shared: true},
	} {
		t.Run(fmt.Sprintf("%d columns of %d by %d", c.n, c.bn, c.pitch), func(t *testing.T) {
			const m, k = 150, 320
			cfg := kernels.MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: c.bm, BN: c.bn, BK: 64, Threads: min(2*c.bm, 256), Stages: c.stages, Producers: 1, SplitK: c.split, ClusterK: c.shared,
				Precision: tile.Float32Accumulate, ColumnPitch: c.pitch, Persistent: c.persistent}
			if c.batch > 0 {
				cfg.Batch = 1
			}
			if cfg.MostColumns = cfg.FitColumns(c.n); cfg.MostColumns != c.most {
				t.Fatalf("for up to %d columns, want %d", cfg.MostColumns, c.most)
			}
			matrix := func(rows, columns int, transposed bool) layout.Layout {
				shape := []int{rows, columns}
				if transposed {
					shape = []int{columns, rows}
				}
				if c.batch > 0 {
					shape = append([]int{c.batch}, shape...)
				}
				l, err := layout.Contiguous(shape...)
				if err != nil {
					t.Fatal(err)
				}
				if transposed {
					l = l.Transpose()
				}
				return l
			}
			out := matrix(m, c.n, true)
			if cfg.Partial() {
				cfg.Out = weft.F32
				l, err := layout.Contiguous(c.split, c.n, m)
				if err != nil {
					t.Fatal(err)
				}
				out = l.Transpose()
			}
			f, err := kernels.MatMul.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			kernel := lower.CheckViewsOn(t, hopper, f, 1e-2, []layout.Layout{matrix(m, k, false), matrix(k, c.n, !c.acrossK), out})
			want := cmp.Or(c.most, c.pitch, c.bn)
			if lowertest.Count(kernel, simt.GroupMMA) == 0 {
				t.Error("no products of warpgroups")
			}
			boxes, late := 0, false
			simt.Walk(kernel.Body, func(op *simt.Op) {
				switch {
				case op.Kind == simt.TensorCopy && op.Map.View == 1 && !c.acrossK && op.Map.Box[1] != want:
					t.Errorf("copies of %d columns, want %d", op.Map.Box[1], want)
				case op.Kind == simt.TensorCopy && op.Map.View == 1:
					boxes++
				case op.Kind == simt.GroupMMA && len(op.Out)*simt.WarpgroupMMA.Columns*simt.WarpgroupMMA.Rows != want*c.bm/(cfg.Threads/128):
					t.Errorf("products of %d columns, want %d", len(op.Out)*simt.WarpgroupMMA.Columns, want)
				}
			})
			if lines := kernels.CeilDiv(want, 64); c.acrossK && boxes != lines || !c.acrossK && boxes != 1 {
				t.Errorf("%d copies of the right operand, want %d", boxes, lines)
			}
			for _, s := range kernel.Shared {
				late = late || s.Late
			}
			if late != c.late || kernel.SharedBytes() > hopper.SharedBytes {
				t.Errorf("arrays have the place of stages: %v, want %v; %d bytes of shared memory", late, c.late, kernel.SharedBytes())
			}
		})
	}
}
