package emit

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Whatever two distributions are, elements arrive by way of shared memory, without
// conflicts of banks, and the addresses cost what was said.
func TestExchangesCostWhatTheySay(t *testing.T) {
	k := axistest.Build(t, "exchange", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 128})
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(32, 64).Store(x.Block(32, 64).Load(0, 0), 0, 0)
	})
	rows := layout.Blocked([]int{32, 64}, 128, []int{1, 0}, []int{1, 4})
	wide, narrow := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		caps := lowertest.Targets["shuffles"]
		if rapid.Bool().Draw(rt, "wgsl") {
			caps = lowertest.Targets["shared memory"]
		}
		from, to := lowertest.AnyDistribution(rt, "from"), lowertest.AnyDistribution(rt, "to")
		l := newTestEmitter(k, caps)
		l.declare()
		load, store := k.Body.Ops[2], k.Body.Ops[3]
		for _, op := range k.Body.Ops {
			l.op = op
			switch op.Kind {
			case tile.OpLoad:
				load = op
			case tile.OpStore:
				store = op
			default:
				l.lowerOp(op)
			}
		}
		l.op = load
		l.lowerOp(load)
		elem := rapid.SampledFrom([]dtype.Type{dtype.F32, dtype.F16}).Draw(rt, "elem") // which hold all the numbers of the tile
		r := l.redistribute(l.in(load.Result(), rows), from, elem)
		r = l.redistribute(r, to, elem)
		l.tiles[load.Result()], l.copies[load.Result()] = l.redistribute(r, l.tiles[load.Result()].dist, elem), nil
		l.op = store
		l.lowerOp(store)
		result := &simtpass.Context{Kernel: l.b.Func, Stages: 1, Caps: caps}
		if err := simtpass.Run(result); err != nil {
			rt.Fatal(err)
		}
		simt.Walk(result.Kernel.Body, func(op *simt.Op) {
			switch {
			case op.Kind == simt.SharedLoad && op.Result().Type.Width > 1:
				wide++
			case op.Kind == simt.SharedLoad:
				narrow++
			}
		})
		costs := lowertest.CostCheck{}
		if err := copyError(result.Kernel, 32, 64, costs.See); err != nil {
			rt.Fatalf("%v\n%v", err, result.Kernel)
		}
		if costs.Err != nil {
			rt.Fatalf("%v\n%v", costs.Err, result.Kernel)
		}
	})
	if !testenv.Sampling() && (wide == 0 || narrow == 0) {
		t.Errorf("%d wide loads, %d narrow ones", wide, narrow)
	}
}
