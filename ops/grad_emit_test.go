package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// rowGradKernels are those of rows that are kept in registers, and of a few long ones.
func rowGradKernels(caps target.Caps, elem weft.DType, side int, keep func(*tile.Func, error)) {
	folded := ops.NormGradProblem(elem, 16*side, side)
	plan := folded.Plan(folded.Rule(caps))
	plan.Config.Weight, plan.Config.Bias = true, true
	keep(kernels.RowGrad.Build(plan.Config))
	shape := plan.FoldShape([]int{16 * side, side})
	sums, _ := kernels.NormSumsConfigFor(caps, elem, kernels.ReduceCombine, shape, folded.Along, folded.Row)
	sums.Bias = true
	keep(kernels.NormSums.Build(sums))
	long := ops.NormGradProblem(elem, 2, 1<<20)
	plan = long.Plan(long.Rule(caps))
	keep(kernels.RowGradParts.Build(plan.Config))
	keep(kernels.RowGradSpread.Build(plan.Config))
	sums, _ = kernels.NormSumsConfigFor(caps, elem, kernels.ReduceParts, []int{2, 1 << 20}, long.Along, long.Row)
	keep(kernels.NormSums.Build(sums))
	soft := kernels.RowGradProblem{Op: kernels.GradLogSoftmax, Elem: elem, X: tune.ViewOf(dense([]int{side, side})), Row: [5]bool{1: true}}
	keep(kernels.RowGrad.Build(soft.Plan(soft.Rule(caps)).Config))
}

// batchNormKernels are those of channels that are a program's own, and of a few long ones.
func batchNormKernels(caps target.Caps, elem weft.DType, side int, keep func(*tile.Func, error)) {
	for _, grad := range []bool{false, true} {
		own, apply := kernels.BatchNorm, kernels.BatchApply
		if grad {
			own, apply = kernels.BatchGrad, kernels.BatchGradApply
		}
		for i, k := range []*weft.Kernel[kernels.BatchNormConfig]{own, apply} {
			p := kernels.BatchNormProblem{Elem: elem, Grad: grad, X: kernels.MatrixView([]int{side, 1 << 20}[i], []int{side, 8}[i], 1), Row: [5]bool{true}}
			cfg := p.Config(p.Rule(caps))
			cfg.Weight, cfg.Bias, cfg.Running = true, !grad, !grad && i == 0
			if i == 1 {
				cfg.Steps = max(cfg.Steps, 1)
			}
			keep(k.Build(cfg))
		}
	}
	p := kernels.ReduceProblem{Op: kernels.ReduceVar, Elem: elem, X: kernels.MatrixView(1<<20, 8, 1), Reduced: [5]bool{true}}
	first, parts := p.Config(p.Rule(caps))
	first.Op, first.Out, first.AtOnce = 0, 0, false
	keep(kernels.BatchSums.Build(kernels.BatchNormConfig{Rows: first}))
	last := kernels.ReduceCombineConfigFor(caps, first, []int{8, parts}, [5]bool{1: true})
	keep(kernels.BatchStats.Build(kernels.BatchNormConfig{Rows: last, Running: true}))
}

// foldedGrad is a gradient of a layer normalisation, whose sums each program adds up.
func foldedGrad(t *testing.T, caps target.Caps) *compile.Artifact {
	x, row := dense([]int{65536, 4096}), dense([]int{1, 4096})
	p := ops.NormGradProblem(weft.BF16, 65536, 4096)
	plan := p.Plan(p.Rule(caps))
	plan.Config.Weight, plan.Config.Bias = true, true
	sums := dense(plan.FoldShape(x.Shape()))
	k, err := kernels.RowGrad.Build(plan.Config)
	return emitted(t, k, err, caps, x, x, row, sums, sums, x)
}

// addedUp are the sums of the programs of foldedGrad.
func addedUp(t *testing.T, caps target.Caps) *compile.Artifact {
	p := ops.NormGradProblem(weft.BF16, 65536, 4096)
	shape, row := p.Plan(p.Rule(caps)).FoldShape([]int{65536, 4096}), dense([]int{1, 4096})
	cfg, _ := kernels.NormSumsConfigFor(caps, weft.BF16, kernels.ReduceCombine, shape, p.Along, p.Row)
	cfg.Bias = true
	k, err := kernels.NormSums.Build(cfg)
	return emitted(t, k, err, caps, dense(shape), dense(shape), row, row)
}

// softGrad is a gradient of a softmax.
func softGrad(t *testing.T, caps target.Caps) *compile.Artifact {
	x := dense([]int{4096, 4096})
	p := kernels.RowGradProblem{Op: kernels.GradSoftmax, Elem: weft.F32, X: tune.ViewOf(x), Row: [5]bool{1: true}}
	k, err := kernels.RowGrad.Build(p.Plan(p.Rule(caps)).Config)
	return emitted(t, k, err, caps, []layout.Layout{x, x, x}...)
}

// batchOfPlanes is a normalisation of a batch of small planes, with running statistics.
func batchOfPlanes(t *testing.T, caps target.Caps) *compile.Artifact {
	x, each := dense([]int{64, 512, 49}), dense([]int{1, 512, 1})
	p := kernels.BatchNormProblem{Elem: weft.F16, X: tune.ViewOf(x), Row: [5]bool{true, false, true}}
	cfg := p.Config(p.Rule(caps))
	cfg.Weight, cfg.Bias, cfg.Running = true, true, true
	k, err := kernels.BatchNorm.Build(cfg)
	return emitted(t, k, err, caps, x, each, each, each, each, each, each, x)
}

// batchOfColumns is the gradient of large images whose channels are last, of sums that are known.
func batchOfColumns(t *testing.T, caps target.Caps) *compile.Artifact {
	x, each := dense([]int{64 * 112 * 112, 64}), dense([]int{1, 64})
	p := kernels.BatchNormProblem{Elem: weft.F16, Grad: true, X: tune.ViewOf(x), Row: [5]bool{true}}
	cfg := p.Config(p.Rule(caps))
	cfg.Weight = true
	k, err := kernels.BatchGradApply.Build(cfg)
	return emitted(t, k, err, caps, x, x, each, each, each, each, each, x)
}
