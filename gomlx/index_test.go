package gomlx_test

import (
	"slices"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// Extremes of Bool, their places and those of windows are those of 0 and 1.
func TestExtremesOfBool(t *testing.T) {
	b := open(t, device())
	c := b.Builder("extremes")
	x, err := c.Constant([]bool{false, true, false, true, true, true, false, false, false}, 3, 3)
	check(t, err)
	var out []backends.Op
	add := func(op backends.Op, err error) {
		check(t, err)
		out = append(out, op)
	}
	add(c.ReduceMax(x, 1))
	add(c.ReduceMin(x, 1))
	add(c.ReduceMax(x))
	add(c.ReduceWindow(x, backends.ReduceOpMin, []int{1, 2}, []int{1, 1}, nil, nil, nil))
	add(c.ArgMinMax(x, 1, dtypes.Int32, false))
	add(c.ArgMinMax(x, 1, dtypes.Int32, true))
	e, err := c.Compile(out, nil)
	check(t, err)
	results, err := e.Execute(nil, nil, 0)
	check(t, err)
	for i, want := range [][]float64{{1, 1, 0}, {0, 1, 0}, {1}, {0, 0, 1, 1, 0, 0}, {1, 0, 0}, {0, 0, 0}} {
		s := e.Outputs()[i]
		if got := flat(t, b, results[i], shapes.Make(s.DType, s.Dimensions...)); !slices.Equal(got, want) {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
	}
}

// Vectors of indices may be along an axis that the operand does not have, and axes of windows in any order.
func TestGatherAxes(t *testing.T) {
	b := open(t, device())
	c := b.Builder("gather")
	x, err := c.Iota(shapes.Make(dtypes.Float32, 3, 4), 1)
	check(t, err)
	at, err := c.Constant([]int32{0, 1, 2, 0, 1, 3, 2, 2}, 1, 2, 2, 2)
	check(t, err)
	y, err := c.Gather(x, at, 3, []int{4, 3}, nil, []int{0, 1}, []int{1, 2}, false)
	check(t, err)
	e, err := c.Compile([]backends.Op{y}, nil)
	check(t, err)
	out, err := e.Execute(nil, nil, 0)
	check(t, err)
	s := e.Outputs()[0]
	if !slices.Equal(s.Dimensions, []int{1, 2, 2, 1, 2}) {
		t.Fatal(s)
	}
	if got, want := flat(t, b, out[0], s), []float64{1, 2, 0, 1, 2, 3, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
