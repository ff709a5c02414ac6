package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// reduction is an op over one axis of a matrix.
type reduction struct {
	op    string
	into  func(out, x *weft.Tensor, options ...ops.ReduceOption) error
	index bool // the result is a position
	want  func(x []float64) (want, bound float64)
}

// reductions lists them all.
var reductions = []reduction{
	{op: "sum", into: ops.SumInto, want: func(x []float64) (want, bound float64) {
		sum, magnitudes := total(x)
		return sum, bounds.Sum(weft.F32, len(x), sum, magnitudes)
	}},
	{op: "mean", into: ops.MeanInto, want: func(x []float64) (want, bound float64) {
		n := float64(len(x))
		sum, magnitudes := total(x)
		return sum / n, bounds.Mean(weft.F32, len(x), sum/n, magnitudes/n)
	}},
	{op: "prod", into: ops.ProdInto, want: func(x []float64) (want, bound float64) {
		want = 1
		for _, v := range x {
			want *= v
		}
		return want, bounds.Prod(weft.F32, len(x), want)
	}},
	{op: "max", into: ops.MaxInto, want: extreme(func(a, b float64) bool { return a > b }, false)},
	{op: "min", into: ops.MinInto, want: extreme(func(a, b float64) bool { return a < b }, false)},
	{op: "argmax", into: ops.ArgMaxInto, index: true, want: extreme(func(a, b float64) bool { return a > b }, true)},
	{op: "argmin", into: ops.ArgMinInto, index: true, want: extreme(func(a, b float64) bool { return a < b }, true)},
	{op: "var", into: ops.VarInto, want: func(x []float64) (want, bound float64) {
		mean, variance := moments(x)
		return variance, bounds.Var(weft.F32, len(x), variance, mean)
	}},
}

func reductionNamed(op string) reduction {
	for _, r := range reductions {
		if r.op == op {
			return r
		}
	}
	panic("no reduction is called " + op)
}

// work reduces f32 along an axis: 1 along rows, 0 down columns.
func (r reduction) work(rows, cols, axis int) Work {
	results, terms, at := rows, cols, func(i, j int) int { return i*cols + j }
	label := name(r.op, weft.F32, size(rows, cols), " rows")
	switch {
	case axis == 0:
		results, terms, at = cols, rows, func(i, j int) int { return j*cols + i }
		label = name(r.op, weft.F32, size(rows, cols), " columns")
	case rows == 1:
		label = name(r.op, weft.F32, size(cols))
	}
	x, y := normal(weft.F32, rows, cols), normal(weft.F32, results)
	if r.index {
		y.Elem = weft.I32
	}
	if r.op == "prod" { // a product of normal numbers underflows
		x = uniform(0.99, 1.01, weft.F32, rows, cols)
	}
	return Work{
		Name: label, Op: r.op, Inputs: []Operand{x}, Output: y, Terms: terms, Params: map[string]any{"axis": axis},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return r.into(out, in[0], ops.Axis(axis)) },
		Want: func(in []Values, i int) (want, bound float64) {
			x := make([]float64, terms)
			for j := range x {
				x[j] = in[0](at(i, j))
			}
			return r.want(x)
		},
	}
}

func total(x []float64) (sum, magnitudes float64) {
	for _, v := range x {
		sum += v
		magnitudes += math.Abs(v)
	}
	return sum, magnitudes
}

// extreme finds the first element that none is better than, or its position.
func extreme(better func(a, b float64) bool, index bool) func(x []float64) (want, bound float64) {
	return func(x []float64) (want, bound float64) {
		best := 0
		for i, v := range x {
			if better(v, x[best]) {
				best = i
			}
		}
		if index {
			return float64(best), 0
		}
		return x[best], 0
	}
}

// moments are mean and variance.
func moments(x []float64) (mean, variance float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / n
	}
	return mean, variance
}
