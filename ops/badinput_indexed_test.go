package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var (
	at35  = badArg{elem: weft.I32, shape: []int{3}, anyRank: true}
	rowOf = ops.Windows{Vector: 1, Map: []int{0}, Dims: []int{1}, Dropped: []int{0}, Sizes: []int{1, 5}}
)

// gatherOf has a mistake in windows of [4,5] at indices [3,1].
func gatherOf(change func(w *ops.Windows)) func(b *bad) error {
	return func(b *bad) error {
		w := ops.Windows{Vector: 1, Map: []int{0}, Dims: []int{1}, Dropped: []int{0}, Sizes: []int{1, 5}}
		change(&w)
		return second(ops.Gather(b.f32(4, 5), b.tensor(weft.I32, 3, 1), w))
	}
}

// wideIndices are rows of bad input of indices that are not.
func wideIndices(op string, call func(b *bad, indices *weft.Tensor) error) []badRow {
	return []badRow{
		{"indices of floats", func(b *bad) error { return call(b, b.f32(3)) }, weft.ErrArgument, op + ": indices: the tensor holds f32, want i32"},
		{"indices of bytes", func(b *bad) error { return call(b, b.tensor(weft.U8, 3)) }, weft.ErrArgument, op + ": indices: the tensor holds u8, want i32"},
	}
}

var indexedBad = []badOp{{
	op:   "index_select",
	in:   []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true, anyRank: true}, at35},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.IndexSelectInto(out, in[0], 0, in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.IndexSelect(in[0], -2, in[1]) },
	zero: [][][]int{{{0, 0}, {3}, {3, 0}}, {{4, 5}, {0}, {0, 5}}},
	huge: [][][]int{{{1, 1 << 31}, {3}}, {{1, 1}, {1 << 31}}, {{1, 1 << 31}, {1 << 31}}},
	rows: append(wideIndices("index_select", func(b *bad, at *weft.Tensor) error { return second(ops.IndexSelect(b.f32(4, 5), 0, at)) }), []badRow{
		{"scalar", func(b *bad) error { return second(ops.IndexSelect(b.f32(), 0, b.tensor(weft.I32, 3))) }, weft.ErrShape, "index_select: x: a scalar has no dimension"},
		{"dimension", func(b *bad) error { return second(ops.IndexSelect(b.f32(4, 5), 2, b.tensor(weft.I32, 3))) }, weft.ErrArgument, "index_select: x: axis 2 of a tensor of 2"},
		{"shape of out", func(b *bad) error { return ops.IndexSelectInto(b.f32(3, 4), b.f32(4, 5), 0, b.tensor(weft.I32, 3)) }, weft.ErrShape, "index_select: out: shape [3 4], want [3 5]"},
	}...),
}, {
	op:   "take_along",
	in:   []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{3, 5}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.TakeAlongInto(out, in[0], 0, in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.TakeAlong(in[0], 0, in[1]) },
	zero: [][][]int{{{4, 0}, {3, 0}, {3, 0}}, {{0, 5}, {0, 5}, {0, 5}}},
	huge: [][][]int{{{1 << 31, 1}, {1 << 31, 1}}},
	rows: append(wideIndices("take_along", func(b *bad, at *weft.Tensor) error { return second(ops.TakeAlong(b.f32(3), 0, at)) }), []badRow{
		{"longer", func(b *bad) error { return second(ops.TakeAlong(b.f32(4, 5), 0, b.tensor(weft.I32, 3, 6))) }, weft.ErrShape, "take_along: indices: shape [3 6] for x's [4 5]"},
		{"scalar", func(b *bad) error { return second(ops.TakeAlong(b.f32(), 0, b.tensor(weft.I32))) }, weft.ErrShape, "take_along: x: a scalar"},
	}...),
}, {
	op:   "gather",
	in:   []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{3, 1}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.GatherInto(out, in[0], in[1], rowOf) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Gather(in[0], in[1], rowOf) },
	zero: [][][]int{{{4, 5}, {0, 1}, {0, 5}}},
	huge: [][][]int{{{1, 5}, {1 << 31, 1}}},
	rows: append(wideIndices("gather", func(b *bad, at *weft.Tensor) error { return second(ops.Gather(b.f32(4, 5), at, rowOf)) }), []badRow{
		{"vector", gatherOf(func(w *ops.Windows) { w.Vector = 3 }), weft.ErrArgument, "gather: windows: Vector is 3 for indices of 2 dimensions"},
		{"map", gatherOf(func(w *ops.Windows) { w.Map = []int{0, 1} }), weft.ErrShape, "gather: indices: shape [3 1] has vectors of 1, Map has 2"},
		{"mapped twice", func(b *bad) error {
			return second(ops.Gather(b.f32(4, 5), b.tensor(weft.I32, 3, 2), ops.Windows{Vector: 1, Map: []int{0, 0}, Dims: []int{1}, Dropped: []int{0}, Sizes: []int{1, 5}}))
		}, weft.ErrArgument, "gather: windows: Map is [0 0], want different dimensions below 2"},
		{"dropped", gatherOf(func(w *ops.Windows) { w.Dropped = []int{2} }), weft.ErrArgument, "gather: windows: Dropped is [2]"},
		{"dropped batch", gatherOf(func(w *ops.Windows) { w.Batch = []int{0} }), weft.ErrArgument, "gather: windows: Batch is [0]"},
		{"mapped batch", gatherOf(func(w *ops.Windows) { w.Batch, w.Dropped = []int{0}, nil }), weft.ErrArgument, "gather: windows: dimension 0 is in Map and in Batch"},
		{"batches", gatherOf(func(w *ops.Windows) { w.Batch, w.Dims = []int{1}, nil }), weft.ErrArgument, "gather: windows: Batch is [1] and IndexBatch []"},
		{"batch of vectors", gatherOf(func(w *ops.Windows) { w.Batch, w.IndexBatch, w.Dims = []int{1}, []int{1}, nil }), weft.ErrArgument, "gather: windows: IndexBatch [1] has Vector 1"},
		{"sizes of batches", gatherOf(func(w *ops.Windows) { w.Batch, w.IndexBatch, w.Dims = []int{1}, []int{0}, nil }), weft.ErrShape, "gather: indices: shape [3 1], of which dimension 0 is dimension 1 of [4 5]"},
		{"dims", gatherOf(func(w *ops.Windows) { w.Dims = []int{0, 1} }), weft.ErrShape, "gather: windows: Dims is [0 1], want 1 of them"},
		{"far dims", gatherOf(func(w *ops.Windows) { w.Dims = []int{2} }), weft.ErrArgument, "gather: windows: Dims is [2], want rising dimensions below 2"},
		{"sizes", gatherOf(func(w *ops.Windows) { w.Sizes = []int{1} }), weft.ErrShape, "gather: windows: Sizes is [1] for shape [4 5]"},
		{"large window", gatherOf(func(w *ops.Windows) { w.Sizes = []int{1, 6} }), weft.ErrShape, "gather: windows: windows of [1 6] in shape [4 5]"},
		{"dropped dimension", gatherOf(func(w *ops.Windows) { w.Sizes = []int{2, 5} }), weft.ErrShape, "gather: windows: windows of [2 5] in shape [4 5]"},
	}...),
}, {
	op:   "dynamic_slice",
	in:   []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{2}}},
	out:  badArg{elem: weft.F32, shape: []int{2, 3}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.DynamicSliceInto(out, in[0], in[1], 2, 3) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.DynamicSlice(in[0], in[1], 2, 3) },
	rows: []badRow{
		{"starts", func(b *bad) error { return second(ops.DynamicSlice(b.f32(4, 5), b.tensor(weft.I32, 3), 2, 3)) }, weft.ErrShape, "dynamic_slice: starts: shape [3], want [2]"},
		{"starts of floats", func(b *bad) error { return second(ops.DynamicSlice(b.f32(4, 5), b.f32(2), 2, 3)) }, weft.ErrArgument, "dynamic_slice: starts: the tensor holds f32, want i32"},
		{"sizes", func(b *bad) error { return second(ops.DynamicSlice(b.f32(4, 5), b.tensor(weft.I32, 2), 2)) }, weft.ErrShape, "dynamic_slice: sizes: 1 size given for shape [4 5]"},
		{"large", func(b *bad) error { return second(ops.DynamicSlice(b.f32(4, 5), b.tensor(weft.I32, 2), 2, 6)) }, weft.ErrShape, "dynamic_slice: sizes: 6 elements of dimension 1, which has size 5"},
		{"below none", func(b *bad) error { return second(ops.DynamicSlice(b.f32(4, 5), b.tensor(weft.I32, 2), -1, 3)) }, weft.ErrShape, "dynamic_slice: sizes: -1 elements"},
	},
}, {
	op:  "index_update",
	in:  []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, at35, {elem: weft.F32, shape: []int{3, 5}}},
	out: badArg{elem: weft.F32, shape: []int{4, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.IndexUpdateInto(out, in[0], 0, in[1], in[2], ops.ScatterSet)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.IndexUpdate(in[0], 0, in[1], in[2], ops.ScatterSet)
	},
	huge: [][][]int{{{1 << 31, 5}, {3}, {3, 5}}},
	rows: append(wideIndices("index_update", func(b *bad, at *weft.Tensor) error {
		return second(ops.IndexUpdate(b.f32(4, 5), 0, at, b.f32(3, 5), ops.ScatterAdd))
	}), []badRow{
		{"kind", func(b *bad) error { return second(ops.IndexUpdate(b.f32(4), 0, b.tensor(weft.I32, 3), b.f32(3), 5)) }, weft.ErrArgument, "index_update: kind: kind 5 does not exist"},
		{"sums of truths", func(b *bad) error {
			return second(ops.IndexUpdate(b.tensor(weft.Bool, 4), 0, b.tensor(weft.I32, 3), b.tensor(weft.Bool, 3), ops.ScatterAdd))
		}, weft.ErrUnsupported, "index_update: kind: the kind add of bool"},
		{"largest of 64 bits", func(b *bad) error {
			return second(ops.IndexUpdate(b.tensor(weft.I64, 4), 0, b.tensor(weft.I32, 3), b.tensor(weft.I64, 3), ops.ScatterMax))
		}, weft.ErrUnsupported, "index_update: kind: the kind max of i64"},
		{"sums of F64", func(b *bad) error {
			return second(ops.IndexUpdate(b.tensor(weft.F64, 4), 0, b.tensor(weft.I32, 3), b.tensor(weft.F64, 3), ops.ScatterAdd))
		}, weft.ErrUnsupported, "index_update: kind: the kind add of f64"},
		{"last of sums", func(b *bad) error {
			return second(ops.IndexUpdate(b.f32(4), 0, b.tensor(weft.I32, 3), b.f32(3), ops.ScatterAdd, ops.LastWins()))
		}, weft.ErrArgument, "index_update: LastWins is an option of ScatterSet"},
		{"deterministic windows", func(b *bad) error {
			w := ops.Windows{Vector: 1, Map: []int{0}, Dims: []int{1}, Sizes: []int{2}}
			return second(ops.Scatter(b.f32(9), b.tensor(weft.I32, 3, 1), b.f32(3, 2), w, ops.ScatterAdd, ops.Deterministic()))
		}, weft.ErrUnsupported, "scatter: windows: Deterministic of windows of 2 elements along dimension 0"},
		{"nil option", func(b *bad) error {
			return second(ops.IndexUpdate(b.f32(4), 0, b.tensor(weft.I32, 3), b.f32(3), ops.ScatterAdd, nil))
		}, weft.ErrArgument, "index_update: "},
		{"shape of updates", func(b *bad) error {
			return second(ops.IndexUpdate(b.f32(4, 5), 0, b.tensor(weft.I32, 3), b.f32(3, 4), ops.ScatterAdd))
		},
			weft.ErrShape, "index_update: updates: shape [3 4], want [3 5]"},
		{"type of updates", func(b *bad) error {
			return second(ops.IndexUpdate(b.f32(4), 0, b.tensor(weft.I32, 3), b.tensor(weft.I32, 3), ops.ScatterAdd))
		},
			weft.ErrArgument, "index_update: updates: the tensor holds i32, want f32"},
	}...),
}, {
	op:  "scatter_along",
	in:  []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{3, 5}}},
	out: badArg{elem: weft.F32, shape: []int{4, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.ScatterAlongInto(out, in[0], 0, in[1], in[2], ops.ScatterSet)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.ScatterAlong(in[0], 0, in[1], in[2], ops.ScatterSet)
	},
	huge: [][][]int{{{1 << 31, 5}, {3, 5}, {3, 5}}},
}, {
	op:  "scatter",
	in:  []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{3, 1}}, {elem: weft.F32, shape: []int{3, 5}}},
	out: badArg{elem: weft.F32, shape: []int{4, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.ScatterInto(out, in[0], in[1], in[2], rowOf, ops.ScatterSet)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.Scatter(in[0], in[1], in[2], rowOf, ops.ScatterSet)
	},
	huge: [][][]int{{{1 << 31, 5}, {3, 1}, {3, 5}}},
	rows: []badRow{
		{"large updates", func(b *bad) error {
			return second(ops.Scatter(b.f32(4, 5), b.tensor(weft.I32, 3, 1), b.f32(3, 6), rowOf, ops.ScatterSet))
		},
			weft.ErrShape, "scatter: updates: windows of [1 6] in shape [4 5]"},
		{"shape of updates", func(b *bad) error {
			return second(ops.Scatter(b.f32(4, 5), b.tensor(weft.I32, 3, 1), b.f32(2, 5), rowOf, ops.ScatterSet))
		},
			weft.ErrShape, "scatter: updates: shape [2 5], want [3 5]"},
		{"windows", func(b *bad) error {
			return second(ops.Scatter(b.f32(4, 5), b.tensor(weft.I32, 3, 1), b.f32(3, 5), ops.Windows{Vector: -1}, ops.ScatterSet))
		}, weft.ErrArgument, "scatter: windows: Vector is -1"},
	},
}, {
	op:  "dynamic_update_slice",
	in:  []badArg{{elem: weft.F32, shape: []int{4, 5}, anyType: true}, {elem: weft.I32, shape: []int{2}}, {elem: weft.F32, shape: []int{2, 3}}},
	out: badArg{elem: weft.F32, shape: []int{4, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.DynamicUpdateSliceInto(out, in[0], in[2], in[1])
	},
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.DynamicUpdateSlice(in[0], in[2], in[1]) },
	huge: [][][]int{{{1 << 31, 5}, {2}, {2, 3}}},
	rows: []badRow{
		{"large", func(b *bad) error {
			return second(ops.DynamicUpdateSlice(b.f32(4, 5), b.f32(2, 6), b.tensor(weft.I32, 2)))
		},
			weft.ErrShape, "dynamic_update_slice: update: shape [2 6] does not fit into x's [4 5]"},
	},
}}
