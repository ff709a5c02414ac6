package ops

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// strided is a layout of a shape with strides, from element 0 on.
func strided(t *testing.T, shape, strides []int) layout.Layout {
	t.Helper()
	l, err := layout.Strided(shape, strides, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Who is packed: operands whose layouts do not suit, of large products, where matrix instructions compute them.
func TestPackingRule(t *testing.T) {
	rows := func(rows, columns int) layout.Layout { return strided(t, []int{rows, columns}, []int{columns, 1}) }
	columns := func(rows, columns int) layout.Layout { return strided(t, []int{rows, columns}, []int{1, rows}) }
	wide := func(l layout.Layout, n int) layout.Layout { // the first of so many elements a row
		return strided(t, l.Shape(), []int{n, 1})
	}
	for _, c := range []struct {
		name, on string
		elem     weft.DType
		use      tile.Precision
		a, b     layout.Layout
		want     packing
		says     string // of the refused packing of both
	}{
		{"aligned", "h200", weft.F16, tile.IEEE, rows(4096, 4096), rows(4096, 4096), packNone, "needs no packing"},
		{"odd", "h200", weft.F16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packBoth, ""},
		{"odd on Ampere", "a100", weft.BF16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packBoth, ""},
		{"odd on Turing", "t4", weft.F16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packNone, "not computed by matrix instructions"},
		{"odd on Vulkan", "vulkan-nvidia", weft.F16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packNone, "not computed by matrix instructions"},
		{"odd in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packBoth, ""},
		{"aligned in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F16, tile.IEEE, rows(4096, 4096), rows(4096, 4096), packA, "needs no packing"},
		{"both K-major in SPIR-V", "vulkan-nvidia in SPIR-V", weft.BF16, tile.IEEE, rows(4096, 4096), columns(4096, 4096), packBoth, ""},
		{"both MN-major in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F16, tile.IEEE, columns(4096, 4096), rows(4096, 4096), packNone, "needs no packing"},
		{"few columns in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F16, tile.IEEE, rows(4096, 4096), rows(4096, 128), packNone, "needs no packing"},
		{"small K-major in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F16, tile.IEEE, rows(256, 256), columns(256, 256), packNone, "expected"},
		{"i8 across in SPIR-V", "vulkan-nvidia in SPIR-V", weft.I8, tile.IEEE, rows(4096, 4096), rows(4096, 4096), packB, "needs no packing"},
		{"f32 in SPIR-V", "vulkan-nvidia in SPIR-V", weft.F32, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packNone, "not computed by matrix instructions"},
		{"odd on the CPU", "cpu", weft.F16, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packNone, "not computed by matrix instructions"},
		{"odd but small", "h200", weft.F16, tile.IEEE, rows(255, 257), rows(257, 253), packNone, "expected"},
		{"odd but of few rows", "h200", weft.F16, tile.IEEE, rows(16, 8191), rows(8191, 8191), packNone, "expected"},
		{"odd, few columns", "h200", weft.BF16, tile.IEEE, rows(2636, 3497), columns(3497, 142), packBoth, ""},
		{"odd, few columns and a short reduction", "h200", weft.BF16, tile.IEEE, rows(2636, 497), columns(497, 142), packNone, "expected"},
		{"odd vector", "h200", weft.F16, tile.IEEE, rows(4, 8191), rows(8191, 8191), packNone, "not computed by matrix instructions"},
		{"a alone", "h200", weft.F16, tile.IEEE, rows(4096, 4093), rows(4093, 4096), packA, "needs no packing"},
		{"b alone", "h200", weft.F16, tile.IEEE, rows(4096, 4096), rows(4096, 4093), packB, "needs no packing"},
		{"rows of a larger matrix", "h200", weft.F16, tile.IEEE, wide(rows(4093, 4093), 4096), wide(rows(4093, 4093), 4104), packNone, "needs no packing"},
		{"rows of a larger matrix on Ampere", "a100", weft.F16, tile.IEEE, wide(rows(4093, 4093), 4096), wide(rows(4093, 4093), 4104), packBoth, ""},
		{"rows of a larger matrix in bytes", "h200", weft.I8, tile.IEEE, wide(rows(4093, 4093), 4096), columns(4096, 4096), packNone, "needs no packing"},
		{"columns", "h200", weft.F16, tile.IEEE, columns(4096, 4096), rows(4096, 4096), packNone, "needs no packing"},
		{"every other element", "h200", weft.F16, tile.IEEE, strided(t, []int{4096, 4096}, []int{8192, 2}), rows(4096, 4096), packA, ""},
		{"backwards", "h200", weft.F16, tile.IEEE, strided(t, []int{4096, 4096}, []int{8192, -1}), rows(4096, 4096), packA, ""},
		{"upside down", "h200", weft.F16, tile.IEEE, strided(t, []int{4096, 4096}, []int{-4096, 1}), rows(4096, 4096), packA, ""},
		{"f32", "h200", weft.F32, tile.IEEE, rows(4095, 4097), rows(4097, 4093), packNone, "not computed by matrix instructions"},
		{"tf32", "h200", weft.F32, tile.TF32, rows(4095, 4097), rows(4097, 4093), packBoth, ""},
		{"tf32x3", "h200", weft.F32, tile.TF32x3, rows(4095, 4097), rows(4097, 4093), packBoth, ""},
		{"tf32x3 across", "h200", weft.F32, tile.TF32x3, rows(4096, 4096), rows(4096, 4096), packB, "needs no packing"},
		{"tf32x3 across without warpgroups", "a100", weft.F32, tile.TF32x3, rows(4096, 4096), rows(4096, 4096), packNone, "needs no packing"},
		{"tf32, b across", "h200", weft.F32, tile.TF32, rows(4096, 4096), rows(4096, 4096), packNone, "needs no packing"},
		{"tf32, a across", "h200", weft.F32, tile.TF32, columns(4096, 4096), columns(4096, 4096), packNone, "needs no packing"},
		{"tf32, both across", "h200", weft.F32, tile.TF32, columns(4096, 4096), rows(4096, 4096), packA, ""},
		{"tf32, both across, a the larger", "h200", weft.F32, tile.TF32, columns(8192, 4096), rows(4096, 4096), packB, ""},
		{"tf32, b across, a odd", "h200", weft.F32, tile.TF32, rows(4096, 4093), rows(4093, 4096), packA, ""},
		{"tf32, a across, b odd", "h200", weft.F32, tile.TF32, columns(4096, 4096), rows(4096, 4093), packB, ""},
		{"tf32 across on Ampere", "a100", weft.F32, tile.TF32, rows(4096, 4096), rows(4096, 4096), packB, "needs no packing"},
		{"i8 across", "h200", weft.I8, tile.IEEE, columns(4096, 4096), rows(4096, 4096), packBoth, ""},
		{"i8 along", "h200", weft.I8, tile.IEEE, rows(4096, 4096), columns(4096, 4096), packNone, "needs no packing"},
		{"one matrix for many", "h200", weft.F16, tile.IEEE, strided(t, []int{64, 1024, 1024}, []int{1 << 20, 1024, 1}),
			strided(t, []int{64, 1024, 1024}, []int{0, 1025, 1}), packB, ""},
	} {
		name, printed := strings.CutSuffix(c.on, " in SPIR-V")
		p, ok := target.PresetNamed(name)
		if !ok {
			t.Fatal(c.on)
		}
		if printed {
			p.Caps = *p.SPIRV
		}
		problem := newPackProblem(p.Caps, c.elem, c.use, c.a, c.b)
		if got := packTune.Pick(p.Caps, problem); got != c.want {
			t.Errorf("%s: %s is packed, want %s (%+v)", c.name, got, c.want, problem)
		}
		if err := problem.Legal(p.Caps, packBoth); c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: packing both is refused by %v, want %q", c.name, err, c.says)
		}
	}
}

// A packed layout has the elements that it is to have, each once, in the room that it asks for, and has the layout that copies need.
func TestPackedLayouts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 3000 {
		elem := []weft.DType{weft.F16, weft.F32, weft.I8}[rng.IntN(3)]
		rank := 2 + rng.IntN(3)
		shape := make([]int, rank)
		for d := range shape {
			shape[d] = 1 + rng.IntN(9)
		}
		l, err := layout.Contiguous(shape...)
		if err == nil {
			l, err = l.Permute(rng.Perm(rank)...)
		}
		if err != nil {
			t.Fatal(err)
		}
		strides, repeated := l.Strides(), make([]bool, rank)
		for d := range rank - 2 {
			if rng.IntN(3) == 0 && l.Size(d) > 1 {
				strides[d], repeated[d] = 0, true
			}
		}
		if l, err = layout.Strided(l.Shape(), strides, rng.IntN(5)); err != nil {
			t.Fatal(err)
		}
		k := rank - 1 - rng.IntN(2)
		mnMajor := elem.Size() == 2 && l.Size(k) > 1 && rng.IntN(2) == 0
		depth := 1
		if mnMajor {
			depth += rng.IntN(4)
		}
		to, room, err := packed(elem, l, k, mnMajor, depth)
		if err != nil {
			t.Fatal(err)
		}
		once := to
		for d := rank - 1; d >= 0; d-- {
			if repeated[d] != repeats(to, d) {
				t.Fatalf("%v is packed as %v", l, to)
			}
			if repeated[d] {
				if once, err = once.Select(d, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		lo, hi := to.Bounds()
		o := packOperandOf(elem, to, k, false)
		if lo != 0 || hi != room-1 || !once.IsInjective() || o.Access == narrow || o.Access == single || o.Access == crossed && elem.Size() != 2 {
			t.Fatalf("%v is packed as %v in %d elements: %s", l, to, room, o.Access)
		}
		if mnMajor && to.Size(k) > 1 && to.Size(2*rank-3-k) > 1 && o.Access != crossed {
			t.Fatalf("%v is packed as %v along dimension %d", l, to, k)
		}
		more := 0 // dimensions that have more elements than they had
		for d := range rank {
			n := to.Size(d) - l.Size(d)
			if mnMajor && d == k {
				if n < 0 || n >= depth || to.Size(d)%depth != 0 {
					t.Fatalf("%v is packed as %v for multiples of %d depth", l, to, depth)
				}
				continue
			}
			if n != 0 {
				more++
				if to.Stride(d) != 1 || n < 0 || n >= 16/elem.Size() {
					t.Fatalf("%v is packed as %v", l, to)
				}
			}
		}
		if more > 1 {
			t.Fatalf("%v is packed as %v", l, to)
		}
	}
}

// Products of TF32 whose right operand is MN-major are computed as their transposes, whose left operand it is, by warpgroups with a producer; so
// nothing is packed, and warpgroups take what is.
func TestAcrossTheSums(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	rows := func(m, n int) layout.Layout { return strided(t, []int{m, n}, []int{up(n, 4), 1}) }
	columns := func(m, n int) layout.Layout { return strided(t, []int{m, n}, []int{1, up(m, 4)}) }
	for _, c := range []struct {
		name  string
		a, b  layout.Layout
		swaps bool
	}{
		{"nn", rows(4095, 4097), rows(4097, 4093), true},
		{"nt", rows(4095, 4097), columns(4097, 4093), false},
		{"tt", columns(4095, 4097), columns(4097, 4093), false},
		{"nn of few depth", rows(16384, 512), rows(512, 16384), true},
		{"nn of few rows", rows(17, 512), rows(512, 1024), true},
		{"nt of few rows", rows(17, 512), columns(512, 1024), true},
	} {
		for _, p := range []struct {
			elem  weft.DType
			use   tile.Precision
			loads bool // words of the left operand
		}{{weft.F32, tile.TF32, true}, {weft.F32, tile.TF32x3, false}, {weft.I8, tile.IEEE, false}} {
			problem := kernels.MatMulProblem{Elem: p.elem, A: viewOf(c.a), B: viewOf(c.b)}
			if p.elem == weft.F32 {
				problem.Precision = p.use
			}
			if swaps := problem.Swaps(h200.Caps); p.loads && swaps != c.swaps {
				t.Errorf("%s of %v: swaps %v, want %v", c.name, p.use, swaps, c.swaps)
			} else if !p.loads && swaps && c.name != "nt of few rows" {
				t.Errorf("%s of %v: computed as its transpose", c.name, p.elem)
			}
			if !p.loads {
				continue
			}
			if c.swaps {
				problem.A, problem.B = viewOf(c.b.Transpose()), viewOf(c.a.Transpose())
			}
			if cfg := matMulTune.Rule(h200.Caps, problem); cfg.Producers != 1 || c.name != "nt" && (cfg.Consumers > 1 || cfg.BM > 128) {
				t.Errorf("%s: %+v", c.name, cfg)
			} else if err := matMulTune.Legal(h200.Caps, problem, cfg); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		want := packNone
		if got := packTune.Pick(h200.Caps, newPackProblem(h200.Caps, weft.F32, tile.TF32, c.a, c.b)); got != want {
			t.Errorf("%s: %s is packed", c.name, got)
		}
	}
}
