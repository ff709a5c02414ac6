package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var attentionBad = []badOp{{
	op: "attention",
	in: []badArg{
		{elem: weft.F32, shape: []int{1, 2, 3, 4}},
		{elem: weft.F32, shape: []int{1, 2, 5, 4}},
		{elem: weft.F32, shape: []int{1, 2, 5, 4}},
		{elem: weft.Bool, shape: []int{1, 2, 3, 5}, anyRank: true, anyType: true},
		{elem: weft.I32, shape: []int{1}},
		{elem: weft.F32, shape: []int{1, 2, 3}},
	},
	out: badArg{elem: weft.F32, shape: []int{1, 2, 3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.AttentionInto(out, in[0], in[1], in[2], masked(in)...)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.Attention(in[0], in[1], in[2], masked(in)...)
	},
	zero: [][][]int{{{0, 2, 3, 4}, {0, 2, 5, 4}, {0, 2, 5, 4}, {0, 2, 3, 5}, {0}, {0, 2, 3}, {0, 2, 3, 4}}, {{1, 2, 0, 4}, {1, 2, 5, 4}, {1, 2, 5, 4}, {1}, {1}, {1, 2, 0}, {1, 2, 0, 4}}},
	huge: [][][]int{
		{{1, 1, 1 << 30, 4}, {1, 1, 5, 4}, {1, 1, 5, 4}, {1}, {1}, {1, 1, 1 << 30}}, {{1, 1, 3, 4}, {1, 1, 1 << 30, 4}, {1, 1, 1 << 30, 4}, {1}, {1}, {1, 1, 3}},
		{{1 << 31, 1 << 20, 3, 4}, {1 << 31, 1, 5, 4}, {1 << 31, 1, 5, 4}, {1}, {1 << 31}, {1 << 31, 1 << 20, 3}},
	},
	rows: []badRow{
		{"three dimensions", func(b *bad) error { x := b.f32(2, 3, 4); return second(ops.Attention(x, x, x)) }, weft.ErrShape, "attention: q: shape [2 3 4] has 3 dimensions"},
		{"heads", attending([]int{1, 4, 3, 4}, []int{1, 3, 5, 4}), weft.ErrShape, "attention: k: 3 heads do not divide q's 4"},
		{"head size", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 3}), weft.ErrShape, "attention: k: shape [1 1 5 3] does not fit q's [1 1 3 4]"},
		{"batch", attending([]int{2, 1, 3, 4}, []int{3, 1, 5, 4}), weft.ErrShape, "attention: k: shape"},
		{"large head", attending([]int{1, 1, 3, 257}, []int{1, 1, 5, 257}), weft.ErrUnsupported, "attention: q: head size 257, want at most 256"},
		{"values of another length", func(b *bad) error {
			return second(ops.Attention(b.f32(1, 1, 3, 4), b.f32(1, 1, 5, 4), b.f32(1, 1, 6, 4)))
		}, weft.ErrShape, "attention: v: shape [1 1 6 4], want that of k: [1 1 5 4]"},
		{"scale", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.AttentionScale(math.Inf(1))), weft.ErrArgument, "attention: scale: +Inf, want a finite number"},
		{"tiles of a product", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.Tiles(ops.MatMulConfig{BM: 16})),
			weft.ErrArgument, "attention: Tiles: the config is of type MatMulConfig, want AttentionConfig"},
		{"mask", func(b *bad) error {
			x := b.f32(1, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.AttentionMask(b.f32(2, 3))))
		}, weft.ErrShape, "attention: mask: shape [2 3] does not broadcast to [1 1 3 3]"},
		{"lengths", func(b *bad) error {
			x := b.f32(2, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.KeyLengths(b.tensor(weft.I32, 3))))
		}, weft.ErrShape, "attention: lengths: shape [3], want [2]"},
		{"log-sum-exp", func(b *bad) error {
			x := b.f32(1, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.LogSumExp(b.f32(1, 1, 4))))
		}, weft.ErrShape, "attention: lse: shape [1 1 4], want [1 1 3]"},
	},
}}

// masked are the options of the tensors that are given after q, k and v.
func masked(in []*weft.Tensor) (options []ops.AttentionOption) {
	if in[3] != nil {
		options = append(options, ops.AttentionMask(in[3]))
	}
	if in[4] != nil {
		options = append(options, ops.KeyLengths(in[4]))
	}
	if in[5] != nil {
		options = append(options, ops.LogSumExp(in[5]))
	}
	return options
}

// attending is attention of a query of one shape, and keys and values of another.
func attending(q, k []int, options ...ops.AttentionOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.Attention(b.f32(q...), b.f32(k...), b.f32(k...), options...)) }
}
