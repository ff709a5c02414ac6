package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var normTune = space[normTrials]("norm")

type normTrials struct{}

func (normTrials) Trial(p kernels.NormProblem, r *trialTensors, rule kernels.NormSizes) (*tune.Trial[kernels.NormSizes], error) {
	x, out := r.filled(p.Elem, p.X.With(p.From)), r.empty(p.Elem, p.X)
	run := func(s kernels.NormSizes) error {
		cfg, parts := p.Config(s)
		return launchNorm(cfg, parts, 1e-5, []weft.TensorView{view(x), view(out)})
	}
	bound := bounds.Norm(p.Elem, p.Length(), 4, 4, 1, 0, 2)
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}
