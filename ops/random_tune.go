package ops

import (
	"fmt"
	"iter"
	"slices"

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

func (p randomProblem) kernel() *weft.Kernel[kernels.RandomConfig] {
	return map[string]*weft.Kernel[kernels.RandomConfig]{"uniform": kernels.Uniform, "normal": kernels.Normal, "dropout": kernels.Dropout}[p.Op]
}

var randomTune = &tune.Space[randomProblem, kernels.RandomConfig]{
	Op: "random",
	List: func(caps target.Caps, p randomProblem) iter.Seq[kernels.RandomConfig] {
		return slices.Values(kernels.RandomConfigs(caps, p.Elem, p.N))
	},
	Legal: func(caps target.Caps, p randomProblem, cfg kernels.RandomConfig) error {
		if cfg.Elem != p.Elem || cfg.Mask {
			return fmt.Errorf("the config is for %v", cfg.Elem)
		}
		return cfg.Legal(caps)
	},
	Rule: func(caps target.Caps, p randomProblem) kernels.RandomConfig {
		return kernels.RandomConfigFor(caps, p.Elem, p.N)
	},
	Work: func(_ target.Caps, p randomProblem, cfg kernels.RandomConfig) tune.Work { return p.work(cfg) },
	Bucket: func(p randomProblem) randomProblem {
		p.N = tune.Bucket(p.N)
		return p
	},
	Kernel: func(_ target.Caps, p randomProblem, cfg kernels.RandomConfig) (*tile.Func, error) {
		return p.kernel().Build(cfg)
	},
}

func (p randomProblem) trial(r *trialTensors) (*tune.Trial[kernels.RandomConfig], error) {
	x, out := r.filled(p.Elem, vector(p.N)), r.empty(p.Elem, vector(p.N))
	scalars, tensors := Stream{Seed: 1}.scalars(), []*weft.Tensor{out}
	if p.Op == "dropout" {
		scalars, tensors = append(scalars, uint32(1<<31), 2.0), []*weft.Tensor{x, out}
	}
	run := func(cfg kernels.RandomConfig) error { return p.kernel().LaunchWith(cfg, scalars, tensors...) }
	return newTrial(r, kernels.RandomConfigFor(r.dev.Caps(), p.Elem, p.N), run, tolerance{}, out)
}
