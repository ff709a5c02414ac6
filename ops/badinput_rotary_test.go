package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var rotaryBad = []badOp{{
	op: "rotary",
	in: []badArg{
		{elem: weft.F32, shape: []int{1, 2, 3, 4}},
		{elem: weft.I32, shape: []int{1}},
		{elem: weft.F32, shape: []int{5, 2}},
		{elem: weft.F32, shape: []int{5, 2}},
	},
	out:  badArg{elem: weft.F32, shape: []int{1, 2, 3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RotaryInto(out, in[0], turning(in)...) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Rotary(in[0], turning(in)...) },
	zero: [][][]int{{{0, 2, 3, 4}, {0}, {5, 2}, {5, 2}, {0, 2, 3, 4}}, {{1, 2, 0, 4}, {1}, {5, 2}, {5, 2}, {1, 2, 0, 4}}, {{1, 2, 3, 0}, {1}, {5, 0}, {5, 0}, {1, 2, 3, 0}}},
	huge: [][][]int{{{1 << 31, 1, 3, 4}, {1 << 31}, {5, 2}, {5, 2}}, {{1, 1, 1 << 31, 4}, {1}, {5, 2}, {5, 2}}},
	rows: []badRow{
		{"three dimensions", func(b *bad) error { return second(ops.Rotary(b.f32(2, 3, 4))) }, weft.ErrShape, "rotary: x: shape [2 3 4] has 3 dimensions"},
		{"odd row", rotating(5), weft.ErrArgument, "rotary: dims: 5 of a row of 5, want an even number"},
		{"odd dimensions", rotating(8, ops.RotaryDims(3)), weft.ErrArgument, "rotary: dims: 3 of a row of 8"},
		{"no dimensions", rotating(8, ops.RotaryDims(0)), weft.ErrArgument, "rotary: dims: 0 of a row of 8"},
		{"negative dimensions", rotating(8, ops.RotaryDims(-2)), weft.ErrArgument, "rotary: dims: -2 of a row of 8"},
		{"more dimensions than there are", rotating(8, ops.RotaryDims(10)), weft.ErrArgument, "rotary: dims: 10 of a row of 8"},
		{"base", rotating(8, ops.RotaryBase(1)), weft.ErrArgument, "rotary: base: 1, want a finite number above 1"},
		{"infinite base", rotating(8, ops.RotaryBase(math.Inf(1))), weft.ErrArgument, "rotary: base: +Inf"},
		{"no base", rotating(8, ops.RotaryBase(math.NaN())), weft.ErrArgument, "rotary: base: NaN"},
		{"positions that are nil", rotating(8, ops.RotaryPositions(nil)), weft.ErrArgument, "rotary: positions: the tensor is nil"},
		{"tables that are nil", rotating(8, ops.RotaryTables(nil, nil)), weft.ErrArgument, "rotary: cos: the tensor is nil"},
		{"base and tables", func(b *bad) error {
			return second(ops.Rotary(b.f32(1, 1, 2, 4), ops.RotaryTables(b.f32(3, 2), b.f32(3, 2)), ops.RotaryBase(100)))
		}, weft.ErrArgument, "rotary: base: given with tables"},
		{"positions of other batches", func(b *bad) error {
			return second(ops.Rotary(b.f32(2, 1, 2, 4), ops.RotaryPositions(b.tensor(weft.I32, 3))))
		}, weft.ErrShape, "rotary: positions: shape [3], want [2]"},
		{"tables of whole rows", func(b *bad) error {
			return second(ops.Rotary(b.f32(1, 1, 2, 4), ops.RotaryTables(b.f32(3, 4), b.f32(3, 4))))
		}, weft.ErrShape, "rotary: cos: shape [3 4], want rows of 2"},
		{"tables of other lengths", func(b *bad) error {
			return second(ops.Rotary(b.f32(1, 1, 2, 4), ops.RotaryTables(b.f32(3, 2), b.f32(4, 2))))
		}, weft.ErrShape, "rotary: sin: shape [4 2], want [3 2]"},
		{"tables of halves", func(b *bad) error {
			return second(ops.Rotary(b.f32(1, 1, 2, 4), ops.RotaryTables(b.tensor(weft.F16, 3, 2), b.f32(3, 2))))
		}, weft.ErrArgument, "rotary: cos: the tensor holds f16, want f32"},
	},
}}

// turning are the options of the tensors that are given after x.
func turning(in []*weft.Tensor) (options []ops.RotaryOption) {
	if in[1] != nil {
		options = append(options, ops.RotaryPositions(in[1]))
	}
	return append(options, ops.RotaryTables(in[2], in[3]))
}

// rotating is a rotation of rows of n elements.
func rotating(n int, options ...ops.RotaryOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.Rotary(b.f32(1, 1, 2, n), options...)) }
}
