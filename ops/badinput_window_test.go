package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var twoByTwo = ops.Window{Size: []int{2, 2}, Stride: []int{1, 2}}

var windowBad = []badOp{
	badWindow("reduce_window", func(out, x *weft.Tensor) error { return ops.ReduceWindowInto(out, x, ops.WindowSum, twoByTwo) },
		func(x *weft.Tensor) (*weft.Tensor, error) { return ops.ReduceWindow(x, ops.WindowSum, twoByTwo) }, []badRow{
			{"lists", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, Stride: []int{1, 1}})
			}, weft.ErrArgument, "reduce_window: window: stride: 2 numbers, size has 1"},
			{"paddings", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2, 1}, Padding: make([][2]int, 1)})
			}, weft.ErrArgument, "padding: 1 pairs, size has 2 numbers"},
			{"size", func(b *bad) error { return reducedWindow(b, ops.Window{Size: []int{0}}) }, weft.ErrArgument, "window: size: 0, want at least 1"},
			{"dilation", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, Dilation: []int{0}})
			}, weft.ErrArgument, "dilation: 0, want at least 1"},
			{"base dilation", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, BaseDilation: []int{-1}})
			}, weft.ErrArgument, "base dilation: -1, want at least 1"},
			{"many dimensions", func(b *bad) error { return reducedWindow(b, ops.Window{Size: make([]int, 9)}) }, weft.ErrArgument, "size: 9 dimensions"},
			{"more dimensions", func(b *bad) error { return reducedWindow(b, ops.Window{Size: []int{1, 1, 1}}) }, weft.ErrShape, "the window has 3"},
			{"reach", func(b *bad) error { return reducedWindow(b, ops.Window{Size: []int{2, 6}}) },
				weft.ErrShape, "reduce_window: window: windows reach over 6 elements of dimension 1, which has 5 with its padding"},
			{"padding below", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2, 2}, Padding: [][2]int{{0, 0}, {-2, -2}}})
			}, weft.ErrShape, "which has 1 with its padding"},
			{"long padding", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, Padding: [][2]int{{1 << 31, 1 << 31}}})
			}, weft.ErrLimit, ""},
			{"long paddings that cancel", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, Stride: []int{1}, Padding: [][2]int{{1 << 32, -1 << 32}}})
			}, weft.ErrLimit, "reduce_window: window: padding: [4294967296 -4294967296], want magnitudes of at most 2^31-1"},
			{"long padding that is left out", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{2}, Stride: []int{1}, Padding: [][2]int{{-1 << 31, 1 << 31}}})
			}, weft.ErrLimit, "reduce_window: window: padding: [-2147483648 2147483648]"},
			{"long base dilation", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{1}, Stride: []int{1}, BaseDilation: []int{1 << 32}, Padding: [][2]int{{-1 << 31, 0}}})
			}, weft.ErrLimit, ""},
			{"long window", func(b *bad) error {
				return reducedWindow(b, ops.Window{Size: []int{1 << 32}, Stride: []int{1}, Padding: [][2]int{{1<<31 - 6, 0}}})
			}, weft.ErrLimit, "reduce_window: window: size: 4294967296, want at most 2^31-1"},
			{"no reduction", func(b *bad) error {
				return second(ops.ReduceWindow(b.f32(4), ops.WindowReduction(99), ops.Window{Size: []int{2}}))
			}, weft.ErrArgument, "reduction: 99 is no reduction"},
			{"nothing", func(b *bad) error {
				return second(ops.ReduceWindow(b.f32(0), ops.WindowMax, ops.Window{Size: []int{1}, Padding: [][2]int{{1, 1}}}))
			}, weft.ErrShape, "has no elements"},
			{"truths", func(b *bad) error {
				return second(ops.ReduceWindow(b.tensor(weft.Bool, 4), ops.WindowMax, ops.Window{Size: []int{2}}))
			}, weft.ErrUnsupported, "the tensor holds bool"},
			{"mean of integers", func(b *bad) error {
				return second(ops.ReduceWindow(b.tensor(weft.I32, 4), ops.WindowMean, ops.Window{Size: []int{2}}))
			}, weft.ErrUnsupported, "the tensor holds i32"},
			{"dimensions that do not merge", func(b *bad) error {
				x := b.must(b.f32(2, 2, 2, 2, 2, 2).Permute(5, 4, 3, 2, 1, 0))
				return second(ops.ReduceWindow(x, ops.WindowSum, ops.Window{Size: []int{2}}))
			}, weft.ErrUnsupported, "has too many dimensions, want at most 5"},
		}),
	badWindow("max_pool", func(out, x *weft.Tensor) error { return ops.MaxPoolInto(out, x, twoByTwo) },
		func(x *weft.Tensor) (*weft.Tensor, error) { return ops.MaxPool(x, twoByTwo) }, nil),
	badWindow("avg_pool", func(out, x *weft.Tensor) error { return ops.AvgPoolInto(out, x, twoByTwo) },
		func(x *weft.Tensor) (*weft.Tensor, error) { return ops.AvgPool(x, twoByTwo) }, nil),
	badWindow("adaptive_pool", func(out, x *weft.Tensor) error { return ops.AdaptivePoolInto(out, x, ops.WindowMax, 2, 2) },
		func(x *weft.Tensor) (*weft.Tensor, error) { return ops.AdaptivePool(x, ops.WindowMax, 2, 2) }, []badRow{
			{"below none", func(b *bad) error { return second(ops.AdaptivePool(b.f32(3, 5), ops.WindowMax, -1)) }, weft.ErrArgument, "sizes: -1, want at least 0"},
			{"of nothing", func(b *bad) error { return second(ops.AdaptivePool(b.f32(3, 0), ops.WindowMax, 2)) }, weft.ErrShape, "dimension 1 of shape [3 0] has no elements"},
			{"many parts", func(b *bad) error {
				return second(ops.AdaptivePool(b.repeated(weft.F32, 1<<20+1), ops.WindowMax, 1<<20))
			}, weft.ErrLimit, "parts of"},
			{"sizes", func(b *bad) error { return second(ops.AdaptivePool(b.f32(3, 5), ops.WindowMax, make([]int, 9)...)) }, weft.ErrArgument, "9 sizes, want at most 8"},
		}),
	{
		op:  "adaptive_pool_grad",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 2}}},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.AdaptivePoolGradInto(out, in[0], ops.WindowMean, 5)
		},
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.AdaptivePoolGrad(in[0], ops.WindowMean, 5) },
		zero: [][][]int{{{0, 2}, {0, 5}}},
		rows: []badRow{
			{"largest", func(b *bad) error { return second(ops.AdaptivePoolGrad(b.f32(3, 2), ops.WindowMax, 5)) }, weft.ErrUnsupported, "the gradient of reductions but sums and means"},
			{"of nothing", func(b *bad) error { return second(ops.AdaptivePoolGrad(b.f32(3, 0), ops.WindowMean, 2)) }, weft.ErrShape, "dimension 1 of shape [3 0] has no elements"},
			{"below none", func(b *bad) error { return second(ops.AdaptivePoolGrad(b.f32(3, 2), ops.WindowMean, -1)) }, weft.ErrArgument, "sizes: -1, want at least 0"},
		},
	},
	{
		op:  "max_pool_indices",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{2, 2}}},
		out: badArg{elem: weft.F32, shape: []int{2, 2}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.MaxPoolIndicesInto(out, in[1], in[0], twoByTwo)
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			values, indices, err := ops.MaxPoolIndices(in[0], twoByTwo)
			closeAll(indices)
			return values, err
		},
		zero: [][][]int{{{0, 3, 5}, {0, 2, 2}, {0, 2, 2}}},
		rows: []badRow{
			{"shape of indices", func(b *bad) error {
				return ops.MaxPoolIndicesInto(b.f32(2, 2), b.tensor(weft.I32, 2, 3), b.f32(3, 5), twoByTwo)
			}, weft.ErrShape, "max_pool_indices: indices: shape [2 3], want [2 2]"},
			{"long planes", func(b *bad) error {
				_, _, err := ops.MaxPoolIndices(b.repeated(weft.F32, 1<<16, 1<<16), twoByTwo)
				return err
			}, weft.ErrLimit, "max_pool_indices: x: planes of 4294967296 elements, want at most 2^31-1: indices are i32"},
		},
	},
	{
		op:   "max_unpool",
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3, 5}}},
		out:  badArg{elem: weft.F32, shape: []int{3, 9}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.MaxUnpoolInto(out, in[0], in[1], 9) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.MaxUnpool(in[0], in[1], 9) },
		zero: [][][]int{{{0, 5}, {0, 5}, {0, 9}}},
		rows: []badRow{
			{"no sizes", func(b *bad) error { return second(ops.MaxUnpool(b.f32(3), b.tensor(weft.I32, 3))) }, weft.ErrArgument, "max_unpool: sizes: 0 sizes, want 1 to 8"},
			{"more sizes", func(b *bad) error { return second(ops.MaxUnpool(b.f32(3), b.tensor(weft.I32, 3), 2, 3)) }, weft.ErrShape, "max_unpool: x: shape [3] has 1 dimension, with 2 sizes"},
			{"below none", func(b *bad) error { return second(ops.MaxUnpool(b.f32(3), b.tensor(weft.I32, 3), -1)) }, weft.ErrArgument, "max_unpool: sizes: -1, want at least 0"},
			{"shape of indices", func(b *bad) error { return second(ops.MaxUnpool(b.f32(3), b.tensor(weft.I32, 4), 5)) }, weft.ErrShape, "max_unpool: indices: shape [4], want [3]"},
			{"float indices", func(b *bad) error { return second(ops.MaxUnpool(b.f32(3), b.f32(3), 5)) }, weft.ErrArgument, "max_unpool: indices: the tensor holds f32, want i32"},
		},
	},
	{
		op:  "reduce_window_grad",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{2, 2}}},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ReduceWindowGradInto(out, in[0], in[1], ops.WindowMax, twoByTwo)
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			return ops.ReduceWindowGrad(in[0], in[1], ops.WindowMax, twoByTwo)
		},
		rows: []badRow{
			{"product", func(b *bad) error {
				return second(ops.ReduceWindowGrad(b.f32(3, 5), b.f32(2, 2), ops.WindowProd, twoByTwo))
			}, weft.ErrUnsupported, "reduce_window_grad: reduction: the gradient of products"},
			{"shape of dy", func(b *bad) error {
				return second(ops.ReduceWindowGrad(b.f32(3, 5), b.f32(2, 3), ops.WindowMax, twoByTwo))
			}, weft.ErrShape, "reduce_window_grad: dy: shape [2 3], want [2 2]"},
		},
	},
}

func reducedWindow(b *bad, w ops.Window) error {
	return second(ops.ReduceWindow(b.f32(3, 5), ops.WindowSum, w))
}

func badWindow(name string, into func(out, x *weft.Tensor) error, make func(x *weft.Tensor) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:   name,
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
		out:  badArg{elem: weft.F32, shape: []int{2, 2}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0]) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0]) },
		zero: [][][]int{{{0, 3, 5}, {0, 2, 2}}},
		rows: rows,
	}
}
