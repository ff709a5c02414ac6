package suite

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
)

// softmax is that of rows, or of one vector.
func softmax(elem weft.DType, rows, cols int) Work {
	return softmaxLike(catalog.Softmaxes[0], elem, rows, cols)
}

func logSoftmax(elem weft.DType, rows, cols int) Work {
	return softmaxLike(catalog.Softmaxes[1], elem, rows, cols)
}

func softmaxLike(m catalog.Softmax, elem weft.DType, rows, cols int) Work {
	label := name(m.Name, elem, size(rows, cols))
	if rows == 1 {
		label = name(m.Name, elem, size(cols))
	}
	x := normal(elem, rows, cols)
	return Work{
		Name: label, Op: m.Name, Inputs: []Operand{x}, Output: x, Terms: cols,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return m.Into(out, in[0]) },
		Want: rowWant(cols, func(_ []Values, row []float64) ([]float64, func(int) float64) {
			want, spread := m.Exact(row, cols), slices.Max(row)-slices.Min(row)
			return want, func(i int) float64 { return m.Bound(elem, cols, spread, want[i]) }
		}),
	}
}
