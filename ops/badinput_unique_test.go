package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var uniqueBad = []badOp{{
	op: "unique",
	in: []badArg{{elem: weft.F32, shape: []int{3, 5}, anyRank: true}, {elem: weft.I32, shape: []int{1}, optional: true},
		{elem: weft.I32, shape: []int{3, 5}, optional: true}, {elem: weft.I32, shape: []int{15}, optional: true}},
	out: badArg{elem: weft.F32, shape: []int{15}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.UniqueInto(out, in[1], in[2], in[3], in[0])
	},
	rows: []badRow{
		{"number of floats", func(b *bad) error { return ops.UniqueInto(b.f32(6), b.f32(1), nil, nil, b.f32(2, 3)) },
			weft.ErrArgument, "unique: number: the tensor holds f32, want i32"},
		{"shape of inverse", func(b *bad) error { return ops.UniqueInto(b.f32(6), nil, b.tensor(weft.I32, 6), nil, b.f32(2, 3)) },
			weft.ErrShape, "unique: inverse: shape [6], want [2 3]"},
		{"shape of counts", func(b *bad) error { return ops.UniqueInto(b.f32(6), nil, nil, b.tensor(weft.I32, 2, 3), b.f32(2, 3)) },
			weft.ErrShape, "unique: counts: shape [2 3], want [6]"},
		{"many elements", func(b *bad) error { _, _, err := ops.Unique(b.repeated(weft.F32, 1<<31)); return err },
			weft.ErrUnsupported, "unique: x: 2147483648 elements, want less than 2^31"},
	},
}}
