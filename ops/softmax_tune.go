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

var softmaxTune = &tune.Space[softmaxProblem, kernels.SoftmaxSizes]{
	Op: "softmax",
	List: func(caps target.Caps, p softmaxProblem) iter.Seq[kernels.SoftmaxSizes] {
		return slices.Values(kernels.SoftmaxSpace(caps, p.layout(), p.Columns))
	},
	Legal: func(caps target.Caps, p softmaxProblem, s kernels.SoftmaxSizes) error {
		length, _ := kernels.SoftmaxLines(p.layout(), p.Columns)
		return s.Legal(caps, length)
	},
	Rule: func(caps target.Caps, p softmaxProblem) kernels.SoftmaxSizes {
		return kernels.SoftmaxSizesFor(caps, p.layout(), p.Columns)
	},
	Work: func(_ target.Caps, p softmaxProblem, s kernels.SoftmaxSizes) tune.Work {
		l := p.layout()
		return s.Plan(p.Elem, l, p.Columns).Work(p.Rows, l)
	},
	Bucket: func(p softmaxProblem) softmaxProblem {
		p.Rows = p.Rows.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p softmaxProblem, s kernels.SoftmaxSizes) (*tile.Func, error) {
		plan := s.Plan(p.Elem, p.layout(), p.Columns)
		switch {
		case plan.Parts > 1:
			return kernels.SoftmaxParts.Build(plan.Config)
		case plan.Online:
			return kernels.SoftmaxOnline.Build(plan.Config)
		}
		return kernels.Softmax.Build(plan.Config)
	},
}

func (p softmaxProblem) trial(r *trialTensors) (*tune.Trial[kernels.SoftmaxSizes], error) {
	x, out := r.filled(p.Elem, p.Rows), r.empty(p.Elem, p.Rows)
	length, _ := kernels.SoftmaxLines(p.layout(), p.Columns)
	call := newSoftmax("softmax", nil)
	run := func(s kernels.SoftmaxSizes) error {
		return call.launchPlan(s.Plan(p.Elem, out.Layout(), p.Columns), view(x), view(out))
	}
	rule := kernels.SoftmaxSizesFor(r.dev.Caps(), p.layout(), p.Columns)
	return newTrial(r, rule, run, within(p.Elem, bounds.RelativeSoftmax(length, 2)), out)
}
