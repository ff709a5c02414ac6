package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var sortBad = []badOp{
	{
		op:   "sort",
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3, 5}, optional: true}},
		out:  badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SortInto(out, in[1], in[0], 1) },
		zero: [][][]int{{{0, 3}, {0, 3}, {0, 3}}, {{3, 0}, {3, 0}, {3, 0}}},
		rows: []badRow{
			{"scalar", func(b *bad) error { return sortOf(b.f32(), 0) }, weft.ErrShape, "sort: x: a scalar has no rows"},
			{"far dimension", func(b *bad) error { return sortOf(b.f32(2, 3), math.MinInt) }, weft.ErrArgument, "sort: x: axis -9223372036854775808 of"},
			{"dimension", func(b *bad) error { return sortOf(b.f32(2, 3), 2) }, weft.ErrArgument, "sort: x: axis 2 of a tensor of 2 dimensions does not exist"},
			{"no option", func(b *bad) error { return sortOf(b.f32(2, 3), 0, nil) }, weft.ErrArgument, "sort: options: option 1 is nil"},
			{"long rows", func(b *bad) error { return sortOf(b.repeated(weft.F32, 1, 1<<31), 1) }, weft.ErrUnsupported, "sort: x: 2147483648 elements along dimension 1"},
			{"indices of floats", func(b *bad) error { return ops.SortInto(b.f32(2, 3), b.f32(2, 3), b.f32(2, 3), 1) },
				weft.ErrArgument, "sort: indices: the tensor holds f32, want i32"},
			{"shape of indices", func(b *bad) error { return ops.SortInto(b.f32(2, 3), b.tensor(weft.I32, 2, 2), b.f32(2, 3), 1) },
				weft.ErrShape, "sort: indices: shape [2 2], want [2 3]"},
			{"many dimensions", func(b *bad) error {
				return sortOf(b.must(b.f32(2, 2, 2, 2, 2).Permute(4, 3, 2, 1, 0)), 4)
			}, weft.ErrUnsupported, "sort: x: shape [2 2 2 2 2] has too many dimensions"},
		},
	},
	{
		op:   "arg_sort",
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
		out:  badArg{elem: weft.I32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ArgSortInto(out, in[0], 1) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.ArgSort(in[0], -1) },
		zero: [][][]int{{{0, 3}, {0, 3}}, {{3, 0}, {3, 0}}},
		rows: []badRow{
			{"dimension", func(b *bad) error { return second(ops.ArgSort(b.f32(2, 3), -3)) }, weft.ErrArgument, "arg_sort: x: axis -3 of"},
		},
	},
}

func sortOf(x *weft.Tensor, dim int, options ...ops.SortOption) error {
	_, _, err := ops.Sort(x, dim, options...)
	return err
}
