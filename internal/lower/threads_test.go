package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A kernel that names no threads gets 256, and for wide tiles so many that each holds a bounded number of elements, as
// far as the device has threads. Those that it names stay.
func TestThreadsOfWideTiles(t *testing.T) {
	for _, c := range []struct {
		shape              []int
		named              int
		registers, maximum int
		want               int
	}{
		{[]int{16}, 0, 255, 1024, 256},
		{[]int{128, 256}, 0, 255, 1024, 256},
		{[]int{1 << 16}, 0, 255, 1024, 512},
		{[]int{1 << 18}, 0, 255, 1024, 1024},
		{[]int{1, 1 << 14}, 0, 16, 1024, 256},
		{[]int{1, 1 << 15}, 0, 16, 1024, 512},
		{[]int{1 << 16}, 0, 16, 1024, 1024},
		{[]int{1 << 16}, 0, 0, 256, 256},
		{[]int{1 << 16}, 0, 0, 128, 128},
		{[]int{1 << 16}, 0, 0, 1000, 512},
		{[]int{1 << 16}, 0, 0, 0, 1024},
		{[]int{1 << 18}, 0, 0, 0, 1024},
		{[]int{1 << 16}, 64, 16, 1024, 64},
	} {
		k := axistest.Build(t, "wide", func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, len(c.shape)), k.Out("y", dtype.F32, len(c.shape))
			k.Schedule(tile.Schedule{Threads: c.named})
			at := []tile.Operand{0, 0}[:len(c.shape)]
			k.If(y.Dim(0).Gt(0), func() { // the widest tile may be within a branch
				y.Block(c.shape...).Store(x.Block(c.shape...).Load(at...), at...)
			})
		})
		if got := assign.Threads(k, target.Caps{Language: target.WGSL, MaxThreads: c.maximum, Registers: c.registers}); got != c.want {
			t.Errorf("%+v: %d threads", c, got)
		}
	}
}
