package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// lossKernels are those of losses by names of their own: of indices of classes in many rows, of few long rows of probabilities, whose parts are combined, and of gradients.
func lossKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	out := map[string]*tile.Func{}
	keep := func(name string, k *tile.Func, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = k
	}
	of := func(index weft.DType, rows, classes int) kernels.LossProblem {
		return kernels.LossProblem{LossTerms: kernels.LossTerms{Index: index}, Elem: elem, X: tune.ViewOf(dense([]int{rows, classes})), Row: [5]bool{1: true}, Loss: true}
	}
	walked := of(weft.I64, side, 32*side)
	walked.Smoothed, walked.Weights, walked.LogSum, walked.Counted = true, true, true, true
	plan := walked.Plan(walked.Rule(caps))
	k, err := kernels.Loss.Build(plan.Config)
	keep("cross_entropy", k, err)
	few := of(0, 2, 1<<20)
	plan = few.Plan(few.Rule(caps))
	k, err = kernels.Loss.Build(plan.Config)
	keep("cross_entropy_parts", k, err)
	if plan.Parts > 1 {
		k, err = kernels.Loss.Build(plan.Combine(caps))
		keep("cross_entropy_combined", k, err)
	}
	logs := of(weft.I32, 4*side, side)
	logs.Log, logs.Weights = true, true
	k, err = kernels.Loss.Build(logs.Plan(logs.Rule(caps)).Config)
	keep("nll_loss", k, err)
	grad := kernels.LossGradProblem{LossTerms: walked.LossTerms, Elem: elem, X: walked.X, Row: walked.Row}
	cfg := grad.Config(grad.Rule(caps))
	cfg.DY, cfg.Counted = kernels.SeedAll, true
	k, err = kernels.LossGrad.Build(cfg)
	keep("cross_entropy_grad", k, err)
	grad.LossTerms = few.LossTerms
	cfg = grad.Config(grad.Rule(caps))
	cfg.DY, cfg.Scaled = kernels.SeedEach, true
	k, err = kernels.LossGrad.Build(cfg)
	keep("cross_entropy_shares_grad", k, err)
	return out
}

// lossOf is the loss of 4096 rows of 32768 logits, with the logarithms of their sums, or its gradient.
func lossOf(back bool) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		x, each := dense([]int{4096, 32768}), dense([]int{4096, 1})
		p := kernels.LossProblem{LossTerms: kernels.LossTerms{Index: weft.I32}, Elem: weft.BF16, X: tune.ViewOf(x), Row: [5]bool{1: true}, Loss: true, LogSum: true}
		if !back {
			k, err := kernels.Loss.Build(p.Plan(p.Rule(caps)).Config)
			return emitted(t, k, err, caps, x, each, each, each)
		}
		g := kernels.LossGradProblem{LossTerms: p.LossTerms, Elem: p.Elem, X: p.X, Row: p.Row}
		cfg := g.Config(g.Rule(caps))
		cfg.DY = kernels.SeedEach
		k, err := kernels.LossGrad.Build(cfg)
		return emitted(t, k, err, caps, x, each, each, each, x)
	}
}
