package ops

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// weightCaps are the capabilities of a preset; in SPIR-V those of an H200 through Vulkan.
func weightCaps(t *testing.T, on string) target.Caps {
	t.Helper()
	name, printed := strings.CutSuffix(on, " in SPIR-V")
	preset := name
	if printed {
		preset = "vulkan-nvidia"
	}
	p, ok := target.PresetNamed(preset)
	if !ok {
		t.Fatal(on)
	}
	if printed {
		machine, _ := target.PresetNamed(name)
		p.Caps = *p.SPIRV
		p.Caps.Machine = machine.Caps.Machine
	}
	return p.Caps
}

// layerProblem is x @ w.T of dense matrices, with integers in groups along K.
func layerProblem(caps target.Caps, elem weft.DType, bits, group, m, n, k int) weightProblem {
	w := kernels.QuantView{QuantScheme: QuantScheme{Bits: bits, Block: [2]int{group, 1}}, Scale: weft.F32}
	p := weightProblem{QuantizedProblem: kernels.QuantizedProblem{Elem: elem, A: kernels.MatrixView(m, k, 1), N: n, Weights: w}}
	if elem == weft.F32 {
		p.Precision = tile.IEEE
	}
	l, _ := layout.Contiguous(m, k)
	p.Left = packOperandOf(elem, l, 1, kernels.MatMulOf(elem, p.Precision, 0).TakesProducers(caps))
	return p
}

// Weights are dequantised for products of many rows by matrix instructions, and for no others.
func TestWeightFormRule(t *testing.T) {
	for _, c := range []struct {
		on         string
		elem       weft.DType
		bits       int
		group      int
		m, n, k    int
		dequantize bool
		says       string // of the refused form
	}{
		{"h200", weft.F16, 4, 128, 4096, 4096, 4096, true, ""},
		{"h200", weft.BF16, 8, 0, 16384, 14336, 4096, true, ""},
		{"h200", weft.F16, 4, 128, 256, 8192, 8192, false, "expected with it"}, // converted during products
		{"h200", weft.F16, 4, 128, 8192, 8192, 8192, true, ""},
		{"h200", weft.F16, 4, 128, 16, 8192, 8192, false, "expected with it"},
		{"h200", weft.F16, 4, 128, 4, 8192, 8192, false, "matrix instructions"},
		{"h200", weft.F16, 4, 128, 4096, 2, 4096, false, "matrix instructions"},
		{"h200", weft.F16, 4, 128, 128, 256, 256, false, "expected with it"},
		{"h200", weft.F32, 4, 128, 4096, 4096, 4096, false, "matrix instructions"},
		{"a100", weft.F16, 4, 128, 4096, 4096, 4096, true, ""},
		{"t4", weft.F16, 4, 128, 32, 4096, 4096, false, ""},
		{"h200 in SPIR-V", weft.F16, 4, 128, 4096, 4096, 4096, true, ""},
		{"h200 in SPIR-V", weft.F16, 4, 128, 32, 4096, 4096, false, "wait for the weights"},
		{"h200 in SPIR-V", weft.F32, 4, 128, 4096, 4096, 4096, false, "matrix instructions"},
		{"vulkan-nvidia", weft.F16, 4, 128, 4096, 4096, 4096, false, "matrix instructions"},
		{"webgpu", weft.F16, 4, 128, 4096, 4096, 4096, false, "matrix instructions"},
		{"cpu", weft.F32, 4, 128, 4096, 4096, 4096, false, "matrix instructions"},
	} {
		caps := weightCaps(t, c.on)
		p := layerProblem(caps, c.elem, c.bits, c.group, c.m, c.n, c.k)
		got := weightTune.Pick(caps, p)
		if (got != asStored) != c.dequantize {
			t.Errorf("%s %v %d×%d×%d: %s", c.on, c.elem, c.m, c.n, c.k, got)
		}
		if err := p.Legal(caps, kMajor); c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s %v %d×%d×%d: refused by %v, want %q", c.on, c.elem, c.m, c.n, c.k, err, c.says)
		}
	}
	p := layerProblem(weightCaps(t, "h200"), weft.F16, 8, 0, 4096, 4096, 4096)
	p.Weights.Block[1] = 64
	if err := p.Legal(weightCaps(t, "h200"), kMajor); err == nil || !strings.Contains(err.Error(), "single columns") {
		t.Errorf("scales of several columns: %v", err)
	}
}

// Once rows are so many that weights are dequantised, more of them change nothing, unless the forms take nearly as long: waves of programs count then. Where warpgroups convert weights during
// products, rows are more. (4 bits 512×4096×4096 on an H200: 35.6 µs as stored, 37.6 dequantised; 1024 rows, one whole wave of tiles, 52.3 and 60.2, 1.15 of that.)
func TestWeightFormIsMonotonic(t *testing.T) {
	const near = 1.16
	for on, most := range map[string]int{"h200": 8192, "a100": 1024, "h100-pcie": 8192, "h200 in SPIR-V": 1024} {
		caps := weightCaps(t, on)
		for _, shape := range [][2]int{{4096, 4096}, {8192, 8192}, {14336, 4096}, {4096, 14336}, {2048, 5632}} {
			for _, bits := range []int{4, 8} {
				first := 0
				for m := 64; m <= 16384; m += m / 4 {
					p := layerProblem(caps, weft.F16, bits, 128, m, shape[0], shape[1])
					form := weightTune.Pick(caps, p)
					switch {
					case form != asStored && first == 0:
						first = m
					case form == asStored && first > 0 && m > 2*first && p.seconds(caps, kMajor) > near*p.seconds(caps, asStored):
						t.Errorf("%s %v of %d bits: dequantised from %d rows on, not of %d", on, shape, bits, first, m)
					}
				}
				if first == 0 || first > most {
					t.Errorf("%s %v of %d bits: dequantised from %d rows on", on, shape, bits, first)
				}
			}
		}
	}
}

// Dequantised weights are where the products' copies take them: whole vectors, in rows that begin at lines.
func TestFactorLayout(t *testing.T) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
		for _, form := range []weightForm{kMajor, mnMajor} {
			for _, shape := range [][2]int{{1, 1}, {3, 5}, {64, 64}, {65, 129}, {4096, 4093}, {4093, 4096}} {
				l, room, err := factorLayout(elem, shape[0], shape[1], form)
				if err != nil {
					t.Fatal(err)
				}
				lo, hi := l.Bounds()
				if got := [2]int(l.Shape()); got != shape || lo != 0 || hi >= room || !l.IsInjective() {
					t.Errorf("%v %v %s: %v in %d elements", elem, shape, form, l, room)
				}
				access := packOperandOf(elem, l, 0, true).Access
				if want := map[weightForm]access16{kMajor: fits, mnMajor: crossed}[form]; access != want && min(shape[0], shape[1]) > 1 {
					t.Errorf("%v %v %s: %s", elem, shape, form, access)
				}
			}
		}
	}
}

// The pass reads and writes vectors, whatever the orders.
func TestPassesAreTuned(t *testing.T) {
	caps := weightCaps(t, "h200")
	for _, fastest := range []int{0, 1} {
		for _, form := range []weightForm{kMajor, mnMajor} {
			p := layerProblem(caps, weft.F16, 4, 128, 4096, 4096, 4096)
			p.Fastest = fastest
			pass := p.pass(form)
			cfg := quantizeTune.Rule(caps, pass)
			if err := quantizeTune.Legal(caps, pass, cfg); err != nil {
				t.Errorf("%s of integers along %d: %v", form, fastest, err)
			}
			run := [2]int{cfg.BM, cfg.BN}
			if pass.Transposed && min(run[0], run[1]) < 64 {
				t.Errorf("%s of integers along %d: %+v", form, fastest, cfg)
			}
			if _, err := kernels.Dequantize.Build(cfg); err != nil {
				t.Error(err)
			}
		}
	}
}
