package ops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// reduction emits the first pass of a reduction of a dense matrix along one of its dimensions.
func reduction(t *testing.T, caps target.Caps, op kernels.ReduceOp, elem weft.DType, rows, columns, axis int) *compile.Artifact {
	t.Helper()
	x, out := dense([]int{rows, columns}), []int{rows, columns}
	var reduced [5]bool
	reduced[axis] = true
	p := kernels.ReduceProblem{Op: op, Elem: elem, X: tune.ViewOf(x), Reduced: reduced}
	cfg, parts := p.Config(p.Rule(caps))
	out[axis] = parts
	k, err := kernels.Reduce.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	layouts := []layout.Layout{x}
	for range k.Views[1:] {
		layouts = append(layouts, dense(out))
	}
	return emitted(t, k, nil, caps, layouts...)
}

// passes are kernels of reductions, and of softmaxes and norms beyond those of kernels, in the forms
// that they have.
func passes(t *testing.T, caps target.Caps) map[string]*compile.Artifact {
	t.Helper()
	all := map[string]*compile.Artifact{}
	for _, op := range []kernels.ReduceOp{kernels.ReduceSum, kernels.ReduceMin, kernels.ReduceArgMin, kernels.ReduceVar, kernels.ReduceAll, kernels.ReduceXor, kernels.ReduceLogSumExp} {
		for elem, shape := range map[weft.DType][]int{weft.F32: {1, 1 << 20}, weft.F16: {3000, 500}, weft.I64: {5000, 300}} {
			if elem == weft.I64 && !caps.Int64 || !op.Takes(elem) {
				continue
			}
			for axis := range shape {
				all[fmt.Sprintf("%v_%v_%d", op, elem, axis)] = reduction(t, caps, op, elem, shape[0], shape[1], axis)
			}
		}
	}
	keep := func(name string, k *tile.Func, err error, layouts ...layout.Layout) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		a, err := compile.Emit(k, axis.FactsOf(layouts, []int{0, 1, 2, 3, 4, 5}[:len(layouts)]), caps)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = a
	}
	x, parts := dense([]int{20_000, 64}), dense([]int{16, 64})
	cfg := kernels.SoftmaxConfig{Elem: weft.F16, Rank: 2, Columns: true, Log: true, Scaled: kernels.ScaleX, Rows: 32, Cols: 64, Parts: 16, Threads: 256}
	k, err := kernels.SoftmaxOnline.Build(cfg)
	keep("softmax columns", k, err, x, x)
	k, err = kernels.SoftmaxParts.Build(cfg)
	keep("softmax parts", k, err, x, parts, parts)
	k, err = kernels.SoftmaxSpread.Build(cfg)
	keep("softmax spread", k, err, x, parts, parts, x)
	long := dense([]int{16, 20_000})
	norm := kernels.NormProblem{Elem: weft.BF16, X: tune.ViewOf(long), Row: [5]bool{1: true}}
	sizes := norm.Rule(caps)
	sizes.Programs = 1
	k, err = norm.Kernel(sizes)
	keep("norm of long rows", k, err, long, long)
	sizes.Programs = 64
	shared, n := norm.Config(sizes)
	states := dense([]int{16, n})
	k, err = kernels.NormParts.Build(shared)
	keep("norm parts", k, err, long, states, states, states)
	shared.Weight = true
	k, err = kernels.NormSpread.Build(shared)
	keep("norm spread", k, err, long, dense([]int{1, 20_000}), states, states, states, long)
	all["norm with residual"] = residualNorm(t, caps)
	all["sample"], all["sample in steps"] = sampled(false)(t, caps), sampled(true)(t, caps)
	return all
}

func TestPassesPassTint(t *testing.T) {
	texts := map[string]string{}
	for _, caps := range []target.Caps{wgslCaps, extendedCaps} {
		for name, a := range passes(t, caps) {
			texts[fmt.Sprintf("%03d-%s", len(texts), strings.ReplaceAll(name, " ", "-"))] = a.Source.Text
		}
	}
	testenv.Tint(t, texts)
}
