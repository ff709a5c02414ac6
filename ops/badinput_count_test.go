package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var countBad = []badOp{
	{
		op:   "bincount",
		in:   []badArg{{elem: weft.I32, shape: []int{3, 5}, anyRank: true}},
		out:  badArg{elem: weft.I32, shape: []int{7}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.BincountInto(out, in[0], 7) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Bincount(in[0], 7) },
		rows: append([]badRow{
			{"floats", func(b *bad) error { return second(ops.Bincount(b.f32(3), 4)) }, weft.ErrUnsupported, "bincount: x: the tensor holds f32"},
			{"bins beyond 32 bits", func(b *bad) error { return second(ops.Bincount(b.tensor(weft.I32, 3), 1<<40)) }, weft.ErrArgument, "bincount: bins: 1099511627776, want 1 to 2147483647"},
		}, countRows("bincount", func(b *bad, bins int, options ...ops.CountOption) error {
			return second(ops.Bincount(b.tensor(weft.I32, 2, 3), bins, options...))
		})...),
	},
	{
		op:   "histogram",
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}, anyRank: true}},
		out:  badArg{elem: weft.I32, shape: []int{7}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.HistogramInto(out, in[0], 0, 1, 7) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Histogram(in[0], 0, 1, 7) },
		rows: append([]badRow{
			{"no range", func(b *bad) error { return second(ops.Histogram(b.f32(3), 1, 1, 4)) }, weft.ErrArgument, "histogram: a range from 1 to 1"},
			{"NaN", func(b *bad) error { return second(ops.Histogram(b.f32(3), math.NaN(), 1, 4)) }, weft.ErrArgument, "histogram: a range from NaN to 1"},
			{"infinite", func(b *bad) error { return second(ops.Histogram(b.f32(3), 0, 1e39, 4)) }, weft.ErrArgument, "histogram: a range from 0 to 1e+39"},
			{"wide range", func(b *bad) error { return second(ops.Histogram(b.f32(3), -3e38, 3e38, 4)) }, weft.ErrArgument, "histogram: bins of size 1.5e+38"},
			{"small bins", func(b *bad) error { return second(ops.Histogram(b.f32(3), 0, 1e-38, 4)) }, weft.ErrArgument, "histogram: bins of size"},
			{"many bins", func(b *bad) error { return second(ops.Histogram(b.f32(3), 0, 1, 1<<20+1)) }, weft.ErrArgument, "histogram: bins: 1048577, want 1 to 1048576"},
		}, countRows("histogram", func(b *bad, bins int, options ...ops.CountOption) error {
			return second(ops.Histogram(b.f32(2, 3), 0, 1, bins, options...))
		})...),
	},
}

// countRows are mistakes that counts share.
func countRows(op string, count func(b *bad, bins int, options ...ops.CountOption) error) []badRow {
	return []badRow{
		{"no bins", func(b *bad) error { return count(b, 0) }, weft.ErrArgument, op + ": bins: 0, want 1 to"},
		{"no option", func(b *bad) error { return count(b, 4, nil) }, weft.ErrArgument, op + ": options: option 1 is nil"},
		{"no weights", func(b *bad) error { return count(b, 4, ops.Weights(nil)) }, weft.ErrArgument, op + ": weights: the tensor is nil"},
		{"weights of bytes", func(b *bad) error { return count(b, 4, ops.Weights(b.tensor(weft.U8, 2, 3))) }, weft.ErrArgument, op + ": weights: the tensor holds u8"},
		{"shape of weights", func(b *bad) error { return count(b, 4, ops.Weights(b.f32(3, 2))) }, weft.ErrShape, op + ": weights: shape [3 2], want [2 3]"},
	}
}
