package tune

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"pgregory.net/rapid"
)

// drawLayout is any layout of up to five dimensions: permuted, with gaps, reversed, repeated, shifted.
func drawLayout(t *rapid.T) layout.Layout {
	rank := rapid.IntRange(0, MaxRank).Draw(t, "rank")
	order := rapid.Permutation([]int{0, 1, 2, 3, 4}[:rank]).Draw(t, "order")
	shape, stride := make([]int, rank), make([]int, rank)
	next, offset := rapid.SampledFrom([]int{1, 1, 1, 2, 3, 8}).Draw(t, "step"), rapid.IntRange(0, 40).Draw(t, "offset")
	for _, d := range order {
		shape[d] = rapid.SampledFrom([]int{1, 2, 3, 7, 8, 16, 30, 64}).Draw(t, "size")
		stride[d] = next
		next = next*shape[d] + rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "gap")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			stride[d] = 0
		case 1:
			offset += (shape[d] - 1) * stride[d]
			stride[d] = -stride[d]
		}
	}
	l, err := layout.Strided(shape, stride, offset)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestViewsHaveLayoutsOfTheirKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		v := ViewOf(l)
		for _, v := range []View{v, v.Bucket()} {
			again, n, err := v.Layout()
			if err != nil {
				t.Fatal(err)
			}
			if got := ViewOf(again); got != v {
				t.Fatalf("%v: %+v is not that of its layout %v: %+v", l, v, again, got)
			}
			if lo, hi := again.Bounds(); lo < 0 || hi >= n {
				t.Fatalf("%v leaves %d elements", again, n)
			}
		}
	})
}

// What a view says holds for the layout.
func TestViewsSayWhatHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		v := ViewOf(l)
		size := func(d int8) int { return max(l.Stride(int(d)), -l.Stride(int(d))) }
		before := 0 // stride of the dimension before, 0 where none counts
		for i, d := range v.Order[:v.Rank] {
			if v.Size[d] != l.Size(int(d)) || (v.Repeat>>d&1 != 0) != (l.Size(int(d)) > 1 && size(d) == 0) {
				t.Fatalf("%v: %+v", l, v)
			}
			if v.Size[d] <= 1 || size(d) == 0 {
				if before != 0 {
					t.Fatalf("%v: dimension %d comes after others that are stepped along in %v", l, d, v.Order)
				}
				continue
			}
			if before != 0 && size(d) > before {
				t.Fatalf("%v: order %v", l, v.Order)
			}
			before = size(d)
			last := i == int(v.Rank)-1
			if last && v.Unit != (size(d) == 1) || (!last || !v.Unit) && size(d)%int(v.Align) != 0 {
				t.Fatalf("%v: %+v", l, v)
			}
		}
		if l.Offset()%int(v.Align) != 0 || v.Align > 16 {
			t.Fatalf("%v: offset %d, %+v", l, l.Offset(), v)
		}
	})
}

func TestViewOfTakesNoMemory(t *testing.T) {
	l, err := layout.Strided([]int{3, 4, 5}, []int{40, 1, 8}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { ViewOf(l) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBuckets(t *testing.T) {
	seen := map[int]bool{}
	for n := range 1 << 14 {
		b := Bucket(n)
		if b < n || 4*b >= 5*n && b > n || Bucket(b) != b || divisor(b) != divisor(n) {
			t.Fatalf("%d is in bucket %d", n, b)
		}
		seen[b] = true
	}
	if len(seen) > 17+10*4*5 { // octaves, quarters and divisors
		t.Errorf("%d buckets of sizes up to %d", len(seen), 1<<14)
	}
	for _, n := range []int{1 << 31, 1<<40 + 1, 1<<62 - 1} {
		if b := Bucket(n); b < n || Bucket(b) != b {
			t.Errorf("%d is in bucket %d", n, b)
		}
	}
}

func TestViewsAsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := ViewOf(drawLayout(t))
		text, err := v.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got View
		if err := got.UnmarshalText(text); err != nil || got != v {
			t.Fatalf("%s: %+v, %v; want %+v", text, got, err, v)
		}
	})
	l, err := layout.Strided([]int{3, 4, 5}, []int{0, 1, 8}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := ViewOf(l).MarshalText(); string(text) != "3x4x5 order=021 align=4 repeat=0" {
		t.Errorf("%s", text)
	}
	for _, bad := range []string{"", "3x4", "3x4 order=01", "3xx4 order=01 align=1", "-3 order=0 align=1", "3x4 order=00 align=1", "3x4 order=02 align=1",
		"3x4 order=01 align=3", "3x4 order=01 align=32", "3x4 order=01 align=1 odd", "1x1x1x1x1x1 order=012345 align=1", "3 order=0 align=1 repeat=1"} {
		if err := new(View).UnmarshalText([]byte(bad)); !errors.Is(err, fault.ErrArgument) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestViewTranspose: the view of a transpose is that of the transposed layout, also where dimensions repeat or have one element. Dimensions with one stride come in either order.
func TestViewTranspose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		if l.Rank() < 2 {
			return
		}
		got, want := ViewOf(l).Transpose(), ViewOf(l.Transpose())
		if alike := slices.Compact(slices.Sorted(slices.Values(steps(l)))); len(alike) < l.Rank() {
			got.Order, want.Order = [MaxRank]int8{}, [MaxRank]int8{}
		}
		if got != want {
			t.Fatalf("%v: %+v, want %+v", l, got, want)
		}
	})
}

// steps are the distances of a layout's dimensions, 0 where they have one element.
func steps(l layout.Layout) (list []int) {
	for d := range l.Rank() {
		step := 0
		if l.Size(d) > 1 {
			step = max(l.Stride(d), -l.Stride(d))
		}
		list = append(list, step)
	}
	return list
}
