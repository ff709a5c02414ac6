package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var embeddingBad = []badOp{{
	op:   "embedding",
	in:   []badArg{{elem: weft.F32, shape: []int{4, 5}}, {elem: weft.I32, shape: []int{3}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.EmbeddingInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Embedding(in[0], in[1]) },
	zero: [][][]int{{{0, 0}, {3}, {3, 0}}, {{4, 5}, {0}, {0, 5}}},
	huge: [][][]int{{{1 << 31, 1}, {3}}, {{1, 1 << 31}, {3}}, {{1, 1}, {1 << 31}}, {{1, 1 << 31}, {1 << 31}}},
	rows: []badRow{
		{"table of one row", func(b *bad) error { return second(ops.Embedding(b.f32(5), b.tensor(weft.I32, 3))) }, weft.ErrShape, "embedding: table: shape [5], want a matrix"},
		{"ids of floats", func(b *bad) error { return second(ops.Embedding(b.f32(4, 5), b.f32(3))) }, weft.ErrArgument, "embedding: ids: the tensor holds f32, want i32"},
		{"shape of out", func(b *bad) error { return ops.EmbeddingInto(b.f32(3, 4), b.f32(4, 5), b.tensor(weft.I32, 3)) },
			weft.ErrShape, "embedding: out: shape [3 4], want [3 5]"},
		{"many dimensions", func(b *bad) error {
			return second(ops.Embedding(b.f32(4, 3), b.must(b.tensor(weft.I32, 2, 2, 2, 2, 2).Permute(4, 3, 2, 1, 0))))
		}, weft.ErrUnsupported, "embedding: ids: shape [2 2 2 2 2] has too many dimensions"},
	},
}, {
	op:   "embedding_grad",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3}}},
	out:  badArg{elem: weft.F32, shape: []int{4, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.EmbeddingGradInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.EmbeddingGrad(in[0], in[1], 4) },
	zero: [][][]int{{{3, 0}, {3}, {4, 0}}},
	huge: [][][]int{{{1 << 31, 1}, {1 << 31}}, {{1, 1 << 31}, {1}}},
	rows: []badRow{
		{"fewer rows than none", func(b *bad) error { return second(ops.EmbeddingGrad(b.f32(3, 5), b.tensor(weft.I32, 3), -1)) },
			weft.ErrArgument, "embedding_grad: rows: -1, want at least 0"},
		{"other ids", func(b *bad) error { return second(ops.EmbeddingGrad(b.f32(3, 5), b.tensor(weft.I32, 4), 4)) },
			weft.ErrShape, "embedding_grad: dy: shape [3 5] for ids of shape [4], want one dimension more"},
		{"rows of their own", func(b *bad) error { return second(ops.EmbeddingGrad(b.f32(3), b.tensor(weft.I32, 3), 4)) },
			weft.ErrShape, "embedding_grad: dy: shape [3] for ids of shape [3], want one dimension more"},
		{"ids of floats", func(b *bad) error { return second(ops.EmbeddingGrad(b.f32(3, 5), b.f32(3), 4)) },
			weft.ErrArgument, "embedding_grad: ids: the tensor holds f32, want i32"},
		{"the last one", func(b *bad) error {
			return second(ops.EmbeddingGrad(b.f32(3, 5), b.tensor(weft.I32, 3), 4, ops.LastWins()))
		}, weft.ErrArgument, "embedding_grad: LastWins is an option of ScatterSet"},
		{"shape of out", func(b *bad) error { return ops.EmbeddingGradInto(b.f32(4, 4), b.f32(3, 5), b.tensor(weft.I32, 3)) },
			weft.ErrShape, "embedding_grad: out: shape [4 4], want [4 5]"},
	},
}}
