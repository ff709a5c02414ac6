package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var normBad = []badOp{{
	op: "layernorm",
	in: []badArg{
		{elem: weft.F32, shape: []int{3, 5}, anyRank: true},
		{elem: weft.F32, shape: []int{5}},
		{elem: weft.F32, shape: []int{5}},
		{elem: weft.F32, shape: []int{3, 5}, required: true},
		{elem: weft.F32, shape: []int{3, 5}},
	},
	out: badArg{elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.LayerNormInto(out, in[0], in[1], in[2], ops.Residual(in[3], in[4]))
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.LayerNorm(in[0], in[1], in[2], ops.Residual(in[3], nil))
	},
	zero: [][][]int{{{0, 3}, {3}, {3}, {0, 3}, {0, 3}, {0, 3}}, {{3, 0}, {0}, {0}, {3, 0}, {3, 0}, {3, 0}}},
	huge: [][][]int{
		{{1 << 31, 1}, {1}, {1}, {1 << 31, 1}, {1 << 31, 1}}, {{1, 1 << 31}, {1 << 31}, {1 << 31}, {1, 1 << 31}, {1, 1 << 31}},
		{{1 << 31, 1 << 31}, {1 << 31}, {1 << 31}, {1 << 31, 1 << 31}, {1 << 31, 1 << 31}},
	},
	rows: []badRow{
		{"scalar", func(b *bad) error { return second(ops.LayerNorm(b.f32(), nil, nil)) }, weft.ErrShape, "layernorm: x: a scalar has no rows"},
		{"dimensions", func(b *bad) error { return second(ops.LayerNorm(b.f32(2, 3), nil, nil, ops.Axis(0, 2))) },
			weft.ErrArgument, "layernorm: x: axis 2 of a tensor of 2 dimensions"},
		{"axis twice", func(b *bad) error { return second(ops.LayerNorm(b.f32(2, 3), nil, nil, ops.Axis(1, -1))) },
			weft.ErrArgument, "layernorm: x: axis 1 is given twice in [1 -1]"},
		{"no dimensions", func(b *bad) error { return second(ops.RMSNorm(b.f32(2, 3), nil, ops.Axis())) },
			weft.ErrArgument, "rmsnorm: no axes given, want at least 1"},
		{"epsilon", func(b *bad) error { return second(ops.LayerNorm(b.f32(2, 3), nil, nil, ops.Epsilon(-1))) },
			weft.ErrArgument, "layernorm: epsilon -1"},
		{"epsilon that is none", func(b *bad) error { return second(ops.RMSNorm(b.f32(2, 3), nil, ops.Epsilon(math.NaN()))) },
			weft.ErrArgument, "rmsnorm: epsilon NaN"},
		{"shape of weight", func(b *bad) error { return second(ops.RMSNorm(b.f32(2, 3), b.f32(2))) }, weft.ErrShape, "rmsnorm: weight: shape [2], want that of a row: [3]"},
		{"shape of bias", func(b *bad) error {
			return second(ops.LayerNorm(b.f32(2, 3, 4), b.f32(3, 4), b.f32(4), ops.Axis(-1, -2)))
		}, weft.ErrShape, "layernorm: bias: shape [4], want that of a row: [3 4]"},
		{"shape of residual", func(b *bad) error {
			return second(ops.RMSNorm(b.f32(2, 3), nil, ops.Residual(b.f32(3), nil)))
		}, weft.ErrShape, "rmsnorm: residual: shape [3], want [2 3]"},
		{"sum in the residual's columns", func(b *bad) error {
			r := b.f32(3, 3)
			return second(ops.RMSNorm(b.f32(3, 3), nil, ops.Residual(r, r.T())))
		}, weft.ErrUnsupported, "rmsnorm: residual: it overlaps sum, want separate memory or the same view"},
		{"sum without a residual", func(b *bad) error {
			return second(ops.RMSNorm(b.f32(3, 3), nil, ops.Residual(nil, b.f32(3, 3))))
		}, weft.ErrArgument, "rmsnorm: residual: the tensor is nil"},
		{"shape of weight of other axes", func(b *bad) error {
			return second(ops.RMSNorm(b.f32(2, 3, 4), b.f32(4, 2), ops.Axis(-1, 0)))
		}, weft.ErrShape, "rmsnorm: weight: shape [4 2], want that of a row: [2 4]"},
	},
}, {
	op:   "rmsnorm",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyRank: true}, {elem: weft.F32, shape: []int{5}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RMSNormInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.RMSNorm(in[0], in[1]) },
	zero: [][][]int{{{0, 3}, {3}, {0, 3}}, {{3, 0}, {0}, {3, 0}}},
	huge: [][][]int{{{1 << 31, 1}, {1}}, {{1, 1 << 31}, {1 << 31}}},
}}
