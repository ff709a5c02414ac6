package reference

import (
	"math"
	"testing"
)

func TestSoftmaxRows(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := []float64{0, math.Log(3), -inf, 7, 7, 7, -inf, -inf, -inf, 1, inf, 2, nan, 1, 2}
	want := []float64{0.25, 0.75, 0, 1. / 3, 1. / 3, 1. / 3, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	y, spread := Softmax(x, 3)
	// A row with +Inf has zeros divided by NaN in it.
	if w, err := Compare(y, want, func(int) float64 { return 1e-15 }); err != nil || !w.OK() {
		t.Errorf("%v %v", w, err)
	}
	if math.Abs(spread-math.Log(3)) > 1e-15 {
		t.Errorf("spread %v, want log 3", spread)
	}
}

func TestMatMulMagnitudes(t *testing.T) {
	c, mags := MatMul(1, 2, 2, []float64{1, -2}, []float64{3, 4, 5, -6})
	if c[0] != -7 || c[1] != 16 || mags[0] != 13 || mags[1] != 16 {
		t.Errorf("got %v and %v", c, mags)
	}
	if c, _ := MatMul(2, 0, 3, nil, nil); len(c) != 6 || c[5] != 0 {
		t.Errorf("empty reduction gives %v", c)
	}
}

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		got, want []float64
		ok        bool
		at        int
	}{
		{[]float64{1, 2}, []float64{1, 2}, true, 0},
		{[]float64{nan, inf}, []float64{nan, inf}, true, 0},
		{[]float64{1, nan}, []float64{1, 2}, false, 1},
		{[]float64{1, 2}, []float64{1, nan}, false, 1},
		{[]float64{1, inf}, []float64{1, -inf}, false, 1},
		{[]float64{1.05, 2.2, 3}, []float64{1, 2, 3}, false, 1},
		{[]float64{1.05, 2.08, 3}, []float64{1, 2, 3}, true, 1},
		{nil, nil, true, 0},
	} {
		w, err := Compare(c.got, c.want, func(int) float64 { return 0.1 })
		if err != nil || w.OK() != c.ok || w.Index != c.at {
			t.Errorf("Compare(%v, %v) = %v, ok %v, %v; want ok %v at %d", c.got, c.want, w, w.OK(), err, c.ok, c.at)
		}
	}
	if _, err := Compare([]float64{1}, nil, nil); err == nil {
		t.Error("lengths differ and nothing is said")
	}
}
