package ops_test

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Functions of one, two and three operands, with mistakes of their own; see tableBad for the others.
var elementwiseBad = []badOp{{
	op:   "gelu",
	in:   []badArg{{name: "x", elem: weft.F32, shape: []int{3, 5}}},
	out:  badArg{name: "out", elem: weft.F32, shape: []int{3, 5}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.GELUInto(out, in[0]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.GELU(in[0]) },
	zero: [][][]int{{{0}, {0}}},
	huge: [][][]int{{{1 << 31}}, {{1 << 61}}, {{1 << 31, 1 << 31}}},
	rows: []badRow{
		{"integers", func(b *bad) error { return second(ops.GELU(b.tensor(weft.I32, 2))) }, weft.ErrUnsupported, "gelu: x: the tensor holds i32, want one of"},
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
		{"type of out", func(b *bad) error { return ops.LtInto(b.f32(2), b.f32(2), 1) }, weft.ErrArgument, "lt: out: the tensor holds f32, want bool"},
		{"numbers", func(b *bad) error { b.f32(1); return second(ops.Lt(1, 2)) }, weft.ErrArgument, "lt: no input is a tensor"},
		{"no number", func(b *bad) error { return second(ops.Lt(b.f32(2), "1")) }, weft.ErrArgument, "lt: b: a string, want a tensor"},
		{"not of the type", func(b *bad) error { return second(ops.Lt(b.tensor(weft.I8, 2), 200)) }, weft.ErrArgument, "lt: b: 200 is not a value of i8"},
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
		{"cond of floats", func(b *bad) error { x := b.f32(2); return second(ops.Where(x, x, x)) }, weft.ErrArgument, "where: cond: the tensor holds f32, want bool"},
		{"types", func(b *bad) error { return second(ops.Where(true, b.f32(2), b.tensor(weft.I32, 2))) }, weft.ErrArgument, "where: y: the tensor holds i32, x holds f32"},
	},
}}

// tableBad has the other functions of the table.
func tableBad() (list []badOp) {
	own := map[string]bool{"gelu": true, "lt": true, "where": true}
	for _, o := range ops.Elementwise() {
		if own[o.Name] {
			continue
		}
		elem := weft.F32
		if !o.Types(elem) {
			elem = weft.I32
		}
		shape := []int{3, 5}
		made := badOp{op: o.Name, out: badArg{name: "out", elem: elem, shape: shape, anyType: o.Out.Valid()}}
		if o.Out.Valid() {
			made.out.elem = o.Out
		}
		shapes, huge := [][]int{}, [][]int{}
		for _, name := range o.Inputs {
			made.in = append(made.in, badArg{name: name, elem: elem, shape: shape})
			shapes, huge = append(shapes, []int{3, 0}), append(huge, []int{1 << 31, 1 << 31})
		}
		made.zero, made.huge = [][][]int{append(shapes, []int{3, 0})}, [][][]int{huge}
		operands := func(in []*weft.Tensor) (list []weft.TensorOrNumber) {
			for _, t := range in {
				list = append(list, t)
			}
			return list
		}
		made.into = func(out *weft.Tensor, in []*weft.Tensor) error { return o.Map.Into(out, operands(in)...) }
		made.new = func(in []*weft.Tensor) (*weft.Tensor, error) { return o.Map.Apply(operands(in)...) }
		if !o.Types(weft.Bool) {
			made.rows = []badRow{{"bools", func(b *bad) error {
				x := b.tensor(weft.Bool, 2)
				return second(o.Map.Apply(slices.Repeat([]weft.TensorOrNumber{x}, len(o.Inputs))...))
			}, weft.ErrUnsupported, o.Name + ": " + o.Inputs[0] + ": the tensor holds bool, want one of"}}
		}
		list = append(list, made)
	}
	return list
}
