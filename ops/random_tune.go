package ops

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"
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

func (p randomProblem) kernel() *weft.Kernel[RandomConfig] {
	return map[string]*weft.Kernel[RandomConfig]{"uniform": UniformKernel, "normal": NormalKernel, "dropout": DropoutKernel}[p.Op]
}

var randomTune = &tune.Space[randomProblem, RandomConfig]{
	Op: "random",
	List: func(caps target.Caps, p randomProblem) iter.Seq[RandomConfig] {
		return slices.Values(RandomConfigs(caps, p.Elem, p.N))
	},
	Legal: func(caps target.Caps, p randomProblem, cfg RandomConfig) error {
		if cfg.Elem != p.Elem || cfg.Mask {
			return fmt.Errorf("it is for %v", cfg.Elem)
		}
		return cfg.legal(caps)
	},
	Rule: func(caps target.Caps, p randomProblem) RandomConfig { return RandomConfigFor(caps, p.Elem, p.N) },
	Work: func(_ target.Caps, p randomProblem, cfg RandomConfig) tune.Work { return p.work(cfg) },
	Bucket: func(p randomProblem) randomProblem {
		p.N = tune.Bucket(p.N)
		return p
	},
	Kernel: func(_ target.Caps, p randomProblem, cfg RandomConfig) (*tile.Func, error) {
		return p.kernel().Build(cfg)
	},
}

// legal says why a config is refused.
func (cfg RandomConfig) legal(caps target.Caps) error {
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	if err := checkPowers(cfg.Block); err != nil {
		return err
	}
	if cfg.Block < 4 || cfg.Block > 1<<16 {
		return fmt.Errorf("%d numbers of a program", cfg.Block)
	}
	return checkArea(caps, cfg.Block, cfg.Threads)
}

func (p randomProblem) trial(r *trialTensors) (*tune.Trial[RandomConfig], error) {
	x, out := r.filled(p.Elem, vector(p.N)), r.empty(p.Elem, vector(p.N))
	scalars, tensors := Stream{Seed: 1}.scalars(), []*weft.Tensor{out}
	if p.Op == "dropout" {
		scalars, tensors = append(scalars, uint32(1<<31), 2.0), []*weft.Tensor{x, out}
	}
	run := func(cfg RandomConfig) error { return p.kernel().LaunchWith(cfg, scalars, tensors...) }
	return newTrial(r, RandomConfigFor(r.dev.Caps(), p.Elem, p.N), run, tolerance{}, out)
}
