package suite

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// sorts are sorts of one long row and of many short ones.
func sorts(s Size) (list []Work) {
	n := s.vector()
	list = append(list, sorted(weft.F32, 1, n), sorted(weft.I32, 1, n), argSorted(weft.F32, 1, n))
	list = append(list, uniques(n, 1000), uniques(n, n))
	for _, cols := range of(s, []int{64, 1024, 4096}, []int{64, 1024}, []int{100}) {
		list = append(list, sorted(weft.F32, n/cols, cols))
	}
	return list
}

// sorted sorts rows, with the indices.
func sorted(elem weft.DType, rows, cols int) Work {
	var last cached[[]int]
	return Work{
		Name: name("sort", elem, size(rows, cols)), Op: "sort", Terms: cols,
		Inputs: []Operand{normal(elem, rows, cols), normal(weft.I32, rows, cols)}, Output: normal(elem, rows, cols),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SortInto(out, in[1], in[0], 1) },
		Want: func(in []Values, i int) (want, bound float64) {
			order := last.of(i/cols, func() []int { return inOrder(in[0].slice(i/cols*cols, cols)) })
			return in[0](i/cols*cols + order[i%cols]), 0
		},
	}
}

// argSorted finds the indices alone.
func argSorted(elem weft.DType, rows, cols int) Work {
	w := sorted(elem, rows, cols)
	var last cached[[]int]
	w.Name, w.Op, w.Inputs, w.Output = name("arg_sort", elem, size(rows, cols)), "arg_sort", w.Inputs[:1], normal(weft.I32, rows, cols)
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ArgSortInto(out, in[0], 1) }
	w.Want = func(in []Values, i int) (want, bound float64) {
		order := last.of(i/cols, func() []int { return inOrder(in[0].slice(i/cols*cols, cols)) })
		return float64(order[i%cols]), 0
	}
	return w
}

// uniques finds the different ones of integers, of which there are at most as many as are given, their number, inverse indices and counts.
func uniques(n, different int) Work {
	var all cached[[]float64]
	return Work{
		Name: name("unique", weft.I32, size(n), " of ", different), Op: "unique", Terms: n,
		Inputs: []Operand{indices(different, n), normal(weft.I32, 1), normal(weft.I32, n), normal(weft.I32, n)}, Output: normal(weft.I32, n),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.UniqueInto(out, in[1], in[2], in[3], in[0])
		},
		Want: func(in []Values, i int) (want, bound float64) {
			x := all.of(0, func() []float64 {
				x := in[0].slice(0, n)
				slices.Sort(x)
				return slices.Grow(slices.Compact(x), n)[:n] // with the zeros that Compact leaves
			})
			return x[i], 0
		},
	}
}

// inOrder are the indices of a row's elements in rising order, equal ones as they are.
func inOrder(row []float64) []int {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(row[i], row[j]) })
	return order
}
