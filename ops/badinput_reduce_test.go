package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var reduceBad = []badOp{
	badReduction("sum", weft.F32, ops.SumInto, ops.Sum, []badRow{
		{"axis", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(2))) }, weft.ErrArgument, "sum: x: axis 2 of a tensor of 2 dimensions"},
		{"axis below", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(0, -3))) }, weft.ErrArgument, "sum: x: axis -3 of"},
		{"far axis", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(1<<40))) }, weft.ErrArgument, "sum: x: axis 1099511627776 of"},
		{"axis of a scalar", func(b *bad) error { return second(ops.Sum(b.f32(), ops.Axis(0))) }, weft.ErrArgument, "sum: x: axis 0 of a tensor of 0"},
		{"axis twice in two options", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(0), ops.Axis(-2))) }, weft.ErrArgument, "sum: x: axis 0 is given twice in [0 -2]"},
		{"axes", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(make([]int, 17)...))) }, weft.ErrLimit, "sum: 17 axes given, want at most 16"},
		{"axis twice", func(b *bad) error { return second(ops.Sum(b.f32(2, 3), ops.Axis(1, -1))) }, weft.ErrArgument, "sum: x: axis 1 is given twice in [1 -1]"},
		{"correction", func(b *bad) error { return second(ops.Sum(b.f32(2), ops.Correction(1))) }, weft.ErrArgument, "sum: Correction is an option of Var"},
		{"shape of out", func(b *bad) error { return ops.SumInto(b.f32(2), b.f32(2, 3), ops.Axis(0)) }, weft.ErrShape, "sum: out: shape [2], want [3]"},
		{"kept dimensions", func(b *bad) error { return ops.SumInto(b.f32(2), b.f32(2, 3), ops.Axis(1), ops.KeepDims()) },
			weft.ErrShape, "sum: out: shape [2], want [2 1]"},
		{"type of out", func(b *bad) error { return ops.SumInto(b.tensor(weft.I8), b.tensor(weft.I8, 4)) }, weft.ErrArgument, "sum: out: the tensor holds i8, want i32"},
		{"dimensions that do not merge", func(b *bad) error {
			x := b.must(b.f32(2, 2, 2, 2, 2, 2).Permute(5, 4, 3, 2, 1, 0))
			return second(ops.Sum(x, ops.Axis(0, 2, 4)))
		}, weft.ErrUnsupported, "sum: x: shape [2 2 2 2 2 2] has too many dimensions, want at most 5"},
	}),
	badReduction("mean", weft.F32, ops.MeanInto, ops.Mean, nil),
	badReduction("prod", weft.F32, ops.ProdInto, ops.Prod, nil),
	badReduction("max", weft.F32, ops.MaxInto, ops.Max, []badRow{
		{"of nothing", func(b *bad) error { return second(ops.Max(b.f32(2, 0), ops.Axis(1))) }, weft.ErrShape, "max: x: shape [2 0] has no elements to reduce"},
	}),
	badReduction("min", weft.F32, ops.MinInto, ops.Min, []badRow{
		{"of nothing", func(b *bad) error { return second(ops.Min(b.f32(2, 0), ops.Axis(1))) }, weft.ErrShape, "min: x: shape [2 0] has no elements to reduce"},
	}),
	badReduction("argmin", weft.I32, ops.ArgMinInto, ops.ArgMin, []badRow{
		{"axes", func(b *bad) error { return second(ops.ArgMin(b.f32(2, 3), ops.Axis(2))) }, weft.ErrArgument, "argmin: x: axis 2"},
	}),
	badReduction("argmax", weft.I32, ops.ArgMaxInto, ops.ArgMax, []badRow{
		{"of nothing", func(b *bad) error { return second(ops.ArgMax(b.f32(2, 0), ops.Axis(1))) }, weft.ErrShape, "argmax: x: shape [2 0] has no elements to reduce"},
	}),
	badReduction("var", weft.F32, ops.VarInto, ops.Var, nil),
	badReduction("all", weft.Bool, ops.AllInto, ops.All, nil),
	badReduction("any", weft.Bool, ops.AnyInto, ops.Any, nil),
	badReduction("norm1", weft.F32, ops.Norm1Into, ops.Norm1, nil),
	badReduction("norm2", weft.F32, ops.Norm2Into, ops.Norm2, nil),
	badReduction("reduce_log_sum_exp", weft.F32, ops.ReduceLogSumExpInto, ops.ReduceLogSumExp, nil),
	badReductionOf(weft.I32, "reduce_and", weft.I32, ops.ReduceAndInto, ops.ReduceAnd, []badRow{
		{"floats", func(b *bad) error { return second(ops.ReduceAnd(b.f32(2, 3))) }, weft.ErrUnsupported, "reduce_and: x: the tensor holds f32"},
	}),
	badReductionOf(weft.I32, "reduce_or", weft.I32, ops.ReduceOrInto, ops.ReduceOr, nil),
	badReductionOf(weft.I32, "reduce_xor", weft.I32, ops.ReduceXorInto, ops.ReduceXor, nil),
}

func badReduction(name string, result weft.DType,
	into func(out, x *weft.Tensor, options ...ops.ReduceOption) error, make func(x *weft.Tensor, options ...ops.ReduceOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badReductionOf(weft.F32, name, result, into, make, rows)
}

func badReductionOf(elem weft.DType, name string, result weft.DType,
	into func(out, x *weft.Tensor, options ...ops.ReduceOption) error, make func(x *weft.Tensor, options ...ops.ReduceOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:   name,
		in:   []badArg{{elem: elem, shape: []int{3, 5}}},
		out:  badArg{elem: result, shape: []int{3}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0], ops.Axis(1)) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0], ops.Axis(-1)) },
		zero: [][][]int{{{0, 3}, {0}}, {{0, 0}, {0}}},
		huge: [][][]int{{{1 << 31, 2}}, {{2, 1 << 31}}, {{1 << 40, 1}}, {{1 << 31, 1 << 31}}},
		rows: rows,
	}
}
