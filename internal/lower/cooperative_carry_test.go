package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/tile"
)

// TestCooperativeCarries: a loop of products that carries what it loads as well, a sum of the right operand's rows, computes both.
func TestCooperativeCarries(t *testing.T) {
	k := axistest.Build(t, "carries", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64, Stages: 2})
		a, b, out := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.Out("out", dtype.F32, 2)
		acc, rows := k.Var(k.Zeros(dtype.F32, 32, 32)), k.Var(k.Zeros(dtype.F32, 64, 32))
		for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
			x := b.Block(64, 32).Load(i, 0)
			acc.Set(tile.Dot(a.Block(32, 64).Load(0, i), x, acc.Get(), tile.Float32Accumulate))
			rows.Set(rows.Get().Add(x.Cast(dtype.F32)))
		}
		out.Block(32, 32).Store(acc.Get().Add(rows.Get().Sum(0)), 0, 0)
	})
	args := []tensor{{matrices(t, 32, 180)["columns"], 0}, {lowertest.Rows(t, 180, 32), 1}, {lowertest.Rows(t, 32, 32), 2}}
	for _, l := range cases(t, lowertest.CooperativeTargets, k, []int{32 * 180, 180 * 32, 32 * 32}, args, false, 2*matrixTolerance(dtype.F16, 180)) {
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
		}
	}
}
