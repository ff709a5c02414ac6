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
		op, elem := ReduceOp(rng.IntN(len(Reducers))), weft.F32
		if op == ReduceAnd || op == ReduceOr || op == ReduceXor { // of bits
			elem = weft.I32
		}
		for name, caps := range testCaps {
			p := ReduceProblem{Op: op, Elem: elem, X: tune.ViewOf(x), Reduced: reduced}
			rule := p.Rule(caps)
			chosen, parts := p.Config(rule)
			list, numbers := reduceConfigs(caps, p)
			if i := slices.Index(list, chosen); i != 0 || numbers[0] != parts {
				t.Errorf("%s: %v %v: the chosen config is number %d of %d", name, op, shape, i, len(list))
			}
			for i, cfg := range list {
				checkReduceConfig(t, cfg, numbers[i], x)
				if numbers[i] > 1 {
					results := slices.Clone(shape)
					for d := range results {
						if reduced[d] {
							results[d] = 1
						}
					}
					states, err := ReduceStates(cfg, results, numbers[i])
					if err != nil {
						t.Fatal(err)
					}
					rows, err := layout.Contiguous(states.Len()/numbers[i], numbers[i])
					if err != nil {
						t.Fatal(err)
					}
					second := ReduceCombineConfigFor(caps, cfg, rows.Shape(), [MaxRank]bool{1: true})
					checkReduceConfig(t, second, 1, rows)
					if steps := second.steps(rows.Shape()); !caps.WholeTiles && !scarce(caps) && steps > 4 {
						t.Errorf("%s: %v %v: %d parts are combined in %d steps", name, op, shape, numbers[i], steps)
					}
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
	h200 := preset(t, "h200")
	for _, c := range []struct {
		shape         []int
		axis          int
		threads, area int // of sums
		states        int // elements of a tile of variances
	}{
		{[]int{6748, 278, 17}, 1, 128, 2048, 1024}, {[]int{9138475, 7}, 0, 128, 2048, 1024}, {[]int{97, 393176}, 0, 128, 1024, 1024},
		{[]int{61075000}, 0, 256, 4096, 2048}, {[]int{1109754}, 0, 128, 512, 512},
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

// A program has a reduction alone that it ends before a second launch would begin, and the parts of others are loaded at once.
func TestReduceParts(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		shape []int
		axis  int
		parts int
		block []int // of the second pass, over results and parts
	}{
		{[]int{514, 1973}, 1, 1, nil}, {[]int{528, 4096}, 1, 1, nil}, {[]int{16, 16384}, 1, 1, nil}, {[]int{300, 9001}, 1, 1, nil},
		{[]int{13998, 80}, 0, 0, []int{1, 2048}}, {[]int{2962788, 20}, 0, 2048, []int{1, 2048}}, {[]int{40000, 2000}, 0, 64, []int{8, 128}}, {[]int{60000}, 0, 1, nil}, {[]int{100_000}, 0, 0, []int{1, 2048}},
		{[]int{20000, 38000}, 0, 4, []int{64, 16}},
	} {
		x, err := layout.Contiguous(c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		p := ReduceProblem{Op: ReduceSum, Elem: weft.F32, X: tune.ViewOf(x)}
		p.Reduced[c.axis] = true
		cfg, parts := p.Config(p.Rule(h200.Caps))
		if parts != c.parts && c.parts > 0 || (parts > 1) != (c.block != nil) {
			t.Errorf("%v along %d: %d parts, want %d", c.shape, c.axis, parts, c.parts)
		}
		if c.block == nil {
			continue
		}
		second := ReduceCombineConfigFor(h200.Caps, cfg, []int{7, parts}, [MaxRank]bool{1: true})
		if second.Walks() || !slices.Equal(second.Block[:2], c.block) {
			t.Errorf("%v along %d: %d parts are combined by %+v", c.shape, c.axis, parts, second)
		}
	}
}
