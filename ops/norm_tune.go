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

// normProblem is what the sizes of a normalisation depend on: the result in merged dimensions, and
// which of them make up a row. Weight and bias do not count.
type normProblem struct {
	Elem weft.DType
	RMS  bool
	X    tune.View
	Row  [kernels.MaxRank]bool
}

func (p normProblem) layout() layout.Layout {
	l, _, _ := p.X.Layout() // sizes of a tensor that there is
	return l
}

var normTune = &tune.Space[normProblem, kernels.NormSizes]{
	Op: "norm",
	List: func(caps target.Caps, p normProblem) iter.Seq[kernels.NormSizes] {
		return slices.Values(kernels.NormSpace(caps, p.layout(), p.Row))
	},
	Legal: func(caps target.Caps, p normProblem, s kernels.NormSizes) error { return s.Legal(caps) },
	Rule: func(caps target.Caps, p normProblem) kernels.NormSizes {
		return kernels.NormSizesFor(caps, p.layout(), p.Row)
	},
	Work: func(_ target.Caps, p normProblem, s kernels.NormSizes) tune.Work {
		rows := s.ConfigFor(p.Elem, p.layout(), p.Row).Rows
		times := 2.0
		if rows.Walks() {
			times = 3
		}
		return kernels.ReduceWork(rows, p.X, 1, times)
	},
	Bucket: func(p normProblem) normProblem {
		p.X = p.X.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p normProblem, s kernels.NormSizes) (*tile.Func, error) {
		return kernels.Norm.Build(p.config(s, p.layout()))
	},
}

func (p normProblem) config(s kernels.NormSizes, l layout.Layout) kernels.NormConfig {
	cfg := s.ConfigFor(p.Elem, l, p.Row)
	cfg.RMS = p.RMS
	return cfg
}

func (p normProblem) trial(r *trialTensors) (*tune.Trial[kernels.NormSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.empty(p.Elem, p.X)
	run := func(s kernels.NormSizes) error {
		return kernels.Norm.LaunchViews(p.config(s, out.Layout()), weft.Scalars{1e-5}, view(x), view(out))
	}
	bound := bounds.Norm(p.Elem, kernels.NormLength(p.layout(), p.Row), 4, 4, 1, 0, 2)
	return newTrial(r, kernels.NormSizesFor(r.dev.Caps(), p.layout(), p.Row), run, within(p.Elem, bound), out)
}
