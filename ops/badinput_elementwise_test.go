package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Functions of one, two and three operands stand for the table; all go one way.
var elementwiseBad = []badOp{{
	op:   "gelu",
	in:   []badArg{{name: "x", elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.GELUInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.GELU(in[0]) },
	zero: [][][]int{{{0}, {0}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 61}}, {{1 << 31, 1 << 31}}},
	rows: []badRow{
		{"integers", func(b *bad) error { return second(ops.GELU(b.tensor(weft.I32, 2))) }, weft.ErrUnsupported, "gelu: x: element type i32"},
	},
}, {
	op:   "lt",
	in:   []badArg{{name: "a", elem: weft.F32, shape: []int{3, 5}}, {name: "b", elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{name: "out", elem: weft.Bool, shape: []int{3, 5}, anyType: true},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LtInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Lt(in[0], in[1]) },
	zero: [][][]int{{{0, 3}, {1}, {0, 3}}},
	huge: [][][]int{{{1 << 40, 1}, {1 << 40}}},
	rows: []badRow{
		{"type of out", func(b *bad) error { return ops.LtInto(b.f32(2), b.f32(2), 1) }, weft.ErrShape, "lt: out: the tensor holds f32, want bool"},
		{"numbers", func(b *bad) error { b.f32(1); return second(ops.Lt(1, 2)) }, weft.ErrShape, "lt: no input is a tensor"},
		{"no number", func(b *bad) error { return second(ops.Lt(b.f32(2), "1")) }, weft.ErrShape, "lt: b: a string is no tensor"},
		{"not of the type", func(b *bad) error { return second(ops.Lt(b.tensor(weft.I8, 2), 200)) }, weft.ErrShape, "lt: b: 200 is no value of i8"},
	},
}, {
	op: "where",
	in: []badArg{{name: "cond", elem: weft.Bool, shape: []int{3, 5}, anyType: true}, {name: "x", elem: weft.F32, shape: []int{3, 5}},
		{name: "y", elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.WhereInto(out, in[0], in[1], in[2]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Where(in[0], in[1], in[2]) },
	zero: [][][]int{{{0}, {1}, {}, {0}}},
	rows: []badRow{
		{"cond of floats", func(b *bad) error { x := b.f32(2); return second(ops.Where(x, x, x)) }, weft.ErrShape, "where: cond: the tensor holds f32, want bool"},
		{"types", func(b *bad) error { return second(ops.Where(true, b.f32(2), b.tensor(weft.I32, 2))) }, weft.ErrShape, "where: y: the tensor holds i32, x holds f32"},
	},
}}
