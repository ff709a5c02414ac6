package ops

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
)

// addLosses adds problems of losses and their gradients.
func addLosses(add func(name string, p probe)) {
	add("cross_entropy", probeOf(lossTune, lossProblem(weft.F16, 90, 333)))
	shares := lossProblem(weft.F32, 2, 70_001)
	shares.Index, shares.Smoothed, shares.Weights, shares.LogSum = 0, true, true, true
	add("cross_entropy of few probabilities", probeOf(lossTune, shares))
	indexed := lossProblem(weft.F32, 90, 333)
	indexed.Index, indexed.Log, indexed.Counted = weft.I64, true, true
	add("nll_loss", probeOf(lossTune, indexed))
	add("cross_entropy_grad", probeOf(lossGradTune, lossGradProblem(weft.F16, 90, 333)))
	back := lossGradProblem(weft.F32, 2, 7001)
	back.Index, back.Smoothed, back.Weights = 0, true, true
	add("cross_entropy_grad of few probabilities", probeOf(lossGradTune, back))
}

// lossProblem are losses of rows.
func lossProblem(elem weft.DType, rows, classes int) kernels.LossProblem {
	return kernels.LossProblem{LossTerms: kernels.LossTerms{Index: weft.I32}, Elem: elem, X: kernels.MatrixView(rows, classes, 1), Row: [5]bool{1: true}, Loss: true}
}

// lossGradProblem is their gradient.
func lossGradProblem(elem weft.DType, rows, classes int) kernels.LossGradProblem {
	return kernels.LossGradProblem{LossTerms: kernels.LossTerms{Index: weft.I32}, Elem: elem, X: kernels.MatrixView(rows, classes, 1), Row: [5]bool{1: true}}
}

// The rules' choices are legal for whatever sizes, on every device: also where the kernel that combines parts would have too many views.
func TestLossRulesAreLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	size := func() int { return 1 + rng.IntN(1<<rng.IntN(20)) }
	devices := maps.Clone(testCaps)
	for _, p := range target.Presets() {
		devices[p.Name] = p.Caps
	}
	for range 300 {
		elem := []weft.DType{weft.F32, weft.F16, weft.F64}[rng.IntN(3)]
		loss, back := lossProblem(elem, size(), size()), lossGradProblem(elem, size(), size())
		if rng.IntN(2) == 0 {
			loss.Smoothed, loss.Weights, loss.LogSum, loss.Counted = true, true, true, true
		}
		for name, caps := range devices {
			if err := loss.Legal(caps, loss.Rule(caps)); err != nil {
				t.Errorf("%s: %+v: %v", name, loss, err)
			}
			if err := back.Legal(caps, back.Rule(caps)); err != nil {
				t.Errorf("%s: %+v: %v", name, back, err)
			}
		}
	}
}
