package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var copyBad = []badOp{{
	op:   "copy",
	in:   []badArg{{name: "src", elem: weft.F32, shape: []int{3, 5}, anyType: true, anyRank: true}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 5}, anyType: true, anyRank: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.CopyInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Copy(in[0]) },
	zero: [][][]int{{{0}, {0}}, {{3, 0}, {3, 0}}, {{1, 0, 2}, {4, 0, 2}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 31, 1 << 31}}, {{1 << 62}}},
	rows: []badRow{
		{"shape of out", func(b *bad) error { return ops.CopyInto(b.f32(3, 2), b.f32(2, 3)) }, weft.ErrShape, "copy: src: shape [2 3] does not broadcast to out's [3 2]"},
		{"rank of out", func(b *bad) error { return ops.CopyInto(b.f32(3), b.f32(2, 3)) }, weft.ErrShape, "copy: src: shape [2 3]"},
		{"out is src transposed", func(b *bad) error { x := b.f32(6, 6); return ops.CopyInto(x.T(), x) }, weft.ErrUnsupported, "copy: src: it overlaps out"},
	},
}, {
	op:   "transpose",
	in:   []badArg{{name: "x", elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{5, 3}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.TransposeInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Transpose(in[0]) },
	zero: [][][]int{{{0}, {0}}, {{3, 0}, {0, 3}}, {{2, 0, 4}, {2, 4, 0}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 31, 1 << 31}}, {{1, 1 << 62}}},
	rows: []badRow{
		{"shape of out", func(b *bad) error { return ops.TransposeInto(b.f32(2, 3), b.f32(2, 3)) }, weft.ErrShape, "transpose: out: shape [2 3], want [3 2]"},
		{"type of out", func(b *bad) error { return ops.TransposeInto(b.tensor(weft.U32, 3, 2), b.f32(2, 3)) },
			weft.ErrArgument, "transpose: out: the tensor holds u32, x holds f32"},
		{"in place", func(b *bad) error { x := b.f32(4, 4); return ops.TransposeInto(x, x) }, weft.ErrUnsupported, "transpose: x: it overlaps out"},
	},
}, {
	op:   "permute",
	in:   []badArg{{name: "x", elem: weft.F32, shape: []int{2, 3, 5}}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{5, 2, 3}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.PermuteInto(out, in[0], 2, 0, 1) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Permute(in[0], 2, 0, 1) },
	zero: [][][]int{{{3, 0, 2}, {2, 3, 0}}},
	huge: [][][]int{{{1 << 31, 1, 1}}, {{1 << 31, 1 << 31, 1}}, {{1, 1, 1 << 62}}},
	rows: []badRow{
		{"few dimensions", func(b *bad) error { return second(ops.Permute(b.f32(2, 3), 1)) }, weft.ErrShape, "permute: x: dimensions [1] are not a permutation of those of shape [2 3]"},
		{"one twice", func(b *bad) error { return second(ops.Permute(b.f32(2, 3), 1, 1)) }, weft.ErrArgument, "dimensions [1 1]"},
		{"no dimension", func(b *bad) error { return second(ops.Permute(b.f32(2, 3), 0, 2)) }, weft.ErrArgument, "dimensions [0 2]"},
		{"negative", func(b *bad) error { return ops.PermuteInto(b.f32(3, 2), b.f32(2, 3), -3, 0) }, weft.ErrArgument, "dimensions [-3 0]"},
	},
}}
