package lower_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/layout"
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

// Heads of an even number of elements that 8 does not divide have rows that begin between vectors. Threads load them in the words that there are, neighbours for neighbouring
// threads, and store those as they are where matrices are loaded from.
func TestCooperativeAttentionWords(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	for _, c := range []struct {
		elem        weft.DType
		head, words int
	}{{weft.F16, 170, 1}, {weft.BF16, 134, 1}, {weft.F16, 126, 1}, {weft.F16, 124, 2}, {weft.BF16, 58, 1}, {weft.F16, 44, 2}} {
		t.Run(fmt.Sprint(c.elem, c.head), func(t *testing.T) {
			q, kv := []int{1, 2, 70, c.head}, []int{1, 1, 150, c.head}
			rows, err := layout.Contiguous(q...)
			if err != nil {
				t.Fatal(err)
			}
			keys, err := layout.Contiguous(kv...)
			if err != nil {
				t.Fatal(err)
			}
			cfg := kernels.AttentionProblem{Elem: c.elem, Q: tune.ViewOf(rows), K: tune.ViewOf(keys)}.Rule(caps)
			if cfg.Parts = 0; !cfg.Resident {
				t.Fatalf("the config is %+v", cfg)
			}
			built, err := kernels.Attention.Build(cfg)
			if err != nil {
				t.Fatal(err)
			}
			scale := math.Float32bits(float32(math.Log2E / math.Sqrt(float64(c.head))))
			k, _ := lower.CheckLibraryOn(t, caps, built, 3e-2, [][]int{q, kv, kv, q}, scale, 0, 0)
			loads := 0
			simt.Walk(k.Body, func(loop *simt.Op) {
				if loop.Kind != simt.For {
					return
				}
				simt.Walk(loop.Body, func(op *simt.Op) {
					if op.Kind == simt.Load {
						if loads++; !op.Packed || op.Result().Type.Width != c.words {
							t.Errorf("a load of %v, packed: %v, want %d words", op.Result().Type, op.Packed, c.words)
						}
					}
				})
			})
			if loop := mainLoop(k); loads == 0 || loop[simt.SharedStore] == 0 || loop[simt.Pack] > 0 || loop[simt.Round16]*2 < loop[simt.Exp2] {
				t.Errorf("%d loads, a loop of %v", loads, loop)
			}
		})
	}
}

// Attention by rows has no masks in its loop where blocks divide the keys, since a thread that has no predicated loads applies a mask to each register that it
// loads a step ahead. Where they do not, it has some.
func TestAttentionRowsWithoutMasks(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	for _, c := range []struct {
		keys, parts int
		first       bool
		masked      int
	}{{256, 0, false, 0}, {512, 3, false, 0}, {256, 2, true, 0}, {0, 2, false, 0}, {200, 2, false, 4}} {
		cfg := kernels.AttentionConfig{Elem: weft.F16, Head: 128, BM: 4, BN: 32, BD: 128, BV: 128, Threads: 256, Stages: 2, ByRows: true, Parts: c.parts, First: c.first, Precision: tile.Float32Accumulate}
		first, parts := cfg.Passes()
		built, err := kernels.Attention.Build(first)
		if err != nil {
			t.Fatal(err)
		}
		q, kv := []int{2, 2, 4, 128}, []int{2, 2, c.keys, 128}
		shapes := [][]int{q, kv, kv, q}
		if first.Split {
			shapes = append(shapes[:3], append([]int{parts}, q...), append([]int{parts}, q[:3]...))
		}
		scale := math.Float32bits(float32(math.Log2E / math.Sqrt(128)))
		k, notes := lower.CheckLibraryOn(t, caps, built, 2e-2, shapes, scale, 70, 0)
		masked := 0
		simt.Walk(k.Body, func(loop *simt.Op) {
			if loop.Kind != simt.For {
				return
			}
			simt.Walk(loop.Body, func(op *simt.Op) {
				if op.Kind == simt.Load && len(op.Args) > 1 {
					masked++
				}
			})
		})
		if masked != c.masked {
			t.Errorf("%+v: %d loads of the loop have masks, want %d\n%s", c, masked, c.masked, strings.Join(notes, "\n"))
		}
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

// Weights of 4 bits come to both steps of an iteration by one load, which follows the stores of both: the loop carries the elements of the left operand that
// are stored after the first step, and nothing else that it loads.
func TestCooperativeFewBits(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	weights := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4, Block: [2]int{32, 1}}, Scale: weft.F32}
	p := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(4096, 4096, 1), N: 4096, Weights: weights}
	cfg := p.Rule(caps)
	if cfg.BM != 128 || cfg.BN != 256 || cfg.BK != 32 || cfg.Threads != 256 {
		t.Fatalf("the config is %+v", cfg)
	}
	built, err := p.Kernel(cfg)
	if err != nil {
		t.Fatal(err)
	}
	views := []layout.Layout{view(t, []int{256, 160}, 0, 1), view(t, []int{512, 80}, 1, 0), view(t, []int{512, 5}, 1, 0), view(t, []int{256, 512}, 0, 1)}
	k := lower.CheckViewsOn(t, caps, built, 2e-2, views)
	carried := 0
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind != simt.For {
			return
		}
		for _, v := range op.Out {
			if v.Type.Elem == dtype.U32 && v.Type.Matrix == (simt.MatrixShape{}) {
				carried++
			}
		}
	})
	if loop := mainLoop(k); carried != 1 || loop[simt.Load] != 4 || loop[simt.CooperativeMulAdd] != 32 || loop[simt.Barrier] != 2 {
		t.Errorf("the loop carries %d vectors, and has %d loads, %d products and %d barriers\n%v", carried, loop[simt.Load], loop[simt.CooperativeMulAdd], loop[simt.Barrier], k)
	}
}

// A convolution by cooperative matrices loads channels in pieces of 16 bytes. The loop carries masks of pieces from their loads to their stores, and computes
// places of pixels once.
func TestCooperativeConvolution(t *testing.T) {
	t.Parallel()
	preset, _ := target.PresetNamed("vulkan-nvidia")
	caps := *preset.SPIRV
	s := kernels.Conv2DShape{Images: 3, Channels: 64, Height: 5, Width: 7, Filters: 64, Kernel: [2]int{3, 3}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1},
		Padding: [4]int{1, 1, 1, 1}, Groups: 1, ChannelsLast: true}
	cfg := kernels.Conv2DConfigFor(caps, weft.F16, s)
	cfg.Algorithm = kernels.ConvImplicit
	cfg.Size(caps, s, s.AsProduct(caps, weft.F16))
	cfg.BO, cfg.BP, cfg.BK, cfg.Threads, cfg.Parts = 64, 64, 32, 128, 0
	if cfg.Fit(s); !cfg.Whole || !cfg.AlongK {
		t.Fatalf("the config is %+v", cfg)
	}
	built, err := kernels.Conv2DImplicit.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	images := view(t, []int{3, 5, 7, 1, 64}, 0, 3, 4, 1, 2)
	weights := view(t, []int{1, 1, 9 * 64, 64}, 0, 3, 1, 2) // filters are neighbours
	k := lower.CheckViewsOn(t, caps, built, 2e-2, []layout.Layout{images, weights, images}, 1, 1)
	loop, masks := mainLoop(k), 0
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind != simt.For {
			return
		}
		for _, v := range op.Out {
			if v.Type == simt.Scalar(dtype.Bool) {
				masks++
			}
		}
	})
	if masks != 2 || loop[simt.Div] != 2 || loop[simt.Load] != 4 || loop[simt.CooperativeMulAdd] != 8 {
		t.Errorf("the loop carries %d masks, and has %d divisions, %d loads and %d products, want 2, 2, 4 and 8\n%v", masks, loop[simt.Div], loop[simt.Load], loop[simt.CooperativeMulAdd], k)
	}
}

// view is dense memory of a shape, with its dimensions in an order.
func view(t *testing.T, shape []int, order ...int) layout.Layout {
	t.Helper()
	l, err := layout.Contiguous(shape...)
	if err == nil {
		l, err = l.Permute(order...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
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
