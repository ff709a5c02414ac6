package lower_test

import (
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

// Of tiles that are fewer rows apart than they hold, tensor maps copy, and warpgroups multiply, as many rows as the pitch, by all that share K in some way. The result is that of the reference, and
// rows beyond it are not written.
func TestLibraryPitch(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, c := range []struct {
		m, bm, pitch   int
		split          int
		shared         bool // K by clusters
		first, inOrder bool
	}{
		{33, 64, 16, 0, false, false, false},
		{70, 64, 48, 2, false, true, false},
		{150, 128, 80, 0, false, true, false},
		{160, 128, 80, 0, true, true, false},
		{300, 128, 112, 3, false, true, true},
		{311, 256, 160, 0, true, true, true},
		{257, 256, 144, 2, false, true, true},
		{20, 256, 176, 0, true, true, false},
	} {
		t.Run(fmt.Sprintf("%d rows by %d of %d", c.m, c.pitch, c.bm), func(t *testing.T) {
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
			kernel, _ := checkInterleaved(t, hopper, cfg, c.m, n, k)
			if lowertest.Count(kernel, simt.TensorCopy) == 0 || lowertest.Count(kernel, simt.GroupMMA) == 0 {
				t.Error("no copies by tensor maps, or no products of warpgroups")
			}
			simt.Walk(kernel.Body, func(op *simt.Op) {
				switch {
				case op.Kind == simt.TensorCopy && op.Map.Box[1] != c.pitch:
					t.Errorf("copies of %d rows, want %d", op.Map.Box[1], c.pitch)
				case op.Kind == simt.GroupMMA && len(op.Out)*simt.WarpgroupMMA.Columns != c.pitch:
					t.Errorf("products of %d columns, want %d", len(op.Out)*simt.WarpgroupMMA.Columns, c.pitch)
				}
			})
		})
	}
}

// The same of the columns of a product of matrices, whose right operand has lines along either dimension, in one tile of a program and in several.
func TestLibraryColumnPitch(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, c := range []struct {
		n, bm, bn, pitch  int
		split, persistent int
		shared, acrossK   bool // K by clusters; lines of the right operand are along its columns
		transposed        bool // the result
	}{
		{n: 33, bm: 64, bn: 64, pitch: 16},
		{n: 90, bm: 64, bn: 64, pitch: 48, shared: true, transposed: true},
		{n: 150, bm: 128, bn: 128, pitch: 80, split: 2, transposed: true},
		{n: 168, bm: 128, bn: 128, pitch: 80, acrossK: true},
		{n: 300, bm: 128, bn: 256, pitch: 160, persistent: 3, transposed: true},
		{n: 20, bm: 128, bn: 256, pitch: 176, shared: true},
	} {
		t.Run(fmt.Sprintf("%d columns by %d of %d", c.n, c.pitch, c.bn), func(t *testing.T) {
			const m, k = 150, 320
			cfg := kernels.MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: c.bm, BN: c.bn, BK: 64, Threads: min(2*c.bm, 256), Stages: 2, Producers: 1, SplitK: c.split, ClusterK: c.shared, Persistent: c.persistent,
				ColumnPitch: c.pitch, Precision: tile.Float32Accumulate}
			if err := cfg.Legal(hopper, m); err != nil {
				t.Fatal(err)
			}
			matrix := func(shape ...int) layout.Layout {
				l, err := layout.Contiguous(shape...)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			right, out := matrix(c.n, k).Transpose(), matrix(m, c.n)
			if c.acrossK {
				right = matrix(k, c.n)
			}
			switch {
			case cfg.Partial():
				cfg.Out, out = weft.F32, matrix(c.split, c.n, m).Transpose()
			case c.transposed:
				out = matrix(c.n, m).Transpose()
			}
			f, err := kernels.MatMul.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			kernel := lower.CheckViewsOn(t, hopper, f, 1e-2, []layout.Layout{matrix(m, k), right, out})
			if lowertest.Count(kernel, simt.GroupMMA) == 0 {
				t.Error("no products of warpgroups")
			}
			copies := 0
			simt.Walk(kernel.Body, func(op *simt.Op) {
				switch {
				case op.Kind == simt.TensorCopy && op.Map.View == 1:
					if copies++; !c.acrossK && op.Map.Box[1] != c.pitch {
						t.Errorf("copies of %d columns, want %d", op.Map.Box[1], c.pitch)
					}
				case op.Kind == simt.GroupMMA && len(op.Out)*simt.WarpgroupMMA.Columns*simt.WarpgroupMMA.Rows != c.pitch*c.bm/(cfg.Threads/128):
					t.Errorf("products of %d columns, want %d", len(op.Out)*simt.WarpgroupMMA.Columns, c.pitch)
				}
			})
			if copies == 0 {
				t.Error("no copies of the right operand by a tensor map")
			}
		})
	}
}

// What a mask leaves of a right operand has to be whole columns of instructions: of another number, and of the left operand, no tensor map copies the block.
func TestMaskedOperands(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, c := range []struct {
		left, right int // rows and columns that masks leave, 0 for no mask
		want        int // copies
	}{{0, 0, 2}, {0, 40, 2}, {0, 64, 2}, {0, 37, 1}, {40, 0, 1}} {
		t.Run(fmt.Sprintf("%d, %d", c.left, c.right), func(t *testing.T) {
			f, err := tile.Build("masked", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 128, Stages: 2, Producers: 1})
				a, b, out := k.In("a", weft.F16, 2), k.In("b", weft.F16, 2), k.Out("out", weft.F32, 2)
				at := k.ProgramTile(out, 64, 64)
				sum := k.Var(k.Zeros(weft.F32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
					load := func(v *tile.View, axis, most int, at ...tile.Operand) *tile.Value {
						block := v.Block(64, 64)
						if most == 0 {
							return block.Load(at...)
						}
						for d := range at {
							at[d] = at[d].(*tile.Value).Mul(64)
						}
						return block.PointsAt(at...).Mask(block.Indices(axis, 0).Lt(most)).Gather()
					}
					sum.Set(tile.Dot(load(a, 0, c.left, at[0], i), load(b, 0, c.right, at[1], i).Transpose(), sum.Get(), tile.Float32Accumulate))
				}
				out.Block(64, 64).Store(sum.Get(), at...)
			})
			if err != nil {
				t.Fatal(err)
			}
			matrix := func(rows, columns int) layout.Layout {
				l, err := layout.Contiguous(rows, columns)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			kernel := lower.CheckViewsOn(t, hopper, f, 1e-2, []layout.Layout{matrix(150, 192), matrix(130, 192), matrix(150, 130)})
			views := map[int]bool{}
			simt.Walk(kernel.Body, func(op *simt.Op) {
				if op.Kind == simt.TensorCopy {
					views[op.Map.View] = true
				}
			})
			if len(views) != c.want {
				t.Errorf("tensor maps copy %v, want %d operands", views, c.want)
			}
		})
	}
}
