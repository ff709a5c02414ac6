package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Operands of fused multiply-adds come to shared memory by asynchronous copies, whatever their layouts in memory: no thread holds what it copies.
func TestCopiedOperands(t *testing.T) {
	targets := map[string]target.Caps{"hopper": lowertest.MatrixTarget("sm_90a", 227<<10)}
	for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
		{32, 64, 32, 32, 32, 16, 64, 2},
		{33, 47, 19, 16, 32, 8, 32, 3},
		{128, 64, 40, 64, 64, 8, 128, 0},
	} {
		for x, a := range matrices(t, c.m, c.k) {
			for y, b := range matrices(t, c.k, c.n) {
				if i > 0 && x != y && x != "rows" && y != "rows" {
					continue
				}
				t.Run(fmt.Sprintf("%v/%s %s", c, x, y), func(t *testing.T) {
					k := axistest.Build(t, "product", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: c.threads, Stages: c.stages})
						a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
						row, column := k.TileID(k.CDiv(out.Dim(0), c.bm), k.CDiv(out.Dim(1), c.bn))
						acc := k.Var(k.Zeros(dtype.F32, c.bm, c.bn))
						for i := range k.Range(k.CDiv(a.Dim(1), c.bk)) {
							acc.Set(tile.Dot(a.Block(c.bm, c.bk).Load(row, i), b.Block(c.bk, c.bn).Load(i, column), acc.Get(), tile.IEEE))
						}
						out.Block(c.bm, c.bn).Store(acc.Get(), row, column)
					})
					out := matrices(t, c.m, c.n)["rows"]
					args := []tensor{{a, 0}, {b, 1}, {out, 2}}
					for _, l := range cases(t, targets, k, []int{reach(a), reach(b), reach(out)}, args, false, 1e-6) {
						if n := lowertest.Count(l.kernel, simt.Load); n > 0 {
							t.Errorf("%d loads\n%v", n, l.kernel)
						}
						if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
							t.Fatalf("%v\n%v", err, l.kernel)
						}
					}
				})
			}
		}
	}
}

// reach is the number of elements of the least buffer that holds a layout.
func reach(l layout.Layout) int {
	_, last := l.Bounds()
	return last + 1
}

// TestMadeNextToCopies: asynchronous copies bring one operand, and threads load the other, whose lines begin anywhere, an iteration ahead of what they make of it. Places of both
// are computed from the same numbers.
func TestMadeNextToCopies(t *testing.T) {
	caps := lowertest.MatrixTarget("sm_90a", 227<<10)
	for _, c := range []struct{ m, n, k int }{{56, 8, 271}, {64, 16, 95}, {40, 13, 161}} {
		k := axistest.Build(t, "product", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 64, Stages: 4})
			a, b, out := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.Out("out", dtype.F32, 2)
			row, column := k.TileID(k.CDiv(out.Dim(0), 64), k.CDiv(out.Dim(1), 16))
			acc := k.Var(k.Zeros(dtype.F32, 64, 16))
			for i := range k.Range(k.CDiv(a.Dim(1), 32)) {
				acc.Set(tile.Dot(a.Block(64, 32).Load(row, i), b.Block(32, 16).Load(i, column), acc.Get(), tile.Float32Accumulate))
			}
			out.Block(64, 16).Store(acc.Get(), row, column)
		})
		a, b, out := axistest.Strided(t, []int{c.m, c.k}, []int{1, c.m}, 0), axistest.Strided(t, []int{c.k, c.n}, []int{1, c.k}, 0), axistest.Strided(t, []int{c.m, c.n}, []int{c.n, 1}, 0)
		for _, l := range cases(t, map[string]target.Caps{"hopper": caps}, k, []int{reach(a), reach(b), reach(out)}, []tensor{{a, 0}, {b, 1}, {out, 2}}, false, 1e-2) {
			if lowertest.Count(l.kernel, simt.CopyAsync) == 0 || lowertest.Count(l.kernel, simt.Load) == 0 {
				t.Errorf("%v: no copies, or no loads\n%v", c, l.kernel)
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Errorf("%v: %v", c, err)
			}
		}
	}
}
