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

// softmaxProblem is what the sizes of a softmax depend on: merged rows of the result.
type softmaxProblem struct {
	Elem    weft.DType
	Rows    tune.View
	Columns bool
}

func (p softmaxProblem) layout() layout.Layout {
	l, _, _ := p.Rows.Layout() // sizes of a tensor that there is
	return l
}

var softmaxTune = &tune.Space[softmaxProblem, softmaxSizes]{
	Op: "softmax",
	List: func(caps target.Caps, p softmaxProblem) iter.Seq[softmaxSizes] {
		return slices.Values(softmaxSpace(caps, p.layout(), p.Columns))
	},
	Legal: func(caps target.Caps, p softmaxProblem, s softmaxSizes) error {
		length, _ := softmaxLines(p.layout(), p.Columns)
		return s.legal(caps, length)
	},
	Rule: func(caps target.Caps, p softmaxProblem) softmaxSizes {
		return softmaxSizesFor(caps, p.layout(), p.Columns)
	},
	Work: func(_ target.Caps, p softmaxProblem, s softmaxSizes) tune.Work {
		l := p.layout()
		return s.plan(p.Elem, l, p.Columns).work(p.Rows, l)
	},
	Bucket: func(p softmaxProblem) softmaxProblem {
		p.Rows = p.Rows.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p softmaxProblem, s softmaxSizes) (*tile.Func, error) {
		plan := s.plan(p.Elem, p.layout(), p.Columns)
		switch {
		case plan.parts > 1:
			return SoftmaxPartsKernel.Build(plan.cfg)
		case plan.online:
			return SoftmaxOnlineKernel.Build(plan.cfg)
		}
		return SoftmaxKernel.Build(plan.cfg)
	},
}

func (p softmaxProblem) trial(r *trialTensors) (*tune.Trial[softmaxSizes], error) {
	x, out := r.filled(p.Elem, p.Rows), r.empty(p.Elem, p.Rows)
	length, _ := softmaxLines(p.layout(), p.Columns)
	call := newSoftmaxCall("softmax", nil)
	run := func(s softmaxSizes) error {
		return call.launch(s.plan(p.Elem, out.Layout(), p.Columns), view(x), view(out))
	}
	rule := softmaxSizesFor(r.dev.Caps(), p.layout(), p.Columns)
	return newTrial(r, rule, run, within(p.Elem, softmaxError(length, 2)), out)
}
