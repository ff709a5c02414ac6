package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var resizeBad = []badOp{
	{
		op:  "resize",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 5}}},
		out: badArg{elem: weft.F32, shape: []int{3, 8}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ResizeInto(out, in[0], ops.ResizeLinear, []int{8})
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			return ops.Resize(in[0], ops.ResizeLinear, []int{8})
		},
		zero: [][][]int{{{0, 5}, {0, 8}}},
		rows: []badRow{
			{"of nothing", func(b *bad) error { return resizedTo(b.f32(3, 0), ops.ResizeNearest, []int{2}) }, weft.ErrShape, "resize: x: dimension 1 of shape [3 0] has no elements"},
			{"below none", func(b *bad) error { return resizedTo(b.f32(3, 2), ops.ResizeLinear, []int{-1}) }, weft.ErrArgument, "resize: sizes: -1, want at least 0"},
			{"beyond 31 bits", func(b *bad) error { return resizedTo(b.f32(0, 3), ops.ResizeLinear, []int{1 << 31}) }, weft.ErrLimit, "resize: sizes: dimension 1 of 3 elements becomes one of 2147483648"},
			{"more sizes", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeLinear, []int{4, 4}) }, weft.ErrShape, "resize: x: shape [3] has 1 dimension, 2 are resized"},
			{"many sizes", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeLinear, make([]int, 9)) }, weft.ErrArgument, "9 sizes, want at most 8"},
			{"mode", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeMode(9), []int{4}) }, weft.ErrArgument, "resize: mode: mode 9 does not exist"},
			{"corners of the nearest", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeNearest, []int{4}, ops.AlignCorners()) }, weft.ErrArgument, "corners are aligned in the modes linear and cubic alone, not in nearest"},
			{"sizes and scales", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeLinear, []int{6}, ops.ResizeScales(2)) }, weft.ErrArgument, "resize: sizes: 1 size and 1 scale, want one of them"},
			{"scale", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeLinear, nil, ops.ResizeScales(math.NaN())) }, weft.ErrArgument, "scale NaN, want 2^-20 to 2^20"},
			{"many scales", func(b *bad) error {
				return resizedTo(b.f32(3), ops.ResizeLinear, nil, ops.ResizeScales(make([]float64, 9)...))
			}, weft.ErrArgument, "9 scales, want at most 8"},
			{"no option", func(b *bad) error { return resizedTo(b.f32(3), ops.ResizeLinear, []int{6}, nil) }, weft.ErrArgument, "option 1 is nil"},
			{"large scale", func(b *bad) error { return resizedTo(b.f32(1<<12), ops.ResizeLinear, nil, ops.ResizeScales(0x1p20)) }, weft.ErrLimit, "becomes one of 4294967296"},
			{"ratio", func(b *bad) error {
				return ops.ResizeInto(b.f32(1), b.repeated(weft.F32, 1<<30+1), ops.ResizeNearest, []int{1<<30 - 1})
			}, weft.ErrLimit, "want a ratio of terms up to 2^27"},
			{"integers", func(b *bad) error { return resizedTo(b.tensor(weft.I32, 3), ops.ResizeLinear, []int{6}) }, weft.ErrUnsupported, "the tensor holds i32"},
			{"dimensions that do not merge", func(b *bad) error {
				return resizedTo(b.must(b.f32(2, 2, 2, 2, 2, 2).Permute(5, 4, 3, 2, 1, 0)), ops.ResizeNearest, []int{3})
			}, weft.ErrUnsupported, "has too many dimensions, want at most 5"},
		},
	},
	{
		op:  "resize_grad",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 8}}},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ResizeGradInto(out, in[0], ops.ResizeLinear, []int{5})
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			return ops.ResizeGrad(in[0], ops.ResizeLinear, []int{5})
		},
		zero: [][][]int{{{0, 8}, {0, 5}}},
		rows: []badRow{
			{"sizes that scales do not give", func(b *bad) error {
				return second(ops.ResizeGrad(b.f32(3, 8), ops.ResizeLinear, []int{5}, ops.ResizeScales(1.5)))
			}, weft.ErrShape, "resize_grad: dy: dimension 1 of shape [3 8], want 7 elements by a scale of 1.5"},
			{"scales", func(b *bad) error {
				return second(ops.ResizeGrad(b.f32(3, 8), ops.ResizeLinear, []int{5}, ops.ResizeScales(1, 1.5)))
			}, weft.ErrArgument, "2 scales for 1 size, want as many"},
			{"integers", func(b *bad) error {
				return second(ops.ResizeGrad(b.tensor(weft.I32, 3), ops.ResizeNearest, []int{6}))
			}, weft.ErrUnsupported, "the tensor holds i32"},
			{"of none", func(b *bad) error { return second(ops.ResizeGrad(b.f32(3, 8), ops.ResizeLinear, []int{0})) }, weft.ErrShape, "dimension 1 of shape [3 0] has no elements"},
		},
	},
}

func resizedTo(x *weft.Tensor, mode ops.ResizeMode, sizes []int, options ...ops.ResizeOption) error {
	return second(ops.Resize(x, mode, sizes, options...))
}
