package reference

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Along applies f, which replaces rows of cols elements, to the elements of x, row-major of a shape,
// that are along an axis.
func Along(x []float64, shape []int, axis int, f func(rows []float64, cols int) []float64) []float64 {
	cols, inner := shape[axis], 1
	for _, n := range shape[axis+1:] {
		inner *= n
	}
	at := func(row, col int) int { return row/inner*cols*inner + col*inner + row%inner }
	rows := make([]float64, len(x))
	for i := range rows {
		rows[i] = x[at(i/cols, i%cols)]
	}
	out := make([]float64, len(x))
	for i, v := range f(rows, cols) {
		out[at(i/cols, i%cols)] = v
	}
	return out
}

// LogSoftmax returns the logarithm of the softmax of each row of cols elements; see Softmax.
func LogSoftmax(x []float64, cols int) []float64 {
	y := make([]float64, len(x))
	for at := 0; at < len(x); at += cols {
		row, total := x[at:at+cols], 0.0
		top := floats.Max(row)
		for _, v := range row {
			total += math.Exp(v - top)
		}
		for i, v := range row {
			y[at+i] = v - top - math.Log(total)
		}
	}
	return y
}

// LayerNorm returns, for each row of cols elements, weight (x - mean) / sqrt(variance + eps) + bias;
// weight and bias, of cols elements, may be nil.
func LayerNorm(x []float64, cols int, weight, bias []float64, eps float64) []float64 {
	return norm(x, cols, weight, bias, func(row []float64) (center, scale float64) {
		center = floats.Sum(row) / float64(cols)
		squares := 0.0
		for _, v := range row {
			squares += (v - center) * (v - center)
		}
		return center, math.Sqrt(squares/float64(cols) + eps)
	})
}

// RMSNorm returns, for each row of cols elements, weight x / sqrt(mean of squares + eps); weight may
// be nil.
func RMSNorm(x []float64, cols int, weight []float64, eps float64) []float64 {
	return norm(x, cols, weight, nil, func(row []float64) (center, scale float64) {
		return 0, math.Sqrt(floats.Dot(row, row)/float64(cols) + eps)
	})
}

func norm(x []float64, cols int, weight, bias []float64, of func(row []float64) (center, scale float64)) []float64 {
	y := make([]float64, len(x))
	for at := 0; at < len(x); at += cols {
		center, scale := of(x[at : at+cols])
		for i, v := range x[at : at+cols] {
			v = (v - center) / scale
			if weight != nil {
				v *= weight[i]
			}
			if bias != nil {
				v += bias[i]
			}
			y[at+i] = v
		}
	}
	return y
}
