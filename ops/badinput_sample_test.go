package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var sampleBad = []badOp{{
	op:   "sample",
	in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{elem: weft.I32, shape: []int{3}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SampleInto(out, in[0], ops.Stream{}) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Sample(in[0], ops.Stream{}) },
	zero: [][][]int{{{0, 3}, {0}}, {{2, 0, 3}, {2, 0}}},
	huge: [][][]int{{{1, 1 << 31}}, {{1 << 31, 1}}, {{1 << 31, 1 << 31}}},
	rows: []badRow{
		{"scalar", func(b *bad) error { return second(ops.Sample(b.f32(), ops.Stream{})) }, weft.ErrShape, "sample: logits: a scalar has no rows"},
		{"empty rows", func(b *bad) error { return second(ops.Sample(b.f32(2, 0), ops.Stream{})) }, weft.ErrShape, "sample: logits: shape [2 0] has rows of no elements"},
		{"offset", drawing(ops.Stream{Offset: 2}), weft.ErrArgument, "sample: stream: offset 2, want a multiple of 4"},
		{"no tokens", drawing(ops.Stream{}, ops.SampleTopK(0)), weft.ErrArgument, "sample: k: 0, want 1 or more"},
		{"no share", drawing(ops.Stream{}, ops.SampleTopP(0)), weft.ErrArgument, "sample: p: 0, want more than 0 and at most 1"},
		{"too much", drawing(ops.Stream{}, ops.SampleTopP(1.5)), weft.ErrArgument, "sample: p: 1.5"},
		{"share that is none", drawing(ops.Stream{}, ops.SampleTopP(math.NaN())), weft.ErrArgument, "sample: p: NaN"},
		{"temperature", drawing(ops.Stream{}, ops.Temperature(0)), weft.ErrArgument, "sample: temperature 0, want a positive"},
		{"steps that are nil", drawing(ops.Stream{}, ops.SampleSteps(nil)), weft.ErrArgument, "sample: steps: the tensor is nil"},
		{"steps of floats", func(b *bad) error { return drawing(ops.Stream{}, ops.SampleSteps(b.f32(2)))(b) }, weft.ErrArgument, "sample: steps: the tensor holds f32, want i32"},
		{"steps of another shape", func(b *bad) error { return drawing(ops.Stream{}, ops.SampleSteps(b.tensor(weft.I32, 3)))(b) }, weft.ErrShape, "sample: steps: shape [3], want [2]"},
		{"option that is nil", drawing(ops.Stream{}, nil), weft.ErrArgument, "sample: options: option 1 is nil"},
	},
}}

func drawing(s ops.Stream, options ...ops.SampleOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.Sample(b.f32(2, 3), s, options...)) }
}
