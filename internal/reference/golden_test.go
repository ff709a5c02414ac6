package reference

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft/internal/reference/golden"
)

// The references are held to what other libraries computed.

func cases(t *testing.T, family string) []golden.Case {
	t.Helper()
	list, err := golden.Cases(family)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// equal demands what float64 arithmetic in another order may differ by.
func equal(t *testing.T, what string, got, want []float64) {
	t.Helper()
	scale := 1.0
	if len(want) > 0 {
		scale += slices.Max(abs(want))
	}
	worst, err := Compare(got, want, func(int) float64 { return 1e-13 * scale })
	if err != nil || !worst.OK() {
		t.Errorf("%s: %v %v", what, worst, err)
	}
}

func TestMatMulGolden(t *testing.T) {
	for _, c := range cases(t, "matmul") {
		a, b, y := c.Get("a"), c.Get("b"), c.Get("y")
		if c.Get("ta").Int()+c.Get("tb").Int() > 0 || c.Has("bias") || c.Has("c") {
			continue // the reference has no transposed operands and no epilogues
		}
		shape, got, _ := BatchedMatMul(a.Shape, a.X, b.Shape, b.X)
		if !slices.Equal(shape, y.Shape) {
			t.Errorf("%s: shape %v, want %v", c.Name, shape, y.Shape)
		}
		equal(t, c.Name, got, y.X)
	}
}

func TestSoftmaxGolden(t *testing.T) {
	softmax := func(x []float64, cols int) []float64 { y, _ := Softmax(x, cols); return y }
	for _, c := range cases(t, "softmax") {
		x, axis := c.Get("x"), c.Get("axis").Int()
		equal(t, c.Name, Along(x.X, x.Shape, axis, softmax), c.Get("y").X)
		equal(t, c.Name+" log", Along(x.X, x.Shape, axis, LogSoftmax), c.Get("log").X)
	}
}
