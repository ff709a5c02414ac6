package weft_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

var swapWords = weft.NewKernel("swap_words", func(k *tile.Builder, _ struct{}) {
	x, out := k.In("x", weft.U32, 1), k.Out("out", weft.U32, 1)
	k.Grid(1)
	out.At(k.Arange(2)).Scatter(x.At(k.Arange(2).Xor(1)).Gather())
})

// A kernel of words moves pairs of halves, as far as the memory has whole ones.
func TestViewsOfAnotherType(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.FromFloats(dev, weft.F16, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Zeros(dev, weft.F16, 4)
	if err != nil {
		t.Fatal(err)
	}
	words := func(x *weft.Tensor, n int, elem weft.DType) weft.TensorView {
		l, err := layout.Contiguous(n)
		if err != nil {
			t.Fatal(err)
		}
		return weft.TensorView{Tensor: x, Layout: l, Elem: elem}
	}
	if err := swapWords.LaunchViews(struct{}{}, nil, words(x, 2, weft.U32), words(out, 2, weft.U32)); err != nil {
		t.Fatal(err)
	}
	if got, err := weft.ToFloats(out); err != nil || !slices.Equal(got, []float64{3, 4, 1, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	for name, c := range map[string]struct {
		n    int
		elem weft.DType
		kind error
	}{"beyond the memory": {3, weft.U32, weft.ErrShape}, "another type": {2, weft.I32, weft.ErrArgument}, "its own type": {2, 0, weft.ErrArgument}} {
		if err := swapWords.LaunchViews(struct{}{}, nil, words(x, c.n, c.elem), words(out, 2, weft.U32)); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
}
