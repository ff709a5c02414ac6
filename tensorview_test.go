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

// The parts of a dimension are views of the same memory, of the sizes that were asked for.
func TestSplit(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.FromNumbers(dev, weft.I32, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 5)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := x.Split(-1, 2, 0, 3)
	if err != nil || len(parts) != 3 {
		t.Fatal(parts, err)
	}
	if err := parts[2].Fill(-1); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{0, 1, 5, 6}, {}, {-1, -1, -1, -1, -1, -1}} {
		if got, err := weft.ToFloats(parts[i]); err != nil || !slices.Equal(got, want) {
			t.Errorf("part %d: %v, %v, want %v", i, got, err, want)
		}
	}
	if got, err := weft.ToFloats(x); err != nil || !slices.Equal(got, []float64{0, 1, -1, -1, -1, 5, 6, -1, -1, -1}) {
		t.Errorf("%v, %v", got, err)
	}
	for name, c := range map[string]struct {
		dim   int
		sizes []int
		kind  error
	}{
		"dimension": {2, []int{2}, weft.ErrArgument}, "negative": {1, []int{-1, 6}, weft.ErrArgument},
		"too few": {1, []int{2, 2}, weft.ErrShape}, "too many": {1, []int{5, 1}, weft.ErrShape}, "beyond": {1, []int{1 << 62, 1 << 62, 1 << 62, 1 << 62}, weft.ErrShape},
	} {
		if _, err := x.Split(c.dim, c.sizes...); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
}
