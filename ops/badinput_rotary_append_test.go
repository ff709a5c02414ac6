package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var rotaryAppendBad = []badOp{{
	op: "rotary_append",
	in: []badArg{
		{elem: weft.F32, shape: []int{2, 3, 2, 4}}, {elem: weft.F32, shape: []int{2, 3, 2, 4}}, {elem: weft.I32, shape: []int{2}}, {elem: weft.I32, shape: []int{2, 3}},
		{elem: weft.F32, shape: []int{5, 2}}, {elem: weft.F32, shape: []int{5, 2}},
		{elem: weft.F32, shape: []int{9, 3, 5, 4}, required: true}, {elem: weft.F32, shape: []int{2, 6, 2, 4}},
	},
	out: badArg{elem: weft.F32, shape: []int{9, 3, 5, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.RotaryAppend(out, in[6], in[7], in[0], in[1], in[2], in[3], ops.RotaryTables(in[4], in[5]))
	},
	zero: [][][]int{
		{{0, 3, 2, 4}, {0, 3, 2, 4}, {0}, {0, 3}, {5, 2}, {5, 2}, {9, 3, 5, 4}, {0, 6, 2, 4}, {9, 3, 5, 4}},
		{{2, 3, 0, 4}, {2, 3, 0, 4}, {2}, {2, 3}, {5, 2}, {5, 2}, {9, 3, 5, 4}, {2, 6, 0, 4}, {9, 3, 5, 4}},
		{{2, 0, 2, 4}, {2, 0, 2, 4}, {2}, {2, 3}, {5, 2}, {5, 2}, {9, 0, 5, 4}, {2, 0, 2, 4}, {9, 0, 5, 4}},
	},
	rows: []badRow{
		{"three dimensions", rotaryAppending(nil, []int{2, 2, 4}, nil), weft.ErrShape, "rotary_append: k: shape [2 2 4] has 3 dimensions"},
		{"values of other rows", rotaryAppending(nil, nil, nil, 2, 3, 3, 4), weft.ErrShape, "rotary_append: v: shape [2 3 3 4], want [2 3 2 4]"},
		{"heads of a cache", rotaryAppending([]int{2, 4, 5, 4}, nil, nil), weft.ErrShape, "rotary_append: values: shape [2 4 5 4] does not fit v's [2 3 2 4]"},
		{"rows of queries", rotaryAppending(nil, nil, []int{2, 6, 3, 4}), weft.ErrShape, "rotary_append: q: shape [2 6 3 4], want [2 6 2 4]"},
		{"dimensions of queries", rotaryAppending(nil, nil, []int{2, 3, 4}), weft.ErrShape, "rotary_append: q: shape [2 3 4] has 3 dimensions"},
		{"odd row", func(b *bad) error {
			x := b.f32(1, 1, 2, 5)
			return ops.RotaryAppend(b.f32(1, 1, 4, 5), b.f32(1, 1, 4, 5), nil, x, b.f32(1, 1, 2, 5), b.tensor(weft.I32, 1), nil)
		}, weft.ErrArgument, "rotary_append: dims: 5 of a row of 5, want an even number"},
		{"positions twice", func(b *bad) error {
			at := b.tensor(weft.I32, 1)
			return ops.RotaryAppend(b.f32(1, 1, 4, 4), b.f32(1, 1, 4, 4), nil, b.f32(1, 1, 2, 4), b.f32(1, 1, 2, 4), at, nil, ops.RotaryPositions(at))
		}, weft.ErrArgument, "rotary_append: options: RotaryPositions: positions are an argument"},
		{"queries that are keys", func(b *bad) error {
			k := b.f32(1, 1, 2, 4)
			return ops.RotaryAppend(b.f32(1, 1, 4, 4), b.f32(1, 1, 4, 4), k, k, b.f32(1, 1, 2, 4), b.tensor(weft.I32, 1), nil)
		}, weft.ErrUnsupported, "rotary_append: k: it overlaps q"},
		{"one cache for both", func(b *bad) error {
			c := b.f32(1, 1, 4, 4)
			return ops.RotaryAppend(c, c, nil, b.f32(1, 1, 2, 4), b.f32(1, 1, 2, 4), b.tensor(weft.I32, 1), nil)
		}, weft.ErrUnsupported, "rotary_append: values: it overlaps keys"},
	},
}}

// rotaryAppending appends to caches of a shape, keys and queries of shapes, nil for the right ones, and values of one that may be given.
func rotaryAppending(cache, k, q []int, v ...int) func(b *bad) error {
	or := func(shape []int, right ...int) []int {
		if shape != nil {
			return shape
		}
		return right
	}
	return func(b *bad) error {
		c := or(cache, 2, 3, 5, 4)
		return ops.RotaryAppend(b.f32(2, 3, 5, 4), b.f32(c...), b.f32(or(q, 2, 6, 2, 4)...), b.f32(or(k, 2, 3, 2, 4)...), b.f32(or(v, 2, 3, 2, 4)...), b.tensor(weft.I32, 2), nil)
	}
}
