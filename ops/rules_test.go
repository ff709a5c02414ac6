package ops

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// The rules' choices are legal for whatever sizes, on every device.
func TestRulesAreLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	size := func() int { return 1 + rng.IntN(1<<rng.IntN(14)) }
	elems := []weft.DType{weft.F32, weft.F16, weft.I8, weft.I64}
	devices := map[string]target.Caps{}
	for name, caps := range testCaps {
		devices[name] = caps
	}
	for _, p := range target.Presets() {
		devices[p.Name] = p.Caps
	}
	for range 300 {
		rows, cols, elem := size(), size(), elems[rng.IntN(len(elems))]
		x, err := layout.Contiguous(rows, cols)
		if err != nil {
			t.Fatal(err)
		}
		axis := rng.IntN(2)
		merged := [kernels.MaxRank]bool{axis == 0, axis == 1}
		scheme := kernels.QuantScheme{Bits: 4 + 4*rng.IntN(2), Block: [2]int{16 * rng.IntN(2), rng.IntN(2)}}
		quantised := kernels.QuantizedProblem{Elem: weft.F16, A: tune.ViewOf(x), N: size(), Fastest: rng.IntN(2),
			Weights: kernels.QuantView{QuantScheme: scheme, Packed: rng.IntN(2), Scale: weft.F32}}
		product := kernels.MatMulProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.I8}[rng.IntN(3)], A: tune.ViewOf(x), B: tune.ViewOf(matrixView(t, rng, cols, size()))}
		if product.Elem == weft.F32 {
			product.Precision = []tile.Precision{tile.IEEE, tile.TF32, tile.TF32x3}[rng.IntN(3)]
		}
		heads, err := layout.Contiguous(2, 3, rows, 1+rng.IntN(256))
		if err != nil {
			t.Fatal(err)
		}
		attention := kernels.AttentionProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.BF16}[rng.IntN(3)], Q: tune.ViewOf(heads), K: tune.ViewOf(heads), Last: axis == 0}
		for name, caps := range devices {
			reduction := kernels.ReduceProblem{Op: kernels.ReduceOp(rng.IntN(len(kernels.Reducers))), Elem: elem, X: tune.ViewOf(x), Reduced: merged}
			norm := kernels.NormProblem{Elem: elem, X: tune.ViewOf(x), Row: merged}
			for what, err := range map[string]error{
				"reduction":         reduceTune.Legal(caps, reduction, reduceTune.Rule(caps, reduction)),
				"norm":              normTune.Legal(caps, norm, normTune.Rule(caps, norm)),
				"product":           matMulTune.Legal(caps, product, matMulTune.Rule(caps, product)),
				"attention":         attentionTune.Legal(caps, attention, attentionTune.Rule(caps, attention)),
				"quantised product": quantizedTune.Legal(caps, quantised, quantizedTune.Rule(caps, quantised)),
			} {
				if err != nil {
					t.Errorf("%s, %s of %v %d×%d along %d: %v", name, what, elem, rows, cols, axis, err)
				}
			}
		}
	}
}

// matrixView is a matrix in rows or in columns.
func matrixView(t *testing.T, rng *rand.Rand, rows, cols int) layout.Layout {
	t.Helper()
	inColumns := rng.IntN(2) == 0
	if inColumns {
		rows, cols = cols, rows
	}
	l, err := layout.Contiguous(rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	if inColumns {
		return l.Transpose()
	}
	return l
}
