package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var softmaxTune = space[softmaxTrials]("softmax")

type softmaxTrials struct{}

func (softmaxTrials) Trial(p kernels.SoftmaxProblem, r *trialTensors, rule kernels.SoftmaxSizes) (*tune.Trial[kernels.SoftmaxSizes], error) {
	x, out := r.filled(p.Elem, p.Rows.With(p.X)), r.empty(p.Elem, p.Rows)
	length, _ := p.Lines()
	call := newSoftmax("softmax", nil)
	run := func(s kernels.SoftmaxSizes) error {
		return call.launchPlan(p.Plan(s), view(x), view(out))
	}
	axis, value := kernels.SoftmaxConfig{Rank: int(p.Rows.Rank), Columns: p.Columns}.Axis(), r.valuesOf(x)
	r.exactly(length, func(at []int) float64 { // of numbers up to 1
		line, sum := slices.Clone(at), 0.0
		for i := range length {
			line[axis] = i
			sum += math.Exp(value(line...))
		}
		return math.Exp(value(at...)) / sum
	})
	return newTrial(r, rule, run, within(p.Elem, bounds.RelativeSoftmax(length, 2)), out)
}
