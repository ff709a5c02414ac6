package lower_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// Codes become the same numbers, and numbers the same codes, as in the interpreter, on every kind of device: alone, and as an operand of matrix instructions.
func TestLibraryCodes(t *testing.T) {
	t.Parallel()
	groups := func(book kernels.CodeBook, rows, cols int) kernels.QuantView {
		return kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: book.Bits(), Codes: book, Block: [2]int{rows, cols}}, Packed: 1, Scale: weft.F32}
	}
	mx := groups(kernels.FP4, 1, 32)
	mx.PowersOfTwo, mx.Scale = true, weft.U8
	for _, on := range []string{"h200", "vulkan-nvidia", "webgpu"} {
		preset, known := target.PresetNamed(on)
		if !known {
			t.Fatal(on)
		}
		caps := preset.Caps
		if preset.SPIRV != nil {
			caps = *preset.SPIRV
		}
		for name, view := range map[string]kernels.QuantView{"nf4": groups(kernels.NF4, 1, 32), "fp4": groups(kernels.FP4, 1, 32), "mxfp4": mx, "fp8": groups(kernels.FP8, 1, 32)} {
			t.Run(on+"/"+name, func(t *testing.T) {
				stored := 96 * view.Bits / 8
				p := kernels.QuantizeProblem{Elem: weft.F16, View: view, Shape: [2]int{40, 96}, Fastest: 1}
				k, err := kernels.Quantize.Build(p.Rule(caps))
				if err != nil {
					t.Fatal(err)
				}
				lower.CheckLibraryOn(t, caps, k, 0, [][]int{{40, 96}, {40, 3}, {40, stored}})
				p.Back = true
				if k, err = kernels.Dequantize.Build(p.Rule(caps)); err != nil {
					t.Fatal(err)
				}
				lower.CheckLibraryOn(t, caps, k, 0, [][]int{{40, stored}, {40, 3}, {40, 96}})
			})
		}
		for name, book := range map[string]kernels.CodeBook{"product nf4": kernels.NF4, "product fp4": kernels.FP4, "product fp8": kernels.FP8} {
			t.Run(on+"/"+name, func(t *testing.T) {
				weights := groups(book, 32, 1)
				weights.Packed = 0
				p := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(130, 96, 1), N: 70, Weights: weights}
				k, err := p.Kernel(p.Rule(caps))
				if err != nil {
					t.Fatal(err)
				}
				lower.CheckLibraryOn(t, caps, k, 2e-2, [][]int{{130, 96}, {96 * weights.Bits / 8, 70}, {3, 70}, {130, 70}})
			})
		}
	}
}

// Tables of pairs take 32 KiB: a kernel has them where a unit runs as many programs with them, or enough, and else picks bytes.
func TestLibraryPairTables(t *testing.T) {
	t.Parallel()
	weights := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4, Codes: kernels.NF4, Block: [2]int{64, 1}}, Scale: weft.F32}
	for on, want := range map[string]bool{"h200": true, "a100": true, "l4": false, "rtx4090": false} {
		preset, known := target.PresetNamed(on)
		if !known {
			t.Fatal(on)
		}
		p := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(1, 8192, 1), N: 8192, Weights: weights}
		cfg := p.Rule(preset.Caps)
		if cfg.SliceK <= 1 || cfg.BM > 8 {
			t.Fatalf("%s: %+v", on, cfg)
		}
		k, err := p.Kernel(cfg)
		if err != nil {
			t.Fatal(err)
		}
		views := []layout.Layout{lowertest.Rows(t, 1, 8192), lowertest.Columns(t, 4096, 8192), lowertest.Columns(t, 128, 8192), lowertest.Rows(t, 1, 8192)}
		r, err := lower.Lower(k, axis.FactsOf(views, []int{0, 1, 2, 3}), preset.Caps)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, "two numbers at once") })
		if bytes := r.Kernel.SharedBytes(); got != want || bytes > preset.Caps.SharedBytes || got != (bytes > 32<<10) {
			t.Errorf("%s: tables of pairs: %v, want %v, in %d bytes", on, got, want, bytes)
		}
	}
}
