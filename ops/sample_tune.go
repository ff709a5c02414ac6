package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var sampleTune = space[sampleTrials]("sample")

type sampleTrials struct{}

// Trial draws from the best 50 tokens, or 0.9 of all. Configs draw the same.
func (sampleTrials) Trial(p kernels.SampleProblem, r *trialTensors, rule kernels.SampleConfig) (*tune.Trial[kernels.SampleConfig], error) {
	shape := p.X.Shape()
	shape[len(shape)-1] = 1
	x, out := r.filled(p.Elem, p.X), r.dense(weft.I32, shape...)
	views := []weft.TensorView{view(x)}
	if p.Stepped {
		views = append(views, view(r.dense(weft.I32, shape...))) // of any numbers, which cost the same
	}
	views = append(views, view(out))
	scalars := weft.Scalars{8 * math.Log2E * sampleSteps}
	for _, w := range (Stream{Seed: 1}).words() {
		scalars = append(scalars, w)
	}
	if p.Filtered {
		scalars = append(scalars, 50, uint32(math.MaxUint32/10*9))
	}
	run := func(cfg kernels.SampleConfig) error {
		return startSample(cfg, scalars, views)
	}
	return newTrial(r, rule, run, tolerance{}, out)
}
