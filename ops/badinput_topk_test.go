package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var topKBad = []badOp{{
	op:   "top_k",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3, 2}, optional: true}},
	out:  badArg{elem: weft.F32, shape: []int{3, 2}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.TopKInto(out, in[1], in[0], 2, 1) },
	zero: [][][]int{{{0, 3}, {0, 2}, {0, 2}}},
	rows: []badRow{
		{"scalar", func(b *bad) error { return topKOf(b.f32(), 0, 0) }, weft.ErrShape, "top_k: x: a scalar has no rows"},
		{"far k", func(b *bad) error { return topKOf(b.f32(2, 3), 1<<40, 1) }, weft.ErrArgument, "top_k: k: 1099511627776, want 0 to 3"},
		{"dimension", func(b *bad) error { return topKOf(b.f32(2, 3), 1, 2) }, weft.ErrArgument, "top_k: x: axis 2 of a tensor of 2 dimensions does not exist"},
		{"too many", func(b *bad) error { return topKOf(b.f32(2, 3), 3, 0) }, weft.ErrArgument, "top_k: k: 3, want 0 to 2, the size of dimension 0"},
		{"below none", func(b *bad) error { return topKOf(b.f32(2, 3), -1, 1) }, weft.ErrArgument, "top_k: k: -1, want 0 to 3"},
		{"long rows", func(b *bad) error { return topKOf(b.repeated(weft.F32, 1, 1<<31), 2, 1) }, weft.ErrLimit, ""},
		{"truths", func(b *bad) error { return topKOf(b.tensor(weft.Bool, 2, 3), 1, 1) }, weft.ErrUnsupported, "top_k: x: the tensor holds bool"},
		{"integers of 64 bits", func(b *bad) error { return topKOf(b.tensor(weft.I64, 2, 3), 1, 1) }, weft.ErrUnsupported, "top_k: x: the tensor holds i64"},
		{"indices of floats", func(b *bad) error { return ops.TopKInto(b.f32(2, 1), b.f32(2, 1), b.f32(2, 3), 1, 1) },
			weft.ErrArgument, "top_k: indices: the tensor holds f32, want i32"},
		{"shape of indices", func(b *bad) error {
			return ops.TopKInto(b.f32(2, 1), b.tensor(weft.I32, 2, 2), b.f32(2, 3), 1, 1)
		}, weft.ErrShape, "top_k: indices: shape [2 2], want [2 1]"},
		{"many dimensions", func(b *bad) error {
			return topKOf(b.must(b.f32(2, 2, 2, 2, 2).Permute(4, 3, 2, 1, 0)), 1, 4)
		}, weft.ErrUnsupported, "top_k: x: shape [2 2 2 2 2] has too many dimensions"},
	},
}}

func topKOf(x *weft.Tensor, k, dim int) error {
	_, _, err := ops.TopK(x, k, dim)
	return err
}
