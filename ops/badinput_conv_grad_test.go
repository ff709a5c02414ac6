package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var convGradBad = []badOp{{
	op:   "conv_transpose2d",
	in:   []badArg{{elem: weft.F32, shape: []int{1, 2, 3, 3}}, {elem: weft.F32, shape: []int{2, 3, 2, 2}}},
	out:  badArg{elem: weft.F32, shape: []int{1, 3, 4, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ConvTranspose2DInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.ConvTranspose2D(in[0], in[1], 4, 4) },
	rows: []badRow{
		{"sizes", func(b *bad) error { return second(ops.ConvTranspose2D(b.f32(1, 2, 3, 3), b.f32(2, 3, 2, 2), 5, 4)) },
			weft.ErrShape, "conv_transpose2d: x: shape [1 2 3 3] has 3 × 3 pixels"},
		{"channels", func(b *bad) error { return second(ops.ConvTranspose2D(b.f32(1, 2, 3, 3), b.f32(3, 3, 2, 2), 4, 4)) },
			weft.ErrShape, "conv_transpose2d: weight: shape [3 3 2 2] is for 3 channels"},
		{"matrix", func(b *bad) error { return second(ops.ConvTranspose2D(b.f32(3, 3), b.f32(3, 3, 2, 2), 4, 4)) }, weft.ErrShape, "has 2 dimensions, want 4"},
		{"groups", func(b *bad) error {
			return second(ops.ConvTranspose2D(b.f32(1, 2, 3, 3), b.f32(2, 3, 2, 2), 4, 4, ops.Groups(0)))
		}, weft.ErrArgument, "0 groups, want at least 1"},
		{"algorithm", func(b *bad) error {
			return second(ops.ConvTranspose2D(b.f32(1, 2, 3, 3), b.f32(2, 3, 2, 2), 4, 4, ops.Algorithm(ops.ConvDirect)))
		}, weft.ErrArgument, "are options of a convolution, not of its gradients"},
	},
}, {
	op:   "conv2d_weight_grad",
	in:   []badArg{{elem: weft.F32, shape: []int{1, 2, 4, 4}}, {elem: weft.F32, shape: []int{1, 3, 3, 3}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 2, 2, 2}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.Conv2DWeightGradInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Conv2DWeightGrad(in[0], in[1], 2, 2) },
	rows: []badRow{
		{"sizes", func(b *bad) error { return second(ops.Conv2DWeightGrad(b.f32(1, 2, 4, 4), b.f32(1, 3, 3, 3), 3, 2)) },
			weft.ErrShape, "conv2d_weight_grad: dy: shape [1 3 3 3] has 3 × 3 pixels"},
		{"images", func(b *bad) error { return second(ops.Conv2DWeightGrad(b.f32(2, 2, 4, 4), b.f32(1, 3, 3, 3), 2, 2)) },
			weft.ErrShape, "conv2d_weight_grad: dy: shape [1 3 3 3] in 1 group"},
	},
}}
