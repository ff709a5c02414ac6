package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// quantViews are the granularities as kernels see them.
func quantViews(scale weft.DType) map[string]kernels.QuantView {
	scheme := func(bits int, asymmetric bool, rows, columns int) ops.QuantScheme {
		return ops.QuantScheme{Bits: bits, Asymmetric: asymmetric, Block: [2]int{rows, columns}}
	}
	return map[string]kernels.QuantView{
		"channel_i8": {QuantScheme: scheme(8, false, 1, 0), Scale: scale},
		"group_i4":   {QuantScheme: scheme(4, false, 1, 128), Packed: 1, Scale: scale},
		"odd_u4":     {QuantScheme: scheme(4, true, 96, 1), Packed: 0, Scale: scale},
		"nf4":        {QuantScheme: ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 64}}, Packed: 1, Scale: scale},
		"mxfp4":      {QuantScheme: ops.MXFP4, Packed: 1, Scale: weft.U8},
		"fp8":        {QuantScheme: ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 0}}, Packed: 1, Scale: scale},
	}
}

// quantizeKernels are the kernels of quantisation for matrices of a side.
func quantizeKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	out := map[string]*tile.Func{}
	keep := func(name string, k *tile.Func, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = k
	}
	for name, view := range quantViews(weft.F32) {
		cfg := kernels.QuantizeProblem{Elem: elem, View: view, Shape: [2]int{side, side}, Fastest: 1}.Rule(caps)
		k, err := kernels.Quantize.Build(cfg)
		keep("quantize_"+name, k, err)
		k, err = kernels.Dequantize.Build(cfg)
		keep("dequantize_"+name, k, err)
		k, err = kernels.QuantScales.Build(kernels.QuantScalesConfigFor(caps, view.QuantScheme, side, 1))
		keep("quant_scales_"+name, k, err)
	}
	for suffix, weights := range map[string]kernels.QuantView{
		"": transposedGroups(128), "_nf4": transposedCodes(ops.NF4, weft.F32), "_mxfp4": transposedCodes(ops.FP4, weft.U8),
	} {
		for name, m := range map[string]int{"quantized_row": 1, "quantized_matmul": side} {
			cfg := kernels.QuantizedProblem{Elem: elem, A: kernels.MatrixView(m, side, 1), N: side, Weights: weights}.Rule(caps)
			k, err := kernels.MatMul.Build(cfg)
			keep(name+suffix, k, err)
		}
	}
	k, err := kernels.Interleave.Build(kernels.InterleaveConfigFor(caps, elem, 128, transposedGroups(128), side))
	keep("interleave", k, err)
	k, err = kernels.Interleave.Build(kernels.InterleaveWeightsFor(caps, transposedGroups(128).QuantScheme, 128, side/2, false))
	keep("interleave_weights", k, err)
	ranges := kernels.QuantRangeProblem{Elem: elem, Blocks: tune.ViewOf(dense([]int{side, side / 128, 1, 128}))}
	k, err = ranges.Kernel(ranges.Rule(caps))
	keep("quant_range", k, err)
	return out
}

// interleavedProducts are products of rows of F16 with weights that are stored along K, as matrix instructions take them from registers; none on a device
// that has no such instructions.
func interleavedProducts(caps target.Caps) map[string]emitter {
	const side = 1024
	bytes := kernels.QuantView{QuantScheme: ops.QuantScheme{Bits: 8, Asymmetric: true, Block: [2]int{0, 1}}, Scale: weft.F32}
	packed, packedBytes := transposedGroups(128), kernels.QuantView{QuantScheme: ops.QuantScheme{Bits: 8, Block: [2]int{0, 1}}, Scale: weft.F32, Interleaved: 64}
	packed.Interleaved = 128
	packedFloats := packedBytes
	packedFloats.Codes = ops.FP8
	out := map[string]emitter{}
	for name, c := range map[string]struct {
		rows, k, n int
		weights    kernels.QuantView
	}{
		"quantized_interleaved_row": {1, side, side, transposedGroups(128)}, "quantized_interleaved_rows": {16, side, side, transposedGroups(128)},
		"quantized_interleaved_many": {64, side, side, transposedGroups(128)}, "quantized_interleaved_u8": {16, side, side, bytes},
		"quantized_packed_row": {1, side, side, packed}, "quantized_packed_rows": {16, side, side, packed}, "quantized_packed_many": {64, side, side, packed},
		"quantized_packed_columns": {32, 4 * side, 28 * side, packed}, "quantized_packed_bytes": {16, 4 * side, 28 * side, packedBytes},
		"quantized_packed_fp8": {16, side, side, packedFloats},
	} {
		cfg := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(c.rows, c.k, 1), N: c.n, Weights: c.weights}.Rule(caps)
		if cfg.Interleave == 0 {
			continue
		}
		out[name] = func(t *testing.T, caps target.Caps) *compile.Artifact {
			cfg.SplitK, cfg.MostRows = 0, cfg.FitRows(c.rows)
			k, err := kernels.MatMul.Build(cfg)
			layouts := []layout.Layout{dense([]int{c.rows, c.k}), dense([]int{c.n, c.k * c.weights.Bits / 8}).Transpose()}
			scales := dense([]int{1, c.n})
			if group := c.weights.Block[0]; group > 0 {
				scales = dense([]int{c.n, c.k / group}).Transpose()
			}
			if layouts = append(layouts, scales); c.weights.Asymmetric {
				layouts = append(layouts, scales)
			}
			return emitted(t, k, err, caps, append(layouts, dense([]int{c.rows, c.n}))...)
		}
	}
	return out
}

// Whatever the shape, the launch rules give configs that build, and no tile is too large for registers.
func TestQuantizeConfigs(t *testing.T) {
	for _, caps := range []target.Caps{cpuCaps, wgslCaps, cudaCaps} {
		for _, shape := range [][2]int{{1, 1}, {1, 100_000}, {100_000, 1}, {3, 4096}, {4096, 3}, {4096, 14336}, {33, 77}} {
			for name, block := range map[string][2]int{"tensor": {0, 0}, "rows": {1, 0}, "columns": {0, 1}, "each": {1, 1}} {
				for _, l := range []layout.Layout{dense(shape[:]), dense([]int{shape[1], shape[0]}).Transpose()} {
					rows, cols := block[0], block[1]
					view := kernels.QuantView{QuantScheme: ops.QuantScheme{Bits: 4, Asymmetric: true, Block: block}, Packed: 1, Scale: weft.F32}
					cfg := kernels.QuantizeProblem{Elem: weft.F32, View: view, Shape: [2]int(l.Shape()), Fastest: kernels.Fastest(l)}.Rule(caps)
					if _, err := kernels.Quantize.Build(cfg); err != nil {
						t.Errorf("%s of %v: %+v: %v", name, l, cfg, err)
					}
					p, q := max(shape[0]*rows, 1), max(shape[1]*cols, 1)
					blocks := dense([]int{p, q, shape[0] / p, shape[1] / q})
					ranges := kernels.QuantRangeProblem{Elem: weft.F32, Blocks: tune.ViewOf(blocks)}
					span := ranges.Config(ranges.Rule(caps))
					if _, err := kernels.QuantRange.Build(span); err != nil {
						t.Errorf("%s of %v: %+v: %v", name, l, span, err)
					}
					area := 1
					for _, b := range span.Block {
						area *= b
					}
					if !caps.WholeTiles && area > 1<<11 || cfg.Threads > 0 && cfg.BM*cfg.BN > 1<<11 {
						t.Errorf("%s of %v: %+v and %+v are large", name, l, span, cfg)
					}
					scales := kernels.QuantScalesConfigFor(caps, view.QuantScheme, p, q)
					if _, err := kernels.QuantScales.Build(scales); err != nil {
						t.Errorf("%s of %v: %+v: %v", name, l, scales, err)
					}
				}
			}
		}
	}
}
