package weft_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
)

// positions are what a range keeps of a dimension, by walking it; nil if it is refused.
func positions(n int, from, to *int, step int) []int {
	at := func(p *int, otherwise int) int {
		switch {
		case p == nil:
			return otherwise
		case *p < 0:
			return *p + n
		}
		return *p
	}
	kept := []int{}
	if step > 0 {
		for i := at(from, 0); i < at(to, n); i += step {
			kept = append(kept, i)
		}
		return kept
	}
	for i := at(from, n-1); i > at(to, -1); i += step {
		kept = append(kept, i)
	}
	return kept
}

// Ranges of several dimensions at once are what each keeps alone.
func TestSlices(t *testing.T) {
	dev, rng := open(t), rand.New(rand.NewPCG(3, 1))
	for range 300 {
		shape := make([]int, 1+rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + rng.IntN(6)
		}
		n := 1
		for _, s := range shape {
			n *= s
		}
		x := ok[*weft.Tensor](t)(weft.Arange(dev, weft.I32, 0, float64(n), 1))
		x = ok[*weft.Tensor](t)(x.Reshape(shape...))
		ranges, kept := make([]weft.Range, rng.IntN(len(shape)+1)), make([][]int, len(shape))
		var want []int // of the result
		for d, size := range shape {
			kept[d] = positions(size, nil, nil, 1)
			if d < len(ranges) {
				ranges[d], kept[d] = anyRange(rng, size)
			}
			if d >= len(ranges) || strings.Contains(ranges[d].String(), ":") {
				want = append(want, len(kept[d]))
			}
		}
		v, err := x.Slices(ranges...)
		if err != nil {
			t.Fatalf("%v of %v: %v", ranges, shape, err)
		}
		if !slices.Equal(v.Shape(), append([]int{}, want...)) {
			t.Fatalf("%v of %v has shape %v, want %v", ranges, shape, v.Shape(), want)
		}
		var elements []int32
		var walk func(d, at int)
		walk = func(d, at int) {
			if d == len(shape) {
				elements = append(elements, int32(at))
				return
			}
			for _, i := range kept[d] {
				walk(d+1, at*shape[d]+i)
			}
		}
		walk(0, 0)
		if got := ok[[]int32](t)(weft.ToSlice[int32](v)); !slices.Equal(got, elements) {
			t.Fatalf("%v of %v: %v, want %v", ranges, shape, got, elements)
		}
	}
}

// anyRange draws a range that a dimension has, and the positions that it keeps.
func anyRange(rng *rand.Rand, n int) (weft.Range, []int) {
	signed := func(i int) int { // the same position, from the end or not; n has no other name
		if i < n && rng.IntN(2) == 0 {
			return i - n
		}
		return i
	}
	from, to := rng.IntN(n), rng.IntN(n)
	low, high := min(from, to), max(from, to)
	step := 1 + rng.IntN(3)
	switch rng.IntN(8) {
	case 0:
		return weft.All(), positions(n, nil, nil, 1)
	case 1:
		return weft.Index(signed(from)), []int{from}
	case 2:
		return weft.From(signed(from)).By(step), positions(n, &from, nil, step)
	case 3:
		return weft.To(signed(to)).By(step), positions(n, nil, &to, step)
	case 4:
		return weft.Span(signed(low), signed(high)).By(step), positions(n, &low, &high, step)
	case 5:
		return weft.Span(signed(high), signed(low)).By(-step), positions(n, &high, &low, -step)
	case 6:
		return weft.From(signed(from)).By(-step), positions(n, &from, nil, -step)
	}
	return weft.To(signed(to)).By(-step), positions(n, nil, &to, -step)
}

func TestSlicesErrors(t *testing.T) {
	x := ok[*weft.Tensor](t)(weft.Zeros(open(t), weft.F32, 3, 4))
	for _, c := range []struct {
		ranges []weft.Range
		want   string
	}{
		{[]weft.Range{weft.All(), weft.All(), weft.All()}, "3 ranges given for shape [3 4]"},
		{[]weft.Range{weft.Index(3)}, "slices: range 3 does not fit dimension 0, which has size 3"},
		{[]weft.Range{weft.Index(-4)}, "slices: range -4 does not fit dimension 0"},
		{[]weft.Range{weft.All(), weft.From(5)}, "slices: range 5: does not fit dimension 1, which has size 4"},
		{[]weft.Range{weft.To(-4)}, "slices: range :-4 does not fit dimension 0"},
		{[]weft.Range{weft.Span(2, 1)}, "slices: range 2:1 does not fit dimension 0"},
		{[]weft.Range{weft.Span(0, 3).By(-1)}, "slices: range 0:3:-1 does not fit dimension 0"},
		{[]weft.Range{weft.All().By(0)}, "slices: range ::0 does not fit dimension 0"},
		{[]weft.Range{weft.Index(1).By(2)}, "slices: range 1 does not fit dimension 0"},
	} {
		if _, err := x.Slices(c.ranges...); !errors.Is(err, weft.ErrShape) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want ErrShape with %q", c.ranges, err, c.want)
		}
	}
	empty := ok[*weft.Tensor](t)(weft.Zeros(open(t), weft.F32, 0, 4))
	for _, r := range []weft.Range{weft.All(), weft.From(0), weft.To(0), weft.All().By(-1)} {
		if v, err := empty.Slices(r); err != nil || v.Len() != 0 {
			t.Errorf("%v of no elements: %v, %v", r, v, err)
		}
	}
	if v, err := empty.Slices(weft.All().By(0)); !errors.Is(err, weft.ErrShape) {
		t.Errorf("a step of 0 of no elements: %v, %v, want ErrShape", v, err)
	}
}

// Negative dimensions count from the end in all views.
func TestNegativeAxes(t *testing.T) {
	x := ok[*weft.Tensor](t)(weft.Arange(open(t), weft.I32, 0, 24, 1))
	x = ok[*weft.Tensor](t)(x.Reshape(2, 3, 4))
	one := ok[*weft.Tensor](t)(x.Reshape(2, 1, 12, 1))
	for name, pair := range map[string][2]func() (*weft.Tensor, error){
		"slice":     {func() (*weft.Tensor, error) { return x.Slice(-1, 1, 3) }, func() (*weft.Tensor, error) { return x.Slice(2, 1, 3) }},
		"step":      {func() (*weft.Tensor, error) { return x.SliceStep(-2, 0, 3, 2) }, func() (*weft.Tensor, error) { return x.SliceStep(1, 0, 3, 2) }},
		"select":    {func() (*weft.Tensor, error) { return x.Select(-3, 1) }, func() (*weft.Tensor, error) { return x.Select(0, 1) }},
		"permute":   {func() (*weft.Tensor, error) { return x.Permute(-1, 0, -2) }, func() (*weft.Tensor, error) { return x.Permute(2, 0, 1) }},
		"flip":      {func() (*weft.Tensor, error) { return x.Flip(-1) }, func() (*weft.Tensor, error) { return x.Flip(2) }},
		"squeeze":   {func() (*weft.Tensor, error) { return one.Squeeze(-1, -3) }, func() (*weft.Tensor, error) { return one.Squeeze(1, 3) }},
		"unsqueeze": {func() (*weft.Tensor, error) { return x.Unsqueeze(-1) }, func() (*weft.Tensor, error) { return x.Unsqueeze(3) }},
		"front":     {func() (*weft.Tensor, error) { return x.Unsqueeze(-4) }, func() (*weft.Tensor, error) { return x.Unsqueeze(0) }},
	} {
		got, want := ok[*weft.Tensor](t)(pair[0]()), ok[*weft.Tensor](t)(pair[1]())
		if !got.Layout().Equal(want.Layout()) {
			t.Errorf("%s: %v, want %v", name, got.Layout(), want.Layout())
		}
	}
	if x.Dim(-1) != 4 || x.Dim(-3) != 2 {
		t.Errorf("sizes %d and %d", x.Dim(-1), x.Dim(-3))
	}
	for name, f := range map[string]func() (*weft.Tensor, error){
		"slice":     func() (*weft.Tensor, error) { return x.Slice(-4, 0, 1) },
		"select":    func() (*weft.Tensor, error) { return x.Select(3, 0) },
		"flip":      func() (*weft.Tensor, error) { return x.Flip(-4) },
		"squeeze":   func() (*weft.Tensor, error) { return x.Squeeze(3) },
		"unsqueeze": func() (*weft.Tensor, error) { return x.Unsqueeze(-5) },
	} {
		if _, err := f(); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), name+": axis") || !strings.Contains(err.Error(), "of a tensor of 3 dimensions, shape [2 3 4]") {
			t.Errorf("%s: %v, want ErrArgument", name, err)
		}
	}
	for _, dims := range [][]int{{-1, 2, 0}, {-4, 0, 1}, {0, 1, 3}} {
		if _, err := x.Permute(dims...); !errors.Is(err, weft.ErrArgument) {
			t.Errorf("permute %v: %v, want ErrArgument", dims, err)
		}
	}
}

func TestElementErrors(t *testing.T) {
	x := ok[*weft.Tensor](t)(weft.Zeros(open(t), weft.I8, 3, 4))
	for _, indices := range [][]int{{}, {1}, {1, 2, 3}, {3, 0}, {0, -5}} {
		if _, err := x.At(indices...); !errors.Is(err, weft.ErrShape) {
			t.Errorf("At(%v): %v, want ErrShape", indices, err)
		}
		if err := x.SetAt(1, indices...); !errors.Is(err, weft.ErrShape) {
			t.Errorf("SetAt(1, %v): %v, want ErrShape", indices, err)
		}
	}
	for _, bad := range []any{128, 1.5, "1", nil, x} {
		if err := x.SetAt(bad, 0, 0); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), "set_at: x: ") {
			t.Errorf("SetAt(%v): %v, want ErrArgument", bad, err)
		}
	}
	repeated := ok[*weft.Tensor](t)(x.Broadcast(2, 3, 4))
	if err := repeated.SetAt(1, 0, 0, 0); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("SetAt of what repeats: %v, want ErrUnsupported", err)
	}
	if err := (*weft.Tensor)(nil).SetAt(1); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("SetAt of nil: %v, want ErrArgument", err)
	}
	dev := ok[*weft.Device](t)(weft.Open("cpu"))
	gone := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 1))
	dev.Close()
	if _, err := gone.At(0); !errors.Is(err, weft.ErrClosed) || !strings.HasPrefix(err.Error(), "weft: at: ") {
		t.Errorf("At on a closed device: %v", err)
	}
	if _, err := gone.Item(); !errors.Is(err, weft.ErrClosed) || !strings.HasPrefix(err.Error(), "weft: item: ") {
		t.Errorf("Item on a closed device: %v", err)
	}
	x.Close()
	if _, err := x.At(0, 0); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("At of a closed tensor: %v", err)
	}
	if err := x.SetAt(1, 0, 0); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("SetAt of a closed tensor: %v", err)
	}
}

type celsius float32

func TestFromNumbers(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.F16, []int{1, -2, 3, 70_000}, 2, 2))
	if got := ok[[]float64](t)(weft.ToFloats(x)); !slices.Equal(got, []float64{1, -2, 3, math.Inf(1)}) || !slices.Equal(x.Shape(), []int{2, 2}) {
		t.Errorf("%v of shape %v", got, x.Shape())
	}
	big := []uint64{0, 1 << 63, math.MaxUint64}
	if got := ok[[]uint64](t)(weft.ToSlice[uint64](ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.U64, big)))); !slices.Equal(got, big) {
		t.Errorf("%v, want %v", got, big)
	}
	low := []int64{math.MinInt64, -1, math.MaxInt64}
	if got := ok[[]int64](t)(weft.ToSlice[int64](ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.I64, low)))); !slices.Equal(got, low) {
		t.Errorf("%v, want %v", got, low)
	}
	if got := ok[[]bool](t)(weft.ToSlice[bool](ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.Bool, []uint8{0, 1})))); !slices.Equal(got, []bool{false, true}) {
		t.Errorf("%v", got)
	}
	if got := ok[[]int8](t)(weft.ToSlice[int8](ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.I8, []celsius{-128, 2})))); !slices.Equal(got, []int8{-128, 2}) {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(weft.FromNumbers(dev, weft.I8, []int{1, 128})), "from numbers: x: element 1: 128 is not a value of i8"},
		{second(weft.FromNumbers(dev, weft.U32, []int16{-1})), "element 0: -1 is not a value of u32"},
		{second(weft.FromNumbers(dev, weft.I32, []float64{1, 2, 2.5})), "element 2: 2.5 is not a value of i32"},
		{second(weft.FromNumbers(dev, weft.I64, []float64{math.NaN()})), "element 0: NaN is not a value of i64"},
		{second(weft.FromNumbers(dev, weft.Bool, []int{2})), "element 0: 2 is not a value of bool"},
		{second(weft.FromNumbers(dev, 0, []int{2})), "element type"},
	} {
		if !errors.Is(c.err, weft.ErrArgument) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want ErrArgument with %q", c.err, c.want)
		}
	}
	if _, err := weft.FromNumbers(dev, weft.F32, []int{1, 2, 3}, 2, 2); !errors.Is(err, weft.ErrShape) {
		t.Errorf("%v, want ErrShape", err)
	}
}

// Integers with more digits than a float64 round to a shorter type once: the next float is the nearest one.
func TestFromNumbersRoundsOnce(t *testing.T) {
	dev, rng := open(t), rand.New(rand.NewPCG(5, 5))
	const top = int64(1) << 62
	x := []int64{top + 1<<38 + 1, top + 1<<38, top + 3<<38, -(top + 1<<38 + 1), 1<<53 + 1}
	for range 1000 { // near the middle of two neighbours
		x = append(x, top+(2*rng.Int64N(1<<20)+1)<<38+rng.Int64N(5)-2)
	}
	want := make([]float32, len(x))
	for i, v := range x {
		want[i] = float32(v) // Go rounds once
	}
	got := ok[[]float32](t)(weft.ToSlice[float32](ok[*weft.Tensor](t)(weft.FromNumbers(dev, weft.F32, x))))
	if !slices.Equal(got, want) {
		t.Errorf("f32: %v, want %v", got[:5], want[:5])
	}
}
