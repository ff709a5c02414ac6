package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var scanBad = []badOp{
	badScan("cumsum", ops.CumsumInto, ops.Cumsum, []badRow{
		{"scalar", func(b *bad) error { return second(ops.Cumsum(b.f32(), 0)) }, weft.ErrShape, "cumsum: x: a scalar has no rows"},
		{"dimension", func(b *bad) error { return second(ops.Cumsum(b.f32(2, 3), 2)) }, weft.ErrArgument, "cumsum: x: axis 2 of a tensor of 2 dimensions does not exist"},
		{"far dimension", func(b *bad) error { return second(ops.Cumsum(b.f32(2, 3), 1<<40)) }, weft.ErrArgument, "cumsum: x: axis 1099511627776 of"},
		{"dimension below", func(b *bad) error { return second(ops.Cumsum(b.f32(2, 3), -3)) }, weft.ErrArgument, "cumsum: x: axis -3 of"},
		{"truths", func(b *bad) error { return second(ops.Cumsum(b.tensor(weft.Bool, 2, 3), 0)) }, weft.ErrUnsupported, "cumsum: x: the tensor holds bool"},
		{"no option", func(b *bad) error { return second(ops.Cumsum(b.f32(2, 3), 0, nil)) }, weft.ErrArgument, "cumsum: options: option 1 is nil"},
		{"type of out", func(b *bad) error { return ops.CumsumInto(b.tensor(weft.I8, 4), b.tensor(weft.I8, 4), 0) }, weft.ErrArgument, "cumsum: out: the tensor holds i8, want i32"},
		{"many dimensions", func(b *bad) error {
			return ops.CumsumInto(b.f32(2, 2, 2, 2, 2, 2), b.must(b.f32(2, 2, 2, 2, 2, 2).Permute(5, 4, 3, 2, 1, 0)), 0)
		}, weft.ErrUnsupported, "cumsum: x: shape [2 2 2 2 2 2] has too many dimensions"},
	}),
	badScan("cumprod", ops.CumprodInto, ops.Cumprod, nil),
	badScan("cummax", ops.CummaxInto, ops.Cummax, []badRow{
		{"type of out", func(b *bad) error { return ops.CummaxInto(b.tensor(weft.I32, 4), b.tensor(weft.I8, 4), 0) }, weft.ErrArgument, "cummax: out: the tensor holds i32, want i8"},
	}),
	badScan("cummin", ops.CumminInto, ops.Cummin, nil),
}

func badScan(name string, into func(out, x *weft.Tensor, dim int, options ...ops.ScanOption) error,
	make func(x *weft.Tensor, dim int, options ...ops.ScanOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:   name,
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
		out:  badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0], 1) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0], -1) },
		zero: [][][]int{{{0, 3}, {0, 3}}, {{3, 0}, {3, 0}}},
		rows: rows,
	}
}
