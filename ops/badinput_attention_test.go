package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var attentionBad = []badOp{{
	op: "attention",
	in: []badArg{
		{elem: weft.F32, shape: []int{1, 2, 3, 4}},
		{elem: weft.F32, shape: []int{1, 2, 5, 4}},
		{elem: weft.F32, shape: []int{1, 2, 5, 4}},
		{elem: weft.Bool, shape: []int{1, 2, 3, 5}, anyRank: true, anyType: true},
		{elem: weft.I32, shape: []int{1}},
	},
	out: badArg{elem: weft.F32, shape: []int{1, 2, 3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.AttentionInto(out, in[0], in[1], in[2], given(in)...)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.Attention(in[0], in[1], in[2], given(in)...)
	},
	zero: [][][]int{{{0, 2, 3, 4}, {0, 2, 5, 4}, {0, 2, 5, 4}, {0, 2, 3, 5}, {0}, {0, 2, 3, 4}}, {{1, 2, 0, 4}, {1, 2, 5, 4}, {1, 2, 5, 4}, {1}, {1}, {1, 2, 0, 4}}},
	huge: [][][]int{
		{{1, 1, 1 << 30, 4}, {1, 1, 5, 4}, {1, 1, 5, 4}, {1}, {1}}, {{1, 1, 3, 4}, {1, 1, 1 << 30, 4}, {1, 1, 1 << 30, 4}, {1}, {1}},
		{{1 << 31, 1 << 20, 3, 4}, {1 << 31, 1, 5, 4}, {1 << 31, 1, 5, 4}, {1}, {1 << 31}},
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
		{"scale", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.AttentionScale(math.Inf(1))), weft.ErrArgument, "attention: scale: +Inf, want less than 2^127 in magnitude"},
		{"precision of tiles", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.Tiles(ops.AttentionConfig{Precision: tile.Float32Accumulate})),
			weft.ErrArgument, "attention: Tiles.Precision: f32acc is not for operands of f32, want ieee, tf32x3 or tf32"},
		{"tiles of a product", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.Tiles(ops.MatMulConfig{BM: 16})),
			weft.ErrArgument, "attention: Tiles: the config is of type MatMulConfig, want AttentionConfig"},
		{"mask", func(b *bad) error {
			x := b.f32(1, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.AttentionMask(b.f32(2, 3))))
		}, weft.ErrShape, "attention: mask: shape [2 3] does not broadcast to [1 1 3 3]"},
		{"log-sum-exp", func(b *bad) error {
			x := b.f32(1, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.LogSumExp(b.f32(1, 1, 4))))
		}, weft.ErrShape, "attention: lse: shape [1 1 4], want [1 1 3]"},
	},
}, { // of a paged cache
	op: "attention",
	in: []badArg{
		{elem: weft.F32, shape: []int{1, 2, 3, 4}},
		{elem: weft.F32, shape: []int{5, 2, 16, 4}},
		{elem: weft.F32, shape: []int{5, 2, 16, 4}},
		{elem: weft.Bool, shape: []int{1, 2, 3, 32}, anyRank: true, anyType: true},
		{elem: weft.I32, shape: []int{1}},
		{elem: weft.I32, shape: []int{1, 2}},
		{absent: true},
		{absent: true},
		{elem: weft.F32, shape: []int{1, 2, 3}},
	},
	out: badArg{elem: weft.F32, shape: []int{1, 2, 3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.AttentionInto(out, in[0], in[1], in[2], given(in)...)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.Attention(in[0], in[1], in[2], given(in)...)
	},
	rows: []badRow{
		{"table of another type", paging([]int{1, 1, 3, 4}, []int{5, 1, 16, 4}, weft.I64, 1, 2), weft.ErrUnsupported, "attention: table: the tensor holds i64"},
		{"table of other batches", paging([]int{2, 1, 3, 4}, []int{5, 1, 16, 4}, weft.I32, 1, 2), weft.ErrShape,
			"attention: table: shape [1 2], want a row of pages for each batch: [2,MaxPages]"},
		{"table of one dimension", paging([]int{2, 1, 3, 4}, []int{5, 1, 16, 4}, weft.I32, 2), weft.ErrShape, "attention: table: shape [2], want"},
		{"size of pages", paging([]int{1, 1, 3, 4}, []int{5, 1, 24, 4}, weft.I32, 1, 2), weft.ErrUnsupported,
			"attention: k: shape [5 1 24 4] has pages of 24 keys, want a power of two from 16 on"},
		{"small pages", paging([]int{1, 1, 3, 4}, []int{5, 1, 8, 4}, weft.I32, 1, 2), weft.ErrUnsupported, "attention: k: shape [5 1 8 4] has pages of 8 keys"},
		{"no pages", paging([]int{1, 1, 3, 4}, []int{0, 1, 16, 4}, weft.I32, 1, 2), weft.ErrShape, "attention: k: shape [0 1 16 4] has no pages, the table has [1 2]"},
		{"head size of pages", paging([]int{1, 1, 3, 4}, []int{5, 1, 16, 3}, weft.I32, 1, 2), weft.ErrShape,
			"attention: k: shape [5 1 16 3] does not fit q's [1 1 3 4]: head size must be equal"},
		{"too many pages", func(b *bad) error {
			pool := b.f32(5, 1, 16, 4)
			return second(ops.Attention(b.f32(1, 1, 3, 4), pool, pool, ops.BlockTable(b.repeated(weft.I32, 1, 1<<26))))
		}, weft.ErrLimit, "attention: table: 67108864 pages of 16 keys, want at most 2^29 keys"},
		{"nil table", attending([]int{1, 1, 3, 4}, []int{5, 1, 16, 4}, ops.BlockTable(nil)), weft.ErrArgument, "attention: table: the tensor is nil"},
	},
}, { // of packed sequences
	op: "attention",
	in: []badArg{
		{elem: weft.F32, shape: []int{1, 2, 5, 4}},
		{elem: weft.F32, shape: []int{1, 2, 9, 4}},
		{elem: weft.F32, shape: []int{1, 2, 9, 4}},
		{absent: true},
		{elem: weft.I32, shape: []int{2}},
		{absent: true},
		{elem: weft.I32, shape: []int{3}},
		{elem: weft.I32, shape: []int{3}},
		{elem: weft.F32, shape: []int{1, 2, 5}},
	},
	out: badArg{elem: weft.F32, shape: []int{1, 2, 5, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.AttentionInto(out, in[0], in[1], in[2], given(in)...)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) {
		return ops.Attention(in[0], in[1], in[2], given(in)...)
	},
	rows: []badRow{
		{"two batches of queries", packing([]int{2, 1, 3, 4}, []int{1, 1, 5, 4}, 3, 3), weft.ErrShape, "attention: q: shape [2 1 3 4], want one batch with all sequences"},
		{"two batches of keys", packing([]int{1, 1, 3, 4}, []int{2, 1, 5, 4}, 3, 3), weft.ErrShape, "attention: k: shape [2 1 5 4], want one batch with all sequences"},
		{"no starts", packing([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, 0, 0), weft.ErrShape, "attention: query_starts: shape [0], want a vector of starts and the end"},
		{"other sequences of keys", packing([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, 3, 4), weft.ErrShape,
			"attention: key_starts: shape [4], want [3]: a start for each batch or sequence of queries, and the end"},
		{"other batches of keys", func(b *bad) error {
			return second(ops.Attention(b.f32(1, 1, 3, 4), b.f32(3, 1, 5, 4), b.f32(3, 1, 5, 4), ops.QueryStarts(b.tensor(weft.I32, 3))))
		}, weft.ErrShape, "attention: k: shape [3 1 5 4], want a batch for each of 2 sequences"},
		{"mask of sequences", func(b *bad) error {
			x := b.f32(1, 1, 3, 4)
			return second(ops.Attention(x, x, x, ops.KeyStarts(b.tensor(weft.I32, 2)), ops.AttentionMask(b.f32(3, 3))))
		}, weft.ErrUnsupported, "attention: mask: a mask of packed sequences"},
		{"pages with starts", func(b *bad) error {
			pool := b.f32(5, 1, 16, 4)
			return second(ops.Attention(b.f32(1, 1, 3, 4), pool, pool, ops.KeyStarts(b.tensor(weft.I32, 2)), ops.BlockTable(b.tensor(weft.I32, 1, 2))))
		}, weft.ErrArgument, "attention: key_starts: keys of a BlockTable, which have no starts"},
		{"nil starts", attending([]int{1, 1, 3, 4}, []int{1, 1, 5, 4}, ops.QueryStarts(nil)), weft.ErrArgument, "attention: query_starts: the tensor is nil"},
	},
}}

// given are the options of the tensors that are given after q, k and v.
func given(in []*weft.Tensor) (options []ops.AttentionOption) {
	for i, option := range []func(*weft.Tensor) ops.AttentionOption{ops.AttentionMask, ops.KeyLengths, ops.BlockTable, ops.QueryStarts, ops.KeyStarts, func(lse *weft.Tensor) ops.AttentionOption { return ops.LogSumExp(lse) }} {
		if at := 3 + i; at < len(in) && in[at] != nil {
			options = append(options, option(in[at]))
		}
	}
	return options
}

// paging is attention of a query of one shape, pools of another, and a table.
func paging(q, pool []int, elem weft.DType, table ...int) func(b *bad) error {
	return func(b *bad) error {
		return second(ops.Attention(b.f32(q...), b.f32(pool...), b.f32(pool...), ops.BlockTable(b.tensor(elem, table...))))
	}
}

// packing is attention of packed queries of one shape, and keys of another, with so many starts of each.
func packing(q, k []int, queries, keys int) func(b *bad) error {
	return func(b *bad) error {
		return second(ops.Attention(b.f32(q...), b.f32(k...), b.f32(k...), ops.QueryStarts(b.tensor(weft.I32, queries)), ops.KeyStarts(b.tensor(weft.I32, keys))))
	}
}

// attending is attention of a query of one shape, and keys and values of another.
func attending(q, k []int, options ...ops.AttentionOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.Attention(b.f32(q...), b.f32(k...), b.f32(k...), options...)) }
}
