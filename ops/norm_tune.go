package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// normProblem is what the sizes of a normalisation depend on: the result in merged dimensions, and
// which of them make up a row. Weight and bias do not count.
type normProblem struct {
	Elem weft.DType
	RMS  bool
	X    tune.View
	Row  [kernels.MaxRank]bool
}

var normTune = space[normProblem]("norm")

func (p normProblem) List(caps target.Caps) []kernels.NormSizes {
	return kernels.NormSpace(caps, layoutOf(p.X), p.Row)
}

func (p normProblem) Legal(caps target.Caps, s kernels.NormSizes) error { return s.Legal(caps) }

func (p normProblem) Rule(caps target.Caps) kernels.NormSizes {
	return kernels.NormSizesFor(caps, layoutOf(p.X), p.Row)
}

func (p normProblem) Work(_ target.Caps, s kernels.NormSizes) tune.Work {
	rows := s.ConfigFor(p.Elem, layoutOf(p.X), p.Row).Rows
	times := 2.0
	if rows.Walks() {
		times = 3
	}
	return kernels.ReduceWork(rows, p.X, 1, times)
}

func (p normProblem) Bucket() normProblem {
	p.X = p.X.Bucket()
	return p
}

func (p normProblem) Kernel(s kernels.NormSizes) (*tile.Func, error) {
	return kernels.Norm.Build(p.config(s, layoutOf(p.X)))
}

func (p normProblem) config(s kernels.NormSizes, l layout.Layout) kernels.NormConfig {
	cfg := s.ConfigFor(p.Elem, l, p.Row)
	cfg.RMS = p.RMS
	return cfg
}

func (p normProblem) Trial(r *trialTensors, rule kernels.NormSizes) (*tune.Trial[kernels.NormSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.empty(p.Elem, p.X)
	run := func(s kernels.NormSizes) error {
		return kernels.Norm.LaunchViews(p.config(s, out.Layout()), weft.Scalars{1e-5}, view(x), view(out))
	}
	bound := bounds.Norm(p.Elem, kernels.NormLength(layoutOf(p.X), p.Row), 4, 4, 1, 0, 2)
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}
