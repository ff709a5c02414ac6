package ops

import (
	"github.com/weftgpu/weft"
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

func (p reduceProblem) Rule(caps target.Caps) kernels.ReduceSizes {
	return kernels.ReduceRule(caps, p.Elem, layoutOf(p.X), p.Reduced)
}

// result is the shape of the result, which has size 1 where x is reduced.
func (p reduceProblem) result() []int {
	shape := p.X.Shape()
	for d := range shape {
		if p.Reduced[d] {
			shape[d] = 1
		}
	}
	return shape
}

var reduceTune = space[reduceProblem]("reduce")

func (p reduceProblem) List(caps target.Caps) []kernels.ReduceSizes {
	return kernels.ReduceSpace(caps, p.Elem, layoutOf(p.X), p.Reduced)
}

func (p reduceProblem) Legal(caps target.Caps, s kernels.ReduceSizes) error { return s.Legal(caps) }

func (p reduceProblem) Work(_ target.Caps, s kernels.ReduceSizes) tune.Work {
	cfg, parts := s.ConfigFor(p.Op, p.Elem, layoutOf(p.X), p.Reduced)
	return kernels.ReduceWork(cfg, p.X, parts, 1)
}

func (p reduceProblem) Bucket() reduceProblem {
	p.X = p.X.Bucket()
	return p
}

func (p reduceProblem) Kernel(s kernels.ReduceSizes) (*tile.Func, error) {
	cfg, _ := s.ConfigFor(p.Op, p.Elem, layoutOf(p.X), p.Reduced)
	return kernels.Reduce.Build(cfg)
}

func (p reduceProblem) Trial(r *trialTensors, rule kernels.ReduceSizes) (*tune.Trial[kernels.ReduceSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.dense(p.Op.Result(p.Elem), p.result()...)
	run := func(s kernels.ReduceSizes) error {
		cfg, parts := s.ConfigFor(p.Op, p.Elem, x.Layout(), p.Reduced)
		call := reduction{op: p.Op, divisor: float64(x.Len() / max(out.Len(), 1))}
		return call.launch(cfg, parts, []weft.TensorView{view(x)}, view(out))
	}
	return newTrial(r, rule, run, p.tolerance(), out)
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
