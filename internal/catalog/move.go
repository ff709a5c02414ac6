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
		problem: func(o Options, _, sizes []int) Problem {
			return moved(o, sizes, nil, func(out, x *weft.Tensor) error { return weftops.CopyInto(out, x) })
		}},
	{Name: "transpose", Function: "Transpose", About: "a copy with the last two dimensions exchanged", Shape: "[Bx]MxN", Example: "8192x4096",
		want: "MxN or BxMxN", sizes: []string{"M N", "B M N"},
		problem: func(o Options, _, sizes []int) Problem {
			return moved(o, sizes, [][]int{{1, 0}, {0, 2, 1}}[len(sizes)-2], weftops.TransposeInto)
		}},
	{Name: "permute", Function: "Permute", About: "a copy with the dimensions in another order", Shape: "any shape",
		Example: "32x64x56x56 --dims 0,2,3,1", Takes: []string{"dims"},
		check: func(o Options, typed []int) error { _, err := o.order(len(typed)); return err },
		problem: func(o Options, _, sizes []int) Problem {
			order, _ := o.order(len(sizes))
			return moved(o, sizes, order, func(out, x *weft.Tensor) error { return weftops.PermuteInto(out, x, order...) })
		}},
}

// moved is a copy with the dimensions in an order, nil for their own.
func moved(o Options, sizes, order []int, run func(out, x *weft.Tensor) error) Problem {
	shape := slices.Clone(sizes)
	for d, from := range order {
		shape[d] = sizes[from]
	}
	return Problem{
		In:  []Operand{o.operand("x", sizes...)},
		Out: []Operand{o.operand("y", shape...)},
		Run: func(out, in []*weft.Tensor) error { return run(out[0], in[0]) },
	}
}

// order is that of the dimensions: reversed without --dims.
func (o Options) order(rank int) (order []int, err error) {
	if o.Dims == "" {
		for d := range rank {
			order = append(order, rank-1-d)
		}
		return order, nil
	}
	for _, field := range strings.Split(o.Dims, ",") {
		d, err := strconv.Atoi(field)
		if err != nil || d < 0 || d >= rank || slices.Contains(order, d) {
			break
		}
		order = append(order, d)
	}
	if len(order) != rank || strings.Count(o.Dims, ",") != rank-1 {
		return nil, fault.New(weft.ErrArgument, "permute", "--dims %s is not a permutation of %s", o.Dims, fault.Count(rank, "dimension"))
	}
	return order, nil
}
