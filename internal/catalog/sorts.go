package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// sortOps put elements into order.
func sortOps() []*Op {
	return []*Op{
		{Name: "unique", Function: "Unique", About: "the different elements in rising order, how many, which one each element is, and counts", Shape: "any shape", Example: "16777216",
			problem: func(o Options, _, sizes []int) Problem {
				n := 1
				for _, size := range sizes {
					n *= size
				}
				integers := func(name string, shape ...int) Operand { return Operand{Name: name, Elem: weft.I32, Shape: shape} }
				return Problem{
					In:  []Operand{o.operand("x", sizes...)},
					Out: []Operand{o.operand("values", n), integers("number", 1), integers("inverse", sizes...), integers("counts", n)},
					Run: func(out, in []*weft.Tensor) error { return weftops.UniqueInto(out[0], out[1], out[2], out[3], in[0]) },
				}
			}},
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
