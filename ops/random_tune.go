package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var randomTune = space[randomTrials]("random")

type randomTrials struct{}

func (randomTrials) Trial(p kernels.RandomProblem, r *trialTensors, rule kernels.RandomConfig) (*tune.Trial[kernels.RandomConfig], error) {
	x, out := r.filled(p.Elem, kernels.VectorView(p.N).With(p.X)), r.empty(p.Elem, kernels.VectorView(p.N).With(p.Out))
	scalars, tensors := Stream{Seed: 1}.scalars(), []*weft.Tensor{out}
	if p.Op == "dropout" {
		scalars, tensors = append(append(scalars, uint32(1<<31)), kernels.RealScalars(p.Elem, 2)...), []*weft.Tensor{x, out}
	}
	run := func(cfg kernels.RandomConfig) error {
		return kernels.RandomKernels[p.Op].LaunchWith(cfg, scalars, tensors...)
	}
	return newTrial(r, rule, run, tolerance{}, out)
}
