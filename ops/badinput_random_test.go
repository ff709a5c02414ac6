package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var randomBad = []badOp{
	badNumbers("uniform", ops.UniformInto, ops.Uniform),
	badNumbers("normal", ops.NormalInto, ops.Normal),
	{
		op:  "dropout",
		in:  []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.Bool, shape: []int{3, 5}}},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.DropoutInto(out, in[0], 0.5, ops.Stream{}, in[1])
		},
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Dropout(in[0], 0.5, ops.Stream{}, in[1]) },
		zero: [][][]int{{{0}, {0}, {0}}, {{3, 0}, {3, 0}, {3, 0}}},
		huge: [][][]int{{{1 << 31}, {1 << 31}}, {{1 << 31, 1 << 31}, {1 << 31, 1 << 31}}},
		rows: []badRow{
			{"probability", dropping(1, ops.Stream{}), weft.ErrArgument, "dropout: p: 1, want 0 or more and less than 1"},
			{"negative", dropping(-0.5, ops.Stream{}), weft.ErrArgument, "dropout: p: -0.5"},
			{"no probability", dropping(math.NaN(), ops.Stream{}), weft.ErrArgument, "dropout: p: NaN"},
			{"offset", dropping(0.5, ops.Stream{Offset: 2}), weft.ErrArgument, "dropout: stream: offset 2, want a multiple of 4"},
			{"mask of floats", func(b *bad) error { return second(ops.Dropout(b.f32(3), 0.5, ops.Stream{}, b.f32(3))) }, weft.ErrArgument, "dropout: mask: the tensor holds f32, want bool"},
			{"shape of mask", func(b *bad) error {
				return second(ops.Dropout(b.f32(3), 0.5, ops.Stream{}, b.tensor(weft.Bool, 4)))
			}, weft.ErrShape, "dropout: mask: shape [4], want [3]"},
		},
	},
}

func dropping(p float64, s ops.Stream) func(b *bad) error {
	return func(b *bad) error { return second(ops.Dropout(b.f32(3), p, s, nil)) }
}

// badNumbers is an op without inputs.
func badNumbers(name string, into func(out *weft.Tensor, s ops.Stream) error,
	make func(dev *weft.Device, elem weft.DType, s ops.Stream, shape ...int) (*weft.Tensor, error)) badOp {
	return badOp{
		op:   name,
		out:  badArg{elem: weft.F32, shape: []int{3, 5}, anyRank: true},
		into: func(out *weft.Tensor, _ []*weft.Tensor) error { return into(out, ops.Stream{}) },
		zero: [][][]int{{{0}}, {{3, 0}}},
		rows: []badRow{
			{"ints", func(b *bad) error { b.f32(1); return second(make(b.dev, weft.I32, ops.Stream{}, 3)) }, weft.ErrUnsupported, name + ": out: the tensor holds i32, want one of"},
			{"offset", func(b *bad) error { return into(b.f32(3), ops.Stream{Offset: 3}) }, weft.ErrArgument, name + ": stream: offset 3, want a multiple of 4"},
			{"negative size", func(b *bad) error { b.f32(1); return second(make(b.dev, weft.F32, ops.Stream{}, -3)) }, weft.ErrShape, "-3"},
			{"too many", func(b *bad) error { b.f32(1); return second(make(b.dev, weft.F32, ops.Stream{}, 1<<31, 1<<31)) }, weft.ErrLimit, ""},
			{"no device", func(b *bad) error { b.f32(1); return second(make(nil, weft.F32, ops.Stream{}, 3)) }, weft.ErrArgument, ""},
		},
	}
}
