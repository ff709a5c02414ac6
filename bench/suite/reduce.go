package suite

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// reducedAlong reduces a tensor of f32 along an axis.
func reducedAlong(r catalog.Reduction, shape []int, axis int) Work {
	inner := 1
	for _, n := range shape[axis+1:] {
		inner *= n
	}
	rest := slices.Delete(slices.Clone(shape), axis, axis+1)
	return reduction(r, fmt.Sprint(size(shape...), " along ", axis), shape, rest, axis, func(i, j int) int {
		return (i/inner*shape[axis]+j)*inner + i%inner
	})
}

// reduced reduces a matrix of f32 along an axis: 1 along rows, 0 down columns.
func reduced(r catalog.Reduction, rows, cols, axis int) Work {
	results, at := rows, func(i, j int) int { return i*cols + j }
	label := size(rows, cols) + " rows"
	switch {
	case axis == 0:
		results, at = cols, func(i, j int) int { return j*cols + i }
		label = size(rows, cols) + " columns"
	case rows == 1:
		label = size(cols)
	}
	return reduction(r, label, []int{rows, cols}, []int{results}, axis, at)
}

// reduction reduces a tensor of f32 along an axis; at is where term j is of element i of the result.
func reduction(r catalog.Reduction, label string, shape, results []int, axis int, at func(i, j int) int) Work {
	op, terms := r.String(), shape[axis]
	elem := weft.F32
	if !r.Takes(elem) {
		elem = weft.I32
	}
	x, y := normal(elem, shape...), normal(r.Result(elem), results...)
	switch op { // what of random numbers has the same result nearly always
	case "prod": // a product of normal numbers underflows
		x = uniform(0.99, 1.01, weft.F32, shape...)
	case "all": // a zero in most rows
		elem = weft.I32
		x = uniform(0, float64(terms), elem, shape...)
	case "any": // a one in most rows
		elem = weft.I32
		x = uniform(0, 1+1/float64(terms), elem, shape...)
	case "reduce_and": // all bits, but for one in most rows
		x = uniform(-1-1/float64(terms), 0, elem, shape...)
	}
	return Work{
		Name: name(op, elem, label), Op: op, Inputs: []Operand{x}, Output: y, Terms: terms, Params: map[string]any{"axis": axis},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return r.Into(out, in[0], ops.Axis(axis)) },
		Want: func(in []Values, i int) (want, bound float64) {
			x := make([]float64, terms)
			for j := range x {
				x[j] = in[0](at(i, j))
			}
			want, bound = r.Exact(x), r.Bound(elem, x)
			if len(slices.Compact(x)) == 1 { // one element that a view repeats: its roundings are alike, and add up
				bound = max(bound, float64(terms)*dtype.F32.Epsilon()*math.Abs(want))
			}
			return want, bound
		},
	}
}
