package kernels

import (
	"math"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// What problems need, counted by hand.
func TestNeeds(t *testing.T) {
	h200 := preset(t, "h200")
	t4 := preset(t, "t4")
	conv := Conv2DShape{Images: 2, Channels: 4, Height: 5, Width: 5, Filters: 6, Kernel: [2]int{3, 1}, Stride: [2]int{1, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 0, 0}, Groups: 2}
	heads := func(queries int) tune.View {
		return tune.View{Rank: 4, Unit: true, Align: 16, Order: [5]int8{0, 1, 2, 3}, Size: [5]int{1, 2, queries, 8}}
	}
	repeated := MatrixView(30, 40, 1)
	repeated.Repeat = 1
	for name, c := range map[string]struct {
		got  tune.Needs
		want tune.Needs
	}{
		"f16 product": {MatMulProblem{Elem: weft.F16, A: MatrixView(10, 20, 1), B: MatrixView(20, 30, 1)}.Needs(h200.Caps),
			tune.Needs{Read: 2 * (200 + 600), Written: 2 * 300, Matrix: 2 * 6000}},
		"f32 product": {MatMulProblem{Elem: weft.F32, A: MatrixView(10, 20, 1), B: MatrixView(20, 30, 1)}.Needs(h200.Caps),
			tune.Needs{Read: 4 * (200 + 600), Written: 4 * 300, Flops: 2 * 6000}},
		"tf32 product to f16": {MatMulProblem{Elem: weft.F32, Precision: tile.TF32, A: MatrixView(10, 20, 1), B: MatrixView(20, 30, 1), Result: weft.F16}.Needs(h200.Caps),
			tune.Needs{Read: 4 * (200 + 600), Written: 2 * 300, Matrix: 2 * 2 * 6000}},
		"tf32 product without tf32": {MatMulProblem{Elem: weft.F32, Precision: tile.TF32, A: MatrixView(10, 20, 1), B: MatrixView(20, 30, 1)}.Needs(t4.Caps),
			tune.Needs{Read: 4 * (200 + 600), Written: 4 * 300, Matrix: 2 * 6000}},
		"i8 product": {MatMulProblem{Elem: weft.I8, A: MatrixView(10, 20, 1), B: MatrixView(20, 30, 1)}.Needs(h200.Caps),
			tune.Needs{Read: 200 + 600, Written: 4 * 300, Matrix: 6000}},
		"int4 weights": {QuantizedProblem{Elem: weft.F16, A: MatrixView(10, 20, 1), N: 30, Weights: QuantView{QuantScheme: QuantScheme{Bits: 4}}}.Needs(h200.Caps),
			tune.Needs{Read: 2*200 + 300, Written: 2 * 300, Matrix: 2 * 6000}},
		"attention": {AttentionProblem{Elem: weft.F16, Q: heads(3), K: heads(5)}.Needs(h200.Caps),
			tune.Needs{Read: 2 * 16 * (3 + 5 + 5), Written: 2 * 16 * 3, Matrix: 4 * 2 * 15 * 8}},
		"causal attention": {AttentionProblem{Elem: weft.F16, Q: heads(3), K: heads(5), Last: true}.Needs(h200.Caps),
			tune.Needs{Read: 2 * 16 * (3 + 5 + 5), Written: 2 * 16 * 3, Matrix: 4 * 2 * (3 + 4 + 5) * 8}},
		"attention to some keys": {AttentionProblem{Elem: weft.F16, Q: heads(3), K: heads(5), First: true, Last: true}.Needs(h200.Caps),
			tune.Needs{Read: 2 * 16 * 3, Written: 2 * 16 * 3}},
		"convolution": {ConvProblem{Elem: weft.F16, Shape: conv}.Needs(h200.Caps), // 13 of 15 rows of the kernel are within, of 3 of 5 columns
			tune.Needs{Read: 2 * (2*4*5*3 + 6*2*3), Written: 2 * 2 * 6 * 5 * 3, Matrix: 2 * 2 * 13 * 3 * 6 * 2}},
		"gradient of weights": {ConvGradProblem{Elem: weft.F16, Shape: conv}.Needs(h200.Caps),
			tune.Needs{Read: 2 * (2*4*5*3 + 2*6*5*3), Written: 2 * 6 * 2 * 3, Matrix: 2 * 2 * 13 * 3 * 6 * 2}},
		"columns": {Im2ColProblem{Elem: weft.F16, Shape: conv, Memory: [5]int{0, 1, 2, 3, 4}}.Needs(h200.Caps),
			tune.Needs{Read: 2 * 2 * 4 * 5 * 3, Written: 2 * 2 * 12 * 15}},
		"softmax":           {SoftmaxProblem{Elem: weft.F16, Rows: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 2400}},
		"layernorm":         {NormProblem{Elem: weft.F32, X: MatrixView(30, 40, 1), From: repeated.Strides()}.Needs(h200.Caps), tune.Needs{Read: 160, Written: 4800}},
		"sum":               {ReduceProblem{Op: ReduceSum, Elem: weft.F32, X: MatrixView(30, 40, 1), Reduced: [5]bool{true}}.Needs(h200.Caps), tune.Needs{Read: 4800, Written: 160}},
		"embedding":         {EmbeddingProblem{Elem: weft.F32, Table: MatrixView(30, 40, 1), Out: MatrixView(7, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 28, Written: 1120}},
		"rotary":            {RotaryProblem{Elem: weft.F16, X: tune.View{Rank: 5, Size: [5]int{1, 2, 3, 2, 8}}}.Needs(h200.Caps), tune.Needs{Read: 192, Written: 192}},
		"append to a cache": {CacheProblem{Elem: weft.F16, X: heads(3)}.Needs(h200.Caps), tune.Needs{Read: 96}},
		"gather":            {IndexedProblem{Elem: weft.F16, From: weft.F16, Coords: 2, Sizes: [3]int{10, 2, 3}}.Needs(h200.Caps), tune.Needs{Read: 80, Written: 120}},
		"scatter":           {IndexedProblem{Elem: weft.F16, From: weft.F16, Coords: 2, Scatter: true, Sizes: [3]int{10, 2, 3}}.Needs(h200.Caps), tune.Needs{Read: 200}},
		"concat":            {ConcatProblem{Elem: weft.F16, Inputs: 2, Out: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 2400}},
		"pad":               {PadProblem{Elem: weft.F16, Out: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Written: 2400}},
		"top_k":             {TopKProblem{Elem: weft.F16, K: 5, X: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 900}},
		"row_grad":          {RowGradProblem{Elem: weft.F16, X: MatrixView(30, 40, 1), DY: repeated.Strides()}.Needs(h200.Caps), tune.Needs{Read: 2480, Written: 2400}},
		"batch_norm":        {BatchNormProblem{Elem: weft.F16, X: MatrixView(30, 40, 1), From: repeated.Strides()}.Needs(h200.Caps), tune.Needs{Read: 80, Written: 2400}},
		"batch_norm_grad":   {BatchNormProblem{Elem: weft.F16, Grad: true, X: MatrixView(30, 40, 1), DY: repeated.Strides()}.Needs(h200.Caps), tune.Needs{Read: 2480, Written: 2400}},
		"sort":              {SortProblem{Elem: weft.F16, Values: true, Indices: true, X: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 7200}},
		"histogram":         {HistogramProblem{Elem: weft.F16, Weight: weft.F32, Bins: 7, X: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 7200, Written: 28}},
		"scan":              {ScanProblem{Op: ReduceSum, Elem: weft.I8, Rows: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 1200, Written: 4800}},
		"resize":            {ResizeProblem{Elem: weft.F16, Taps: [5]int8{2, 2}, From: [5]int{15, 20}, Out: MatrixView(30, 40, 1)}.Needs(h200.Caps), tune.Needs{Read: 600, Written: 2400}},
		"window":            {WindowProblem{Op: ReduceMax, Elem: weft.F16, Result: weft.F16, X: MatrixView(30, 40, 1), Out: [5]int{15, 20}}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 600}},
		"window with places": {WindowProblem{Op: ReduceArgMax, Elem: weft.F16, Result: weft.F16, Places: true, X: MatrixView(30, 40, 1), Out: [5]int{15, 20}}.Needs(h200.Caps),
			tune.Needs{Read: 2400, Written: 1800}},
		"dropout":       {RandomProblem{Op: "dropout", Elem: weft.F16, N: 10}.Needs(h200.Caps), tune.Needs{Read: 20, Written: 20}},
		"normal":        {RandomProblem{Op: "normal", Elem: weft.F16, N: 10}.Needs(h200.Caps), tune.Needs{Written: 20}},
		"cross_entropy": {LossProblem{LossTerms: LossTerms{Index: weft.I32}, Elem: weft.F16, X: MatrixView(30, 40, 1), Row: [5]bool{1: true}, Loss: true}.Needs(h200.Caps), tune.Needs{Read: 2400, Written: 120}},
		"nll_loss": {LossProblem{LossTerms: LossTerms{Index: weft.I32, Log: true}, Elem: weft.F16, X: MatrixView(30, 40, 1), Row: [5]bool{1: true}, Loss: true}.Needs(h200.Caps),
			tune.Needs{Read: 60, Written: 120}},
		"cross_entropy_grad": {LossGradProblem{Elem: weft.F16, X: MatrixView(30, 40, 1), Row: [5]bool{1: true}}.Needs(h200.Caps), tune.Needs{Read: 4800, Written: 2400}},
		"quantize": {QuantizeProblem{Elem: weft.F32, View: QuantView{QuantScheme: QuantScheme{Bits: 4}}, Shape: [2]int{10, 20}}.Needs(h200.Caps),
			tune.Needs{Read: 800, Written: 100}},
		"dequantize": {QuantizeProblem{Elem: weft.F32, View: QuantView{QuantScheme: QuantScheme{Bits: 4}}, Shape: [2]int{10, 20}, Back: true}.Needs(h200.Caps),
			tune.Needs{Read: 100, Written: 800}},
	} {
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6*(1+b) }
		if g, w := c.got, c.want; !near(g.Read, w.Read) || !near(g.Written, w.Written) || !near(g.Flops, w.Flops) || !near(g.Matrix, w.Matrix) {
			t.Errorf("%s: %+v, want %+v", name, g, w)
		}
	}
	if touched, products := (Conv2DShape{Height: 1 << 25, Kernel: [2]int{3, 3}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}}).touched(0); touched != 0 || products != 0 {
		t.Errorf("of a long image %d are counted", touched)
	}
}
