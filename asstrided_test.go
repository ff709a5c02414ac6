package weft_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

func TestAsStrided(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	at := func(offset int, strides ...int) layout.Layout {
		l, err := layout.Strided([]int{2, 2}, strides, offset)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	diagonals, err := x.AsStrided(at(1, 3, 1))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := weft.ToSlice[int32](diagonals); err != nil || !slices.Equal(got, []int32{1, 2, 4, 5}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, l := range []layout.Layout{at(0, 5, 1), at(1, -2, 1), at(6, 0, 0)} {
		if _, err := x.AsStrided(l); !errors.Is(err, weft.ErrShape) {
			t.Errorf("%v: %v", l, err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.AsStrided(at(0, 1, 1)); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("of a closed tensor: %v", err)
	}
	if _, err := (*weft.Tensor)(nil).AsStrided(at(0, 1, 1)); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("of nil: %v", err)
	}
}
