package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// reduceProblem is what the sizes of a reduction depend on: x in merged dimensions, and which
// of them are reduced.
type reduceProblem struct {
	Op      kernels.ReduceOp
	Elem    weft.DType
	X       tune.View
	Reduced [kernels.MaxRank]bool
}

// layout is one of x, and result that of the result, which has size 1 where x is reduced.
func (p reduceProblem) layout() layout.Layout {
	l, _, _ := p.X.Layout() // sizes of a tensor that there is
	return l
}

func (p reduceProblem) rule(caps target.Caps) kernels.ReduceSizes {
	return kernels.ReduceRule(caps, p.Elem, p.layout(), p.Reduced)
}

func (p reduceProblem) result() []int {
	shape := p.X.Shape()
	for d := range shape {
		if p.Reduced[d] {
			shape[d] = 1
		}
	}
	return shape
}

var reduceTune = &tune.Space[reduceProblem, kernels.ReduceSizes]{
	Op: "reduce",
	List: func(caps target.Caps, p reduceProblem) iter.Seq[kernels.ReduceSizes] {
		return slices.Values(kernels.ReduceSpace(caps, p.Elem, p.layout(), p.Reduced))
	},
	Legal: func(caps target.Caps, p reduceProblem, s kernels.ReduceSizes) error { return s.Legal(caps) },
	Rule:  func(caps target.Caps, p reduceProblem) kernels.ReduceSizes { return p.rule(caps) },
	Work: func(_ target.Caps, p reduceProblem, s kernels.ReduceSizes) tune.Work {
		cfg, parts := s.ConfigFor(p.Op, p.Elem, p.layout(), p.Reduced)
		return kernels.ReduceWork(cfg, p.X, parts, 1)
	},
	Bucket: func(p reduceProblem) reduceProblem {
		p.X = p.X.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p reduceProblem, s kernels.ReduceSizes) (*tile.Func, error) {
		cfg, _ := s.ConfigFor(p.Op, p.Elem, p.layout(), p.Reduced)
		return kernels.Reduce.Build(cfg)
	},
}

func (p reduceProblem) trial(r *trialTensors) (*tune.Trial[kernels.ReduceSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.dense(p.Op.Result(p.Elem), p.result()...)
	run := func(s kernels.ReduceSizes) error {
		cfg, parts := s.ConfigFor(p.Op, p.Elem, x.Layout(), p.Reduced)
		call := reduction{op: p.Op, divisor: float64(x.Len() / max(out.Len(), 1))}
		return call.launch(cfg, parts, []weft.TensorView{view(x)}, view(out))
	}
	return newTrial(r, p.rule(r.dev.Caps()), run, p.tolerance(), out)
}

// tolerance is that of sums of numbers up to 1 in magnitude.
func (p reduceProblem) tolerance() tolerance {
	count := 1
	for d, n := range p.X.Shape() {
		if p.Reduced[d] {
			count *= n
		}
	}
	sum := bounds.RelativeSum(count) * float64(count)
	if p.Op == kernels.ReduceMean || p.Op == kernels.ReduceVar {
		sum = 4 * bounds.RelativeSum(count)
	}
	return within(p.Op.Result(p.Elem), sum)
}
