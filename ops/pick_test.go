package ops

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// A problem that was seen before costs a look-up and no memory.
func TestPickAllocatesNothing(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	p := kernels.MatMulProblem{Elem: weft.F32, A: kernels.MatrixView(100, 200, 1), B: kernels.MatrixView(200, 300, 0)}
	want := pick(matMulTune, dev, p)
	if n := testing.AllocsPerRun(100, func() {
		if got := pick(matMulTune, dev, p); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPick(b *testing.B) {
	dev, err := weft.Open("cpu")
	if err != nil {
		b.Fatal(err)
	}
	defer dev.Close()
	for i := range 64 {
		pick(matMulTune, dev, kernels.MatMulProblem{Elem: weft.F32, A: kernels.MatrixView(100+i, 200, 1), B: kernels.MatrixView(200, 300, 0)})
	}
	for b.Loop() {
		pick(matMulTune, dev, kernels.MatMulProblem{Elem: weft.F32, A: kernels.MatrixView(101, 200, 1), B: kernels.MatrixView(200, 300, 0)})
	}
}

// probe is a problem with its space.
type probe struct {
	// check checks some configs as a race would, and returns how many.
	check func(dev *weft.Device) (int, error)
	// compile compiles the rule's choice and some others, and returns how many there were to choose from.
	compile func(caps target.Caps, rng *rand.Rand) (int, error)
}

// problems are some of all kinds, of odd sizes.
func problems() map[string]probe {
	conv := kernels.Conv2DShape{Images: 2, Channels: 12, Height: 17, Width: 19, Filters: 20, Kernel: [2]int{3, 3}, Stride: [2]int{2, 1},
		Dilation: [2]int{1, 1}, Padding: [4]int{1, 0, 1, 2}, Groups: 1}
	last := conv
	last.ChannelsLast = true
	volume := conv
	volume.Volume = kernels.ConvVolume{ConvDepth: kernels.ConvDepth{Kernel: 2, Stride: 1, Dilation: 2}, Depth: 5, Padding: [2]int{1, 0}}
	rows := kernels.MatrixView(37, 1000, 1)
	weights := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{32, 1}}, Packed: 0, Scale: weft.F32}
	list := map[string]probe{}
	add := func(name string, p probe) { list[name] = p }
	add("matmul", probeOf(matMulTune, kernels.MatMulProblem{Elem: weft.F32, A: kernels.MatrixView(67, 300, 1), B: kernels.MatrixView(300, 71, 0)}))
	add("conv of volumes", probeOf(convTune, kernels.ConvProblem{Elem: weft.F16, Shape: volume}))
	add("conv_weight_grad", probeOf(convGradTune, kernels.ConvGradProblem{Elem: weft.F32, Shape: conv}))
	add("conv_weight_grad of volumes", probeOf(convGradTune, kernels.ConvGradProblem{Elem: weft.F16, Shape: volume}))
	add("matmul f16 of one row", probeOf(matMulTune, kernels.MatMulProblem{Elem: weft.F16, A: kernels.MatrixView(1, 300, 1), B: kernels.MatrixView(300, 500, 1)}))
	add("matmul i8 batch", probeOf(matMulTune, kernels.MatMulProblem{Elem: weft.I8, A: tune.View{Rank: 3, Unit: true, Align: 4, Order: [5]int8{0, 1, 2}, Size: [5]int{3, 20, 36}}, B: tune.View{Rank: 3, Unit: true, Align: 1, Repeat: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{3, 36, 9}}}))
	odd := tune.Strides{Rank: 2, Unit: true, Align: 1, Order: [5]int8{0, 1}}
	across := tune.Strides{Rank: 2, Unit: true, Align: 2, Order: [5]int8{1, 0}}
	add("matmul of odd rows", probeOf(matMulTune, kernels.MatMulProblem{Elem: weft.F16, A: kernels.MatrixView(67, 300, 1), B: kernels.MatrixView(300, 71, 0), Out: odd, Result: weft.F32}))
	add("softmax across", probeOf(softmaxTune, kernels.SoftmaxProblem{Elem: weft.F16, Rows: rows, X: across}))
	add("layernorm across", probeOf(normTune, kernels.NormProblem{Elem: weft.F32, X: rows, Row: [5]bool{false, true}, From: across}))
	add("quantize of odd rows", probeOf(quantizeTune, kernels.QuantizeProblem{Elem: weft.F16, View: weights, Shape: [2]int{640, 700}, Back: true, Real: odd, Data: odd}))
	add("dropout at odd elements", probeOf(randomTune, kernels.RandomProblem{Op: "dropout", Elem: weft.F16, N: 5001, X: tune.Strides{Rank: 1, Unit: true, Align: 1}, Out: tune.Strides{Rank: 1, Unit: true, Align: 2}}))
	add("quantized", probeOf(quantizedTune, kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(50, 256, 1), N: 96, Weights: weights}))
	codes := kernels.QuantView{QuantScheme: kernels.MXFP4.T(), Scale: weft.U8}
	add("quantized mxfp4", probeOf(quantizedTune, kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(50, 256, 1), N: 96, Weights: codes}))
	codes.Codes = kernels.NF4
	add("quantize nf4", probeOf(quantizeTune, kernels.QuantizeProblem{Elem: weft.F32, View: codes, Shape: [2]int{320, 700}, Fastest: 1}))
	add("quantize", probeOf(quantizeTune, kernels.QuantizeProblem{Elem: weft.F32, View: kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 8, Block: [2]int{1, 0}}, Scale: weft.F32}, Shape: [2]int{333, 700}, Fastest: 1}))
	add("dequantize", probeOf(quantizeTune, kernels.QuantizeProblem{Elem: weft.F16, View: weights, Shape: [2]int{640, 700}, Back: true}))
	add("quant range", probeOf(quantRangeTune, kernels.QuantRangeProblem{Elem: weft.F32, Blocks: tune.View{Rank: 4, Unit: true, Align: 2, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{3, 4, 5, 130}}}))
	for _, op := range []kernels.ReduceOp{kernels.ReduceSum, kernels.ReduceArgMax, kernels.ReduceVar} {
		add("reduce "+op.String(), probeOf(reduceTune, kernels.ReduceProblem{Op: op, Elem: weft.F32, X: rows, Reduced: [5]bool{false, true}}))
		add("reduce columns "+op.String(), probeOf(reduceTune, kernels.ReduceProblem{Op: op, Elem: weft.BF16, X: rows, Reduced: [5]bool{true}}))
	}
	add("reduce all", probeOf(reduceTune, kernels.ReduceProblem{Op: kernels.ReduceSum, Elem: weft.F16, X: kernels.MatrixView(1, 300_001, 1), Reduced: [5]bool{true, true}}))
	add("softmax", probeOf(softmaxTune, kernels.SoftmaxProblem{Elem: weft.F32, Rows: rows}))
	add("softmax columns", probeOf(softmaxTune, kernels.SoftmaxProblem{Elem: weft.F16, Rows: rows, Columns: true}))
	add("softmax long", probeOf(softmaxTune, kernels.SoftmaxProblem{Elem: weft.F32, Rows: kernels.MatrixView(2, 70_001, 1)}))
	add("layernorm", probeOf(normTune, kernels.NormProblem{Elem: weft.F32, X: rows, Row: [5]bool{false, true}}))
	add("rmsnorm", probeOf(normTune, kernels.NormProblem{Elem: weft.BF16, RMS: true, X: rows, Row: [5]bool{false, true}}))
	heads := tune.View{Rank: 4, Unit: true, Align: 8, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{2, 2, 70, 40}}
	add("attention", probeOf(attentionTune, kernels.AttentionProblem{Elem: weft.F32, Q: heads, K: heads, Last: true}))
	add("attention f16", probeOf(attentionTune, kernels.AttentionProblem{Elem: weft.F16, Q: heads, K: heads, First: true, Last: true}))
	narrow := heads
	narrow.Align, narrow.Size = 1, [5]int{1, 2, 300, 1}
	add("attention of heads of one", probeOf(attentionTune, kernels.AttentionProblem{Elem: weft.F32, Q: narrow, K: narrow, First: true, Last: true})) // whose scores are scaled by more than 1
	add("conv", probeOf(convTune, kernels.ConvProblem{Elem: weft.F32, Shape: conv}))
	add("conv channels last", probeOf(convTune, kernels.ConvProblem{Elem: weft.F16, Shape: last}))
	add("im2col", probeOf(im2colTune, kernels.Im2ColProblem{Elem: weft.F32, Shape: conv, Memory: [5]int{0, 4, 1, 2, 3}}))
	addData(add)
	addLosses(add)
	for _, op := range []string{"uniform", "normal", "dropout"} {
		add(op, probeOf(randomTune, kernels.RandomProblem{Op: op, Elem: weft.F16, N: 5001}))
	}
	return list
}

func probeOf[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], p P) probe {
	return probe{
		check:   func(dev *weft.Device) (int, error) { return checkSome(s, p, dev) },
		compile: func(caps target.Caps, rng *rand.Rand) (int, error) { return compileSome(s, p, caps, rng) },
	}
}

func checkSome[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], p P, dev *weft.Device) (n int, err error) {
	r := &trialTensors{dev: dev}
	defer r.close()
	trial, err := s.trial(p, r, s.Rule(dev.Caps(), p))
	if err != nil {
		return 0, err
	}
	ranked := s.Rank(dev.Caps(), p)
	for i := 0; i < len(ranked); i += 1 + len(ranked)/12 {
		if i > len(ranked)/2 && trial.Renew != nil { // the others are checked on other numbers
			if err := trial.Renew(); err != nil {
				return n, err
			}
			trial.Renew = nil
		}
		if err := trial.Check(ranked[i]); err != nil {
			return n, fmt.Errorf("%+v: %w", ranked[i], err)
		}
		n++
	}
	return n, nil
}

func compileSome[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], p P, caps target.Caps, rng *rand.Rand) (int, error) {
	rule, ranked := s.Default(caps, p), s.Rank(caps, p)
	if err := s.Legal(caps, p, rule); err != nil {
		return 0, fmt.Errorf("the rule's choice %+v is refused: %w", rule, err)
	}
	for i, c := range []C{rule, ranked[rng.IntN(len(ranked))], ranked[rng.IntN(len(ranked))]} {
		k, err := s.Kernel(caps, p, c)
		if err == nil {
			err = compiles(k, caps)
		}
		if err != nil {
			return len(ranked), fmt.Errorf("%d: %+v: %w", i, c, err)
		}
	}
	return len(ranked), nil
}

// compiles compiles a kernel for arguments of which nothing is known, and holds it to the device's limits.
func compiles(k *tile.Func, caps target.Caps) error {
	a, err := compile.Emit(k, axis.Generic(k), caps)
	if err != nil || caps.WholeTiles {
		return err
	}
	return backend.CheckSource(a.Source, caps)
}

// What is legal, the compiler accepts, on devices of all kinds.
func TestLegalConfigsCompile(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, name := range []string{"h200", "t4", "vulkan-amd", "llvmpipe", "webgpu", "webgpu-apple", "cpu"} {
		caps := preset(t, name)
		for of, p := range problems() {
			t.Run(name+"/"+of, func(t *testing.T) {
				testenv.Sample(t)
				if n, err := p.compile(caps, rng); err != nil || n < 2 {
					t.Errorf("%d configs: %v", n, err)
				}
			})
		}
	}
}

// A product's config is chosen without what is fused after it, so that there must be room for that.
func TestFusedConfigsCompile(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	fused := kernels.Epilogue{Alpha: true, Steps: [kernels.MaxSteps]*weft.Map{AddMap, GELUMap, AddMap},
		Inputs: [kernels.MaxInputs + 1]kernels.EpilogueTensor{{Elem: weft.F32, Cols: true}, {Elem: weft.F16, Rows: true, Cols: true}}}
	for _, name := range []string{"h200", "vulkan-nvidia", "llvmpipe", "webgpu", "webgpu-apple"} {
		caps := preset(t, name)
		for _, elem := range []weft.DType{weft.F32, weft.F16} {
			p := kernels.MatMulProblem{Elem: elem, A: kernels.MatrixView(400, 300, 1), B: kernels.MatrixView(300, 500, 1)}
			ranked := matMulTune.Rank(caps, p)
			for range 4 {
				cfg := ranked[rng.IntN(len(ranked))]
				if cfg.SplitK > 1 {
					continue // the second pass has the epilogue
				}
				cfg.Epilogue = fused
				k, err := kernels.MatMul.Build(cfg)
				if err == nil {
					err = compiles(k, caps)
				}
				if err != nil {
					t.Errorf("%s: %+v: %v", name, cfg, err)
				}
			}
		}
	}
}

// Every space has several configs on the CPU, the rule's choice is among the legal ones, and what
// races run on finds them all to be right.
func TestTrialsAgree(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for name, p := range problems() {
		t.Run(name, func(t *testing.T) {
			n, err := p.check(dev)
			if err != nil || n < 2 {
				t.Errorf("%d configs: %v", n, err)
			}
		})
	}
}
