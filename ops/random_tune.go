package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// randomProblem is what the config of N random numbers depends on.
type randomProblem struct {
	Op   string // "uniform", "normal" or "dropout"
	Elem weft.DType
	N    int
}

// randomKernels are the kernels by their ops.
var randomKernels = map[string]*weft.Kernel[kernels.RandomConfig]{"uniform": kernels.Uniform, "normal": kernels.Normal, "dropout": kernels.Dropout}

var randomTune = space[randomProblem]("random")

func (p randomProblem) List(caps target.Caps) []kernels.RandomConfig {
	return kernels.RandomConfigs(caps, p.Elem, p.N)
}

func (p randomProblem) Legal(caps target.Caps, cfg kernels.RandomConfig) error {
	if cfg.Elem != p.Elem || cfg.Mask {
		return fmt.Errorf("the config is for %v", cfg.Elem)
	}
	return cfg.Legal(caps)
}

func (p randomProblem) Rule(caps target.Caps) kernels.RandomConfig {
	return kernels.RandomConfigFor(caps, p.Elem, p.N)
}

func (p randomProblem) Bucket() randomProblem {
	p.N = tune.Bucket(p.N)
	return p
}

func (p randomProblem) Kernel(cfg kernels.RandomConfig) (*tile.Func, error) {
	return randomKernels[p.Op].Build(cfg)
}

func (p randomProblem) Trial(r *trialTensors, rule kernels.RandomConfig) (*tune.Trial[kernels.RandomConfig], error) {
	x, out := r.filled(p.Elem, vector(p.N)), r.empty(p.Elem, vector(p.N))
	scalars, tensors := Stream{Seed: 1}.scalars(), []*weft.Tensor{out}
	if p.Op == "dropout" {
		scalars, tensors = append(scalars, uint32(1<<31), 2.0), []*weft.Tensor{x, out}
	}
	run := func(cfg kernels.RandomConfig) error { return randomKernels[p.Op].LaunchWith(cfg, scalars, tensors...) }
	return newTrial(r, rule, run, tolerance{}, out)
}
