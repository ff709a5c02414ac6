package reference

import (
	"slices"
	"testing"
)

// Each case is worked out by hand from NumPy's rules.
func TestBatchedMatMul(t *testing.T) {
	for _, c := range []struct {
		aShape []int
		a      []float64
		bShape []int
		b      []float64
		shape  []int
		want   []float64
	}{
		{[]int{2}, []float64{1, 2}, []int{2}, []float64{3, 4}, []int{}, []float64{11}},
		{[]int{2}, []float64{1, 2}, []int{2, 2}, []float64{1, 0, 0, 1}, []int{2}, []float64{1, 2}},
		{[]int{3, 1, 2}, []float64{1, 2, 3, 4, 5, 6}, []int{2}, []float64{1, -1}, []int{3, 1}, []float64{-1, -1, -1}},
		{[]int{2, 1, 1}, []float64{2, 3}, []int{1, 2}, []float64{5, 7}, []int{2, 1, 2}, []float64{10, 14, 15, 21}},
		// batches [2,1] and [3] make [2,3]
		{[]int{2, 1, 1, 1}, []float64{1, 10}, []int{3, 1, 1}, []float64{1, 2, 3}, []int{2, 3, 1, 1}, []float64{1, 2, 3, 10, 20, 30}},
		{[]int{0, 1, 1}, nil, []int{1, 1}, []float64{5}, []int{0, 1, 1}, nil},
	} {
		shape, got, _ := BatchedMatMul(c.aShape, c.a, c.bShape, c.b)
		if !slices.Equal(shape, c.shape) || !slices.Equal(got, c.want) {
			t.Errorf("%v @ %v: %v %v, want %v %v", c.aShape, c.bShape, shape, got, c.shape, c.want)
		}
	}
	if got := Broadcast([]int{2, 1}, []float64{1, 2}, []int{2, 2, 3}); !slices.Equal(got, []float64{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}) {
		t.Errorf("broadcast: %v", got)
	}
}
