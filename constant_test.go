package weft_test

import (
	"math"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Constants of 64 bits keep all of them, and floats are rounded once from the number that was given.
func TestConstants(t *testing.T) {
	dev := open(t)
	type config struct {
		elem weft.DType
		x    any
	}
	kernel := weft.NewKernel("constant", func(k *tile.Builder, cfg any) {
		c := cfg.(config)
		y := k.Out("y", c.elem, 1)
		k.Grid(1)
		y.Block(4).Store(k.Full(c.elem, c.x, 4), 0)
		y.Block(4).Store(k.Const(c.elem, c.x).Splat(4), 1)
	})
	for _, x := range []int64{math.MaxInt64 - 1, math.MinInt64 + 1, -1, 1<<53 + 1} {
		y := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I64, 8))
		if err := kernel.Launch(config{weft.I64, x}, y); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]int64](t)(weft.ToSlice[int64](y)); !slices.Equal(got, slices.Repeat([]int64{x}, 8)) {
			t.Errorf("%d: %d", x, got)
		}
	}
	// 2^60+2^36+1 is above the middle of two F32, which float64 does not show.
	x, y := uint64(1<<60+1<<36+1), ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 8))
	if err := kernel.Launch(config{weft.F32, x}, y); err != nil {
		t.Fatal(err)
	}
	if got := ok[[]float32](t)(weft.ToSlice[float32](y)); got[0] != 1<<60+1<<37 || got[7] != got[0] {
		t.Errorf("%d: %v, want %v", x, got, float32(1<<60+1<<37))
	}
}
