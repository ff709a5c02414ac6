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

// dependentProducts multiplies what it makes of two products of an iteration by rows of z. Between these it may find the greatest element of each column, of
// which warpgroups have parts: by shared memory.
func dependentProducts(t *testing.T, greatest bool) *tile.Func {
	return axistest.Build(t, "dependent", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 256, Stages: 2, Producers: 1, InFlight: 2})
		x, y, z, out := k.In("x", dtype.F16, 2), k.In("y", dtype.F16, 2), k.In("z", dtype.F16, 2), k.Out("out", dtype.F32, 2)
		k.Grid(k.CDiv(out.Dim(0), 128))
		q := x.Block(128, 64).Load(k.ProgramID(0), 0)
		acc := k.Var(k.Zeros(dtype.F32, 128, 64))
		product := func(rows *tile.Value) *tile.Value {
			return tile.Dot(q, rows.Transpose(), k.Zeros(dtype.F32, 128, 64), tile.Float32Accumulate).Mul(1.0 / 64)
		}
		for i := range k.Range(k.CDiv(y.Dim(0), 64)) {
			first, second := y.Block(64, 64).Load(i, 0), z.Block(64, 64).Load(i, 0)
			s := product(first)
			if greatest {
				s = s.Sub(s.Max(0))
			}
			s = s.Add(product(first))
			acc.Set(tile.Dot(s.Cast(dtype.F16), second, acc.Get(), tile.Float32Accumulate))
		}
		out.Block(128, 64).Store(acc.Get(), k.ProgramID(0), 0)
	})
}

// TestDependentProducts: what goes through shared memory between products that depend on no others stays there, and no barrier stands where warpgroups begin
// products one after the other.
func TestDependentProducts(t *testing.T) {
	t.Parallel()
	testenv.Sample(t)
	for name, c := range map[string]struct {
		greatest bool
		ordered  int // where warpgroups begin products
	}{"registers": {false, 2}, "shared memory": {true, 0}} {
		var args []tensor
		var sizes []int
		for i, rows := range []int{200, 150, 150, 200} {
			l, err := layout.Contiguous(rows, 64)
			if err != nil {
				t.Fatal(err)
			}
			args, sizes = append(args, tensor{l, i}), append(sizes, l.Len())
		}
		caps := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
		l := cases(t, map[string]target.Caps{"hopper": caps}, dependentProducts(t, c.greatest), sizes, args, false, 1e-2)[0]
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ordered, within := 0, false
		simt.Walk(l.kernel.Body, func(op *simt.Op) {
			switch op.Kind {
			case simt.OrderBegin:
				ordered, within = ordered+1, true
			case simt.OrderEnd:
				within = false
			case simt.Barrier:
				if within {
					t.Errorf("%s: a barrier where warpgroups begin products one after the other", name)
				}
			}
		})
		if ordered != c.ordered {
			t.Errorf("%s: products begin in order in %d places, want %d: %v", name, ordered, c.ordered, l.notes)
		}
	}
}
