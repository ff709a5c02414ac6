package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// quantViews are the granularities as kernels see them.
func quantViews(scale weft.DType) map[string]ops.QuantView {
	scheme := func(bits int, asymmetric bool, rows, columns int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{rows, columns}}
	}
	return map[string]ops.QuantView{
		"channel_i8": {QuantScheme: scheme(8, false, 1, 0), Scale: scale},
		"group_i4":   {QuantScheme: scheme(4, false, 1, 128), Packed: 1, Scale: scale},
		"odd_u4":     {QuantScheme: scheme(4, true, 96, 1), Packed: 0, Scale: scale},
	}
}

// quantizeKernels are the kernels of quantisation for matrices of a side.
func quantizeKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Kernel {
	t.Helper()
	out := map[string]*tile.Kernel{}
	keep := func(name string, k *tile.Kernel, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = k
	}
	for name, view := range quantViews(weft.F32) {
		cfg := ops.QuantizeConfigFor(caps, elem, view, dense([]int{side, side}))
		k, err := ops.QuantizeKernel.Build(cfg)
		keep("quantize_"+name, k, err)
		k, err = ops.DequantizeKernel.Build(cfg)
		keep("dequantize_"+name, k, err)
		k, err = ops.QuantScalesKernel.Build(ops.QuantScalesConfigFor(caps, view.QuantScheme, side, 1))
		keep("quant_scales_"+name, k, err)
	}
	for name, m := range map[string]int{"quantized_row": 1, "quantized_matmul": side} {
		cfg := ops.QuantizedMatMulConfigFor(caps, elem, transposedGroups(128), 0, m, side, side)
		k, err := ops.MatMulKernel.Build(cfg)
		keep(name, k, err)
	}
	k, err := ops.QuantRangeKernel.Build(ops.QuantRangeConfigFor(caps, elem, dense([]int{side, side / 128, 1, 128})))
	keep("quant_range", k, err)
	return out
}

// Groups of 128 in 4 bits, as they are emitted.
func TestQuantizeGoldens(t *testing.T) {
	const side = 1024
	x, bytes, scales := dense([]int{side, side}), dense([]int{side, side / 2}), dense([]int{side, side / 128})
	arguments := map[string][]layout.Layout{
		"quantize_group_i4":   {x, scales, bytes},
		"dequantize_group_i4": {bytes, scales, x},
	}
	for name, layouts := range arguments {
		for language, caps := range map[string]target.Caps{"wgsl": wgslCaps, "cu": cudaCaps} {
			k := quantizeKernels(t, caps, weft.F16, side)[name]
			a, err := compile.Emit(k, lower.FactsOf(layouts, []int{0, 1, 2}), caps)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+language, a.Source.Text)
		}
	}
}
