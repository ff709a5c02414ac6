package ops_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// h200 is the machine that the goldens' configs are chosen for.
var h200 = target.MachineOf("NVIDIA H200", target.Discrete)

var (
	wgslCaps = target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10, Registers: 255, Machine: h200}
	// extendedCaps are those of a device with WGSL's extensions.
	extendedCaps = target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10, Registers: 255, Machine: h200,
		SubgroupSize: 32, F16: true, F16Nearest: true}
	// spirvCaps are those of a device of Vulkan that takes SPIR-V.
	spirvCaps = target.Caps{Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, Registers: 255, Machine: h200,
		SubgroupSize: 32, F16: true, F16Nearest: true, Int64: true, AtomicAddF32: true, DeviceOrder: true}
	// matrixCaps are those of a Hopper GPU as it is; cudaCaps lack its matrix instructions.
	matrixCaps = target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 227 << 10, SubgroupSize: 32, Registers: 255, Machine: h200}.WithCapability(90)
	cudaCaps   = target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255, Machine: h200}
)

// family is a way in which the arguments of a kernel are laid out in memory.
type family struct {
	name    string
	layout  func(shape []int) layout.Layout
	aliased bool // the output is the first input's memory
	folded  bool
}

func dense(shape []int) layout.Layout {
	l, err := layout.Contiguous(shape...)
	if err != nil {
		panic(err)
	}
	return l
}

var families = []family{
	{name: "dense", layout: dense},
	{name: "odd", layout: func(shape []int) layout.Layout {
		for i := range shape {
			shape[i]--
		}
		return dense(shape)
	}},
	{name: "transposed", layout: func(shape []int) layout.Layout { return dense(shape).Transpose() }},
	{name: "aliased", layout: dense, aliased: true},
	{name: "folded", layout: dense, folded: true},
}

// facts describes arguments of one family, of one side in every dimension.
func (f family) facts(k *tile.Func, side int) compile.Facts {
	var layouts []layout.Layout
	var buffers []int
	for i, v := range k.Views {
		shape := make([]int, v.Rank)
		for d := range shape {
			shape[d] = side
		}
		layouts, buffers = append(layouts, f.layout(shape)), append(buffers, i)
	}
	if f.aliased {
		buffers[len(buffers)-1] = 0
	}
	facts := axis.FactsOf(layouts, buffers)
	facts.Folded = f.folded
	return facts
}

// allKernels are the kernels of the library with the configs that launches choose
// for one side of square arguments.
func allKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	l := dense([]int{side, side})
	softmax, _ := kernels.SoftmaxConfigFor(caps, elem, l)
	online := softmax
	online.Cols /= 4
	out := map[string]*tile.Func{}
	keep := func(k *tile.Func, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[k.Name] = k
	}
	keep(ops.AddMap.Kernel.Build(elementwise.ConfigFor(caps, elem, elem, l, l, l)))
	keep(elementwiseMap("pow").Kernel.Build(elementwise.ConfigFor(caps, elem, elem, l, l, l)))
	keep(kernels.MatMul.Build(squareConfig(caps, elem, side)))
	keep(kernels.Softmax.Build(softmax))
	keep(kernels.SoftmaxOnline.Build(online))
	attention := kernels.AttentionConfigFor(caps, elem, side, side, min(side, 128))
	attention.Last, attention.LSE, attention.Mask = true, true, elem
	keep(kernels.Attention.Build(attention))
	numbers := kernels.RandomProblem{Elem: elem, N: side * side}.Rule(caps)
	keep(kernels.Normal.Build(numbers))
	numbers.Mask = true
	keep(kernels.Dropout.Build(numbers))
	return out
}

// squareConfig is the config of a square product. On ordinary units it is one with few accumulators a thread, whose texts are short.
func squareConfig(caps target.Caps, elem weft.DType, side int) ops.MatMulConfig {
	cfg := kernels.MatMulConfigFor(caps, elem, side, side, side)
	if !cfg.IsMatrix(caps) && !caps.WholeTiles {
		cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages, cfg.SplitK = 64, 64, 16, caps.FitThreads(256), 0, 0
	}
	return cfg
}

// elementwiseMap is the map of a function of the table.
func elementwiseMap(name string) *weft.Map {
	for _, o := range ops.Elementwise() {
		if o.Name == name {
			return o.Map
		}
	}
	return nil
}

// splitKernels are those of products whose reduction several programs share, and of attention whose keys they share.
func splitKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	out := map[string]*tile.Func{}
	keep := func(name string, k *tile.Func, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = k
	}
	cfg := kernels.MatMulConfigFor(caps, elem, 64, 64, side)
	cfg.SplitK = 4
	k, err := kernels.MatMul.Build(cfg)
	keep("matmul_parts", k, err)
	k, err = kernels.SumParts.Build(kernels.SumPartsConfigFor(caps, elem, 64, 64, 4))
	keep("sum_parts", k, err)
	if cfg.Atomic = elem == weft.F32; cfg.Atomic {
		k, err = kernels.MatMul.Build(cfg)
		keep("matmul_atomic", k, err)
	}
	if !caps.WholeTiles {
		decoding := kernels.AttentionConfigFor(caps, elem, 4, side, 128)
		decoding.Split, decoding.Folded, decoding.Last, decoding.Lengths = true, true, true, true
		k, err = kernels.Attention.Build(decoding)
		keep("attention_decoding", k, err)
		if caps.DeviceOrder {
			combined := decoding
			combined.Combines, combined.LSE = true, true
			k, err = kernels.Attention.Build(combined)
			keep("attention_combined", k, err)
		}
		serving := kernels.AttentionConfigFor(caps, elem, side, side, 128)
		serving.Last, serving.QueryStarts = true, true
		packed, paged := serving, serving
		packed.KeyStarts = true
		k, err = kernels.Attention.Build(packed)
		keep("attention_packed", k, err)
		paged.Lengths, paged.Page = true, max(serving.BN, kernels.LeastPage)
		k, err = kernels.Attention.Build(paged)
		keep("attention_paged", k, err)
		decoding.Lengths, decoding.QueryStarts, decoding.KeyStarts = false, true, true
		k, err = kernels.Attention.Build(decoding)
		keep("attention_packed_decoding", k, err)
		if masked := serving; elem == weft.F16 && serving.Producers > 0 {
			masked.QueryStarts, masked.Mask = false, weft.Bool
			masked.StepByStep()
			k, err = kernels.Attention.Build(masked)
			keep("attention_masked", k, err)
			grouped := serving
			grouped.QueryStarts, grouped.TileHeads = false, 8
			k, err = kernels.Attention.Build(grouped)
			keep("attention_grouped", k, err)
			k, err = kernels.AttentionBits.Build(kernels.AttentionBitsConfigFor(caps, side, kernels.BitWords(side)))
			keep("attention_bits", k, err)
		}
		k, err = kernels.AttentionParts.Build(kernels.AttentionPartsConfigFor(caps, elem, 16, 4, 128))
		keep("attention_parts", k, err)
	}
	return out
}

// eachKernel calls f for every kernel, element type and family of arguments, each in a test of
// its own, or those of the run's sample. quick leaves out what takes compilers long and differs little: all but dense
// arguments of the 16-bit types, unless WEFT_FULL is 1.
func eachKernel(t *testing.T, caps target.Caps, quick bool, f func(t *testing.T, a *compile.Artifact)) {
	quick = quick && !testenv.Full()
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
		all, split := allKernels(t, caps, elem, 1024), splitKernels(t, caps, elem, 1024)
		maps.Copy(split, productKernels(t, caps, elem, 1024))
		maps.Copy(split, dataKernels(t, caps, elem, 1024))
		if elem == weft.F16 { // others differ in loads and stores alone
			maps.Copy(split, quantizeKernels(t, caps, elem, 1024))
		}
		maps.Copy(all, split)
		for name, k := range all {
			list := families
			if split[name] != nil || name == "attention" || k.Views[0].Rank < 2 {
				list = families[:2] // the rest has nothing new for them
			}
			if quick && elem != weft.F32 {
				list = families[:1]
			}
			if name == "matmul_tf32x3_groups" || strings.HasPrefix(name, "matmul_tf32_words") {
				list = families[2:3] // in which the right operand is K-major
			}
			for _, fam := range list {
				t.Run(fmt.Sprintf("%s/%v/%s", name, elem, fam.name), func(t *testing.T) {
					testenv.Sample(t)
					a, err := compile.Emit(k, fam.facts(k, 1024), caps)
					if err != nil {
						t.Fatal(err)
					}
					f(t, a)
				})
			}
		}
		if elem != weft.F32 { // squares of 2 or 4 to a word
			t.Run(fmt.Sprintf("copy_squares/%v", elem), func(t *testing.T) {
				testenv.Sample(t)
				f(t, inSquares(t, caps, map[weft.DType]int{weft.F16: 2, weft.BF16: 4}[elem]))
			})
		}
		if elem == weft.F16 {
			for name, emit := range interleavedProducts(caps) {
				t.Run(fmt.Sprintf("%s/%v", name, elem), func(t *testing.T) {
					testenv.Sample(t)
					f(t, emit(t, caps))
				})
			}
		}
		for name, c := range convCases(t, caps, elem) {
			t.Run(fmt.Sprintf("%s/%v", name, elem), func(t *testing.T) {
				testenv.Sample(t)
				f(t, c.emit(t, caps))
			})
		}
	}
}

func TestWGSLPassesNagaAndSPIRVVal(t *testing.T) {
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	n := 0
	check := func(t *testing.T, a *compile.Artifact) {
		n++
		binary, err := compilers.SPIRV(t, a.Source.Text)
		if err != nil {
			t.Fatalf("%v\n%s", err, a.Source.Text)
		}
		path := filepath.Join(t.TempDir(), "kernel.spv")
		if err := os.WriteFile(path, binary, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(validator, "--target-env", "vulkan1.1", path).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, a.Source.Text)
		}
	}
	t.Run("core", func(t *testing.T) { eachKernel(t, wgslCaps, false, check) })
	t.Run("extended", func(t *testing.T) { eachKernel(t, extendedCaps, false, check) })
	testenv.Report(t, fmt.Sprintf("wgsl: %d kernels of ops pass naga and spirv-val", n))
}

func TestSPIRVPassesSPIRVVal(t *testing.T) {
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	n, path := 0, filepath.Join(t.TempDir(), "kernel.spv")
	eachKernel(t, spirvCaps, false, func(t *testing.T, a *compile.Artifact) {
		n++
		binary, err := assembly.Assemble(a.Source.Text)
		if err != nil {
			t.Fatalf("%v\n%s", err, a.Source.Text)
		}
		if err := os.WriteFile(path, binary, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(validator, "--target-env", "vulkan1.3", path).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, a.Source.Text)
		}
	})
	testenv.Report(t, fmt.Sprintf("spirv: %d kernels of ops pass spirv-val", n))
}

func TestWGSLPassesTint(t *testing.T) {
	texts, wide := map[string]string{}, 0
	for _, caps := range []target.Caps{wgslCaps, extendedCaps} {
		eachKernel(t, caps, false, func(t *testing.T, a *compile.Artifact) {
			if len(a.Source.Bindings) > 8 { // than Tint's device has; no launch rule chooses the kernel there, see RowGradProblem.Rule
				wide++
				return
			}
			texts[fmt.Sprintf("%03d-%s", len(texts), a.Source.Entry)] = a.Source.Text
		})
	}
	testenv.Tint(t, texts)
	testenv.Report(t, fmt.Sprintf("wgsl: %d kernels of ops pass Tint, %d were left out since they take more than 8 storage buffers", len(texts), wide))
}
