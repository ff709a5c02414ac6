package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// Programs share long rows where units have room for two of each row or more. More rows draw as many tokens or more before some go on alone, which changes no kernel.
func TestSampleShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, name := range []string{"h100", "a100", "vulkan-nvidia"} {
		p := preset(t, name)
		caps, units := p.Caps, p.Caps.Facts().Units
		for range 300 {
			rows, row := 1+rng.IntN(5*units), 1+rng.IntN(1<<(10+rng.IntN(9)))
			rule := func(rows int) SampleConfig {
				x, err := layout.Contiguous(rows, row)
				if err != nil {
					t.Fatal(err)
				}
				problem := SampleProblem{Elem: weft.F16, Filtered: row%2 == 0, X: tune.ViewOf(x)}
				cfg := problem.Rule(caps)
				if err := problem.Legal(caps, cfg); err != nil {
					t.Errorf("%s: %d rows of %d by %+v: %v", name, rows, row, cfg, err)
				}
				return cfg
			}
			cfg := rule(rows)
			if shared := row >= sharedRow && 2*rows <= sharedPrograms*units; shared != (cfg.Lanes > 0) {
				t.Errorf("%s: %d rows of %d by %+v, want shared rows: %v", name, rows, row, cfg, shared)
				continue
			}
			if cfg.Lanes == 0 {
				continue
			}
			if programs := rows * cfg.Parts(); cfg.Parts() < 2 || programs > sharedPrograms*units {
				t.Errorf("%s: %d rows of %d by %d programs of %d units", name, rows, row, programs, units)
			}
			kernel, draws := cfg.Passes()
			if fewer := rule((rows + 3) / 4); draws != cfg.Draws || cfg.Filtered && draws != fewer.Draws+min(rows-1, 1) {
				t.Errorf("%s: %d rows of %d draw %d tokens, and a quarter of them %d", name, rows, row, draws, fewer.Draws)
			}
			cfg.Draws += min(cfg.Draws, 1)
			if other, _ := cfg.Passes(); other != kernel {
				t.Errorf("%s: %d rows of %d: kernels by %+v and by %+v", name, rows, row, kernel, other)
			}
		}
	}
}

// Programs that share rows have the steps of a stream, too, in any form of rows.
func TestSampleSharesWithSteps(t *testing.T) {
	p := preset(t, "h100")
	for _, shape := range [][]int{{sharedRow}, {3, sharedRow}, {2, 3, sharedRow}} {
		x, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		cfg := SampleProblem{Elem: weft.F32, Stepped: true, X: tune.ViewOf(x)}.Rule(p.Caps)
		if cfg.Lanes == 0 {
			t.Errorf("%v: a row for each program", shape)
		}
		if _, err := SampleSums.Build(SampleSumsConfig{SampleConfig: cfg, First: true}); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
}
