package ops_test

import (
	"maps"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// dataKernels are those of rotary embeddings, embeddings and caches, for arguments of one side.
func dataKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	out := map[string]*tile.Func{}
	keep := func(k *tile.Func, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[k.Name] = k
	}
	pairs := tune.View{Rank: 5, Unit: true, Align: 16, Order: [5]int8{0, 1, 2, 3, 4}, Size: [5]int{1, side, side, 2, 64}}
	halves := kernels.RotaryProblem{Elem: elem, X: pairs}
	cfg := halves.Config(halves.Rule(caps))
	cfg.Positions = true
	keep(kernels.Rotary.Build(cfg))
	both := halves.Append(halves.Rule(caps), 128)
	both.Query, both.Paged = true, true
	keep(kernels.RotaryAppend.Build(both))
	if elem == weft.F32 {
		elem = weft.U32 // as what rows are moved that have whole words
	}
	square := tune.ViewOf(dense([]int{side, side}))
	rows := kernels.EmbeddingProblem{Elem: elem, Table: square, Out: square}
	keep(kernels.Embedding.Build(rows.Config(rows.Rule(caps))))
	windows := kernels.IndexedProblem{Elem: elem, From: elem, Index: weft.I64, Rows: 2, Window: 2, Coords: 2, XRun: 4, YRun: 4, Sizes: [3]int{side, 4, side}, Known: side}
	keep(kernels.Gather.Build(windows.Config(windows.Rule(caps))))
	if windows.Scatter = true; elem == weft.U32 {
		windows.Elem, windows.From, windows.Kind, windows.Coords = weft.F32, weft.F16, kernels.ScatterMax, 1
	}
	keep(kernels.Scatter.Build(windows.Config(windows.Rule(caps))))
	fixed := windows
	fixed.Kind, fixed.XRun, fixed.YRun = kernels.ScatterAdd, 0, 0
	keep(kernels.ScatterKeys.Build(fixed.ScatterKeysConfig(caps)))
	if fixed.Elem, fixed.From = elem, elem; elem == weft.U32 {
		fixed.Elem, fixed.From = weft.F32, weft.F32
	}
	keep(kernels.ScatterSums.Build(fixed.ScatterSumsConfig(caps, 64*side, false)))
	joined := kernels.ConcatProblem{Elem: elem, Inputs: 2, Dim: 1, Out: square}
	keep(kernels.Concat.Build(joined.Config(joined.Rule(caps))))
	around := kernels.PadProblem{Elem: elem, Padded: [5]bool{true, true}, Interior: [5]bool{true}, Out: square}
	keep(kernels.Pad.Build(around.Config(around.Rule(caps))))
	heads := tune.View{Rank: 4, Unit: true, Align: 16, Order: [5]int8{0, 1, 2, 3}, Size: [5]int{1, side, side, side}}
	pages := kernels.CacheProblem{Elem: elem, X: heads, Paged: true}
	keep(kernels.CacheAppend.Build(pages.Config(pages.Rule(caps))))
	largest := kernels.TopKProblem{Elem: elem, K: min(50, side), X: square}
	keep(kernels.TopK.Build(largest.Config(largest.Rule(caps), false, true)))
	keep(kernels.TopKOrder.Build(largest.Order(caps, kernels.TopKSizes{}, true, side)))
	keep(kernels.TopKKeys.Build(largest.Move(caps, true, side)))
	keep(kernels.TopKTake.Build(largest.Move(caps, true, side)))
	if s := (kernels.TopKSizes{Tile: side, Most: side, Threads: largest.Rule(caps).Threads, Sorted: true}); largest.Legal(caps, s) == nil {
		k, err := kernels.TopKOrder.Build(largest.Order(caps, s, false, side))
		if err != nil {
			t.Fatal(err)
		}
		out["top_k_sorted"] = k
	}
	rising := kernels.SortProblem{Elem: elem, Descending: true, Values: true, Indices: true, X: square}
	keep(kernels.SortRows.Build(rising.Config(rising.Rule(caps))))
	parts := rising.Rule(caps)
	parts.Tile = min(parts.Tile, 512)
	keep(kernels.SortCount.Build(rising.Count(parts)))
	keep(kernels.SortOffsets.Build(rising.Offsets(caps)))
	keep(kernels.SortScatter.Build(rising.Pass(parts, rising.Passes()-1)))
	bins := kernels.HistogramProblem{Elem: elem, Weight: elem, Ranges: true, Bins: side, X: square}
	keep(kernels.Histogram.Build(bins.Config(bins.Rule(caps))))
	different := kernels.UniqueConfigFor(caps, elem, side*side)
	keep(kernels.UniqueCount.Build(different))
	different.Number, different.Inverse, different.Counts = true, true, true
	keep(kernels.UniqueWrite.Build(different))
	for _, cfg := range scanConfigs(caps, elem, side) {
		keep(kernels.Scan.Build(cfg))
	}
	if elem == weft.U32 {
		rowGradKernels(caps, weft.F32, side, keep)
		batchNormKernels(caps, weft.F32, side, keep)
		maps.Copy(out, lossKernels(t, caps, weft.F32, side))
	} else {
		rowGradKernels(caps, elem, side, keep)
		batchNormKernels(caps, elem, side, keep)
		maps.Copy(out, lossKernels(t, caps, elem, side))
	}
	resizeKernels(caps, elem, min(side, 64), keep)
	pool := pooling(elem, kernels.ReduceSum, side, false)
	keep(kernels.Window.Build(pool.Config(pool.Rule(caps))))
	pool.Op, pool.Places = kernels.ReduceArgMax, true
	places, err := kernels.Window.Build(pool.Config(pool.Rule(caps)))
	if err != nil {
		t.Fatal(err)
	}
	out["window_places"] = places
	return out
}

// rowsSorted sorts rows of 1024 elements, several in a tile.
func rowsSorted(t *testing.T, caps target.Caps) *compile.Artifact {
	x := dense([]int{4096, 1024})
	p := kernels.SortProblem{Elem: weft.F32, Values: true, Indices: true, X: tune.ViewOf(x)}
	k, err := kernels.SortRows.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, x, x, x)
}

// counted counts 2^24 numbers by 256 bins.
func counted(t *testing.T, caps target.Caps) *compile.Artifact {
	x := dense([]int{1, 1 << 24})
	p := kernels.HistogramProblem{Elem: weft.F32, Ranges: true, Bins: 256, X: tune.ViewOf(x)}
	sizes := p.Rule(caps)
	k, err := kernels.Histogram.Build(p.Config(sizes))
	return emitted(t, k, err, caps, x, dense([]int{sizes.Parts, p.Bins}))
}

// partSorted is a kernel of the sort of a row of 2^24 elements.
func partSorted(build func(kernels.SortProblem, kernels.SortSizes) (*tile.Func, error), args ...string) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		x := dense([]int{1, 1 << 24})
		p := kernels.SortProblem{Elem: weft.F32, Values: true, Indices: true, X: tune.ViewOf(x)}
		sizes := p.Rule(caps)
		views := map[string]layout.Layout{"x": x, "counts": dense([]int{1, p.Tiles(sizes), 256})}
		var list []layout.Layout
		for _, name := range args {
			list = append(list, views[name])
		}
		k, err := build(p, sizes)
		return emitted(t, k, err, caps, list...)
	}
}

// scanConfigs are those of the largest elements of few long rows, from their ends, which programs share.
func scanConfigs(caps target.Caps, elem weft.DType, side int) []kernels.ScanConfig {
	p := kernels.ScanProblem{Op: kernels.ReduceMax, Elem: elem, Rows: tune.ViewOf(dense([]int{1, side * side * 16}))}
	cfg := p.Plan(p.Rule(caps)).Config
	cfg.Reverse, cfg.Exclusive = true, true
	return []kernels.ScanConfig{cfg}
}

// cumulative are sums along rows or down columns of a matrix.
func cumulative(rows, cols int, columns bool) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		x := dense([]int{rows, cols})
		p := kernels.ScanProblem{Op: kernels.ReduceSum, Elem: weft.F32, Rows: tune.ViewOf(x), Columns: columns}
		plan := p.Plan(p.Rule(caps))
		views := []layout.Layout{x}
		switch {
		case plan.Words > 0:
			views = append(views, dense([]int{plan.Words}))
		case plan.Parts > 1:
			shape := x.Shape()
			shape[p.Axis()] = plan.Parts
			views = append(views, dense(shape))
		}
		k, err := kernels.Scan.Build(plan.Config)
		return emitted(t, k, err, caps, append(views, x)...)
	}
}

// pooling is a reduction of windows of 3 × 3 with a stride of 2, or of what follows from them.
func pooling(elem weft.DType, op kernels.ReduceOp, side int, back bool) kernels.WindowProblem {
	p := kernels.WindowProblem{Op: op, Elem: elem, Result: elem, X: tune.ViewOf(dense([]int{64, 2 * side, 2 * side})), Out: [5]int{64, side, side}, Chosen: back}
	p.Shape = kernels.WindowShape{Size: [5]int{1, 3, 3, 1, 1}, Stride: [5]int{1, 2, 2, 1, 1}, Dilation: [5]int{1, 1, 1, 1, 1}, Base: [5]int{1, 1, 1, 1, 1}}
	if back {
		p.X, p.Out = tune.ViewOf(dense([]int{64, side, side})), [5]int{64, 2 * side, 2 * side}
		p.Shape.Stride, p.Shape.Base, p.Shape.Dilation = p.Shape.Base, p.Shape.Stride, [5]int{1, -1, -1, 1, 1}
	}
	return p
}

// pooled is a layer of largest elements, or its gradient.
func pooled(back bool) func(t *testing.T, caps target.Caps) *compile.Artifact {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		small, large := dense([]int{64, 56, 56}), dense([]int{64, 112, 112})
		if back {
			p := pooling(weft.F32, kernels.ReduceSum, 56, true)
			k, err := kernels.Window.Build(p.Config(p.Rule(caps)))
			return emitted(t, k, err, caps, small, small, large)
		}
		p := pooling(weft.F32, kernels.ReduceMax, 56, false)
		k, err := kernels.Window.Build(p.Config(p.Rule(caps)))
		return emitted(t, k, err, caps, large, small)
	}
}

// rowsOfWords is an embedding of 4096 rows of 4096 halves, which are 2048 words each.
func rowsOfWords(t *testing.T, caps target.Caps) *compile.Artifact {
	table, out := dense([]int{32768, 2048}), dense([]int{4096, 2048})
	p := kernels.EmbeddingProblem{Elem: weft.U32, Table: tune.ViewOf(table), Out: tune.ViewOf(out)}
	k, err := kernels.Embedding.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, table, dense([]int{4096}), out)
}

// windowsOf looks up windows of 8 × 64 words, whose places in images of 32 × 64 are a pair of I32.
func windowsOf(t *testing.T, caps target.Caps) *compile.Artifact {
	p := kernels.IndexedProblem{Elem: weft.U32, From: weft.U32, Index: weft.I32, Rows: 1, Window: 1, Coords: 2, Clamp: true, XRun: 4, YRun: 4, Sizes: [3]int{1000, 1, 512}, Known: 8000}
	k, err := kernels.Gather.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, dense([]int{8000 * 2048}), dense([]int{2000}), dense([]int{512000}))
}

// largestOfUpdates takes the larger one of elements and updates, by compare-and-swap.
func largestOfUpdates(t *testing.T, caps target.Caps) *compile.Artifact {
	p := kernels.IndexedProblem{Elem: weft.F32, From: weft.F32, Index: weft.I32, Rows: 1, Window: 1, Coords: 1, Scatter: true, Kind: kernels.ScatterMax, XRun: 1, YRun: 4, Sizes: [3]int{1000, 1, 512}, Known: 8000}
	k, err := kernels.Scatter.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, dense([]int{512000}), dense([]int{1000}), dense([]int{8000 * 512}))
}

// sortedSums are those of 2^16 rows of 512 elements, of which parts have some.
func sortedSums(t *testing.T, caps target.Caps) *compile.Artifact {
	n, cols := 1<<16, 512
	p := kernels.IndexedProblem{Elem: weft.F32, From: weft.F32, Index: weft.I32, Rows: 1, Window: 1, Coords: 1, Scatter: true, Kind: kernels.ScatterAdd, Sizes: [3]int{n, 1, cols}, Known: 8000}
	cfg := p.ScatterSumsConfig(caps, n, false)
	k, err := kernels.ScatterSums.Build(cfg)
	ends := 2 * cfg.Parts(n)
	return emitted(t, k, err, caps, dense([]int{n}), dense([]int{n}), dense([]int{n * cols}), dense([]int{8000 * cols}), dense([]int{ends}), dense([]int{ends * cols}))
}

// threeJoined joins three matrices side by side.
func threeJoined(t *testing.T, caps target.Caps) *compile.Artifact {
	out := dense([]int{1024, 1024})
	p := kernels.ConcatProblem{Elem: weft.U32, Inputs: 3, Dim: 1, Out: tune.ViewOf(out)}
	k, err := kernels.Concat.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, dense([]int{1024, 256}), dense([]int{1024, 256}), dense([]int{1024, 512}), out)
}

// framed puts a frame of a number around images.
func framed(t *testing.T, caps target.Caps) *compile.Artifact {
	out := dense([]int{256, 66, 68})
	p := kernels.PadProblem{Elem: weft.F32, Padded: [5]bool{false, true, true}, Out: tune.ViewOf(out)}
	k, err := kernels.Pad.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, dense([]int{256, 64, 64}), out)
}

// largestOf finds the best 50 of parts of rows of logits.
func largestOf(t *testing.T, caps target.Caps) *compile.Artifact {
	x := dense([]int{64, 128256})
	p := kernels.TopKProblem{Elem: weft.F16, K: 50, X: tune.ViewOf(x)}
	sizes := p.Rule(caps)
	parts, once := p.Parts(sizes, p.Row())
	k, err := kernels.TopK.Build(p.Config(sizes, false, once))
	return emitted(t, k, err, caps, x, dense([]int{64, parts, p.K}))
}

// inOrder puts 1600 candidates of each row in order.
func inOrder(t *testing.T, caps target.Caps) *compile.Artifact {
	x, best := dense([]int{64, 128256}), dense([]int{64, 50})
	p := kernels.TopKProblem{Elem: weft.F16, K: 50, X: tune.ViewOf(x)}
	k, err := kernels.TopKOrder.Build(p.Order(caps, kernels.TopKSizes{}, true, 1600))
	return emitted(t, k, err, caps, x, dense([]int{64, 1600}), best, best)
}

// pagedStep is an append of one row of 128 halves to each of 8 heads of 64 batches.
func pagedStep(t *testing.T, caps target.Caps) *compile.Artifact {
	x, cache := dense([]int{64, 8, 1, 64}), dense([]int{4096, 8, 64, 64})
	p := kernels.CacheProblem{Elem: weft.U32, X: tune.ViewOf(x), Paged: true}
	k, err := kernels.CacheAppend.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, x, dense([]int{64}), dense([]int{64, 128}), cache)
}

// rotaryHalves is the rotation of prompts of 4096 tokens, of 32 heads of 128 halves in the order of
// a projection.
func rotaryHalves(t *testing.T, caps target.Caps) *compile.Artifact {
	x, err := dense([]int{2, 4096, 32, 2, 64}).Permute(0, 2, 1, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	p := kernels.RotaryProblem{Elem: weft.F16, X: tune.ViewOf(x)}
	cfg := p.Config(p.Rule(caps))
	cfg.Positions = true
	k, err := kernels.Rotary.Build(cfg)
	return emitted(t, k, err, caps, x, dense([]int{2}), x)
}

// rotaryStep rotates one row of 128 halves of each of 32 heads of queries and 8 of keys of 64 batches, and appends the keys and values to pages.
func rotaryStep(t *testing.T, caps target.Caps) *compile.Artifact {
	x, err := dense([]int{64, 1, 8, 2, 64}).Permute(0, 2, 1, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	v, q, keys := dense([]int{64, 8, 1, 128}), dense([]int{64, 32, 1, 2, 64}), dense([]int{4096, 8, 64, 2, 64})
	p := kernels.RotaryProblem{Elem: weft.F16, X: tune.ViewOf(x)}
	p.X.Size[1] = 48
	cfg := p.Append(p.Rule(caps), 128)
	cfg.Query, cfg.Paged = true, true
	k, err := kernels.RotaryAppend.Build(cfg)
	return emitted(t, k, err, caps, x, v, dense([]int{64}), dense([]int{64, 128}), keys, dense([]int{4096, 8, 64, 128}), q)
}
