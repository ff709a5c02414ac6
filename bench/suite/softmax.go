package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// softmax is that of rows, or of one vector.
func softmax(elem weft.DType, rows, cols int) Work {
	return softmaxLike("softmax", elem, rows, cols, ops.SoftmaxInto, func(below, sum float64) (want, bound float64) {
		want = math.Exp(-below) / sum
		return want, bounds.Softmax(elem, cols, below, want)
	})
}

func logSoftmax(elem weft.DType, rows, cols int) Work {
	return softmaxLike("log_softmax", elem, rows, cols, ops.LogSoftmaxInto, func(below, sum float64) (want, bound float64) {
		want = -below - math.Log(sum)
		return want, bounds.LogSoftmax(elem, cols, below, want)
	})
}

// softmaxLike computes an element's result from how far it is below the row's largest, and the row's sum of
// exponentials relative to that.
func softmaxLike(op string, elem weft.DType, rows, cols int, into func(out, x *weft.Tensor, options ...ops.SoftmaxOption) error,
	element func(below, sum float64) (want, bound float64)) Work {
	label := name(op, elem, size(rows, cols))
	if rows == 1 {
		label = name(op, elem, size(cols))
	}
	x := normal(elem, rows, cols)
	var last cached[[2]float64]
	return Work{
		Name: label, Op: op, Inputs: []Operand{x}, Output: x, Terms: cols,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0]) },
		Want: func(in []Values, i int) (want, bound float64) {
			row := last.of(i/cols, func() [2]float64 { return exponentials(in[0].slice(i/cols*cols, cols)) })
			return element(row[0]-in[0](i), row[1])
		},
	}
}

// exponentials are the largest element of a row and the sum of exponentials relative to it.
func exponentials(x []float64) [2]float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range x {
		top = max(top, v)
	}
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return [2]float64{top, sum}
}
