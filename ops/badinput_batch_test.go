package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var batchNormBad = []badOp{
	{
		op: "batch_norm",
		in: []badArg{{elem: weft.F32, shape: []int{3, 4, 5}, anyRank: true}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}},
			{elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}, required: true}, {elem: weft.F32, shape: []int{4}, required: true}},
		out: badArg{elem: weft.F32, shape: []int{3, 4, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.BatchNormInto(out, in[3], in[4], in[0], in[1], in[2], -2, ops.Running(in[5], in[6], 0.5))
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			y, mean, variance, err := ops.BatchNorm(in[0], in[1], in[2], -2, ops.Running(in[5], in[6], 0.5))
			closeAll(mean, variance)
			return y, err
		},
		zero: [][][]int{{{3, 0, 5}, {0}, {0}, {0}, {0}, {0}, {0}, {3, 0, 5}}},
		huge: [][][]int{{{1 << 31, 2, 1}, {2}, {2}, {2}, {2}, {2}, {2}}, {{1, 2, 1 << 31}, {2}, {2}, {2}, {2}, {2}, {2}}},
		rows: []badRow{
			{"vector", func(b *bad) error { return batchOf(b.f32(3), nil, 0) }, weft.ErrShape, "batch_norm: x: shape [3], want at least 2 dimensions"},
			{"dimension", func(b *bad) error { return batchOf(b.f32(3, 4), nil, -3) }, weft.ErrArgument, "batch_norm: x: axis -3 of a tensor of 2 dimensions"},
			{"shape of weight", func(b *bad) error { return batchOf(b.f32(3, 4), b.f32(3), 1) }, weft.ErrShape, "batch_norm: weight: shape [3], want [4]"},
			{"epsilon", func(b *bad) error { return batchOf(b.f32(3, 4), nil, 1, ops.Epsilon(math.Inf(1))) }, weft.ErrArgument, "batch_norm: epsilon +Inf"},
			{"axis", func(b *bad) error { return batchOf(b.f32(3, 4), nil, 1, ops.Axis(1)) }, weft.ErrUnsupported, "batch_norm: options: Axis is no option of batches"},
			{"residual", func(b *bad) error { return batchOf(b.f32(3, 4), nil, 1, ops.Residual(b.f32(3, 4), nil)) },
				weft.ErrUnsupported, "batch_norm: options: Residual is no option of batches"},
			{"momentum", func(b *bad) error { return batchOf(b.f32(3, 4), nil, 1, ops.Running(b.f32(4), b.f32(4), 1.5)) }, weft.ErrArgument, "batch_norm: momentum 1.5, want 0 to 1"},
			{"momentum NaN", func(b *bad) error {
				return batchOf(b.f32(3, 4), nil, 1, ops.Running(b.f32(4), b.f32(4), math.NaN()))
			}, weft.ErrArgument, "batch_norm: momentum NaN"},
			{"one element", func(b *bad) error { return batchOf(b.f32(1, 4), nil, 1, ops.Running(b.f32(4), b.f32(4), 0.5)) },
				weft.ErrShape, "batch_norm: x: shape [1 4] has 1 element of a channel, want at least 2"},
			{"type of running variance", func(b *bad) error {
				return batchOf(b.tensor(weft.F16, 3, 4), nil, 1, ops.Running(b.f32(4), b.tensor(weft.F16, 4), 0.5))
			}, weft.ErrArgument, "batch_norm: running_variance: the tensor holds f16, want f32"},
			{"running of rows", func(b *bad) error { return second(ops.LayerNorm(b.f32(3, 4), nil, nil, ops.Running(nil, nil, 0))) },
				weft.ErrUnsupported, "layernorm: options: Running is an option of BatchNorm alone"},
			{"running of groups", func(b *bad) error {
				return second(ops.GroupNorm(b.f32(3, 4), nil, nil, 2, 1, ops.Running(nil, nil, 0)))
			},
				weft.ErrUnsupported, "group_norm: options: Running is an option of BatchNorm alone"},
			{"many dimensions", func(b *bad) error {
				return batchOf(b.must(b.must(b.f32(2, 2, 2, 2, 2, 2, 4).Slice(6, 0, 2)).Permute(5, 4, 3, 2, 1, 0, 6)), nil, 0)
			}, weft.ErrUnsupported, "dimensions"},
		},
	},
	{
		op: "batch_norm_inference",
		in: []badArg{{elem: weft.F32, shape: []int{3, 4, 5}, anyRank: true}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}},
			{elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}},
		out: badArg{elem: weft.F32, shape: []int{3, 4, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.BatchNormInferenceInto(out, in[0], in[3], in[4], in[1], in[2], -2)
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			return ops.BatchNormInference(in[0], in[3], in[4], in[1], in[2], -2)
		},
		zero: [][][]int{{{3, 0, 5}, {0}, {0}, {0}, {0}, {3, 0, 5}}, {{0, 4, 5}, {4}, {4}, {4}, {4}, {0, 4, 5}}},
		huge: [][][]int{{{1 << 31, 2, 1}, {2}, {2}, {2}, {2}}},
		rows: []badRow{
			{"running", func(b *bad) error {
				return second(ops.BatchNormInference(b.f32(3, 4), nil, nil, b.f32(4), b.f32(4), 1, ops.Running(nil, nil, 0)))
			}, weft.ErrUnsupported, "batch_norm_inference: options: Running is"},
			{"type of mean", func(b *bad) error {
				return second(ops.BatchNormInference(b.tensor(weft.F16, 3, 4), nil, nil, b.tensor(weft.F16, 4), b.f32(4), 1))
			}, weft.ErrArgument, "batch_norm_inference: mean: the tensor holds f16, want f32"},
			{"type of bias", func(b *bad) error {
				return second(ops.BatchNormInference(b.tensor(weft.F16, 3, 4), nil, b.f32(4), b.f32(4), b.f32(4), 1))
			}, weft.ErrArgument, "batch_norm_inference: bias: the tensor holds f32, want f16"},
		},
	},
	{
		op: "batch_norm_grad",
		in: []badArg{{elem: weft.F32, shape: []int{3, 4, 5}, anyRank: true}, {elem: weft.F32, shape: []int{3, 4, 5}}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}},
			{elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}, {elem: weft.F32, shape: []int{4}}},
		out: badArg{elem: weft.F32, shape: []int{3, 4, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.BatchNormGradInto(out, in[5], in[6], in[0], in[1], in[4], in[2], in[3], -2)
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			dx, dweight, dbias, err := ops.BatchNormGrad(in[0], in[1], in[4], in[2], in[3], -2)
			closeAll(dweight, dbias)
			return dx, err
		},
		zero: [][][]int{{{3, 0, 5}, {3, 0, 5}, {0}, {0}, {0}, {0}, {0}, {3, 0, 5}}},
		huge: [][][]int{{{1 << 31, 2, 1}, {1 << 31, 2, 1}, {2}, {2}, {2}, {2}, {2}}},
		rows: []badRow{
			{"shape of dy", func(b *bad) error {
				return gradOf(ops.BatchNormGrad(b.f32(3, 4), b.f32(4, 3), nil, b.f32(4), b.f32(4), 1))
			}, weft.ErrShape, "batch_norm_grad: dy: shape [4 3], want [3 4]"},
			{"shape of variance", func(b *bad) error {
				return gradOf(ops.BatchNormGrad(b.f32(3, 4), b.f32(3, 4), nil, b.f32(4), b.f32(3), 1))
			}, weft.ErrShape, "batch_norm_grad: variance: shape [3], want [4]"},
			{"running", func(b *bad) error {
				return gradOf(ops.BatchNormGrad(b.f32(3, 4), b.f32(3, 4), nil, b.f32(4), b.f32(4), 1, ops.Running(nil, nil, 0)))
			}, weft.ErrUnsupported, "batch_norm_grad: options: Running is"},
		},
	},
}

// batchOf closes the results of a normalisation of a batch.
func batchOf(x, weight *weft.Tensor, channels int, options ...ops.NormOption) error {
	return gradOf(ops.BatchNorm(x, weight, nil, channels, options...))
}
