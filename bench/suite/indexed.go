package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// indexed looks parts up, and updates them: rows of tables, elements of columns, windows of images, and parts of caches.
func indexed(s Size) []Work {
	rows, cols, known := of(s, 8192, 512, 9), of(s, 4096, 1024, 12), of(s, 32768, 2048, 20)
	return []Work{
		selected(s.elem(), rows, known, cols), takenAlong(0, rows, cols), takenAlong(1, rows, cols), paired(s.elem(), rows, of(s, 512, 64, 5), of(s, 64, 16, 3), cols),
		sliceTaken(s.elem(), 2*rows, 2*cols), sliceUpdated(s.elem(), 2*rows, 2*cols),
		rowsUpdated(ops.ScatterAdd, rows, rows, cols, false), rowsUpdated(ops.ScatterAdd, rows, 8, cols, false), rowsUpdated(ops.ScatterMax, rows, rows, cols, false),
		rowsUpdated(ops.ScatterAdd, rows, rows, cols, true), rowsUpdated(ops.ScatterAdd, rows, 8, cols, true),
		addedAlong(rows/8, cols), pairsAdded(rows, of(s, 64, 64, 5), of(s, 64, 16, 3), cols),
	}
}

// indices are random ones below n.
func indices(n int, shape ...int) Operand { return uniform(0, float64(n), weft.I32, shape...) }

func selected(elem weft.DType, n, rows, cols int) Work {
	out := normal(elem, n, cols)
	return Work{
		Name: name("index_select", elem, size(n), " of ", size(rows, cols)), Op: "index_select", Params: map[string]any{"dim": 0},
		Inputs: []Operand{normal(elem, rows, cols), indices(rows, n)}, Output: out, Bytes: 2 * out.Bytes(),
		Run:  func(out *weft.Tensor, in []*weft.Tensor) error { return ops.IndexSelectInto(out, in[0], 0, in[1]) },
		Want: func(in []Values, i int) (want, bound float64) { return in[0](int(in[1](i/cols))*cols + i%cols), 0 },
	}
}

// takenAlong takes elements of columns, or of rows.
func takenAlong(dim, rows, cols int) Work {
	x := normal(weft.F32, rows, cols)
	n := []int{rows, cols}[dim]
	return Work{
		Name: name("take_along", weft.F32, size(rows, cols), " along ", dim), Op: "take_along", Params: map[string]any{"dim": dim},
		Inputs: []Operand{x, indices(n, rows, cols)}, Output: x,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.TakeAlongInto(out, in[0], dim, in[1]) },
		Want: func(in []Values, i int) (want, bound float64) {
			at := int(in[1](i))
			if dim == 0 {
				return in[0](at*cols + i%cols), 0
			}
			return in[0](i/cols*cols + at), 0
		},
	}
}

// pairs are windows of rows that two indices name.
var pairs = ops.Windows{Vector: 1, Map: []int{0, 1}, Dims: []int{1}, Dropped: []int{0, 1}}

// paired looks rows up by pairs of indices below the smaller of the two sizes.
func paired(elem weft.DType, n, a, b, cols int) Work {
	out, w := normal(elem, n, cols), pairs
	w.Sizes = []int{1, 1, cols}
	return Work{
		Name: name("gather", elem, size(n), " pairs of ", size(a, b, cols)), Op: "gather",
		Inputs: []Operand{normal(elem, a, b, cols), indices(min(a, b), n, 2)}, Output: out, Bytes: 2 * out.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.GatherInto(out, in[0], in[1], w) },
		Want: func(in []Values, i int) (want, bound float64) {
			row := i / cols
			return in[0]((int(in[1](2*row))*b+int(in[1](2*row+1)))*cols + i%cols), 0
		},
	}
}

// sliceTaken is a quarter of a matrix.
func sliceTaken(elem weft.DType, rows, cols int) Work {
	out := normal(elem, rows/2, cols/2)
	return Work{
		Name: name("dynamic_slice", elem, size(rows/2, cols/2), " of ", size(rows, cols)), Op: "dynamic_slice",
		Inputs: []Operand{normal(elem, rows, cols), indices(min(rows, cols)/2, 2)}, Output: out, Bytes: 2 * out.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.DynamicSliceInto(out, in[0], in[1], rows/2, cols/2)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			row, col := i/(cols/2)+int(in[1](0)), i%(cols/2)+int(in[1](1))
			return in[0](row*cols + col), 0
		},
	}
}

// sliceUpdated writes a quarter of a matrix.
func sliceUpdated(elem weft.DType, rows, cols int) Work {
	x, update := normal(elem, rows, cols), normal(elem, rows/2, cols/2)
	return Work{
		Name: name("dynamic_update_slice", elem, size(rows/2, cols/2), " of ", size(rows, cols)), Op: "dynamic_update_slice",
		Inputs: []Operand{x, indices(min(rows, cols)/2, 2), update}, Output: x, Bytes: 2*x.Bytes() + 2*update.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.DynamicUpdateSliceInto(out, in[0], in[2], in[1])
		},
		Want: func(in []Values, i int) (want, bound float64) {
			row, col := i/cols-int(in[1](0)), i%cols-int(in[1](1))
			if row >= 0 && row < rows/2 && col >= 0 && col < cols/2 {
				return in[2](row*(cols/2) + col), 0
			}
			return in[0](i), 0
		},
	}
}

// combinedWith is an element with its updates, and how far sums in another order may be from it.
func combinedWith(kind ops.ScatterKind, x float64, updates []float64) (want, bound float64) {
	want, bound = x, math.Abs(x)
	for _, v := range updates {
		if kind == ops.ScatterMax {
			want = max(want, v)
			continue
		}
		want += v
		bound += math.Abs(v)
	}
	if kind == ops.ScatterMax {
		return want, 0
	}
	return want, float64(len(updates)) * weft.F32.Epsilon() * bound
}

// rowsUpdated updates rows of a table, in an order that is the same in every run if fixed is set.
func rowsUpdated(kind ops.ScatterKind, n, rows, cols int, fixed bool) Work {
	x, updates := normal(weft.F32, rows, cols), normal(weft.F32, n, cols)
	note, options := "", []ops.ScatterOption(nil)
	if fixed {
		note, options = " deterministic", []ops.ScatterOption{ops.Deterministic()}
	}
	return Work{
		Name: name("index_update", weft.F32, kind, note, " ", size(n), " of ", size(rows, cols)), Op: "index_update", Params: map[string]any{"kind": kind.String(), "deterministic": fixed},
		Inputs: []Operand{x, indices(rows, n), updates}, Output: x, Terms: n, Bytes: 2*x.Bytes() + 2*updates.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.IndexUpdateInto(out, in[0], 0, in[1], in[2], kind, options...)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			var list []float64
			for j := range n {
				if int(in[1](j)) == i/cols {
					list = append(list, in[2](j*cols+i%cols))
				}
			}
			return combinedWith(kind, in[0](i), list)
		},
	}
}

// addedAlong adds elements to those of their columns.
func addedAlong(rows, cols int) Work {
	x := normal(weft.F32, rows, cols)
	return Work{
		Name: name("scatter_along", weft.F32, "add ", size(rows, cols)), Op: "scatter_along", Params: map[string]any{"dim": 0},
		Inputs: []Operand{x, indices(rows, rows, cols), x}, Output: x, Terms: rows, Bytes: 4*x.Bytes() + 4*float64(x.Len()),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ScatterAlongInto(out, in[0], 0, in[1], in[2], ops.ScatterAdd)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			var list []float64
			for j := i % cols; j < rows*cols; j += cols {
				if int(in[1](j)) == i/cols {
					list = append(list, in[2](j))
				}
			}
			return combinedWith(ops.ScatterAdd, in[0](i), list)
		},
	}
}

// pairsAdded adds rows to those that pairs of indices name.
func pairsAdded(n, a, b, cols int) Work {
	x, updates := normal(weft.F32, a, b, cols), normal(weft.F32, n, cols)
	return Work{
		Name: name("scatter", weft.F32, "add ", size(n), " pairs of ", size(a, b, cols)), Op: "scatter",
		Inputs: []Operand{x, indices(min(a, b), n, 2), updates}, Output: x, Terms: n, Bytes: 2*x.Bytes() + 2*updates.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ScatterInto(out, in[0], in[1], in[2], pairs, ops.ScatterAdd)
		},
		Want: func(in []Values, i int) (want, bound float64) {
			var list []float64
			for j := range n {
				if int(in[1](2*j))*b+int(in[1](2*j+1)) == i/cols {
					list = append(list, in[2](j*cols+i%cols))
				}
			}
			return combinedWith(ops.ScatterAdd, in[0](i), list)
		},
	}
}
