package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// sortOps sort rows.
func sortOps() []*Op {
	return []*Op{
		{Name: "sort", Function: "Sort", About: "the elements along the last dimension or another in rising order, and their indices", Shape: "any shape",
			Example: "16384x1024", Takes: []string{"axis"}, check: checkAxis("sort"),
			problem: func(o Options, _, sizes []int) Problem {
				axis, _, _ := o.axis("sort", len(sizes)) // checked before
				indices := o.operand("indices", sizes...)
				indices.Elem = weft.I32
				return Problem{
					In: []Operand{o.operand("x", sizes...)}, Out: []Operand{o.operand("values", sizes...), indices},
					Run: func(out, in []*weft.Tensor) error { return weftops.SortInto(out[0], out[1], in[0], axis) },
				}
			}},
		{Name: "arg_sort", Function: "ArgSort", About: "the indices of the elements along the last dimension or another in rising order", Shape: "any shape",
			Example: "16384x1024", Takes: []string{"axis"}, check: checkAxis("arg_sort"),
			problem: func(o Options, _, sizes []int) Problem {
				axis, _, _ := o.axis("arg_sort", len(sizes)) // checked before
				indices := o.operand("indices", sizes...)
				indices.Elem = weft.I32
				return Problem{
					In: []Operand{o.operand("x", sizes...)}, Out: []Operand{indices},
					Run: func(out, in []*weft.Tensor) error { return weftops.ArgSortInto(out[0], in[0], axis) },
				}
			}},
	}
}
