package ops

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// addData adds problems of ops that move rows.
func addData(add func(name string, p probe)) {
	add("embedding", probeOf(embeddingTune, kernels.EmbeddingProblem{Elem: weft.U32, Table: kernels.MatrixView(50, 1000, 1), Out: kernels.MatrixView(37, 1000, 1)}))
	add("embedding of odd rows", probeOf(embeddingTune, kernels.EmbeddingProblem{Elem: weft.BF16, Table: kernels.MatrixView(50, 333, 0),
		Out: tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{1, 0, 2}, Size: [5]int{3, 40, 333}}}))
	for i, kind := range []kernels.ScatterKind{kernels.ScatterSet, kernels.ScatterAdd, kernels.ScatterMax, kernels.ScatterNote} {
		p := kernels.IndexedProblem{Elem: weft.F32, From: weft.F32, Index: weft.I32, Rows: 1, Window: 2, Coords: 1, Scatter: true, Kind: kind, XRun: 1, YRun: 4, Sizes: [3]int{30, 5, 40}, Known: 20}
		if kind == kernels.ScatterNote {
			p.Elem, p.From, p.XRun, p.YRun = weft.I32, weft.I32, 0, 0
		}
		add("scatter "+kind.String(), probeOf(scatterTune, p))
		p.Scatter, p.Kind, p.Clamp, p.Coords, p.RowsLast, p.Rows = false, 0, i%2 == 0, int8(i), i == 2, 1+int8(i%2)
		if p.XRun, p.YRun = 1, 1; p.RowsLast {
			p.XRun, p.YRun = 0, 1
		}
		add("gather for "+kind.String(), probeOf(gatherTune, p))
	}
	add("concat", probeOf(concatTune, kernels.ConcatProblem{Elem: weft.U32, Inputs: 3, Dim: 1, Out: kernels.MatrixView(50, 333, 1)}))
	add("pad", probeOf(padTune, kernels.PadProblem{Elem: weft.F16, Padded: [5]bool{true, true}, Interior: [5]bool{false, true}, Out: kernels.MatrixView(50, 333, 1)}))
	add("pad by a tensor", probeOf(padTune, kernels.PadProblem{Elem: weft.U32, Padded: [5]bool{true, true}, Tensor: true, Halves: true,
		Out: tune.View{Rank: 3, Unit: true, Align: 2, Order: [5]int8{0, 1, 2}, Size: [5]int{30, 40, 2}}}))
	add("pad by reflections", probeOf(padTune, kernels.PadProblem{Elem: weft.I32, Mode: kernels.PadReflect, Padded: [5]bool{true}, Out: kernels.MatrixView(50, 333, 1)}))
	add("top_k", probeOf(topKTune, kernels.TopKProblem{Elem: weft.F16, K: 20, X: kernels.MatrixView(9, 5000, 1)}))
	add("sort", probeOf(sortTune, kernels.SortProblem{Elem: weft.F16, Values: true, Indices: true, X: kernels.MatrixView(9, 500, 1)}))
	add("sort of long rows", probeOf(sortTune, kernels.SortProblem{Elem: weft.F32, Descending: true, Values: true, X: kernels.MatrixView(2, 9000, 1)}))
	add("histogram", probeOf(histogramTune, kernels.HistogramProblem{Elem: weft.F16, Ranges: true, Bins: 30, X: kernels.MatrixView(9, 5000, 1)}))
	add("histogram of weights", probeOf(histogramTune, kernels.HistogramProblem{Elem: weft.I32, Weight: weft.F32, Bins: 300, X: kernels.MatrixView(1, 9000, 1)}))
	add("scan", probeOf(scanTune, kernels.ScanProblem{Op: kernels.ReduceSum, Elem: weft.F16, Rows: kernels.MatrixView(9, 5000, 1)}))
	add("scan of columns", probeOf(scanTune, kernels.ScanProblem{Op: kernels.ReduceMax, Elem: weft.F32, Rows: kernels.MatrixView(900, 33, 1), Columns: true}))
	add("row_grad", probeOf(rowGradTune, NormGradProblem(weft.F16, 900, 330)))
	add("row_grad of long rows", probeOf(rowGradTune, NormGradProblem(weft.F32, 2, 70_001)))
	add("row_grad of softmax", probeOf(rowGradTune, kernels.RowGradProblem{Op: kernels.GradSoftmax, Elem: weft.F32, X: kernels.MatrixView(90, 333, 1), Row: [5]bool{1: true}}))
	for of, p := range batchNormProblems() {
		add("batch_norm of "+of, probeOf(batchNormTune, p))
	}
	add("resize", probeOf(resizeTune, ResizeProblem(weft.F16, kernels.ResizeLinear, 30, 33, 50, false)))
	add("resize by moves", probeOf(resizeTune, ResizeProblem(weft.U8, kernels.ResizeNearest, 30, 33, 50, false)))
	add("resize_grad", probeOf(resizeTune, ResizeProblem(weft.F32, kernels.ResizeCubic, 30, 50, 33, true)))
	add("resize_grad by loops", probeOf(resizeTune, ResizeProblem(weft.F32, kernels.ResizeLinear, 3, 300, 33, true)))
	add("window", probeOf(windowTune, poolProblem(weft.F16, 30, 33)))
	found := poolProblem(weft.F16, 30, 33)
	found.Op, found.Places = kernels.ReduceArgMax, true
	add("window with places", probeOf(windowTune, found))
	pairs := tune.View{Rank: 5, Unit: true, Align: 4, Order: [5]int8{0, 2, 1, 3, 4}, Size: [5]int{2, 3, 30, 2, 12}}
	add("rotary", probeOf(rotaryTune, kernels.RotaryProblem{Elem: weft.F16, X: pairs}))
	pairs.Size[3], pairs.Size[4] = pairs.Size[4], pairs.Size[3]
	add("rotary of neighbours by tables", probeOf(rotaryTune, kernels.RotaryProblem{Elem: weft.F32, Interleaved: true, Tables: true, X: pairs}))
	heads := tune.View{Rank: 4, Unit: true, Align: 4, Order: [5]int8{0, 2, 1, 3}, Size: [5]int{2, 3, 30, 36}}
	add("cache_append", probeOf(cacheTune, kernels.CacheProblem{Elem: weft.U32, X: heads}))
	add("cache_append to pages", probeOf(cacheTune, kernels.CacheProblem{Elem: weft.F16, X: heads, Paged: true, Cache: tune.Strides{Rank: 4, Unit: true, Align: 1, Order: [5]int8{0, 1, 2, 3}}}))
}

// NormGradProblem is the gradient of a layer normalisation of rows and of its weight.
func NormGradProblem(elem weft.DType, rows, cols int) kernels.RowGradProblem {
	return kernels.RowGradProblem{Op: kernels.GradMoments, Elem: elem, X: kernels.MatrixView(rows, cols, 1), Row: [5]bool{1: true}, Along: [5]bool{1: true}, Sums: true}
}

// batchNormProblems are normalisations of few and of many channels, second and last, and gradients.
func batchNormProblems() map[string]kernels.BatchNormProblem {
	planes := tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{4, 5, 121}}
	long := tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{2, 3, 9001}}
	seconds, firsts := [5]bool{true, false, true}, [5]bool{true}
	return map[string]kernels.BatchNormProblem{
		"planes":                 {Elem: weft.F16, X: planes, Row: seconds},
		"long planes":            {Elem: weft.F32, X: long, Row: seconds},
		"columns":                {Elem: weft.F16, X: kernels.MatrixView(500, 40, 1), Row: firsts},
		"long columns":           {Elem: weft.F32, X: kernels.MatrixView(9000, 7, 1), Row: firsts},
		"given statistics":       {Elem: weft.BF16, Given: true, X: kernels.MatrixView(900, 33, 1), Row: firsts},
		"gradients":              {Elem: weft.F32, Grad: true, X: planes, Row: seconds},
		"gradients of long ones": {Elem: weft.F16, Grad: true, X: long, Row: seconds},
		"gradients of columns":   {Elem: weft.F16, Grad: true, X: kernels.MatrixView(3000, 20, 1), Row: firsts},
	}
}

// poolProblem is the largest elements of windows of 3 × 3 in so many planes of so many rows and columns.
func poolProblem(elem weft.DType, planes, side int) kernels.WindowProblem {
	p := kernels.WindowProblem{Op: kernels.ReduceMax, Elem: elem, Result: elem, X: tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{planes, side, side}},
		Out: [5]int{planes, (side-3)/2 + 1, (side-3)/2 + 1}}
	p.Shape = kernels.WindowShape{Size: [5]int{1, 3, 3, 1, 1}, Stride: [5]int{1, 2, 2, 1, 1}, Dilation: [5]int{1, 1, 1, 1, 1}, Base: [5]int{1, 1, 1, 1, 1}}
	return p
}

// ResizeProblem is planes of a side, which become those of another side along both of their dimensions, or the gradient of that.
func ResizeProblem(elem weft.DType, mode kernels.ResizeMode, planes, from, to int, grad bool) kernels.ResizeProblem {
	taps := int8(mode.Taps())
	p := kernels.ResizeProblem{Elem: elem, Grad: grad, Taps: [5]int8{1: taps, 2: taps}, From: [5]int{planes, from, from},
		Out: tune.View{Rank: 3, Unit: true, Align: 1, Order: [5]int8{0, 1, 2}, Size: [5]int{planes, to, to}}}
	n, m := from, to
	if grad {
		n, m = to, from
	}
	l, _ := kernels.ResizeLineOf(mode, false, n, m, n, m)
	p.SetLines([]kernels.ResizeLine{{}, l, l})
	return p
}

// The rules' choices are legal for whatever sizes, on every device.
func TestDataRulesAreLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 8))
	size := func() int { return 1 + rng.IntN(1<<rng.IntN(14)) }
	devices := maps.Clone(testCaps)
	for _, p := range target.Presets() {
		devices[p.Name] = p.Caps
	}
	for range 300 {
		elem := []weft.DType{weft.F32, weft.F16, weft.U32}[rng.IntN(3)]
		rows := kernels.EmbeddingProblem{Elem: elem, Table: kernels.MatrixView(size(), size(), 1), Out: kernels.MatrixView(size(), size(), 1)}
		heads := kernels.CacheProblem{Elem: elem, X: tune.View{Rank: 4, Unit: true, Align: 1, Size: [5]int{size(), size(), size(), size()}}, Paged: rng.IntN(2) == 0}
		pairs := kernels.RotaryProblem{Elem: elem, X: tune.View{Rank: 5, Unit: true, Align: 1, Size: [5]int{size(), size(), size(), 2, size()}}}
		largest := kernels.TopKProblem{Elem: elem, X: kernels.MatrixView(size(), size(), 1)}
		pool := poolProblem(elem, size(), 3+size())
		rising := kernels.ScanProblem{Op: kernels.ReduceSum, Elem: elem, Rows: kernels.MatrixView(size(), size(), 1), Columns: rng.IntN(2) == 0}
		grads := NormGradProblem(elem, size(), size())
		batch := kernels.BatchNormProblem{Elem: elem, Grad: rng.IntN(2) == 0, X: kernels.MatrixView(size(), size(), 1), Row: [5]bool{rng.IntN(2) == 0}}
		batch.Row[1] = !batch.Row[0]
		order := kernels.SortProblem{Elem: elem, Values: true, Indices: true, X: kernels.MatrixView(size(), size(), 1)}
		bins := kernels.HistogramProblem{Elem: elem, Ranges: elem.IsFloat(), Bins: size(), X: kernels.MatrixView(size(), size(), 1)}
		largest.K = 1 + rng.IntN(largest.Row())
		if rng.IntN(2) == 0 {
			pairs.Interleaved, pairs.X.Size[3], pairs.X.Size[4] = true, pairs.X.Size[4], 2
		}
		windows := kernels.IndexedProblem{Elem: elem, From: elem, Index: weft.I32, Rows: 1, Window: 2, Coords: 1, RowsLast: rng.IntN(2) == 0,
			XRun: 1, YRun: []int8{1, 4}[rng.IntN(2)], Sizes: [3]int{size(), size(), size()}, Known: size()}
		joined := kernels.ConcatProblem{Elem: elem, Inputs: 2, Out: kernels.MatrixView(size(), size(), 1)}
		planes := ResizeProblem(weft.F16, kernels.ResizeMode(rng.IntN(4)), size(), size(), size(), rng.IntN(2) == 0)
		around := kernels.PadProblem{Elem: elem, Padded: [5]bool{true}, Out: kernels.MatrixView(size(), size(), 0)}
		for name, caps := range devices {
			for of, err := range map[string]error{
				"embedding": rows.Legal(caps, rows.Rule(caps)), "cache_append": heads.Legal(caps, heads.Rule(caps)), "rotary": pairs.Legal(caps, pairs.Rule(caps)), "top_k": largest.Legal(caps, largest.Rule(caps)),
				"gather": windows.Legal(caps, windows.Rule(caps)), "concat": joined.Legal(caps, joined.Rule(caps)), "pad": around.Legal(caps, around.Rule(caps)), "resize": planes.Legal(caps, planes.Rule(caps)),
				"window": pool.Legal(caps, pool.Rule(caps)), "scan": rising.Legal(caps, rising.Rule(caps)),
				"sort": order.Legal(caps, order.Rule(caps)), "row_grad": grads.Legal(caps, grads.Rule(caps)), "histogram": bins.Legal(caps, bins.Rule(caps)),
				"batch_norm": batch.Legal(caps, batch.Rule(caps)),
			} {
				if err != nil {
					t.Errorf("%s: %s of %+v, %+v, %+v, %+v, %+v, %+v, %+v, %+v: %v", name, of, rows, heads, pairs, largest, rising, grads, bins, batch, err)
				}
			}
		}
	}
}
