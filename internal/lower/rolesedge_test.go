package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestProducerEdges are kernels with producers in which what tensor maps copy, or where, is used otherwise, too.
func TestProducerEdges(t *testing.T) {
	t.Parallel()
	const m, n, depth = 128, 128, 192
	// product describes the sums of the tile at given coordinates.
	product := func(k *tile.Builder, a, b *tile.View, row, column tile.Operand) *tile.Value {
		acc := k.Var(k.Zeros(dtype.F32, 64, 64))
		for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
			acc.Set(tile.Dot(a.Block(64, 64).Load(row, i), b.Block(64, 64).Load(i, column), acc.Get(), tile.Float32Accumulate))
		}
		return acc.Get()
	}
	for what, build := range map[string]func(k *tile.Builder, a, b, c, out *tile.View){
		"two stores of one block": func(k *tile.Builder, a, b, _, out *tile.View) {
			row, column := k.TileID(2, 2)
			x := product(k, a, b, row, column)
			out.Block(64, 64).Store(x, row, column)
			out.Block(64, 64).Store(x.Add(1), row, column)
		},
		"stores of one block in a loop": func(k *tile.Builder, a, b, _, out *tile.View) {
			row, column := k.TileID(2, 2)
			for i := range k.Range(3) {
				out.Block(64, 64).Store(product(k, a, b, row, column).Add(i.Cast(dtype.F32)), row, column)
			}
		},
		"a result that is loaded again": func(k *tile.Builder, a, b, c, out *tile.View) {
			row, column := k.TileID(2, 2)
			out.Block(64, 64).Store(product(k, a, b, row, column), row, column)
			out.Block(64, 64).Store(c.Block(64, 64).Load(row, column).Mul(2), row, column)
		},
		"a result in place of what was there": func(k *tile.Builder, a, b, c, out *tile.View) {
			k.Grid(1)
			for i := range k.Persistent(4) {
				out.Block(64, 64).Store(product(k, a, b, i.Div(2), i.Rem(2)).Add(c.Block(64, 64).Load(i.Div(2), i.Rem(2))), i.Div(2), i.Rem(2))
			}
		},
		"results that threads exchange": func(k *tile.Builder, a, b, _, out *tile.View) {
			k.Grid(1)
			for i := range k.Persistent(4) {
				x := product(k, a, b, i.Div(2), i.Rem(2))
				out.Block(64, 64).Store(x.Sub(x.Max(0)).Sub(x.Sum(1)), i.Div(2), i.Rem(2))
			}
		},
		"two products one after the other": func(k *tile.Builder, a, b, _, out *tile.View) {
			k.Grid(1)
			for i := range k.Persistent(4) {
				x := product(k, a, b, i.Div(2), i.Rem(2))
				out.Block(64, 64).Store(x.Add(product(k, a, b, i.Rem(2), i.Div(2))), i.Div(2), i.Rem(2))
			}
		},
		"iterations that store one block": func(k *tile.Builder, a, b, _, out *tile.View) {
			k.Grid(1)
			for i := range k.Range(6) {
				out.Block(64, 64).Store(product(k, a, b, i.Rem(2), i.Rem(2)).Add(i.Cast(dtype.F32)), i.Div(3), 0)
			}
		},
		"loops in loops that store the same blocks": func(k *tile.Builder, a, b, _, out *tile.View) {
			k.Grid(1)
			for i := range k.Range(4) {
				x := product(k, a, b, i.Rem(2), i.Rem(2)).Add(i.Cast(dtype.F32))
				for j := range k.Range(2) {
					out.Block(64, 64).Store(x.Add(j.Cast(dtype.F32)), j, 0)
				}
			}
		},
		"operands at offsets": func(k *tile.Builder, a, b, _, out *tile.View) { // before the view and beyond it, too
			row, column := k.TileID(2, 2)
			acc := k.Var(k.Zeros(dtype.F32, 64, 64))
			for i := range k.Range(4) {
				x := a.Block(64, 64).LoadAt(row.Mul(64).Sub(3), i.Mul(64).Sub(8))
				acc.Set(tile.Dot(x, b.Block(64, 64).LoadAt(i.Mul(64).Sub(7), column.Mul(64).Add(17)), acc.Get(), tile.Float32Accumulate))
				y := a.Block(64, 64).LoadAt(row.Mul(64).Sub(3), 8) // which maps copy
				acc.Set(tile.Dot(y, b.Block(64, 64).LoadAt(i.Mul(64).Sub(7), 72), acc.Get(), tile.Float32Accumulate))
			}
			out.Block(64, 64).Store(acc.Get(), row, column)
		},
		"a product only at times": func(k *tile.Builder, a, b, _, out *tile.View) {
			row, column := k.TileID(2, 2)
			x := k.Var(k.Zeros(dtype.F32, 64, 64))
			k.If(row.Gt(0), func() { x.Set(product(k, a, b, row, column)) })
			out.Block(64, 64).Store(x.Get(), row, column)
		},
	} {
		t.Run(what, func(t *testing.T) {
			testenv.Sample(t)
			for consumers := range 2 {
				k := axistest.Build(t, "edge", func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: 128, Stages: 2, Producers: 1, Consumers: 1 + consumers})
					build(k, k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.In("c", dtype.F32, 2), k.Out("out", dtype.F32, 2))
				})
				caps := map[string]target.Caps{"hopper": lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)}
				args := []tensor{{lowertest.Rows(t, m, depth), 0}, {lowertest.Rows(t, depth, n), 1}, {lowertest.Rows(t, m, n), 2}, {lowertest.Rows(t, m, n), 2}}
				for _, l := range cases(t, caps, k, []int{m * depth, depth * n, m * n}, args, false, 1e-4) {
					if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
						t.Errorf("%d groups: %v\n%v", l.kernel.Consumers, err, l.kernel)
					}
				}
			}
		})
	}
}

// TestProducersBeyondSingleDimension loads and stores blocks beyond a dimension that a view has once, or repeats, which a tensor map
// has not: what is loaded there is zeros, and what is stored there is left out.
func TestProducersBeyondSingleDimension(t *testing.T) {
	const m, n, depth, batch = 64, 64, 128, 3
	k := axistest.Build(t, "beyond", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128, Stages: 2, Producers: 1})
		a, b, out := k.In("a", dtype.F16, 3), k.In("b", dtype.F16, 3), k.Out("out", dtype.F32, 3)
		k.Grid(batch)
		at := k.ProgramID(0)
		acc := k.Var(k.Zeros(dtype.F32, m, n))
		for i := range k.Range(k.CDiv(a.Dim(2), 64)) {
			x, y := a.Block(1, m, 64).Load(at, 0, i).Reshape(m, 64), b.Block(1, 64, n).Load(at, i, 0).Reshape(64, n)
			acc.Set(tile.Dot(x, y, acc.Get(), tile.Float32Accumulate))
		}
		out.Block(1, m, n).Store(acc.Get().Reshape(1, m, n), at, 0, 0)
	})
	caps := map[string]target.Caps{"hopper": lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)}
	dense := func(count, m, n int) layout.Layout {
		return axistest.Strided(t, []int{count, m, n}, []int{m * n, n, 1}, 0)
	}
	for what, args := range map[string][]tensor{
		"one left operand":          {{dense(1, m, depth), 0}, {dense(batch, depth, n), 1}, {dense(batch, m, n), 2}},
		"one right operand for two": {{dense(batch, m, depth), 0}, {axistest.Strided(t, []int{2, depth, n}, []int{0, n, 1}, 0), 1}, {dense(batch, m, n), 2}},
		"one result":                {{dense(batch, m, depth), 0}, {dense(batch, depth, n), 1}, {dense(1, m, n), 2}},
	} {
		for _, l := range cases(t, caps, k, []int{batch * m * depth, batch * depth * n, batch * m * n}, args, false, 1e-4) {
			if lowertest.Count(l.kernel, simt.TensorCopy) != 2 || lowertest.Count(l.kernel, simt.TensorStore) == 0 {
				t.Fatalf("%s: not by tensor maps:\n%v", what, l.kernel)
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Errorf("%s: %v\n%v", what, err, l.kernel)
			}
		}
	}
}

// TestProducersOfFlippedViews: views that run backwards along a dimension, which the hardware does not copy, are loaded and stored by threads.
func TestProducersOfFlippedViews(t *testing.T) {
	const side, batch = 128, 2
	k := axistest.Build(t, "flipped", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128, Stages: 2, Producers: 1})
		a, b, out := k.In("a", dtype.F16, 3), k.In("b", dtype.F16, 3), k.Out("out", dtype.F32, 3)
		k.Grid(batch)
		at, acc := k.ProgramID(0), k.Var(k.Zeros(dtype.F32, side, side))
		for i := range k.Range(k.CDiv(a.Dim(2), 64)) {
			x, y := a.Block(1, side, 64).Load(at, 0, i).Reshape(side, 64), b.Block(1, 64, side).Load(at, i, 0).Reshape(64, side)
			acc.Set(tile.Dot(x, y, acc.Get(), tile.Float32Accumulate))
		}
		out.Block(1, side, side).Store(acc.Get().Reshape(1, side, side), at, 0, 0)
	})
	const each = side * side
	dense := axistest.Strided(t, []int{batch, side, side}, []int{each, side, 1}, 0)
	rows := axistest.Strided(t, []int{batch, side, side}, []int{each, -side, 1}, (side-1)*side)
	matrices := axistest.Strided(t, []int{batch, side, side}, []int{-each, side, 1}, each)
	for what, c := range map[string]struct {
		args           [3]layout.Layout
		copied, stored int
	}{
		"none":                  {[3]layout.Layout{dense, dense, dense}, 2, 1},
		"rows on the left":      {[3]layout.Layout{rows, dense, dense}, 1, 1},
		"matrices on the right": {[3]layout.Layout{dense, matrices, dense}, 1, 1},
		"rows of the result":    {[3]layout.Layout{dense, dense, rows}, 2, 0},
		"all":                   {[3]layout.Layout{rows, matrices, rows}, 0, 0},
	} {
		args := []tensor{{c.args[0], 0}, {c.args[1], 1}, {c.args[2], 2}}
		l := cases(t, map[string]target.Caps{"hopper": hopper()}, k, []int{batch * each, batch * each, batch * each}, args, false, 1e-4)[0]
		found := map[*simt.Shared]bool{}
		simt.Walk(l.kernel.Body, func(op *simt.Op) {
			if op.Kind == simt.TensorCopy {
				found[op.Shared] = true
			}
		})
		if stores := lowertest.Count(l.kernel, simt.TensorStore); len(found) != c.copied || min(stores, 1) != c.stored {
			t.Errorf("%s: %d operands by tensor maps, want %d; %d stores, want any: %d\n%v", what, len(found), c.copied, stores, c.stored, l.notes)
		}
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Errorf("%s: %v\n%v", what, err, l.kernel)
		}
	}
}
