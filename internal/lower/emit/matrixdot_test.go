package emit

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
)

// TestConvertsInSteps: weights of fewer bits that are scaled are multiplied in steps, by whatever ops they become numbers, and others if their sums are scaled after; nothing that is computed from another product is.
func TestConvertsInSteps(t *testing.T) {
	type operands struct{ bytes, halves, scales, scores *tile.Value }
	selected := func(k *tile.Builder, q *tile.Value) *tile.Value {
		return k.Where(q.Cast(dtype.U32).And(1).Ne(0), float32(3), float32(-0.5))
	}
	for name, c := range map[string]struct {
		left func(k *tile.Builder, x operands) *tile.Value
		anew bool // sums begin with zeros, and are scaled after
		want bool
	}{
		"scaled integers":                {func(_ *tile.Builder, x operands) *tile.Value { return x.bytes.Cast(dtype.F32).Mul(x.scales) }, false, true},
		"scaled numbers of a code book":  {func(k *tile.Builder, x operands) *tile.Value { return selected(k, x.bytes).Mul(x.scales) }, false, true},
		"numbers of a code book":         {func(k *tile.Builder, x operands) *tile.Value { return selected(k, x.bytes) }, false, false},
		"integers":                       {func(_ *tile.Builder, x operands) *tile.Value { return x.bytes.Cast(dtype.F32) }, false, false},
		"integers whose sums are scaled": {func(_ *tile.Builder, x operands) *tile.Value { return x.bytes.Cast(dtype.F32) }, true, true},
		"elements of the same size":      {func(_ *tile.Builder, x operands) *tile.Value { return x.halves.Cast(dtype.F32).Mul(x.scales) }, false, false},
		"masked scores": {func(k *tile.Builder, x operands) *tile.Value {
			return k.Where(x.bytes.Ne(0), x.scores.Mul(2), float32(0))
		}, false, false},
		"masked scores of zeros": {func(k *tile.Builder, x operands) *tile.Value { return k.Where(x.bytes.Ne(0), x.scores, float32(0)) }, true, false},
	} {
		var dot *tile.Op
		axistest.Build(t, "product", func(k *tile.Builder) {
			bytes, halves, scales, out := k.In("bytes", dtype.U8, 2), k.In("halves", dtype.F16, 2), k.In("scales", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			at := k.ProgramTile(out, 64, 64)
			x := operands{bytes: bytes.Block(64, 64).Load(at...), halves: halves.Block(64, 64).Load(at...), scales: scales.Block(64, 64).Load(at...)}
			x.scores = tile.Dot(x.halves, x.halves, k.Zeros(dtype.F32, 64, 64), tile.Float32Accumulate)
			sums := k.Var(k.Zeros(dtype.F32, 64, 64))
			for range k.Range(k.Int(3)) {
				to := sums.Get()
				if c.anew {
					to = k.Zeros(dtype.F32, 64, 64)
				}
				product := tile.Dot(c.left(k, x).Cast(dtype.F16), x.halves, to, tile.Float32Accumulate)
				dot = product.Op()
				if c.anew {
					product = product.FMA(x.scales, sums.Get())
				}
				sums.Set(product)
			}
			out.Block(64, 64).Store(sums.Get(), at...)
		})
		if got := convertsInSteps(dot, dtype.F16.Size()); got != c.want {
			t.Errorf("%s: in steps %v, want %v", name, got, c.want)
		}
	}
}
