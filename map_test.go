package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// A function that looks at other elements than the one at hand would give what the tiles of the device make of it: it is refused
// with its line, whatever the shape.
func TestMapsOfMoreThanElements(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for name, f := range map[string]func(in []*tile.Value) *tile.Value{
		"max":  func(in []*tile.Value) *tile.Value { return in[0].Sub(in[0].Max(0)) },
		"sum":  func(in []*tile.Value) *tile.Value { return in[0].Sum(0) },
		"scan": func(in []*tile.Value) *tile.Value { return in[0].CumSum(0) },
		"program_id": func(in []*tile.Value) *tile.Value {
			return in[0].Add(in[0].Builder().ProgramID(0).Cast(weft.F32))
		},
	} {
		m := weft.NewMap("odd", []string{"x"}, f)
		for _, n := range []int{1, 3, 5000} {
			x, err := weft.Full(dev, weft.F32, 1, n)
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Apply(x)
			if !errors.Is(err, weft.ErrKernel) || !strings.Contains(err.Error(), name+" cannot be in a map") || !strings.Contains(err.Error(), "map_test.go:") {
				t.Errorf("%s of %d elements: %v", name, n, err)
			}
		}
	}
}

// Numbers are no part of a plan.
func TestMapsTakeOtherNumbers(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.Full(dev, weft.I64, 5, 3))
	out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.I64, 3))
	for i := range 5 {
		n := int64(i)<<40 - 7
		if err := minus.Into(out, x, n); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]int64](t)(weft.ToSlice[int64](out)); got[2] != 5-n {
			t.Errorf("5 - %d = %d", n, got[2])
		}
		if err := minus.Into(out, x, 0.5); err == nil {
			t.Error("0.5 is no I64")
		}
	}
}
