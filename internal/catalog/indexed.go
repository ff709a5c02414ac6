package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// indexedOps move and change parts of tensors that indices name.
var indexedOps = []*Op{
	{Name: "index_select", Function: "IndexSelect", About: "the rows of x [V,D] that N indices name", Shape: "NxVxD", Example: "8192x8192x4096",
		want: "NxVxD", sizes: []string{"N V D"}, problem: func(o Options, _, sizes []int) Problem {
			return o.lookup(sizes, func(out, x, indices *weft.Tensor) error { return weftops.IndexSelectInto(out, x, 0, indices) })
		}},
	{Name: "take_along", Function: "TakeAlong", About: "of each column of x [M,N] the elements that M indices name", Shape: "MxN", Example: "4096x4096",
		want: "MxN", sizes: []string{"M N"}, problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  []Operand{o.operand("x", sizes...), {Name: "indices", Elem: weft.I32, Shape: sizes, Below: sizes[0]}},
				Out: []Operand{o.operand("out", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return weftops.TakeAlongInto(out[0], in[0], 0, in[1]) },
			}
		}},
	{Name: "gather", Function: "Gather", About: "the rows of x [V,D] at N index vectors of one element", Shape: "NxVxD", Example: "8192x8192x4096",
		want: "NxVxD", sizes: []string{"N V D"}, problem: func(o Options, _, sizes []int) Problem {
			return o.lookup(sizes, func(out, x, indices *weft.Tensor) error {
				return weftops.GatherInto(out, x, indices, rowWindows(sizes[2]))
			})
		}},
	{Name: "dynamic_slice", Function: "DynamicSlice", About: "half of the rows and columns of x [M,N], from a row and a column on", Shape: "MxN", Example: "8192x4096",
		want: "MxN", sizes: []string{"M N"}, problem: func(o Options, _, sizes []int) Problem {
			half := []int{(sizes[0] + 1) / 2, (sizes[1] + 1) / 2}
			return Problem{
				In:  []Operand{o.operand("x", sizes...), {Name: "starts", Elem: weft.I32, Shape: []int{2}, Below: min(half[0], half[1])}},
				Out: []Operand{o.operand("out", half...)},
				Run: func(out, in []*weft.Tensor) error { return weftops.DynamicSliceInto(out[0], in[0], in[1], half...) },
			}
		}},
	{Name: "index_update", Function: "IndexUpdate", About: "x [V,D] with updates added to the rows that N indices name", Shape: "NxVxD", Example: "8192x8192x4096",
		want: "NxVxD", sizes: []string{"N V D"}, problem: func(o Options, _, sizes []int) Problem {
			return o.update(sizes, func(out, x, indices, updates *weft.Tensor) error {
				return weftops.IndexUpdateInto(out, x, 0, indices, updates, o.scatterKind())
			})
		}},
	{Name: "scatter_along", Function: "ScatterAlong", About: "x [M,N] with updates added to the elements of each column that M indices name", Shape: "MxN", Example: "4096x4096",
		want: "MxN", sizes: []string{"M N"}, problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  []Operand{o.operand("x", sizes...), {Name: "indices", Elem: weft.I32, Shape: sizes, Below: sizes[0]}, o.operand("updates", sizes...)},
				Out: []Operand{o.operand("out", sizes...)},
				Run: func(out, in []*weft.Tensor) error {
					return weftops.ScatterAlongInto(out[0], in[0], 0, in[1], in[2], o.scatterKind())
				},
			}
		}},
	{Name: "scatter", Function: "Scatter", About: "x [V,D] with updates added to the rows at N index vectors of one element", Shape: "NxVxD", Example: "8192x8192x4096",
		want: "NxVxD", sizes: []string{"N V D"}, problem: func(o Options, _, sizes []int) Problem {
			return o.update(sizes, func(out, x, indices, updates *weft.Tensor) error {
				return weftops.ScatterInto(out, x, indices, updates, rowWindows(0), o.scatterKind())
			})
		}},
	{Name: "dynamic_update_slice", Function: "DynamicUpdateSlice", About: "x [M,N] with an update of half of its rows and columns", Shape: "MxN", Example: "8192x4096",
		want: "MxN", sizes: []string{"M N"}, problem: func(o Options, _, sizes []int) Problem {
			half := []int{(sizes[0] + 1) / 2, (sizes[1] + 1) / 2}
			return Problem{
				In:  []Operand{o.operand("x", sizes...), {Name: "starts", Elem: weft.I32, Shape: []int{2}, Below: min(half[0], half[1])}, o.operand("update", half...)},
				Out: []Operand{o.operand("out", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return weftops.DynamicUpdateSliceInto(out[0], in[0], in[2], in[1]) },
			}
		}},
}

// rowWindows are rows of a matrix.
func rowWindows(cols int) weftops.Windows {
	return weftops.Windows{Vector: 1, Map: []int{0}, Dims: []int{1}, Dropped: []int{0}, Sizes: []int{1, cols}}
}

// scatterKind is what updates do: of Bool there are no sums.
func (o Options) scatterKind() weftops.ScatterKind {
	if o.Elem() == weft.Bool {
		return weftops.ScatterMax
	}
	return weftops.ScatterAdd
}

// lookup is one of n rows of a matrix.
func (o Options) lookup(sizes []int, run func(out, x, indices *weft.Tensor) error) Problem {
	n, v, d := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("x", v, d), {Name: "indices", Elem: weft.I32, Shape: []int{n}, Below: v}},
		Out: []Operand{o.operand("out", n, d)},
		Run: func(out, in []*weft.Tensor) error { return run(out[0], in[0], in[1]) },
	}
}

// update is one of n rows of a matrix.
func (o Options) update(sizes []int, run func(out, x, indices, updates *weft.Tensor) error) Problem {
	n, v, d := sizes[0], sizes[1], sizes[2]
	return Problem{
		In:  []Operand{o.operand("x", v, d), {Name: "indices", Elem: weft.I32, Shape: []int{n}, Below: v}, o.operand("updates", n, d)},
		Out: []Operand{o.operand("out", v, d)},
		Run: func(out, in []*weft.Tensor) error { return run(out[0], in[0], in[1], in[2]) },
	}
}
