package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var groupNormBad = []badOp{
	{
		op:  "group_norm",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 4, 5}, anyRank: true}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}},
		out: badArg{elem: weft.F32, shape: []int{3, 4, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.GroupNormInto(out, in[0], in[1], in[2], 2, -2)
		},
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.GroupNorm(in[0], in[1], in[2], 2, -2) },
		zero: [][][]int{{{0, 4, 5}, {4}, {4}, {0, 4, 5}}, {{3, 4, 0}, {4}, {4}, {3, 4, 0}}, {{3, 0, 5}, {0}, {0}, {3, 0, 5}}},
		huge: [][][]int{{{1 << 31, 2, 1}, {2}, {2}}, {{1, 2, 1 << 31}, {2}, {2}}},
		rows: []badRow{
			{"vector", func(b *bad) error { return second(ops.GroupNorm(b.f32(3), nil, nil, 1, 0)) }, weft.ErrShape, "group_norm: x: shape [3], want at least 2 dimensions"},
			{"dimension", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 1, 2)) }, weft.ErrArgument, "group_norm: x: axis 2 of a tensor of 2 dimensions"},
			{"dimension of images", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 1, -2)) }, weft.ErrArgument, "group_norm: channels: dimension 0, which"},
			{"groups", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 3, 1)) }, weft.ErrShape, "group_norm: groups: 3 groups of 4 channels"},
			{"no groups", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 0, 1)) }, weft.ErrShape, "group_norm: groups: 0 groups of 4 channels"},
			{"shape of bias", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, b.f32(3), 2, 1)) }, weft.ErrShape, "group_norm: bias: shape [3], want [4]"},
			{"epsilon", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 2, 1, ops.Epsilon(-1))) }, weft.ErrArgument, "group_norm: epsilon -1"},
			{"axis", func(b *bad) error { return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 2, 1, ops.Axis(1))) }, weft.ErrUnsupported, "group_norm: options: Axis is no option of groups"},
			{"residual", func(b *bad) error {
				return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 2, 1, ops.Residual(b.f32(3, 4), nil)))
			}, weft.ErrUnsupported, "group_norm: options: Residual is no option of groups"},
		},
	},
	{
		op: "group_norm_grad",
		in: []badArg{{elem: weft.F32, shape: []int{3, 4, 5}, anyRank: true}, {elem: weft.F32, shape: []int{3, 4, 5}}, {elem: weft.F32, shape: []int{4}},
			{elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}},
		out: badArg{elem: weft.F32, shape: []int{3, 4, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.GroupNormGradInto(out, in[3], in[4], in[0], in[1], in[2], 2, -2)
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			dx, dweight, dbias, err := ops.GroupNormGrad(in[0], in[1], in[2], 2, -2)
			closeAll(dweight, dbias)
			return dx, err
		},
		zero: [][][]int{{{3, 0, 5}, {3, 0, 5}, {0}, {0}, {0}, {3, 0, 5}}},
		huge: [][][]int{{{1 << 31, 2, 1}, {1 << 31, 2, 1}, {2}, {2}, {2}}},
		rows: []badRow{
			{"shape of dy", func(b *bad) error { return gradOf(ops.GroupNormGrad(b.f32(3, 4), b.f32(4, 3), nil, 2, 1)) },
				weft.ErrShape, "group_norm_grad: dy: shape [4 3], want [3 4]"},
			{"shape of weight", func(b *bad) error { return gradOf(ops.GroupNormGrad(b.f32(3, 4), b.f32(3, 4), b.f32(2), 2, 1)) },
				weft.ErrShape, "group_norm_grad: weight: shape [2], want [4]"},
		},
	},
}
