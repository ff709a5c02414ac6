package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
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
	Row  [maxRank]bool
}

func (p normProblem) layout() layout.Layout {
	l, _, _ := p.X.Layout() // sizes of a tensor that there is
	return l
}

var normTune = &tune.Space[normProblem, normSizes]{
	Op: "norm",
	List: func(caps target.Caps, p normProblem) iter.Seq[normSizes] {
		return slices.Values(normSpace(caps, p.layout(), p.Row))
	},
	Legal: func(caps target.Caps, p normProblem, s normSizes) error { return s.legal(caps) },
	Rule:  func(caps target.Caps, p normProblem) normSizes { return normSizesFor(caps, p.layout(), p.Row) },
	Work: func(_ target.Caps, p normProblem, s normSizes) tune.Work {
		rows := s.config(p.Elem, p.layout(), p.Row).Rows
		times := 2.0
		if rows.walks() {
			times = 3
		}
		return reduceWork(rows, p.X, 1, times)
	},
	Bucket: func(p normProblem) normProblem {
		p.X = p.X.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p normProblem, s normSizes) (*tile.Func, error) {
		return NormKernel.Build(p.config(s, p.layout()))
	},
}

func (p normProblem) config(s normSizes, l layout.Layout) NormConfig {
	cfg := s.config(p.Elem, l, p.Row)
	cfg.RMS = p.RMS
	return cfg
}

func (p normProblem) trial(r *trialTensors) (*tune.Trial[normSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.empty(p.Elem, p.X)
	run := func(s normSizes) error {
		return NormKernel.LaunchViews(p.config(s, out.Layout()), weft.Scalars{1e-5}, view(x), view(out))
	}
	bound := NormBound(p.Elem, normLength(p.layout(), p.Row), 4, 4, 1, 0, 2)
	return newTrial(r, normSizesFor(r.dev.Caps(), p.layout(), p.Row), run, within(p.Elem, bound), out)
}
