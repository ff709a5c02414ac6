package suite

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// reduced reduces a matrix of f32 along an axis: 1 along rows, 0 down columns.
func reduced(r catalog.Reduction, rows, cols, axis int) Work {
	op := r.String()
	results, terms, at := rows, cols, func(i, j int) int { return i*cols + j }
	label := name(op, weft.F32, size(rows, cols), " rows")
	switch {
	case axis == 0:
		results, terms, at = cols, rows, func(i, j int) int { return j*cols + i }
		label = name(op, weft.F32, size(rows, cols), " columns")
	case rows == 1:
		label = name(op, weft.F32, size(cols))
	}
	x, y := normal(weft.F32, rows, cols), normal(r.Result(weft.F32), results)
	if op == "prod" { // a product of normal numbers underflows
		x = uniform(0.99, 1.01, weft.F32, rows, cols)
	}
	return Work{
		Name: label, Op: op, Inputs: []Operand{x}, Output: y, Terms: terms, Params: map[string]any{"axis": axis},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return r.Into(out, in[0], ops.Axis(axis)) },
		Want: func(in []Values, i int) (want, bound float64) {
			x := make([]float64, terms)
			for j := range x {
				x[j] = in[0](at(i, j))
			}
			return r.Exact(x), r.Bound(weft.F32, x)
		},
	}
}
