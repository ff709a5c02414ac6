package ops

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// standing is how the model sees the rule's choice: its place, among how many, and its time over that of
// the model's own choice.
type standing struct {
	place, of int
	ratio     float64
	rule, own any
}

func stand[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], p P) func(caps target.Caps) standing {
	return func(caps target.Caps) standing {
		model, ranked, rule := tune.ModelFor(caps), s.Rank(caps, p), s.Rule(caps, p)
		return standing{slices.Index(ranked, rule), len(ranked),
			model.Seconds(s.Work(caps, p, rule)) / model.Seconds(s.Work(caps, p, ranked[0])), rule, ranked[0]}
	}
}

// benchmarks are problems of the benchmark's kinds and sizes.
func benchmarks() (names []string, all map[string]func(target.Caps) standing) {
	all = map[string]func(target.Caps) standing{}
	add := func(name string, f func(target.Caps) standing) { names, all[name] = append(names, name), f }
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		for _, n := range [][3]int{{4096, 4096, 4096}, {4095, 4097, 4093}, {1024, 1024, 1024}, {512, 512, 512}, {8192, 1024, 1024}, {16, 8192, 8192},
			{1, 8192, 8192}, {128, 128, 16384}, {2048, 14336, 4096}, {197 * 8, 768, 768}} {
			add(fmt.Sprintf("matmul %v %dx%dx%d", elem, n[0], n[1], n[2]),
				stand(matMulTune, kernels.MatMulProblem{Elem: elem, A: kernels.MatrixView(n[0], n[2], 1), B: kernels.MatrixView(n[2], n[1], 1)}))
			add(fmt.Sprintf("linear %v %dx%dx%d", elem, n[0], n[1], n[2]),
				stand(matMulTune, kernels.MatMulProblem{Elem: elem, A: kernels.MatrixView(n[0], n[2], 1), B: kernels.MatrixView(n[2], n[1], 0)}))
		}
		for _, n := range [][2]int{{4096, 4096}, {32768, 1024}, {16, 1 << 20}, {1, 1 << 28}, {1 << 16, 128}} {
			add(fmt.Sprintf("sum rows %v %v", elem, n), stand(reduceTune, kernels.ReduceProblem{Op: kernels.ReduceSum, Elem: elem, X: kernels.MatrixView(n[0], n[1], 1), Reduced: [5]bool{false, true}}))
			add(fmt.Sprintf("sum columns %v %v", elem, n), stand(reduceTune, kernels.ReduceProblem{Op: kernels.ReduceSum, Elem: elem, X: kernels.MatrixView(n[0], n[1], 1), Reduced: [5]bool{true}}))
			add(fmt.Sprintf("softmax %v %v", elem, n), stand(softmaxTune, kernels.SoftmaxProblem{Elem: elem, Rows: kernels.MatrixView(n[0], n[1], 1)}))
			add(fmt.Sprintf("cross_entropy %v %v", elem, n), stand(lossTune, lossProblem(elem, n[0], n[1])))
			add(fmt.Sprintf("cross_entropy_grad %v %v", elem, n), stand(lossGradTune, lossGradProblem(elem, n[0], n[1])))
			add(fmt.Sprintf("layernorm_grad %v %v", elem, n), stand(rowGradTune, NormGradProblem(elem, n[0], n[1])))
			add(fmt.Sprintf("layernorm %v %v", elem, n), stand(normTune, kernels.NormProblem{Elem: elem, X: kernels.MatrixView(n[0], n[1], 1), Row: [5]bool{false, true}}))
		}
		for _, n := range [][3]int{{64, 64, 112 * 112}, {64, 512, 49}, {32, 256, 196}} {
			planes := tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{n[0], n[1], n[2]}}
			last := kernels.MatrixView(n[0]*n[2], n[1], 1)
			for _, grad := range []bool{false, true} {
				add(fmt.Sprintf("batch_norm %v %v %v", elem, n, grad), stand(batchNormTune, kernels.BatchNormProblem{Elem: elem, Grad: grad, X: planes, Row: [5]bool{true, false, true}}))
				add(fmt.Sprintf("batch_norm of columns %v %v %v", elem, n, grad), stand(batchNormTune, kernels.BatchNormProblem{Elem: elem, Grad: grad, X: last, Row: [5]bool{true}}))
			}
		}
		for _, n := range [][3]int{{4096, 4096, 128}, {4096, 4096, 64}, {1, 8192, 128}, {197, 197, 64}} {
			heads := func(length int) tune.View {
				return tune.View{Rank: 4, Unit: true, Align: 16, Order: [5]int8{0, 1, 2, 3}, Size: [5]int{2, 32, length, n[2]}}
			}
			add(fmt.Sprintf("attention %v %v", elem, n), stand(attentionTune, kernels.AttentionProblem{Elem: elem, Q: heads(n[0]), K: heads(n[1]), Last: true}))
		}
		add(fmt.Sprintf("uniform %v", elem), stand(randomTune, kernels.RandomProblem{Op: "uniform", Elem: elem, N: 1 << 28}))
	}
	for i, s := range layers()[:14] {
		add(fmt.Sprintf("conv %d", i), stand(convTune, kernels.ConvProblem{Elem: weft.F32, Shape: s}))
	}
	weights := kernels.QuantView{QuantScheme: kernels.QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F16}
	for _, m := range []int{1, 16, 2048} {
		add(fmt.Sprintf("quantized %d", m), stand(quantizedTune, kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(m, 4096, 1), N: 4096, Weights: weights}))
	}
	return names, all
}

// The model sees the rules' choices, which were measured on an H200, among the best.
func TestTheModelAgreesWithTheRules(t *testing.T) {
	caps := preset(t, "h200")
	names, all := benchmarks()
	var ratios []float64
	for _, name := range names {
		s := all[name](caps)
		t.Logf("%-36s %4d of %4d  %.2f  rule %+v\n\t\tmodel %+v", name, s.place, s.of, s.ratio, s.rule, s.own)
		ratios = append(ratios, s.ratio)
	}
	slices.Sort(ratios)
	if median, nine := ratios[len(ratios)/2], ratios[len(ratios)*9/10]; median > 1.2 || nine > 2 {
		t.Errorf("by the model rules are slower than its own choices by factors of %.2f in the median and %.2f at 90%%", median, nine)
	}
}

func preset(t *testing.T, name string) target.Caps {
	t.Helper()
	p, ok := target.PresetNamed(name)
	if !ok {
		t.Fatalf("no preset %q", name)
	}
	return p.Caps
}
