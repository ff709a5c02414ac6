package lower_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// Attention on an NVIDIA GPU through Vulkan has the largest tiles, which take as much shared memory as keys and values with padded rows: queries, and the
// result, go through the same bytes before and after the loop. A subgroup has whole rows of the scores, so that queries and weights stay in registers
// and maxima are found by two shuffles of each row. An iteration has two barriers.
func TestCooperativeAttention(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	cfg := kernels.AttentionConfigFor(caps, weft.F16, 4096, 4096, 128)
	if cfg.BM != 128 || cfg.BN != 64 || cfg.Threads != 256 || !cfg.Resident {
		t.Fatalf("the config is %+v", cfg)
	}
	const padded = 64 * (128 + 8) * 2 // bytes of a tile of keys; values have more padding where the arrays of steps are apart
	for name, last := range map[string]bool{"full": false, "causal": true} {
		t.Run(name, func(t *testing.T) {
			cfg := cfg
			cfg.Last = last
			built, err := kernels.Attention.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			q, kv := []int{1, 1, 130, 128}, []int{1, 1, 200, 128}
			scale := math.Float32bits(float32(math.Log2E / math.Sqrt(128)))
			k, notes := lower.CheckLibraryOn(t, caps, built, 2e-2, [][]int{q, kv, kv, q}, scale, 0, 0)
			if n := k.SharedBytes(); n < 2*padded || n > 2*padded+1<<10+64 {
				t.Errorf("%d bytes of shared memory, want about %d", n, 2*padded)
			}
			rows := plan.Operand{KMajor: true, Run: 16}
			if p := cfg.Plan(caps, rows, rows, plan.Operand{Run: 16}); p.Err() != nil || k.SharedBytes() > p.SharedBytes+p.Spare || k.SharedBytes() < p.SharedBytes {
				t.Errorf("%d bytes of shared memory, the plan has %d and %d more: %v", k.SharedBytes(), p.SharedBytes, p.Spare, p.Err())
			}
			if n := strings.Count(strings.Join(notes, "\n"), "operand a stays in registers"); n < 2 {
				t.Errorf("%d left operands stay in registers", n)
			}
			loop := mainLoop(k)
			if barriers, shuffles := loop[simt.Barrier], loop[simt.ShuffleXor]; barriers != 2 || shuffles != 8 {
				t.Errorf("an iteration has %d barriers and %d shuffles, want 2 and 8", barriers, shuffles)
			}
			if products, loads := loop[simt.CooperativeMulAdd], loop[simt.CooperativeLoad]; products != 64 || loads != 64 {
				t.Errorf("an iteration has %d products and %d loads of matrices, want 64", products, loads)
			}
		})
	}
}

// Products of F32 that allow TF32 are three of BF16 on an NVIDIA GPU through Vulkan. An iteration is one step of matrices, loads for the next one at its start and
// their parts stored at its end.
func TestCooperativeBFloats(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	caps.Machine = target.MachineOf("NVIDIA H200", target.Discrete)
	a, b := tune.ViewOf(lowertest.Rows(t, 4096, 4096)), tune.ViewOf(lowertest.Rows(t, 4096, 4096))
	p := kernels.MatMulProblem{Elem: weft.F32, Precision: tile.TF32, A: a, B: b}
	cfg := p.List(caps)[0]
	if cfg.BM != 128 || cfg.BN != 128 || cfg.BK != 16 || cfg.Threads != 128 {
		t.Fatalf("the config is %+v", cfg)
	}
	built, err := p.Kernel(cfg)
	if err != nil {
		t.Fatal(err)
	}
	k, _ := lower.CheckLibraryOn(t, caps, built, 0x1p-13, [][]int{{130, 72}, {72, 260}, {130, 260}})
	if plan := p.Plan(caps, cfg); plan.Err() != nil || k.SharedBytes() > plan.SharedBytes+plan.Spare || k.SharedBytes() < plan.SharedBytes {
		t.Errorf("%d bytes of shared memory, the plan has %d and %d more: %v", k.SharedBytes(), plan.SharedBytes, plan.Spare, plan.Err())
	}
	if text, err := spirv.Emit(k, caps); err != nil {
		t.Error(err)
	} else if _, err := assembly.Assemble(text); err != nil { // spirv-val knows BF16 from 2025 on
		t.Errorf("%v\n%s", err, text)
	}
	loop := mainLoop(k)
	for kind, want := range map[simt.Kind]int{simt.CooperativeMulAdd: 48, simt.CooperativeLoad: 16, simt.Load: 8, simt.SharedStore: 8 * 2, simt.Barrier: 2} {
		if loop[kind] != want {
			t.Errorf("an iteration has %d of %v, want %d", loop[kind], kind, want)
		}
	}
}

// mainLoop counts the ops of the first loop that multiplies matrices, by kind.
func mainLoop(k *simt.Func) (counts map[simt.Kind]int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind != simt.For || counts[simt.CooperativeMulAdd] > 0 {
			return
		}
		counts = map[simt.Kind]int{}
		simt.Walk(op.Body, func(inner *simt.Op) { counts[inner.Kind]++ })
	})
	return counts
}
