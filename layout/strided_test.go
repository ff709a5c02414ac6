package layout

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weftgpu/weft/fault"
	"pgregory.net/rapid"
)

// coords lists the coordinates of a shape in row-major order.
func coords(shape []int) [][]int {
	all := [][]int{{}}
	for _, n := range shape {
		var next [][]int
		for _, c := range all {
			for i := range n {
				next = append(next, append(slices.Clone(c), i))
			}
		}
		all = next
	}
	return all
}

// offsets lists the offsets of a layout in row-major order, by definition.
func offsets(l Layout) []int {
	out := []int{}
	for _, c := range coords(l.Shape()) {
		at := l.Offset()
		for d, x := range c {
			at += x * l.Stride(d)
		}
		out = append(out, at)
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// drawShape draws rank 0 to 4; most sizes are small, some 1, few 0.
func drawShape(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 2, 2, 3, 3, 4, 5, 6, 1, 2, 3, 4, 0}), 0, 4).Draw(t, "shape")
}

// drawLayout draws either arbitrary strides or a view that arises from slicing,
// permuting and broadcasting a dense tensor: the two meet different branches.
func drawLayout(t *rapid.T) Layout { return drawLayoutOf(t, drawShape(t)) }

func drawLayoutOf(t *rapid.T, shape []int) Layout {
	rank := len(shape)
	stride := make([]int, rank)
	if rapid.Bool().Draw(t, "arbitrary") {
		for d := range stride {
			stride[d] = rapid.IntRange(-7, 12).Draw(t, "stride")
		}
	} else {
		run := 1
		for _, d := range rapid.Permutation(upTo(rank)).Draw(t, "order") {
			stride[d] = run * rapid.SampledFrom([]int{1, 1, 1, 1, -1, 2, 0}).Draw(t, "step")
			run *= max(shape[d], 1) * rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "pad")
		}
		if rapid.Bool().Draw(t, "rowmajor") {
			stride = must(Contiguous(shape...)).Strides()
		}
	}
	return must(Strided(shape, stride, rapid.IntRange(-9, 30).Draw(t, "offset")))
}

func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

func TestContiguousIsRowMajorPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := must(Contiguous(drawShape(t)...))
		for k, c := range coords(l.Shape()) {
			if l.At(c...) != k {
				t.Fatalf("%v at %v is %d, want %d", l, c, l.At(c...), k)
			}
		}
		if !l.IsContiguous() || l.Len() != len(coords(l.Shape())) {
			t.Fatalf("%v: contiguous %v, length %d", l, l.IsContiguous(), l.Len())
		}
	})
}

func TestStridedIsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		want := offsets(l)
		if got := slices.Collect(l.Offsets()); !slices.Equal(got, want) {
			t.Fatalf("%v: offsets %v, want %v", l, got, want)
		}
		for k, c := range coords(l.Shape()) {
			if l.At(c...) != want[k] {
				t.Fatalf("%v at %v is %d, want %d", l, c, l.At(c...), want[k])
			}
		}
		if l.Len() != len(want) {
			t.Fatalf("%v: length %d, want %d", l, l.Len(), len(want))
		}
		lo, hi := l.Bounds()
		if len(want) == 0 {
			if hi >= lo {
				t.Fatalf("%v is empty but has bounds %d, %d", l, lo, hi)
			}
		} else if lo != slices.Min(want) || hi != slices.Max(want) {
			t.Fatalf("%v: bounds %d, %d of %v", l, lo, hi, want)
		}
		dense := true
		for k, at := range want {
			dense = dense && at == want[0]+k
		}
		if l.IsContiguous() != dense {
			t.Fatalf("%v: contiguous %v, offsets %v", l, l.IsContiguous(), want)
		}
	})
}

func TestOffsetsStopsEarly(t *testing.T) {
	n := 0
	for range must(Contiguous(3, 4)).Offsets() {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Fatalf("walked %d elements", n)
	}
}

func TestDivisibility(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := must(Strided([]int{rapid.IntRange(0, 200).Draw(t, "size")}, []int{rapid.IntRange(-200, 200).Draw(t, "stride")}, rapid.IntRange(-64, 64).Draw(t, "offset")))
		limit := rapid.IntRange(-2, 40).Draw(t, "limit")
		want := func(n int) int { // by trying every power of two
			best := 1
			for p := 1; p <= limit; p *= 2 {
				if n%p == 0 {
					best = p
				}
			}
			return best
		}
		size, stride, offset := l.Divisibility(0, limit)
		got := []int{size, stride, offset}
		if d := cmp.Diff([]int{want(l.Size(0)), want(l.Stride(0)), want(l.Offset())}, got); d != "" {
			t.Fatalf("%v up to %d: %s", l, limit, d)
		}
	})
	if size, _, _ := must(Contiguous(0)).Divisibility(0, math.MaxInt); size != math.MaxInt/2+1 {
		t.Errorf("zero under the largest limit: %d", size)
	}
}

func TestString(t *testing.T) {
	for want, l := range map[string]Layout{
		"():()":              {},
		"():()+7":            must(Strided(nil, nil, 7)),
		"(3,4):(4,1)+2":      must(Strided([]int{3, 4}, []int{4, 1}, 2)),
		"(3,4):(4,1)":        must(Contiguous(3, 4)),
		"(2,0,5):(-1,0,3)-4": must(Strided([]int{2, 0, 5}, []int{-1, 0, 3}, -4)),
	} {
		if l.String() != want {
			t.Errorf("got %s, want %s", l, want)
		}
	}
}

func TestEqualSeesEveryField(t *testing.T) {
	l := must(Strided([]int{3, 4}, []int{4, 1}, 2))
	same := must(Strided([]int{3, 4}, []int{4, 1}, 2))
	if !l.Equal(same) {
		t.Errorf("%v differs from itself", l)
	}
	for _, m := range []Layout{
		must(Strided([]int{3, 5}, []int{4, 1}, 2)), must(Strided([]int{3, 4}, []int{5, 1}, 2)),
		must(Strided([]int{3, 4}, []int{4, 1}, 3)), must(Strided([]int{3}, []int{4}, 2)),
	} {
		if l.Equal(m) {
			t.Errorf("%v equals %v", l, m)
		}
	}
}

func TestValuesAreImmutable(t *testing.T) {
	shape, stride := []int{3, 4}, []int{4, 1}
	l := must(Strided(shape, stride, 0))
	shape[0], stride[0] = 9, 9
	l.Shape()[1], l.Strides()[1] = 9, 9
	must(l.Permute(1, 0))
	must(l.Slice(0, 1, 3, 1))
	must(l.Unsqueeze(0))
	must(l.Select(0, 1))
	l.Transpose()
	l.Coalesce()
	if want := must(Contiguous(3, 4)); !l.Equal(want) {
		t.Fatalf("%v became %v", want, l)
	}
}

// TestSizesNearTheLimit: what fits an int is exact, what does not is refused.
func TestSizesNearTheLimit(t *testing.T) {
	const big = math.MaxInt
	half := big/2 + 1 // 2^62 on 64-bit targets
	for _, c := range []struct {
		name          string
		shape, stride []int
		offset        int
		lo, hi        int
		limit         bool
	}{
		{name: "largest vector", shape: []int{big}, stride: []int{1}, hi: big - 1},
		{name: "one too far", shape: []int{big}, stride: []int{1}, offset: 2, limit: true},
		{name: "count of two sizes", shape: []int{half, 2}, stride: []int{0, 0}, limit: true},
		{name: "count wraps to zero", shape: []int{half, 4}, stride: []int{0, 0}, limit: true},
		{name: "count wraps early", shape: []int{half, 4, 3}, stride: []int{0, 0, 0}, limit: true},
		{name: "extent wraps to zero", shape: []int{5}, stride: []int{half}, limit: true},
		{name: "count hidden by a zero", shape: []int{half, 0, 4}, stride: []int{0, 0, 0}, limit: true},
		{name: "stride", shape: []int{3}, stride: []int{half}, limit: true},
		{name: "stride of one element", shape: []int{1}, stride: []int{big}},
		{name: "negative stride", shape: []int{3}, stride: []int{-half}, offset: 0, limit: true},
		{name: "down to zero", shape: []int{2}, stride: []int{-half}, offset: half, hi: half},
		{name: "distance", shape: []int{2, 2}, stride: []int{half, -half}, limit: true},
		{name: "distance of exactly the limit", shape: []int{2, 2}, stride: []int{half, -half + 1}, lo: -half + 1, hi: half},
		{name: "smallest int", shape: []int{2}, stride: []int{math.MinInt}, limit: true},
		{name: "sum", shape: []int{2, 2}, stride: []int{half, half}, limit: true},
	} {
		l, err := Strided(c.shape, c.stride, c.offset)
		if c.limit {
			if !errors.Is(err, fault.ErrLimit) {
				t.Errorf("%s: %v, error %v", c.name, l, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if lo, hi := l.Bounds(); lo != c.lo || hi != c.hi {
			t.Errorf("%s: bounds %d, %d, want %d, %d", c.name, lo, hi, c.lo, c.hi)
		}
	}
	for _, shape := range [][]int{{half, 2}, {half, 0, 4}, {big, big}, {1 << 31 / 2, 1 << 31 / 2, 8}} {
		if l, err := Contiguous(shape...); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("contiguous %v: %v, error %v", shape, l, err)
		}
	}
	if l := must(Contiguous(2, 0, 3)); !slices.Equal(l.Strides(), []int{3, 3, 1}) {
		t.Errorf("empty with rows: %v", l)
	}
	if l := must(Contiguous(0, half)); l.Len() != 0 || l.Stride(0) != half {
		t.Errorf("empty with a large row: %v", l)
	}
}

func TestMulAndAddAreExact(t *testing.T) {
	edge := []int64{0, 1, -1, 2, -2, 3, 7, 1 << 31, -1 << 31, 1 << 32, 1<<62 - 1, 1 << 62, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	fits := func(f float64, c int64) bool { return math.Abs(f-float64(c)) <= math.Abs(f)*1e-9 && int64(int(c)) == c }
	for _, a := range edge {
		for _, b := range edge {
			// In float64 a wrapped product or sum is far off, by 2^64 at least.
			if c, ok := mul(a, b); ok != fits(float64(a)*float64(b), c) {
				t.Errorf("%d*%d = %d, %v", a, b, c, ok)
			}
			if c, ok := add(a, b); ok != fits(float64(a)+float64(b), c) && math.Abs(float64(a)+float64(b)) > 4 {
				t.Errorf("%d+%d = %d, %v", a, b, c, ok)
			}
		}
	}
}
