package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

func padsOf(n int) (list []ops.PadSize) {
	for range n {
		list = append(list, ops.PadSize{Low: 1})
	}
	return list
}

// padOf has a mistake in a padding of [2,3].
func padOf(sizes []ops.PadSize, options ...ops.PadOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.Pad(b.f32(2, 3), sizes, options...)) }
}

var moveBad = []badOp{{
	op:   "concat",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyType: true, anyRank: true, required: true}, {elem: weft.F32, shape: []int{3, 2}, anyType: true, required: true}},
	out:  badArg{elem: weft.F32, shape: []int{3, 7}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ConcatInto(out, 1, in...) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Concat(-1, in...) },
	zero: [][][]int{{{0, 5}, {0, 2}, {0, 7}}, {{3, 0}, {3, 0}, {3, 0}}},
	huge: [][][]int{{{1, 1 << 31}, {1, 1}}, {{1 << 31, 1}, {1 << 31, 1}}, {{1, 1 << 62}, {1, 1 << 62}}},
	rows: []badRow{
		{"nothing", func(b *bad) error { b.f32(2); return second(ops.Concat(0)) }, weft.ErrArgument, "concat: no tensors are given"},
		{"scalars", func(b *bad) error { return second(ops.Concat(0, b.f32(), b.f32())) }, weft.ErrShape, "concat: tensor 0: a scalar has no dimension"},
		{"dimension", func(b *bad) error { return second(ops.Concat(2, b.f32(2, 3), b.f32(2, 3))) }, weft.ErrArgument, "concat: dim: axis 2 of a tensor of 2 dimensions"},
		{"far dimension", func(b *bad) error { return second(ops.Concat(math.MinInt, b.f32(2, 3))) }, weft.ErrArgument, "concat: dim: axis -9223372036854775808 of"},
		{"other sizes", func(b *bad) error { return second(ops.Concat(0, b.f32(2, 3), b.f32(2, 3), b.f32(2, 4))) },
			weft.ErrShape, "concat: tensor 2: shape [2 4] does not fit [2 3] along dimension 0"},
		{"many with a nil one", func(b *bad) error { return second(ops.Concat(0, append(b.many(8), nil)...)) }, weft.ErrArgument, "concat: tensor 8: the tensor is nil"},
		{"many and another type", func(b *bad) error { return second(ops.Concat(0, append(b.many(8), b.tensor(weft.I32, 2))...)) },
			weft.ErrArgument, "concat: tensor 8: the tensor holds i32, tensor 0 holds f32"},
		{"many and a closed one", func(b *bad) error { x := b.many(9); x[8].Close(); return ops.ConcatInto(b.f32(18), 0, x...) }, weft.ErrClosed, "concat: tensor 8: "},
		{"many into one of them", func(b *bad) error { x := b.many(9); return ops.ConcatInto(x[8], 0, x...) }, weft.ErrShape, "concat: out: shape [2], want [18]"},
		{"many into nil", func(b *bad) error { return ops.ConcatInto(nil, 0, b.many(9)...) }, weft.ErrArgument, "concat: out: the tensor is nil"},
	},
}, {
	op:   "stack",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyType: true, anyRank: true, required: true}, {elem: weft.F32, shape: []int{3, 5}, anyType: true, required: true}},
	out:  badArg{elem: weft.F32, shape: []int{3, 2, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.StackInto(out, 1, in...) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Stack(-2, in...) },
	zero: [][][]int{{{0, 5}, {0, 5}, {0, 2, 5}}},
	huge: [][][]int{{{1, 1 << 31}, {1, 1 << 31}}},
	rows: []badRow{
		{"nothing", func(b *bad) error { b.f32(2); return second(ops.Stack(0)) }, weft.ErrArgument, "stack: no tensors are given"},
		{"dimension", func(b *bad) error { return second(ops.Stack(3, b.f32(2, 3), b.f32(2, 3))) }, weft.ErrArgument, "stack: tensor 0: axis 3 of a tensor of 3 dimensions"},
		{"other sizes", func(b *bad) error { return second(ops.Stack(0, b.f32(2, 3), b.f32(2, 4))) }, weft.ErrShape, "stack: tensor 1: shape [1 2 4] does not fit"},
	},
}, {
	op:   "pad",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyType: true}, {elem: weft.F32, shape: []int{1}, anyType: true, absent: true}},
	out:  badArg{elem: weft.F32, shape: []int{4, 6}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.PadInto(out, in[0], padsOf(2)) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Pad(in[0], padsOf(2)) },
	huge: [][][]int{{{1 << 31, 1}, {1}}, {{1, 1 << 62}, {1}}},
	rows: []badRow{
		{"sizes", padOf(padsOf(3)), weft.ErrShape, "pad: sizes: 3 sizes given for shape [2 3]"},
		{"less than none", padOf([]ops.PadSize{{Low: -1, High: -2}, {}}), weft.ErrShape, "pad: sizes: dimension 0 of 2 elements with {Low:-1 High:-2 Interior:0} has less than none"},
		{"interior", padOf([]ops.PadSize{{Interior: -1}, {}}), weft.ErrArgument, "pad: sizes: dimension 0 has -1 elements between neighbours"},
		{"interior of reflections", padOf([]ops.PadSize{{Interior: 1}, {}}, ops.PadWith(ops.PadReflect)), weft.ErrArgument, "pad: sizes: dimension 0 has 1 elements between"},
		{"far", padOf([]ops.PadSize{{Low: 1 << 40}, {}}), weft.ErrLimit, "want less than 2^29"},
		{"far apart", padOf([]ops.PadSize{{}, {Interior: 1 << 28}}), weft.ErrLimit, "want less than 2^29"},
		{"nothing to repeat", func(b *bad) error {
			return second(ops.Pad(b.f32(2, 0), padsOf(2), ops.PadWith(ops.PadEdge)))
		}, weft.ErrShape, "pad: x: dimension 1 has no elements"},
		{"mode", padOf(padsOf(2), ops.PadWith(9)), weft.ErrArgument, "pad: mode: mode 9 does not exist"},
		{"nil option", padOf(padsOf(2), nil), weft.ErrArgument, "pad: "},
		{"value of a mode", padOf(padsOf(2), ops.PadValue(1), ops.PadWith(ops.PadEdge)), weft.ErrArgument, "pad: value: a value is given"},
		{"no number", padOf(padsOf(2), ops.PadValue("1")), weft.ErrArgument, "pad: value: want a tensor or a number"},
		{"nil for a value", padOf(padsOf(2), ops.PadValue(nil)), weft.ErrArgument, "pad: value: want a tensor or a number"},
		{"nil tensor for a value", padOf(padsOf(2), ops.PadValue((*weft.Tensor)(nil))), weft.ErrArgument, "pad: value: the tensor is nil"},
		{"value of another type", func(b *bad) error { return second(ops.Pad(b.f32(2), padsOf(1), ops.PadValue(b.tensor(weft.I32)))) },
			weft.ErrArgument, "pad: value: the tensor holds i32, x holds f32"},
		{"closed value", func(b *bad) error {
			v := b.f32(1)
			v.Close()
			return second(ops.Pad(b.f32(2), padsOf(1), ops.PadValue(v)))
		}, weft.ErrClosed, "pad: value: "},
		{"value in out", func(b *bad) error {
			out := b.f32(3)
			return ops.PadInto(out, b.f32(2), []ops.PadSize{{Low: 1}}, ops.PadValue(b.must(out.Slice(0, 1, 2))))
		}, weft.ErrUnsupported, "pad: value: it overlaps out"},
		{"value of two", func(b *bad) error { return second(ops.Pad(b.f32(2), padsOf(1), ops.PadValue(b.f32(2)))) }, weft.ErrShape, "pad: value: shape [2], want one element"},
		{"half for integers", func(b *bad) error { return second(ops.Pad(b.tensor(weft.I32, 2), padsOf(1), ops.PadValue(0.5))) }, weft.ErrArgument, "pad: value: 0.5 is not a value of i32"},
		{"large for bytes", func(b *bad) error { return second(ops.Pad(b.tensor(weft.I8, 2), padsOf(1), ops.PadValue(128))) }, weft.ErrArgument, "pad: value: 128 is not a value of i8"},
		{"large for halves of words", func(b *bad) error { return second(ops.Pad(b.tensor(weft.I16, 2), padsOf(1), ops.PadValue(1<<30))) }, weft.ErrArgument, "pad: value: 1073741824 is not a value of i16"},
		{"a Boolean", func(b *bad) error { return second(ops.Pad(b.tensor(weft.I16, 2), padsOf(1), ops.PadValue(true))) }, weft.ErrArgument, "pad: value: true is not a value of i16"},
		{"below zero", func(b *bad) error { return second(ops.Pad(b.tensor(weft.U64, 2), padsOf(1), ops.PadValue(-1))) }, weft.ErrArgument, "pad: value: -1 is not a value of u64"},
		{"true for floats", padOf(padsOf(2), ops.PadValue(true)), weft.ErrArgument, "pad: value: "},
		{"many dimensions", func(b *bad) error { return second(ops.Pad(b.f32(2, 2, 2, 2, 2, 2), padsOf(6))) }, weft.ErrUnsupported, "pad: x: shape [2 2 2 2 2 2] has too many"},
		{"in place", func(b *bad) error { x := b.f32(3); return ops.PadInto(x, x, make([]ops.PadSize, 1)) }, weft.ErrUnsupported, "pad: x: it overlaps out"},
	},
}, {
	op:   "roll",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyType: true, anyRank: true}},
	out:  badArg{elem: weft.F32, shape: []int{3, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RollInto(out, in[0], []int{2}, 0) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Roll(in[0], []int{-1}, 0) },
	zero: [][][]int{{{0, 5}, {0, 5}}, {{3, 0}, {3, 0}}},
	huge: [][][]int{{{1 << 31, 1}}, {{1, 1 << 31}}},
	rows: []badRow{
		{"shifts", func(b *bad) error { return second(ops.Roll(b.f32(2, 3), []int{1})) }, weft.ErrArgument, "roll: shifts: 1 shift given for 2 dimensions"},
		{"dimension", func(b *bad) error { return second(ops.Roll(b.f32(2, 3), []int{1}, 2)) }, weft.ErrArgument, "roll: x: axis 2 of a tensor of 2 dimensions"},
		{"dimension twice", func(b *bad) error { return second(ops.Roll(b.f32(2, 3), []int{1, 1}, 0, -2)) }, weft.ErrArgument, "roll: dims: dimension 0 is given twice"},
	},
}}

// many are tensors of two elements.
func (b *bad) many(n int) (list []*weft.Tensor) {
	for range n {
		list = append(list, b.f32(2))
	}
	return list
}
