package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Configs of normalisations build, cover rows without a walk, and the launch rule's is
// among those of the search space.
func TestNormConfigs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 60 {
		x, err := layout.Contiguous(1+rng.IntN(1<<rng.IntN(12)), 1+rng.IntN(1<<rng.IntN(18)))
		if err != nil {
			t.Fatal(err)
		}
		for name, caps := range testCaps {
			for axis := range 2 {
				row := [MaxRank]bool{axis == 0, axis == 1}
				p := NormProblem{Elem: weft.F16, X: tune.ViewOf(x), Row: row}
				chosen, parts := p.Config(p.Rule(caps))
				list := normConfigs(caps, p)
				if slices.Index(list, chosen) != 0 {
					t.Errorf("%s: %v: the chosen config is not the first", name, x)
				}
				if steps := CeilDiv(x.Size(axis), chosen.Rows.Block[axis]); parts > 1 && (parts > steps/2 || chosen.Parts < parts) {
					t.Errorf("%s: %v: %d parts of %d steps by %+v", name, x, parts, steps, chosen)
				}
				for _, cfg := range list {
					cfg.RMS, cfg.Weight, cfg.Bias = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
					kernels := []*weft.Kernel[NormConfig]{Norm}
					if cfg.Parts > 0 {
						kernels = []*weft.Kernel[NormConfig]{NormParts, NormSpread}
					}
					for _, k := range kernels {
						if _, err := k.Build(cfg); err != nil {
							t.Errorf("%s: %v: %+v: %v", name, x, cfg, err)
						}
					}
					if !cfg.Rows.Walk[axis] && cfg.Rows.Block[axis]+cfg.Rest < x.Size(axis) {
						t.Errorf("%s: %v: %+v leaves out a part of the rows", name, x, cfg)
					}
				}
			}
		}
	}
}

// normConfigs lists legal configs for tuning, the launch rule's first.
func normConfigs(caps target.Caps, p NormProblem) []NormConfig {
	var list []NormConfig
	for _, s := range p.List(caps) {
		if cfg, _ := p.Config(s); p.Legal(caps, s) == nil && !slices.Contains(list, cfg) {
			list = append(list, cfg)
		}
	}
	return list
}
