package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

// moveOps move elements and compute nothing.
var moveOps = []*Op{
	{Name: "copy", Function: "Copy", About: "a dense copy", Shape: "any shape", Example: "1048576", Kind: Elements,
		parse: func(s Shape, o Options) (*Call, error) {
			shape, ok := s.one()
			if !ok {
				return nil, wrong("copy", "one shape", s)
			}
			return moveCall(o, dimensions(shape), nil, func(out, x *weft.Tensor) error { return weftops.CopyInto(out, x) }), nil
		}},
	{Name: "transpose", Function: "Transpose", About: "a copy with the last two dimensions exchanged", Shape: "[Bx]MxN", Example: "8192x4096",
		parse: func(s Shape, o Options) (*Call, error) {
			shape, ok := s.one(2, 3)
			if !ok {
				return nil, wrong("transpose", "MxN or BxMxN", s)
			}
			order := []int{1, 0}
			if len(shape) == 3 {
				order = []int{0, 2, 1}
			}
			return moveCall(o, dimensions(shape), order, weftops.TransposeInto), nil
		}},
	{Name: "permute", Function: "Permute", About: "a copy with the dimensions in another order", Shape: "any shape",
		Example: "32x64x56x56 --dims 0,2,3,1", Takes: []string{"dims"}, parse: parsePermute},
}

// moveCall is a copy with the dimensions in an order, nil for their own.
func moveCall(o Options, sizes []Size, order []int, run func(out, x *weft.Tensor) error) *Call {
	return &Call{Sizes: sizes, Problem: func(sizes []int) Problem {
		shape := slices.Clone(sizes)
		for d, from := range order {
			shape[d] = sizes[from]
		}
		return Problem{
			In:  []Operand{{Name: "x", Elem: o.Elem(), Shape: sizes}},
			Out: []Operand{{Name: "y", Elem: o.Elem(), Shape: shape}},
			Run: func(out, in []*weft.Tensor) error { return run(out[0], in[0]) },
		}
	}}
}

func parsePermute(s Shape, o Options) (*Call, error) {
	shape, ok := s.one()
	if !ok {
		return nil, wrong("permute", "one shape", s)
	}
	var order []int
	for d := range shape { // without --dims the order is reversed
		order = append(order, len(shape)-1-d)
	}
	if o.Dims != "" {
		order = nil
		for _, field := range strings.Split(o.Dims, ",") {
			d, err := strconv.Atoi(field)
			if err != nil || d < 0 || d >= len(shape) || slices.Contains(order, d) {
				return nil, fault.New(weft.ErrArgument, "permute", "--dims %s is not a permutation of %s", o.Dims, fault.Count(len(shape), "dimension"))
			}
			order = append(order, d)
		}
		if len(order) != len(shape) {
			return nil, fault.New(weft.ErrArgument, "permute", "--dims %s is not a permutation of %s", o.Dims, fault.Count(len(shape), "dimension"))
		}
	}
	return moveCall(o, dimensions(shape), order, func(out, x *weft.Tensor) error { return weftops.PermuteInto(out, x, order...) }), nil
}
