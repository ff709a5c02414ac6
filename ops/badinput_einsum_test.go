package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var einsumBad = []badOp{{
	op:    "einsum",
	in:    []badArg{{name: "a", elem: weft.F32, shape: []int{3, 5}}, {name: "b", elem: weft.F32, shape: []int{5, 4}}},
	out:   badArg{name: "out", elem: weft.F32, shape: []int{3, 4}},
	into:  func(out *weft.Tensor, in []*weft.Tensor) error { return ops.EinsumInto(out, "ij,jk->ik", in) },
	new:   func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Einsum("ij,jk->ik", in) },
	zero:  [][][]int{{{0, 5}, {5, 4}, {0, 4}}},
	alike: 2,
	rows: []badRow{
		{"no letters", func(b *bad) error { return einsumOf("i1,jk", b.f32(2, 3), b.f32(3, 2)) }, weft.ErrArgument, `einsum: spec: "i1,jk" has something other than letters`},
		{"two dots", func(b *bad) error { return einsumOf("..ij->ij", b.f32(2, 3)) }, weft.ErrArgument, "has something other than letters"},
		{"dots twice", func(b *bad) error { return einsumOf("...i...->i", b.f32(2, 3)) }, weft.ErrArgument, "has something other than letters"},
		{"dots of fewer dimensions", func(b *bad) error { return einsumOf("...ijk->i", b.f32(2, 3)) }, weft.ErrShape, "want 0 to 10 for the dots"},
		{"sizes of dots", func(b *bad) error { return einsumOf("...,...", b.f32(2, 3), b.f32(2, 4)) }, weft.ErrShape, "has size 4, want 3"},
		{"twice", func(b *bad) error { return einsumOf("ij->ii", b.f32(2, 3)) }, weft.ErrArgument, "has i twice in the result"},
		{"of no operand", func(b *bad) error { return einsumOf("ij->ik", b.f32(2, 3)) }, weft.ErrArgument, "has k in the result, which no operand has"},
		{"operands", func(b *bad) error { return einsumOf("ij,jk", b.f32(2, 3)) }, weft.ErrArgument, "is for 2 operands, 1 are given"},
		{"many operands", func(b *bad) error {
			x := b.f32(2)
			return einsumOf("i,i,i,i,i,i,i", x, x, x, x, x, x, x)
		}, weft.ErrArgument, "7 are given, want at most 6"},
		{"no operands", func(b *bad) error { b.f32(1); return einsumOf("i") }, weft.ErrArgument, "the tensor is nil"},
		{"dimensions", func(b *bad) error { return einsumOf("ijk->i", b.f32(2, 3)) }, weft.ErrShape, `einsum: a: shape [2 3] has 2 dimensions, "ijk" has 3`},
		{"sizes", func(b *bad) error { return einsumOf("ij,jk->ik", b.f32(2, 3), b.f32(4, 2)) }, weft.ErrShape, "einsum: b: dimension 0 of shape [4 2], j, has size 4, want 3"},
		{"diagonal", func(b *bad) error { return einsumOf("ii->i", b.f32(2, 3)) }, weft.ErrShape, "i, has size 3, want 2"},
		{"sums of integers", func(b *bad) error {
			return einsumOf("ij,k->k", b.tensor(weft.I8, 2, 3), b.tensor(weft.I8, 4))
		}, weft.ErrUnsupported, "want floats but for products of two operands"},
		{"sum of many dimensions", func(b *bad) error {
			return einsumOf("abcdefghijkl->acegik", b.f32(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
		}, weft.ErrUnsupported, "einsum: a step of it is refused: sum: x: shape [2 2 2 2 2 2 2 2 2 2 2 2] has too many dimensions"},
		{"truths", func(b *bad) error { return einsumOf("ij->ji", b.tensor(weft.Bool, 2, 3)) }, weft.ErrUnsupported, "the tensor holds bool"},
		{"precision of f16", func(b *bad) error {
			return second(ops.Einsum("i,i", []*weft.Tensor{b.f32(2), b.f32(2)}, ops.Precision(tile.Float32Accumulate)))
		}, weft.ErrArgument, "einsum: precision: f32acc is not for operands of f32"},
		{"nil option", func(b *bad) error { return second(ops.Einsum("i->i", []*weft.Tensor{b.f32(2)}, nil)) }, weft.ErrArgument, "option 1 is nil"},
	},
}, {
	op:    "dot_general",
	in:    []badArg{{name: "a", elem: weft.F32, shape: []int{3, 5}}, {name: "b", elem: weft.F32, shape: []int{4, 5}}},
	out:   badArg{name: "out", elem: weft.F32, shape: []int{3, 4}},
	into:  func(out *weft.Tensor, in []*weft.Tensor) error { return ops.DotGeneralInto(out, in[0], in[1], byRows) },
	new:   func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.DotGeneral(in[0], in[1], byRows) },
	alike: 2,
	rows: []badRow{
		{"dimension", func(b *bad) error {
			return second(ops.DotGeneral(b.f32(2, 3), b.f32(3), ops.DotDims{Contract: [2][]int{{2}, {0}}}))
		}, weft.ErrArgument, "dot_general: dims: dimension 2 of a does not exist or is named twice"},
		{"twice", func(b *bad) error {
			return second(ops.DotGeneral(b.f32(3, 3), b.f32(3, 3), ops.DotDims{Batch: [2][]int{{0}, {0}}, Contract: [2][]int{{1}, {-2}}}))
		}, weft.ErrArgument, "dimension -2 of b does not exist or is named twice"},
		{"pairs", func(b *bad) error {
			return second(ops.DotGeneral(b.f32(3, 3), b.f32(3, 3), ops.DotDims{Contract: [2][]int{{1}, {}}}))
		}, weft.ErrArgument, "1 dimension of a, 0 of b"},
		{"sizes", func(b *bad) error { return second(ops.DotGeneral(b.f32(2, 3), b.f32(4, 4), byRows)) }, weft.ErrShape, "has size 4, want 3"},
	},
}}

var byRows = ops.DotDims{Contract: [2][]int{{1}, {1}}}

func einsumOf(spec string, in ...*weft.Tensor) error { return second(ops.Einsum(spec, in)) }
