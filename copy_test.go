package weft_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
)

// CopyRepeated gives element i of the vector what element i modulo the length of the source holds, whatever the views.
func TestCopyRepeated(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	rng := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		rows, columns, n := 1+rng.IntN(5), 1+rng.IntN(9), rng.IntN(200)
		x := make([]float64, rows*columns)
		for i := range x {
			x[i] = float64(rng.IntN(100) - 50)
		}
		matrix, err := weft.FromFloats(dev, weft.I8, x, rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		src := matrix.T() // [columns, rows], not dense in general
		memory, err := weft.Full(dev, weft.F32, 77, n+4)
		if err != nil {
			t.Fatal(err)
		}
		out, err := memory.Slice(0, 2, 2+n)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.CopyRepeated(src); err != nil {
			t.Fatal(err)
		}
		got, err := weft.ToFloats(memory)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			want := 77.0
			if j := i - 2; j >= 0 && j < n {
				j %= rows * columns
				want = x[j%rows*columns+j/rows]
			}
			if v != want {
				t.Fatalf("%d×%d to %d: element %d is %v, want %v", rows, columns, n, i, v, want)
			}
		}
	}
}

func TestCopyRepeatedRefuses(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	ones := func(shape ...int) *weft.Tensor {
		x, err := weft.Full(dev, weft.F32, 1, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	closed := ones(3)
	closed.Close()
	for name, c := range map[string]struct {
		to, src *weft.Tensor
		want    error
	}{
		"nothing to repeat": {ones(3), ones(0), weft.ErrShape},
		"no vector":         {ones(3, 4).T(), ones(2), weft.ErrUnsupported},
		"closed":            {ones(3), closed, weft.ErrClosed},
		"closed result":     {closed, ones(3), weft.ErrClosed},
	} {
		if err := c.to.CopyRepeated(c.src); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if err := ones(0).CopyRepeated(ones(0)); err != nil {
		t.Error(err)
	}
	// What overlaps a later part is refused before the first one is copied; what is a part itself is no harm.
	for from, want := range map[int]error{0: nil, 3: nil, 6: nil, 1: weft.ErrUnsupported, 5: weft.ErrUnsupported, 7: weft.ErrUnsupported} {
		x, err := weft.Arange(dev, weft.F32, 0, 11, 1)
		if err != nil {
			t.Fatal(err)
		}
		src, err := x.Slice(0, from, from+3)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.CopyRepeated(src); !errors.Is(err, want) {
			t.Errorf("a part of t from %d on: %v, want %v", from, err, want)
		}
		got, err := weft.ToFloats(x)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if moved := float64(from + i%3); want == nil && v != moved || want != nil && v != float64(i) {
				t.Errorf("a part of t from %d on: element %d is %v", from, i, v)
			}
		}
	}
}
