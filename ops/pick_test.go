package ops

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/tune"
)

// A problem that was seen before costs a look-up and no memory.
func TestPickAllocatesNothing(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	p := matMulProblem{weft.F32, matrix(100, 200, 1), matrix(200, 300, 0)}
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
		pick(matMulTune, dev, matMulProblem{weft.F32, matrix(100+i, 200, 1), matrix(200, 300, 0)})
	}
	for b.Loop() {
		pick(matMulTune, dev, matMulProblem{weft.F32, matrix(101, 200, 1), matrix(200, 300, 0)})
	}
}

// problems of all kinds for the tests below: odd sizes, any layout.
func problems() map[string]func(dev *weft.Device) (checked int, err error) {
	conv := Conv2DShape{Images: 2, Channels: 12, Height: 17, Width: 19, Filters: 20, Kernel: [2]int{3, 3}, Stride: [2]int{2, 1},
		Dilation: [2]int{1, 1}, Padding: [4]int{1, 0, 1, 2}, Groups: 1}
	last := conv
	last.ChannelsLast = true
	rows := matrix(37, 1000, 1)
	weights := QuantView{QuantScheme: QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{32, 1}}, Packed: 0, Scale: weft.F32}
	list := map[string]func(dev *weft.Device) (int, error){}
	add := func(name string, f func(dev *weft.Device) (int, error)) { list[name] = f }
	add("matmul", checkAll(matMulTune, matMulProblem{weft.F32, matrix(67, 300, 1), matrix(300, 71, 0)}))
	add("matmul f16 of one row", checkAll(matMulTune, matMulProblem{weft.F16, matrix(1, 300, 1), matrix(300, 500, 1)}))
	add("matmul i8 batch", checkAll(matMulTune, matMulProblem{weft.I8,
		tune.View{Rank: 3, Unit: true, Align: 4, Order: [5]int8{0, 1, 2}, Size: [5]int{3, 20, 36}},
		tune.View{Rank: 3, Unit: true, Align: 1, Repeat: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{3, 36, 9}}}))
	add("quantized", checkAll(quantizedTune, quantizedProblem{weft.F16, matrix(50, 256, 1), 96, weights, 0}))
	add("quantize", checkAll(quantizeTune, quantizeProblem{weft.F32, QuantView{QuantScheme: QuantScheme{Bits: 8, Block: [2]int{1, 0}}, Scale: weft.F32}, [2]int{333, 700}, 1, false}))
	add("dequantize", checkAll(quantizeTune, quantizeProblem{weft.F16, weights, [2]int{640, 700}, 0, true}))
	add("quant range", checkAll(quantRangeTune, quantRangeProblem{weft.F32,
		tune.View{Rank: 4, Unit: true, Align: 2, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{3, 4, 5, 130}}}))
	for _, op := range []ReduceOp{ReduceSum, ReduceArgMax, ReduceVar} {
		add("reduce "+op.String(), checkAll(reduceTune, reduceProblem{op, weft.F32, rows, [5]bool{false, true}}))
		add("reduce columns "+op.String(), checkAll(reduceTune, reduceProblem{op, weft.BF16, rows, [5]bool{true}}))
	}
	add("reduce all", checkAll(reduceTune, reduceProblem{ReduceSum, weft.F16, matrix(1, 300_001, 1), [5]bool{true, true}}))
	add("softmax", checkAll(softmaxTune, softmaxProblem{weft.F32, rows, false}))
	add("softmax columns", checkAll(softmaxTune, softmaxProblem{weft.F16, rows, true}))
	add("softmax long", checkAll(softmaxTune, softmaxProblem{weft.F32, matrix(2, 70_001, 1), false}))
	add("layernorm", checkAll(normTune, normProblem{weft.F32, false, rows, [5]bool{false, true}}))
	add("rmsnorm", checkAll(normTune, normProblem{weft.BF16, true, rows, [5]bool{false, true}}))
	heads := tune.View{Rank: 4, Unit: true, Align: 8, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{2, 2, 70, 40}}
	add("attention", checkAll(attentionTune, attentionProblem{weft.F32, heads, heads, false, true}))
	add("attention f16", checkAll(attentionTune, attentionProblem{weft.F16, heads, heads, true, true}))
	add("conv", checkAll(convTune, convProblem{weft.F32, conv}))
	add("conv channels last", checkAll(convTune, convProblem{weft.F16, last}))
	add("im2col", checkAll(im2colTune, im2colProblem{weft.F32, conv, [5]int{0, 4, 1, 2, 3}}))
	for _, op := range []string{"uniform", "normal", "dropout"} {
		add(op, checkAll(randomTune, randomProblem{op, weft.F16, 5001}))
	}
	return list
}

// checkAll checks some configs of a space as a race would.
func checkAll[P problem[C], C comparable](s *tune.Space[P, C], p P) func(dev *weft.Device) (int, error) {
	return func(dev *weft.Device) (int, error) {
		ranked := s.Rank(dev.Caps(), p)
		if rule := s.Default(dev.Caps(), p); s.Legal(dev.Caps(), p, rule) != nil {
			return 0, fmt.Errorf("the rule's choice %+v is refused: %v", rule, s.Legal(dev.Caps(), p, rule))
		}
		r := &rehearsal{dev: dev}
		defer r.close()
		trial, err := p.trial(r)
		if err != nil {
			return 0, err
		}
		n := 0
		for i := 0; i < len(ranked); i += 1 + len(ranked)/12 {
			if err := trial.Check(ranked[i]); err != nil {
				return n, fmt.Errorf("%+v: %w", ranked[i], err)
			}
			n++
		}
		return n, nil
	}
}

// Every space has several configs on the CPU, the rule's choice is among the legal ones, and what
// races run on finds them all to be right.
func TestRehearsalsAgree(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for name, check := range problems() {
		t.Run(name, func(t *testing.T) {
			n, err := check(dev)
			if err != nil || n < 2 {
				t.Errorf("%d configs: %v", n, err)
			}
		})
	}
}
