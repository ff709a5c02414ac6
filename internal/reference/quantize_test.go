package reference

import (
	"math"
	"slices"
	"testing"
)

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		b    Blocks
		want []int // of a matrix of 2 × 4
	}{
		{Blocks{2, 4, [2]int{0, 0}}, []int{0, 0, 0, 0, 0, 0, 0, 0}},
		{Blocks{2, 4, [2]int{1, 0}}, []int{0, 0, 0, 0, 1, 1, 1, 1}},
		{Blocks{2, 4, [2]int{0, 1}}, []int{0, 1, 2, 3, 0, 1, 2, 3}},
		{Blocks{2, 4, [2]int{1, 2}}, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{Blocks{2, 4, [2]int{2, 2}}, []int{0, 0, 1, 1, 0, 0, 1, 1}},
	} {
		for i, want := range c.want {
			if got, n := c.b.Of(i); got != want || n != slices.Max(c.want)+1 {
				t.Errorf("%v: element %d is in block %d of %d, want %d", c.b, i, got, n, want)
			}
		}
	}
}

// By hand: a symmetric row of 4 bits, and an asymmetric one whose zero point is 5 of 0 to 15.
func TestQuantize(t *testing.T) {
	b := Blocks{2, 3, [2]int{1, 0}}
	q, s, z := Quantize(b, []float64{-14, 3, 7, 0, 0, 0}, 4, false)
	if !slices.Equal(q[:3], []float64{-7, 1.5, 3.5}) || s[0] != 2 || z[0] != 0 || q[4] != 0 {
		t.Errorf("symmetric: %v, scales %v, zeros %v", q, s, z)
	}
	q, s, z = Quantize(b, []float64{-2.5, 5, 1, 3, 6, 9}, 4, true)
	if !slices.Equal(q[:3], []float64{-5, 10, 2}) || s[0] != 0.5 || z[0] != 5 || s[1] != 0.6 || z[1] != 0 {
		t.Errorf("asymmetric: %v, scales %v, zeros %v", q, s, z)
	}
	for i := range q {
		q[i] = math.RoundToEven(q[i]) + z[i/3]
	}
	if y := Dequantize(b, q, s, z); !slices.Equal(y, []float64{-2.5, 5, 1, 3, 6, 9}) {
		t.Errorf("back: %v", y)
	}
	if y := Dequantize(b, []float64{1, 2, 3, 4, 5, 6}, []float64{2, 3}, nil); !slices.Equal(y, []float64{2, 4, 6, 12, 15, 18}) {
		t.Errorf("without zeros: %v", y)
	}
}

// By hand: -6 to 8 by numbers up to 6.
func TestQuantizeCodes(t *testing.T) {
	b := Blocks{3, 2, [2]int{1, 0}}
	x := []float64{-6, 8, 3, 1, 0, 0}
	q, s := QuantizeCodes(b, x, 6, true)
	if !slices.Equal(s, []float64{2, 0.5, 0x1p-127}) || !slices.Equal(q, []float64{-3, 4, 6, 2, 0, 0}) {
		t.Errorf("powers of two: %v, scales %v", q, s)
	}
	q, s = QuantizeCodes(b, x, 6, false)
	if !slices.Equal(s, []float64{8. / 6, 0.5, 0x1p-126}) || q[1] != 6 || q[2] != 6 {
		t.Errorf("%v, scales %v", q, s)
	}
	book := []float32{0, 1, 2, -3, float32(math.Copysign(0, -1)), 1}
	for x, want := range map[float64]int{0.4: 0, 0.5: 0, 0.6: 1, 1.5: 2, 9: 2, -0.1: 4, -1.5: 0, -2: 3} {
		if got := Nearest(book, x); got != want && !(x == -1.5 && got == 4) {
			t.Errorf("%v has code %d, want %d", x, got, want)
		}
	}
}
