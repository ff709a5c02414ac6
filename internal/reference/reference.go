package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft/fault"
)

// MatMul returns the product of a [m,k] and b [k,n], row-major, and for each
// element the sum of its terms' magnitudes, from which rounding errors are bounded.
func MatMul(m, k, n int, a, b []float64) (product, magnitudes []float64) {
	return multiply(m, k, n, a, b), multiply(m, k, n, abs(a), abs(b))
}

func multiply(m, k, n int, a, b []float64) []float64 {
	if m == 0 || n == 0 || k == 0 { // gonum has no empty matrices
		return make([]float64, m*n)
	}
	var c mat.Dense
	c.Mul(mat.NewDense(m, k, a), mat.NewDense(k, n, b))
	return c.RawMatrix().Data
}

func abs(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Abs(v)
	}
	return y
}

// Softmax returns the softmax of each row of cols elements, and the largest
// difference between two finite elements of a row. A row with NaN, +Inf or
// nothing but -Inf becomes NaN.
func Softmax(x []float64, cols int) (y []float64, spread float64) {
	y = make([]float64, len(x))
	for at := 0; at < len(x); at += cols {
		row, out := x[at:at+cols], y[at:at+cols]
		top, bottom := floats.Max(row), math.Inf(1)
		for i, v := range row {
			out[i] = math.Exp(v - top)
			if !math.IsInf(v, 0) && v == v {
				bottom = min(bottom, v)
			}
		}
		floats.Scale(1/floats.Sum(out), out)
		if d := top - bottom; d > spread && !math.IsInf(d, 0) {
			spread = d
		}
	}
	return y, spread
}

// Worst is the element of a comparison that comes closest to its bound, or is
// farthest beyond it.
type Worst struct {
	Index      int
	Got, Want  float64
	Err, Bound float64 // NaN errors where one of the two is NaN
}

// Compare finds the worst element. NaN equals NaN, infinities equal themselves.
func Compare(got, want []float64, bound func(i int) float64) (Worst, error) {
	if len(got) != len(want) {
		return Worst{}, fmt.Errorf("%s, want %d", fault.Count(len(got), "element"), len(want))
	}
	var worst Worst
	ratio := -1.0
	for i, g := range got {
		w := want[i]
		if g == w || g != g && w != w {
			if ratio < 0 {
				ratio, worst = 0, Worst{i, g, w, 0, bound(i)}
			}
			continue
		}
		found := Worst{i, g, w, math.Abs(g - w), bound(i)}
		if r := found.Ratio(); r > ratio {
			ratio, worst = r, found
		}
	}
	return worst, nil
}

// Ratio is the error as a part of its bound; above 1 the element is wrong.
func (w Worst) Ratio() float64 {
	switch r := w.Err / w.Bound; {
	case w.Err == 0:
		return 0
	case r != r || math.IsInf(w.Err, 0):
		return math.Inf(1)
	default:
		return r
	}
}

// OK reports whether the element is within its bound.
func (w Worst) OK() bool { return w.Ratio() <= 1 }

// String says what was found.
func (w Worst) String() string {
	return fmt.Sprintf("element %d is %v, want %v: error %.3g, bound %.3g", w.Index, w.Got, w.Want, w.Err, w.Bound)
}
