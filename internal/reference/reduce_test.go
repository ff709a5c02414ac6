package reference

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestReduce(t *testing.T) {
	x := make([]float64, 24)
	for i := range x {
		x[i] = float64(i * i % 17)
	}
	at := func(a, b, c int) float64 { return x[12*a+4*b+c] }
	var want []float64
	for b := range 3 {
		sum := 0.0
		for a := range 2 {
			for c := range 4 {
				sum += at(a, b, c)
			}
		}
		want = append(want, sum)
	}
	if got := Reduce(x, []int{2, 3, 4}, []int{2, 0}, floats.Sum); !slices.Equal(got, want) {
		t.Errorf("over 0 and 2: %v, want %v", got, want)
	}
	second := func(g []float64) float64 { return g[1] }
	if got := Reduce(x, []int{2, 3, 4}, []int{1}, second); got[5] != at(1, 1, 1) || len(got) != 8 {
		t.Errorf("the second along axis 1: %v", got)
	}
	if got := Reduce(nil, []int{2, 0}, []int{1}, floats.Sum); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("sums of nothing: %v", got)
	}
	if got := Reduce([]float64{5}, nil, nil, floats.Sum); !slices.Equal(got, []float64{5}) {
		t.Errorf("of a scalar: %v", got)
	}
}

func TestArg(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x        []float64
		max, min float64
	}{
		{[]float64{3, 5, 5, 1, 1}, 1, 3}, {[]float64{0, math.Copysign(0, -1)}, 0, 0}, {[]float64{1, nan, 7, nan}, 1, 1},
	} {
		if got, low := ArgMax(c.x), ArgMin(c.x); got != c.max || low != c.min {
			t.Errorf("%v: %v and %v, want %v and %v", c.x, got, low, c.max, c.min)
		}
	}
}
