package ops_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// planned is a kernel with what is planned of it.
type planned struct {
	name    string // machine, operands and config
	kernel  *tile.Func
	plan    plan.Plan
	layouts []layout.Layout
}

// planCases draw a legal config of an op.
var planCases = map[string]func(t *testing.T, rng *rand.Rand, caps target.Caps) (planned, bool){
	"matmul": func(t *testing.T, rng *rand.Rand, caps target.Caps) (planned, bool) {
		a := drawMatrix(rng, 16<<rng.IntN(8), 16<<rng.IntN(8))
		b := drawMatrix(rng, a.Size(1), 16<<rng.IntN(8))
		p := kernels.MatMulProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.BF16, weft.I8}[rng.IntN(4)], A: tune.ViewOf(a), B: tune.ViewOf(b)}
		if p.Elem == weft.F32 {
			p.Precision = []tile.Precision{tile.IEEE, tile.TF32, tile.TF32x3}[rng.IntN(3)]
		}
		list := p.List(caps)
		cfg := list[rng.IntN(len(list))]
		if cfg.RowByRow || p.Legal(caps, cfg) != nil {
			return planned{}, false
		}
		k, err := p.Kernel(cfg)
		if err != nil {
			t.Fatal(err)
		}
		out := dense([]int{a.Size(0), b.Size(1)})
		if cfg.Partial() {
			out = dense([]int{cfg.SplitK, a.Size(0), b.Size(1)})
		}
		return planned{fmt.Sprintf("%v %v %+v", a, b, cfg), k, p.Plan(caps, cfg), []layout.Layout{a, b, out}}, true
	},
	"attention": func(t *testing.T, rng *rand.Rand, caps target.Caps) (planned, bool) {
		head := []int{64, 128, 96, 80, 32, 256}[rng.IntN(6)]
		queries := 64 << rng.IntN(5)
		if rng.IntN(4) == 0 {
			queries = 1 + rng.IntN(7)
		}
		q, k := dense([]int{2, 4, queries, head}), dense([]int{2, 4, 64 << rng.IntN(5), head})
		p := kernels.AttentionProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.BF16}[rng.IntN(3)], Q: tune.ViewOf(q), K: tune.ViewOf(k), Last: rng.IntN(2) == 0}
		list := p.List(caps)
		cfg := list[rng.IntN(len(list))]
		if p.Legal(caps, cfg) != nil {
			return planned{}, false
		}
		f, err := p.Kernel(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return planned{fmt.Sprintf("%v %v %+v", q, k, cfg), f, p.Plan(caps, cfg), attentionLayouts(cfg, q, k)}, true
	},
	"conv2d": func(t *testing.T, rng *rand.Rand, caps target.Caps) (planned, bool) {
		s := layer(false, rng.IntN(2) == 0)
		s.Channels, s.Filters = 32<<rng.IntN(4), 32<<rng.IntN(4)
		p := kernels.ConvProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.BF16}[rng.IntN(3)], Shape: s}
		list := p.List(caps)
		cfg := list[rng.IntN(len(list))]
		if cfg.Algorithm != kernels.ConvImplicit || p.Legal(caps, cfg) != nil {
			return planned{}, false
		}
		f, err := p.Kernel(cfg)
		if err != nil {
			t.Fatal(err)
		}
		x, result := s, s
		x.ChannelsLast = s.ChannelsLast || cfg.Repacked
		result.Channels = s.Filters
		weights, _ := dense([]int{9, s.Filters, 1, s.Channels}).Permute(2, 1, 0, 3)
		if cfg.ChannelBlocks == 0 || cfg.Whole {
			weights = dense([]int{1, s.Filters, 1, 9 * s.Channels})
		}
		return planned{fmt.Sprintf("%+v %+v", s, cfg), f, p.Plan(caps, cfg), []layout.Layout{images(x), weights, images(result)}}, true
	},
	"quantized_matmul": func(t *testing.T, rng *rand.Rand, caps target.Caps) (planned, bool) {
		scheme := kernels.QuantScheme{Bits: 4 + 4*rng.IntN(2), Block: [2]int{16 << rng.IntN(4), 1}}
		a := drawMatrix(rng, 16<<rng.IntN(7), 128<<rng.IntN(4))
		p := kernels.QuantizedProblem{Elem: []weft.DType{weft.F32, weft.F16, weft.BF16}[rng.IntN(3)], A: tune.ViewOf(a), N: 32 << rng.IntN(6), Fastest: rng.IntN(2),
			Weights: kernels.QuantView{QuantScheme: scheme, Scale: weft.F32}}
		p.Weights.Packed = p.Fastest
		list := p.List(caps)
		cfg := list[rng.IntN(len(list))]
		if cfg.RowByRow || p.Legal(caps, cfg) != nil {
			return planned{}, false
		}
		f, err := p.Kernel(cfg)
		if err != nil {
			t.Fatal(err)
		}
		data := []int{a.Size(1), p.N}
		data[p.Fastest] /= 8 / scheme.Bits
		weights := dense(data)
		if p.Fastest == 0 {
			weights = dense([]int{data[1], data[0]}).Transpose()
		}
		out := dense([]int{a.Size(0), p.N})
		if cfg.Partial() {
			out = dense([]int{cfg.SplitK, a.Size(0), p.N})
		}
		return planned{fmt.Sprintf("%v %+v", a, cfg), f, p.Plan(caps, cfg), []layout.Layout{a, weights, dense([]int{a.Size(1) / scheme.Block[0], p.N}), out}}, true
	},
}

// drawMatrix is a dense matrix in rows or in columns.
func drawMatrix(rng *rand.Rand, rows, columns int) layout.Layout {
	if rng.IntN(2) == 0 {
		return dense([]int{columns, rows}).Transpose()
	}
	return dense([]int{rows, columns})
}

// planMachines are machines whose instructions, copies and languages differ.
var planMachines = []string{"h200", "h100-pcie", "a100", "rtx4090", "l4", "rx7900xtx", "arc-a770", "apple-m2", "llvmpipe"}

// TestPlansAreKept compiles random legal configs for random machines, and holds each kernel to its plan: the matrix instructions are those of the plan. So are
// their stages, unless there is no room for what is spare: then they are no more. Shared memory is what was planned, give or take what is spare and what aligning
// arrays takes. No kernel that the plan admits is beyond a limit.
func TestPlansAreKept(t *testing.T) {
	for number, op := range slices.Sorted(maps.Keys(planCases)) {
		cases := 15
		if testenv.Full() {
			cases = 500
		}
		for i := range cases {
			t.Run(fmt.Sprintf("%s/%d", op, i), func(t *testing.T) {
				testenv.Sample(t)
				rng := rand.New(rand.NewPCG(uint64(i), uint64(number)))
				machine := planMachines[rng.IntN(len(planMachines))]
				preset, _ := target.PresetNamed(machine)
				c, ok := planCases[op](t, rng, preset.Caps)
				for !ok || len(c.plan.Refused) > 0 {
					c, ok = planCases[op](t, rng, preset.Caps)
				}
				c.name = fmt.Sprintf("%s: %s", machine, c.name)
				c.check(t, preset.Caps)
			})
		}
	}
}

// check lowers a kernel and compares it with its plan.
func (c planned) check(t *testing.T, caps target.Caps) {
	t.Helper()
	r, err := lower.Lower(c.kernel, axis.FactsOf(c.layouts, []int{0, 1, 2, 3, 4}[:len(c.layouts)]), caps)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	stages, used := 1, map[*simt.MatrixInstruction]bool{}
	for _, s := range r.Kernel.Shared {
		if s.Stages > 0 && strings.HasPrefix(s.Name, "tile_") && !strings.HasSuffix(s.Name, "_small") {
			stages = max(stages, s.Stages)
		}
	}
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if m := op.Instruction(); m != nil {
			used[m] = true
		}
	})
	expected, isMatrix := map[*simt.MatrixInstruction]bool{}, true
	for _, m := range c.plan.Instructions {
		if m == nil {
			isMatrix = false
		} else {
			expected[m] = true
		}
	}
	if !maps.Equal(used, expected) {
		t.Errorf("%s: instructions %v, planned %v: %v\n%s", c.name, used, expected, c.plan.Reasons, strings.Join(r.Notes, "\n"))
	}
	roomy := caps.SharedBytes >= c.plan.SharedBytes+c.plan.Spare
	if isMatrix && (stages > c.plan.Stages || stages < c.plan.Stages && roomy) {
		t.Errorf("%s: %d stages, planned %d\n%s", c.name, stages, c.plan.Stages, strings.Join(r.Notes, "\n"))
	}
	takes, more := r.Kernel.SharedBytes(), c.plan.Spare+simt.LineAlignment
	less := more
	if c.kernel.Views[0].Elem.Size() == 4 { // operands of words are copied only where that costs least
		less += (c.plan.Stages - 1) * c.plan.StageBytes
	}
	if takes > c.plan.SharedBytes+more || takes < c.plan.SharedBytes-less {
		t.Errorf("%s: %d bytes of shared memory, planned %d and %d to spare", c.name, takes, c.plan.SharedBytes, c.plan.Spare)
	}
}

type attentionSizes struct {
	batches, head, queries, keys int
	last                         bool
}

// largeHeads are heads whose tiles need most of shared memory: in whole vectors, in rows of a multiple of 4 bytes, and of 2. Few batches have parts of the keys.
var largeHeads = []attentionSizes{
	{200, 256, 65, 300, true}, {200, 192, 65, 300, true}, {200, 136, 40, 16, true}, {1, 190, 82, 2974, true}, {1, 170, 65, 300, true}, {2, 133, 111, 111, false}, {2, 223, 106, 2549, true},
}

// TestAttentionFitsCooperativeMatrices compiles what the rule chooses for heads of more than 128 elements, whose tiles take all shared memory of GPUs on which
// sums, or queries in rows that begin anywhere, reach the operands of products through it.
func TestAttentionFitsCooperativeMatrices(t *testing.T) {
	cases := len(largeHeads) + 3
	if testenv.Full() {
		cases = 100
	}
	for number, preset := range target.Presets() {
		if preset.SPIRV == nil {
			continue
		}
		rng := rand.New(rand.NewPCG(testenv.Seed(), uint64(number)))
		for i := range cases {
			c := attentionSizes{batches: []int{1, 200}[rng.IntN(2)], head: 129 + rng.IntN(128), queries: 17 + rng.IntN(100), keys: 1 + rng.IntN(3000), last: rng.IntN(2) == 0}
			if i < len(largeHeads) {
				c = largeHeads[i]
			}
			q, k := dense([]int{c.batches, 8, c.queries, c.head}), dense([]int{c.batches, 8, c.keys, c.head})
			p := kernels.AttentionProblem{Elem: []weft.DType{weft.F16, weft.BF16}[rng.IntN(2)], Q: tune.ViewOf(q), K: tune.ViewOf(k), Last: c.last}
			t.Run(fmt.Sprintf("%s/%d", preset.Name, i), func(t *testing.T) {
				testenv.Sample(t)
				cfg := p.Rule(*preset.SPIRV)
				kernel, err := p.Kernel(cfg)
				if err != nil {
					t.Fatal(err)
				}
				layouts := attentionLayouts(cfg, q, k)
				if _, err := lower.Lower(kernel, axis.FactsOf(layouts, []int{0, 1, 2, 3, 4}[:len(layouts)]), *preset.SPIRV); err != nil {
					t.Errorf("%v queries, %v keys, last %v: %+v: %v", q, k, p.Last, cfg, err)
				}
			})
		}
	}
}

// attentionLayouts are the layouts of the views of attention with a config.
func attentionLayouts(cfg kernels.AttentionConfig, q, k layout.Layout) []layout.Layout {
	kernel, parts := cfg.Passes()
	if !kernel.Split {
		return []layout.Layout{q, k, k, q}
	}
	results := append([]int{parts}, q.Shape()...)
	return []layout.Layout{q, k, k, dense(results), dense(results[:4])}
}

// opaqueMachines have matrices of which only the device knows where elements are.
func opaqueMachines() map[string]target.Caps {
	preset, _ := target.PresetNamed("vulkan-nvidia")
	vulkan := *preset.SPIRV
	rows := slices.Clone(vulkan.Cooperative.Rows())
	for i := range rows {
		rows[i].Unknown = "a test"
		rows[i].FragmentA, rows[i].FragmentB, rows[i].FragmentC = target.Fragment{}, target.Fragment{}, target.Fragment{}
	}
	vulkan.Cooperative = target.CooperativeOf(rows...)
	return map[string]target.Caps{"vulkan": vulkan, "subgroup matrices": lowertest.SubgroupMatrices}
}

// TestPlansOfOpaqueMatrices: plans count the memory through which elements pass, so that kernels fit what is planned.
func TestPlansOfOpaqueMatrices(t *testing.T) {
	cases := 12
	if testenv.Full() {
		cases = 100
	}
	for name, caps := range opaqueMachines() {
		for number, op := range slices.Sorted(maps.Keys(planCases)) {
			used := 0
			for i := range cases {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(number)))
				c, ok := planCases[op](t, rng, caps)
				for !ok || len(c.plan.Refused) > 0 || len(c.plan.Instructions) == 0 || c.plan.Instructions[0] == nil {
					c, ok = planCases[op](t, rng, caps)
				}
				facts := axis.FactsOf(c.layouts, []int{0, 1, 2, 3, 4}[:len(c.layouts)])
				r, err := lower.Lower(c.kernel, facts, caps)
				if err != nil {
					t.Fatalf("%s: %s: %v", name, c.name, err)
				}
				if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "elements of opaque matrices") }) {
					used++
				}
				if takes := r.Kernel.SharedBytes(); takes > c.plan.SharedBytes+c.plan.Spare+simt.LineAlignment {
					t.Errorf("%s: %s: %d bytes of shared memory, planned %d and %d to spare", name, c.name, takes, c.plan.SharedBytes, c.plan.Spare)
				}
				small := caps
				small.SharedBytes = c.plan.SharedBytes
				if op == "attention" { // conversions between its products, too
					continue
				}
				if _, err := lower.Lower(c.kernel, facts, small); err != nil {
					t.Errorf("%s: %s: %v", name, c.name, err)
				}
			}
			if used == 0 {
				t.Errorf("%s: %s: no opaque matrices", name, op)
			}
		}
	}
}
