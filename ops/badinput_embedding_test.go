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
}}
