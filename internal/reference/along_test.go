package reference

import (
	"math"
	"slices"
	"testing"
)

func TestAlong(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} // [2 3 2]
	reversed := func(rows []float64, cols int) []float64 {
		y := slices.Clone(rows)
		for at := 0; at < len(y); at += cols {
			slices.Reverse(y[at : at+cols])
		}
		return y
	}
	if got := Along(x, []int{2, 3, 2}, 1, reversed); !slices.Equal(got, []float64{4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7}) {
		t.Errorf("reversed along axis 1: %v", got)
	}
	if got := Along(x, []int{2, 6}, 0, reversed); !slices.Equal(got, append(slices.Clone(x[6:]), x[:6]...)) {
		t.Errorf("reversed along axis 0: %v", got)
	}
}

func TestLogSoftmax(t *testing.T) {
	x := []float64{1, -2, 700, 3, 3, 0.5, math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	y, _ := Softmax(x, 3)
	for i, v := range LogSoftmax(x, 3) {
		if want := math.Log(y[i]); math.Abs(v-want) > 1e-12 && y[i] > 0 || (v == v) != (want == want) {
			t.Errorf("element %d is %v, want %v", i, v, want)
		}
	}
}

func TestNormsGolden(t *testing.T) {
	for _, c := range cases(t, "norms") {
		x, w, b, eps := c.Get("x"), c.Get("weight").X, c.Get("bias").X, c.Get("eps").X[0]
		cols := x.Shape[len(x.Shape)-1]
		equal(t, c.Name, LayerNorm(x.X, cols, w, b, eps), c.Get("layernorm").X)
		equal(t, c.Name, LayerNorm(x.X, cols, nil, nil, eps), c.Get("layernorm_plain").X)
		equal(t, c.Name, RMSNorm(x.X, cols, w, eps), c.Get("rmsnorm").X)
		equal(t, c.Name, RMSNorm(x.X, cols, nil, eps), c.Get("rmsnorm_plain").X)
	}
}
