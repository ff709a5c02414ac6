package lower

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// stagedBytes lowers a product for a device with some shared memory.
func stagedBytes(t *testing.T, room int) *Result {
	t.Helper()
	k := axistest.Build(t, "dot", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 256})
		a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
		acc := k.Var(k.Zeros(dtype.F32, 64, 64))
		for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
			acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
		}
		out.Block(64, 64).Store(acc.Get(), 0, 0)
	})
	l := axistest.Strided(t, []int{64, 64}, []int{64, 1}, 0)
	r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l, l}, []int{0, 1, 2}), target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: room, SubgroupSize: 32})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Operands are stored and loaded without conflicts; where there is no room between
// rows, they are staged all the same, with few.
func TestStaging(t *testing.T) {
	cost := func(r *Result, name string) (total int) {
		simt.Walk(r.Kernel.Body, func(op *simt.Op) {
			if op.Shared != nil && op.Shared.Name == name && op.Kind == simt.SharedStore {
				total += op.Cost
			}
		})
		return total
	}
	apart, dense := stagedBytes(t, 48<<10), stagedBytes(t, 8<<10)
	if n := cost(apart, "tile_a"); n != 32 { // 4 KiB in pieces of 128 bytes
		t.Errorf("stores of a take %d wavefronts, want 32:\n%s", n, strings.Join(apart.Notes, "\n"))
	}
	if n := dense.Kernel.SharedBytes(); n != 8<<10 {
		t.Errorf("dense operands take %d bytes", n)
	}
	if n := cost(dense, "tile_a"); n > 64 { // instead of 256
		t.Errorf("stores of a take %d wavefronts without room between rows:\n%s", n, strings.Join(dense.Notes, "\n"))
	}
}
