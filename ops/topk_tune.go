package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var topKTune = space[topKTrials]("top_k")

type topKTrials struct{}

// Trial runs all kernels of the op. All sizes give the same elements.
func (topKTrials) Trial(p kernels.TopKProblem, r *trialTensors, rule kernels.TopKSizes) (*tune.Trial[kernels.TopKSizes], error) {
	shape := p.X.Shape()
	shape[len(shape)-1] = p.K
	x, values, indices := r.filled(p.Elem, p.X), r.dense(p.Elem, shape...), r.dense(weft.I32, shape...)
	run := func(s kernels.TopKSizes) error {
		return runTopK(p, s, []weft.TensorView{view(x), view(values), view(indices)})
	}
	return newTrial(r, rule, run, tolerance{}, values, indices)
}
