package ops_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// emitter compiles one kernel for a target.
type emitter func(t *testing.T, caps target.Caps) *compile.Artifact

// goldens are the kernels whose emitted text is in testdata, for readers and for review, or its structure if it is long.
var goldens = map[string]emitter{
	"add":            square("add"),
	"attention":      square("attention"),
	"dropout":        square("dropout"),
	"matmul":         square("matmul"),
	"normal":         square("normal"),
	"softmax":        square("softmax"),
	"softmax_online": square("softmax_online"),

	"conv2d":                convolution("conv2d"),
	"conv2d_depthwise":      convolution("conv2d_depthwise"),
	"conv2d_depthwise_nhwc": convolution("conv2d_depthwise_nhwc"),
	"im2col":                convolution("im2col"),
	"conv3d":                convolution("conv3d"),
	"conv_weight_grad":      convolution("conv_weight_grad"), // programs share the pixels

	// The layer x @ w.T + bias with GELU, and the product of one row with a matrix.
	"linear":     halves(productKernels, "linear", dense([]int{1024, 1024}), dense([]int{1024, 1024}).Transpose(), dense([]int{1, 1024}), dense([]int{1024, 1024})),
	"matmul_row": halves(productKernels, "matmul_row", dense([]int{1, 1024}), dense([]int{1024, 1024}), dense([]int{1, 1024})),

	// Groups of 128 integers of 4 bits.
	"quantize_group_i4":   halves(quantizeKernels, "quantize_group_i4", dense([]int{1024, 1024}), dense([]int{1024, 8}), dense([]int{1024, 512})),
	"dequantize_group_i4": halves(quantizeKernels, "dequantize_group_i4", dense([]int{1024, 512}), dense([]int{1024, 8}), dense([]int{1024, 1024})),
	"quantized_row":       quantizedProduct(1),
	"quantized_matmul":    quantizedProduct(128),
	"interleave_weights":  halves(quantizeKernels, "interleave_weights", dense([]int{1024, 512}), dense([]int{1024, 512})),
	"interleave":          halves(quantizeKernels, "interleave", dense([]int{1024, 1024}), dense([]int{1024, 1024})),
	"quantize_mxfp4":      halves(quantizeKernels, "quantize_mxfp4", dense([]int{1024, 1024}), dense([]int{1024, 32}), dense([]int{1024, 512})),
	"dequantize_mxfp4":    halves(quantizeKernels, "dequantize_mxfp4", dense([]int{1024, 512}), dense([]int{1024, 32}), dense([]int{1024, 1024})),
	"quantize_fp8":        halves(quantizeKernels, "quantize_fp8", dense([]int{1024, 1024}), dense([]int{1024, 1}), dense([]int{1024, 1024})),
	"dequantize_fp8":      halves(quantizeKernels, "dequantize_fp8", dense([]int{1024, 1024}), dense([]int{1024, 1}), dense([]int{1024, 1024})),
	"dequantize_nf4":      halves(quantizeKernels, "dequantize_nf4", dense([]int{1024, 512}), dense([]int{1024, 16}), dense([]int{1024, 1024})),

	// Along rows and down columns threads read memory in runs and add up what they read in
	// registers; they meet once, at the end.
	"reduce_rows":    sums(1),
	"reduce_columns": sums(0),
	"transpose":      transposition, // through shared memory, by vectors on both sides
	"layernorm_grad": foldedGrad,    // sums of gradients of the weight stay in registers over all rows of a program
	"norm_sums":      addedUp,
	"softmax_grad":   softGrad,
	"batch_norm":     batchOfPlanes, // a channel stays in registers between its statistics and the result

	"batch_norm_grad_apply": batchOfColumns, // what channels have is read once for several tiles
	"layernorm":             layerNorm,      // a row stays in registers between its statistics and the result

	"rmsnorm_residual": residualNorm,    // the sum is stored with the result
	"sample":           sampled(false),  // rounds until a token is kept
	"sample_listed":    sampledFromList, // rounds with tokens in registers
	"sample_tops":      sampledByParts(func(cfg kernels.SampleConfig) (*tile.Func, error) { return kernels.SampleTops.Build(cfg) }, "logits", "parts"),
	"sample_first": sampledByParts(func(cfg kernels.SampleConfig) (*tile.Func, error) {
		return kernels.SampleSums.Build(kernels.SampleSumsConfig{SampleConfig: cfg, First: true})
	}, "logits", "parts", "sums", "lanes", "state"),
	"sample_sums": sampledByParts(func(cfg kernels.SampleConfig) (*tile.Func, error) {
		return kernels.SampleSums.Build(kernels.SampleSumsConfig{SampleConfig: cfg})
	}, "logits", "parts", "numbers", "state", "sums", "lanes", "list", "state"),
	"sample_draw": sampledByParts(func(cfg kernels.SampleConfig) (*tile.Func, error) { return kernels.SampleDraw.Build(cfg) },
		"logits", "parts", "sums", "lanes", "state", "numbers", "state"),
	"sample_rest": sampledByParts(func(cfg kernels.SampleConfig) (*tile.Func, error) { return kernels.SampleRest.Build(cfg) }, "logits", "list", "state", "each"),
	// Rows of 4096 elements, by vectors.
	"embedding":     rowsOfWords,
	"cache_append":  pagedStep,
	"rotary":        rotaryHalves,
	"rotary_append": rotaryStep,
	"gather":        windowsOf,
	"scatter":       largestOfUpdates,
	"scatter_sums":  sortedSums, // windows in order, of which a part has runs whole
	"concat":        threeJoined,
	"pad":           framed,
	"top_k":         largestOf, // a part of a row stays in registers
	"top_k_order":   inOrder,
	"sort_rows":     rowsSorted,
	"sort_count": partSorted(func(p kernels.SortProblem, s kernels.SortSizes) (*tile.Func, error) {
		return kernels.SortCount.Build(p.Count(s))
	}, "x", "counts"),
	"sort_scatter": partSorted(func(p kernels.SortProblem, s kernels.SortSizes) (*tile.Func, error) {
		return kernels.SortScatter.Build(p.Pass(s, 3))
	}, "x", "x", "counts", "x", "x"),
	"histogram":    counted,                       // neighbours in one bin are added up before
	"scan":         cumulative(4096, 1024, false), // a tile has rows whole
	"scan_shared":  cumulative(1, 1<<20, false),   // programs wait for what is before their parts, or read it
	"scan_columns": cumulative(4096, 4096, true),

	// Windows of 3 × 3: the loads of all places of a few results are outstanding together.
	"resize":      resizedPlanes(kernels.ResizeLinear, 56, 112, false),
	"resize_grad": resizedPlanes(kernels.ResizeLinear, 112, 56, true),
	"window":      pooled(false),
	"window_grad": pooled(true),

	"cross_entropy":      lossOf(false), // one exponential for each logit, no softmax in memory
	"cross_entropy_grad": lossOf(true),
}

// staged are the kernels of which all stages stand in testdata: tile IR, thread-level IR, WGSL, CUDA C and SPIR-V.
var staged = map[string]bool{"add": true, "matmul": true, "softmax": true, "softmax_online": true}

func TestGoldens(t *testing.T) {
	for name, emit := range goldens {
		for language, caps := range map[string]target.Caps{"wgsl": wgslCaps, "cu": cudaCaps, "spvasm": spirvCaps} {
			a := emit(t, caps)
			goldenText(t, name+"."+language, a)
			if staged[name] {
				golden(t, name+"."+language+".simt", a.SimtIR())
				golden(t, name+"."+language+".tile", a.TileIR)
			}
		}
	}
}

// What WGSL's extensions make of the kernels: 16-bit floats as such, and shuffles.
func TestExtendedGoldens(t *testing.T) {
	all := allKernels(t, extendedCaps, weft.F16, 1024)
	for _, name := range []string{"add", "softmax"} {
		k := all[name]
		a, err := compile.Emit(k, families[0].facts(k, 1024), extendedCaps)
		if err != nil {
			t.Fatal(err)
		}
		goldenText(t, name+".extended.wgsl", a)
	}
}

// What matrix instructions make of the kernels that have products.
func TestMatrixGoldens(t *testing.T) {
	all := allKernels(t, matrixCaps, weft.F16, 1024)
	for _, name := range []string{"matmul", "attention"} {
		a, err := compile.Emit(all[name], families[0].facts(all[name], 1024), matrixCaps)
		if err != nil {
			t.Fatal(err)
		}
		goldenText(t, name+".matrix.cu", a)
	}
	for name, rows := range map[string]int{"quantized_row": 1, "quantized_matmul": 128} { // weights go from memory to registers
		goldenText(t, name+".matrix.cu", quantizedProduct(rows)(t, matrixCaps))
	}
}

// Every file in testdata is a golden of some kernel.
func TestNoGoldenIsLeftOver(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^(\w+)\.(wgsl|cu|spvasm|extended\.wgsl|matrix\.cu|(?:wgsl|cu|spvasm)\.(?:simt|tile))$`)
	for _, f := range files {
		if f == registersFile || f == structuresFile {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := form.FindStringSubmatch(filepath.Base(f))
		if m == nil || goldens[m[1]] == nil || (strings.HasSuffix(m[2], ".simt") || strings.HasSuffix(m[2], ".tile")) && !staged[m[1]] {
			t.Errorf("%s belongs to no test", f)
		} else if strings.Count(string(text), "\n") > longestText {
			t.Errorf("%s is longer than %d lines", f, longestText)
		}
	}
}

var positions = regexp.MustCompile(`\.go:\d+`)

// golden compares a stage of a kernel with the file of its name. The numbers of the kernel's lines
// are left out, so that the file changes with the code that is emitted alone.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = positions.ReplaceAllString(got, ".go")
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; go test ./ops -update rewrites it:\n%s", name, diff)
	}
}

// emitted compiles a kernel for arguments in buffers of their own.
func emitted(t *testing.T, k *tile.Func, err error, caps target.Caps, layouts ...layout.Layout) *compile.Artifact {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	buffers := make([]int, len(layouts))
	for i := range buffers {
		buffers[i] = i
	}
	a, err := compile.Emit(k, axis.FactsOf(layouts, buffers), caps)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// square is a kernel of F32 for dense arguments of 1024 in every dimension.
func square(name string) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		k := allKernels(t, caps, weft.F32, 1024)[name]
		a, err := compile.Emit(k, families[0].facts(k, 1024), caps)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// halves is a kernel of F16 for given arguments.
func halves(list func(*testing.T, target.Caps, weft.DType, int) map[string]*tile.Func, name string, layouts ...layout.Layout) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		return emitted(t, list(t, caps, weft.F16, 1024)[name], nil, caps, layouts...)
	}
}

func convolution(name string) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		return convCases(t, caps, weft.F32)[name].emit(t, caps)
	}
}

func sums(axis int) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		return reduction(t, caps, kernels.ReduceSum, weft.F32, 65536, 4096, axis)
	}
}

func layerNorm(t *testing.T, caps target.Caps) *compile.Artifact {
	x, row := dense([]int{65536, 4096}), dense([]int{1, 4096})
	p := kernels.NormProblem{Elem: weft.F16, X: tune.ViewOf(x), Row: [5]bool{1: true}}
	cfg, _ := p.Config(p.Rule(caps))
	cfg.Weight, cfg.Bias = true, true
	k, err := kernels.Norm.Build(cfg)
	return emitted(t, k, err, caps, x, row, row, x)
}

func residualNorm(t *testing.T, caps target.Caps) *compile.Artifact {
	x, row := dense([]int{65536, 4096}), dense([]int{1, 4096})
	p := kernels.NormProblem{Elem: weft.F16, RMS: true, X: tune.ViewOf(x), Row: [5]bool{1: true}, Residual: true, Sum: true}
	cfg, _ := p.Config(p.Rule(caps))
	cfg.Weight = true
	k, err := kernels.Norm.Build(cfg)
	return emitted(t, k, err, caps, x, x, row, x, x)
}

func sampled(stepped bool) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		x, each := dense([]int{64, 128256}), dense([]int{64, 1})
		p := kernels.SampleProblem{Elem: weft.F16, Filtered: true, Stepped: stepped, X: tune.ViewOf(x)}
		cfg := p.Rule(caps).Alone()
		views := []layout.Layout{x}
		if stepped {
			views = append(views, each)
		}
		if cfg.List > 0 {
			views = append(views, dense([]int{64, cfg.List}), dense([]int{64, kernels.SampleWords}))
		}
		k, err := kernels.Sample.Build(cfg)
		return emitted(t, k, err, caps, append(views, each)...)
	}
}

// sampledByParts is a kernel of rows that several programs share, where they do.
func sampledByParts(build func(kernels.SampleConfig) (*tile.Func, error), views ...string) emitter {
	const rows = 16
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		x := dense([]int{rows, 128256})
		cfg := kernels.SampleProblem{Elem: weft.F16, Filtered: true, X: tune.ViewOf(x)}.Rule(caps)
		if cfg.List == 0 {
			cfg.List = 1024
		}
		cfg.Lanes, cfg.Depth, cfg.PartThreads, cfg.Draws = 64, 32, caps.FitThreads(256), 2
		shapes := map[string][]int{"logits": x.Shape(), "each": {rows, 1}, "parts": {rows, cfg.Parts()}, "numbers": {rows, 1024}, "sums": {rows, 3, cfg.Parts()},
			"lanes": {rows, 2, 1024}, "list": {rows, cfg.List}, "state": {rows, kernels.SampleWords}}
		list := make([]layout.Layout, len(views))
		for i, name := range views {
			list[i] = dense(shapes[name])
		}
		k, err := build(cfg)
		return emitted(t, k, err, caps, list...)
	}
}

// sampledFromList is what goes on with the tokens that a kernel has listed, where one does.
func sampledFromList(t *testing.T, caps target.Caps) *compile.Artifact {
	x, each := dense([]int{64, 128256}), dense([]int{64, 1})
	cfg := kernels.SampleProblem{Elem: weft.F16, Filtered: true, X: tune.ViewOf(x)}.Rule(caps)
	if cfg.List == 0 {
		cfg.List = 1024
	}
	k, err := kernels.SampleListed.Build(cfg)
	return emitted(t, k, err, caps, x, dense([]int{64, cfg.List}), dense([]int{64, kernels.SampleWords}), each)
}

// quantizedProduct is the product of rows of F16 with weights of 4 bits in groups of 128 along the reduction.
func quantizedProduct(rows int) emitter {
	const side = 4096
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		cfg := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(rows, side, 1), N: side, Weights: transposedGroups(128)}.Rule(caps)
		cfg.SplitK = 0
		k, err := kernels.MatMul.Build(cfg)
		data, scales := dense([]int{side, side / 2}).Transpose(), dense([]int{side, side / 128}).Transpose()
		return emitted(t, k, err, caps, dense([]int{rows, side}), data, scales, dense([]int{rows, side}))
	}
}
