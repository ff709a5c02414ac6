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

// Configs of reductions build, cover what they reduce without a walk, and the launch
// rule's is among those of the search space.
func TestReduceConfigs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var shape []int
		var reduced [MaxRank]bool
		for d := range 1 + rng.IntN(MaxRank) {
			shape = append(shape, 1+rng.IntN(1<<rng.IntN(12)))
			reduced[d] = rng.IntN(2) == 0
		}
		reduced[rng.IntN(len(shape))] = true
		x, err := layout.Contiguous(shape...)
		if err != nil {
			continue // too many elements
		}
		op := ReduceOp(rng.IntN(len(Reducers)))
		for name, caps := range testCaps {
			p := ReduceProblem{Op: op, Elem: weft.F32, X: tune.ViewOf(x), Reduced: reduced}
			chosen, parts := p.Config(p.Rule(caps))
			list, numbers := reduceConfigs(caps, p)
			if i := slices.Index(list, chosen); i != 0 || numbers[0] != parts {
				t.Errorf("%s: %v %v: the chosen config is number %d of %d", name, op, shape, i, len(list))
			}
			for i, cfg := range list {
				checkReduceConfig(t, cfg, numbers[i], x)
				if numbers[i] > 1 {
					states := slices.Clone(shape)
					for d := range states {
						if reduced[d] {
							states[d] = 1
						}
					}
					states[cfg.Split] = numbers[i]
					l, err := layout.Contiguous(states...)
					if err != nil {
						t.Fatal(err)
					}
					checkReduceConfig(t, ReduceCombineConfigFor(caps, cfg, states), 1, l)
				}
			}
		}
	}
}

func checkReduceConfig(t *testing.T, cfg ReduceConfig, parts int, x layout.Layout) {
	t.Helper()
	if _, err := Reduce.Build(cfg); err != nil {
		t.Errorf("%v: %+v: %v", x, cfg, err)
	}
	for d := range cfg.Rank {
		if cfg.Reduced[d] && !cfg.Walk[d] && cfg.Block[d] < x.Size(d) {
			t.Errorf("%v: %+v leaves out a part of dimension %d", x, cfg, d)
		}
	}
	if parts > 1 && (cfg.Pass != ReduceParts || !cfg.Walk[cfg.Split] || CeilDiv(x.Size(cfg.Split), cfg.Block[cfg.Split]) < parts) {
		t.Errorf("%v: %+v in %d parts", x, cfg, parts)
	}
}

// A long reduction with few results keeps the machine busy.
func TestReduceFillsTheMachine(t *testing.T) {
	for _, c := range []struct {
		shape   []int
		reduced int
	}{{[]int{1, 1 << 28}, 1}, {[]int{65536, 4096}, 0}, {[]int{65536, 4096}, 1}, {[]int{3, 1 << 24}, 1}, {[]int{1 << 20, 3}, 0}} {
		x, err := layout.Contiguous(c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		var reduced [MaxRank]bool
		reduced[c.reduced] = true
		p := ReduceProblem{Op: ReduceSum, Elem: weft.F32, X: tune.ViewOf(x), Reduced: reduced}
		cfg, programs := p.Config(p.Rule(testCaps["cuda"]))
		kept := 1 - c.reduced
		programs *= CeilDiv(c.shape[kept], cfg.Block[kept])
		if programs < 4*132 {
			t.Errorf("%v over %d: %d programs by %+v", c.shape, c.reduced, programs, cfg)
		}
	}
}

// reduceConfigs lists legal configs for tuning, the launch rule's first, each with its number of parts.
func reduceConfigs(caps target.Caps, p ReduceProblem) (list []ReduceConfig, parts []int) {
	for _, s := range p.List(caps) {
		if cfg, n := p.Config(s); !slices.Contains(list, cfg) {
			list, parts = append(list, cfg), append(parts, n)
		}
	}
	return list, parts
}

// Workgroups are smaller where few neighbours are results, and where threads would load less than a vector; threads hold several elements of each state in any case.
func TestReduceWorkgroups(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	for _, c := range []struct {
		shape         []int
		axis          int
		threads, area int // of sums
		states        int // elements of a tile of variances
	}{
		{[]int{6748, 278, 17}, 1, 128, 2048, 1024}, {[]int{9138475, 7}, 0, 128, 2048, 1024}, {[]int{97, 393176}, 0, 128, 1024, 1024},
		{[]int{61075000}, 0, 256, 4096, 2048}, {[]int{1109754}, 0, 128, 512, 512}, {[]int{40000}, 0, 256, 256, 256},
	} {
		x, err := layout.Contiguous(c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		for op, area := range map[ReduceOp]int{ReduceSum: c.area, ReduceVar: c.states} {
			p := ReduceProblem{Op: op, Elem: weft.F32, X: tune.ViewOf(x)}
			p.Reduced[c.axis] = true
			cfg, _ := p.Config(p.Rule(h200.Caps))
			elements := 1
			for _, n := range cfg.Block[:cfg.Rank] {
				elements *= n
			}
			if cfg.Threads != c.threads || elements != area {
				t.Errorf("%v %v along %d: %d threads, tiles of %d elements, want %d and %d", op, c.shape, c.axis, cfg.Threads, elements, c.threads, area)
			}
		}
	}
}
