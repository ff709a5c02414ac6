package ops

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// Plans of softmaxes build, hold rows whole or walk them, and give every part a tile.
func TestSoftmaxPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 200 {
		shape := []int{1 + rng.IntN(1<<rng.IntN(16)), 1 + rng.IntN(1<<rng.IntN(20))}
		if rng.IntN(2) == 0 {
			shape[0], shape[1] = shape[1], shape[0]
		}
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		for name, caps := range testCaps {
			for axis, columns := range []bool{true, false} {
				p := softmaxPlanFor(caps, weft.F32, l, columns)
				list := []*weft.Kernel[SoftmaxConfig]{SoftmaxKernel}
				steps := ceilDiv(shape[axis], p.cfg.Cols)
				switch {
				case p.parts > 1:
					list = []*weft.Kernel[SoftmaxConfig]{SoftmaxPartsKernel, SoftmaxSpreadKernel}
					if p.parts > steps || p.cfg.Parts < p.parts || p.cfg.Parts*p.cfg.Rows > softmaxWidest(caps) {
						t.Errorf("%s: %v: %d parts of %d steps by %+v", name, shape, p.parts, steps, p.cfg)
					}
				case p.online:
					list[0] = SoftmaxOnlineKernel
				case steps > 1:
					t.Errorf("%s: %v along %d: %+v does not hold a row", name, shape, axis, p.cfg)
				}
				for _, k := range list {
					p.cfg.Log, p.cfg.Scaled = rng.IntN(2) == 0, SoftmaxScaling(rng.IntN(4))
					if _, err := k.Build(p.cfg); err != nil {
						t.Errorf("%s: %v: %+v: %v", name, shape, p.cfg, err)
					}
				}
			}
			for _, cfg := range SoftmaxConfigs(caps, weft.F32, l) {
				if _, err := SoftmaxOnlineKernel.Build(cfg); err != nil {
					t.Errorf("%s: %v: %+v: %v", name, shape, cfg, err)
				}
			}
		}
	}
	vector, err := layout.Contiguous(1, 1<<26)
	if err != nil {
		t.Fatal(err)
	}
	if p := softmaxPlanFor(testCaps["cuda"], weft.F32, vector, false); p.parts < 4*132 {
		t.Errorf("a vector of 2^26 has %d parts", p.parts)
	}
}
