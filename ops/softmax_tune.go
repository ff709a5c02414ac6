package ops

import (
	"github.com/weftgpu/weft"
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

var softmaxTune = space[softmaxProblem]("softmax")

func (p softmaxProblem) List(caps target.Caps) []kernels.SoftmaxSizes {
	return kernels.SoftmaxSpace(caps, layoutOf(p.Rows), p.Columns)
}

func (p softmaxProblem) Legal(caps target.Caps, s kernels.SoftmaxSizes) error {
	length, _ := kernels.SoftmaxLines(layoutOf(p.Rows), p.Columns)
	return s.Legal(caps, length)
}

func (p softmaxProblem) Rule(caps target.Caps) kernels.SoftmaxSizes {
	return kernels.SoftmaxSizesFor(caps, layoutOf(p.Rows), p.Columns)
}

func (p softmaxProblem) Work(_ target.Caps, s kernels.SoftmaxSizes) tune.Work {
	l := layoutOf(p.Rows)
	return s.Plan(p.Elem, l, p.Columns).Work(p.Rows, l)
}

func (p softmaxProblem) Bucket() softmaxProblem {
	p.Rows = p.Rows.Bucket()
	return p
}

func (p softmaxProblem) Kernel(s kernels.SoftmaxSizes) (*tile.Func, error) {
	plan := s.Plan(p.Elem, layoutOf(p.Rows), p.Columns)
	switch {
	case plan.Parts > 1:
		return kernels.SoftmaxParts.Build(plan.Config)
	case plan.Online:
		return kernels.SoftmaxOnline.Build(plan.Config)
	}
	return kernels.Softmax.Build(plan.Config)
}

func (p softmaxProblem) Trial(r *trialTensors, rule kernels.SoftmaxSizes) (*tune.Trial[kernels.SoftmaxSizes], error) {
	x, out := r.filled(p.Elem, p.Rows), r.empty(p.Elem, p.Rows)
	length, _ := kernels.SoftmaxLines(layoutOf(p.Rows), p.Columns)
	call := newSoftmax("softmax", nil)
	run := func(s kernels.SoftmaxSizes) error {
		return call.launchPlan(s.Plan(p.Elem, out.Layout(), p.Columns), view(x), view(out))
	}
	return newTrial(r, rule, run, within(p.Elem, bounds.RelativeSoftmax(length, 2)), out)
}
