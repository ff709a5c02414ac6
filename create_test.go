package weft_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

func TestConstructors(t *testing.T) {
	dev := open(t)
	for _, elem := range dtype.All() {
		full := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, 3, 5))))
		eye := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(weft.Eye(dev, elem, 67))))
		zeros := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(weft.Zeros(dev, elem, 1<<20+3))))
		if slices.ContainsFunc(full, func(x float64) bool { return x != 1 }) || len(full) != 15 {
			t.Errorf("%v: full of %v", elem, full)
		}
		for i, x := range eye {
			if (x == 1) != (i%67 == i/67) || x != 0 && x != 1 {
				t.Fatalf("%v: the identity has %v at %d, %d", elem, x, i/67, i%67)
			}
		}
		if slices.ContainsFunc(zeros, func(x float64) bool { return x != 0 }) || len(zeros) != 1<<20+3 {
			t.Errorf("%v: zeros are not", elem)
		}
		if elem == weft.Bool {
			continue
		}
		for _, c := range []struct{ start, stop, step float64 }{{0, 100, 1}, {3, 100, 7}, {100, 3, -7}, {5, 5, 1}, {5, 4, 1}, {0, 1, 3}} {
			if c.step < 0 && !elem.IsSigned() && !elem.IsFloat() {
				continue
			}
			var want []float64
			for x := c.start; c.step > 0 && x < c.stop || c.step < 0 && x > c.stop; x += c.step {
				want = append(want, x)
			}
			got := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(weft.Arange(dev, elem, c.start, c.stop, c.step))))
			if !slices.Equal(got, want) {
				t.Errorf("%v: %+v gives %v, want %v", elem, c, got, want)
			}
		}
	}
	wide := ok[[]int64](t)(weft.ToSlice[int64](ok[*weft.Tensor](t)(weft.Arange(dev, weft.I64, -0x1p40, 0x1p40, 0x1p38))))
	if !slices.Equal(wide, []int64{-4 << 38, -3 << 38, -2 << 38, -1 << 38, 0, 1 << 38, 2 << 38, 3 << 38}) {
		t.Errorf("64 bits: %v", wide)
	}
	for name, c := range map[string]struct{ err, kind error }{
		"step 0": {second(weft.Arange(dev, weft.F32, 0, 1, 0)), weft.ErrArgument}, "NaN": {second(weft.Arange(dev, weft.F32, 0, math.NaN(), 1)), weft.ErrArgument},
		"infinite": {second(weft.Arange(dev, weft.F32, 0, math.Inf(1), 1)), weft.ErrArgument}, "half": {second(weft.Arange(dev, weft.I32, 0.5, 2, 1)), weft.ErrArgument},
		"a step beyond F32": {second(weft.Arange(dev, weft.F32, 0, 1e300, 1e299)), weft.ErrArgument}, "a start": {second(weft.Arange(dev, weft.F16, -1e39, 0, 1e38)), weft.ErrArgument},
		"below": {second(weft.Arange(dev, weft.U8, 0, -2, -1)), weft.ErrArgument}, "many": {second(weft.Arange(dev, weft.U8, 0, 0x1p40, 1)), weft.ErrLimit},
		"bools": {second(weft.Arange(dev, weft.Bool, 0, 2, 1)), weft.ErrUnsupported}, "no device": {second(weft.Arange(nil, weft.F32, 0, 2, 1)), weft.ErrArgument},
		"eye": {second(weft.Eye(dev, weft.F32, -1)), weft.ErrShape}, "full": {second(weft.Full(dev, weft.U8, 256, 2)), weft.ErrArgument},
		"no number": {second(weft.Full(dev, weft.U8, "1", 2)), weft.ErrArgument}, "size": {second(weft.Full(dev, weft.F32, 1, -2)), weft.ErrShape},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: %v, want %v", name, c.err, c.kind)
		}
	}
}

// Fill reaches a view's elements and no others.
func TestFill(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 3, 4))
	if err := ok[*weft.Tensor](t)(x.SliceStep(1, 3, -1, -2)).Fill(-7); err != nil {
		t.Fatal(err)
	}
	if got := ok[[]int32](t)(weft.ToSlice[int32](x)); !slices.Equal(got, []int32{0, -7, 0, -7, 0, -7, 0, -7, 0, -7, 0, -7}) {
		t.Errorf("every second: %v", got)
	}
	if err := ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(x.Slice(0, 0, 1)).Broadcast(3, 4)).Fill(1); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("repeated elements: %v, want ErrUnsupported", err)
	}
	var none *weft.Tensor
	if err := none.Fill(1); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil: %v, want ErrArgument", err)
	}
}

func TestItem(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.Full(dev, weft.F16, 2.5, 1, 1))
	if got := ok[float64](t)(x.Item()); got != 2.5 {
		t.Errorf("got %v", got)
	}
	var none *weft.Tensor
	if _, err := none.Item(); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil: %v, want ErrArgument", err)
	}
	for _, err := range []error{second(ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 2)).Item()), second(ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 0)).Item())} {
		if !errors.Is(err, weft.ErrShape) {
			t.Errorf("%v, want ErrShape", err)
		}
	}
}

// Views of one more or one less dimension, and turned around.
func TestViewMethods(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.Arange(dev, weft.I32, 0, 6, 1))
	x = ok[*weft.Tensor](t)(x.Reshape(1, 2, 1, 3))
	for _, c := range []struct {
		name  string
		view  *weft.Tensor
		shape []int
		want  []int32
	}{
		{"squeeze", ok[*weft.Tensor](t)(x.Squeeze()), []int{2, 3}, []int32{0, 1, 2, 3, 4, 5}},
		{"squeeze 2, 0", ok[*weft.Tensor](t)(x.Squeeze(2, 0)), []int{2, 3}, []int32{0, 1, 2, 3, 4, 5}},
		{"squeeze 2", ok[*weft.Tensor](t)(x.Squeeze(2)), []int{1, 2, 3}, []int32{0, 1, 2, 3, 4, 5}},
		{"unsqueeze 4", ok[*weft.Tensor](t)(x.Unsqueeze(4)), []int{1, 2, 1, 3, 1}, []int32{0, 1, 2, 3, 4, 5}},
		{"flip", ok[*weft.Tensor](t)(x.Flip()), []int{1, 2, 1, 3}, []int32{5, 4, 3, 2, 1, 0}},
		{"flip 3", ok[*weft.Tensor](t)(x.Flip(3)), []int{1, 2, 1, 3}, []int32{2, 1, 0, 5, 4, 3}},
		{"flip -1", ok[*weft.Tensor](t)(x.Flip(-1)), []int{1, 2, 1, 3}, []int32{2, 1, 0, 5, 4, 3}},
		{"flip nothing", ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(x.Slice(1, 1, 1)).Flip()), []int{1, 0, 1, 3}, nil},
	} {
		if got := ok[[]int32](t)(weft.ToSlice[int32](c.view)); !slices.Equal(got, c.want) || !slices.Equal(c.view.Shape(), c.shape) {
			t.Errorf("%s gives %v of shape %v", c.name, got, c.view.Shape())
		}
	}
	for name, err := range map[string]error{
		"twice": second(x.Squeeze(0, 0)), "none": second(x.Squeeze(4)), "unsqueeze": second(x.Unsqueeze(6)),
		"flip": second(x.Flip(4)), "flip -5": second(x.Flip(-5)),
	} {
		if !errors.Is(err, weft.ErrArgument) {
			t.Errorf("%s: %v, want ErrArgument", name, err)
		}
	}
	if _, err := x.Squeeze(1); !errors.Is(err, weft.ErrShape) {
		t.Errorf("squeeze of 2 elements: %v, want ErrShape", err)
	}
}

// To brings any view to another device, dense, and leaves it alone.
func TestToOfViews(t *testing.T) {
	dev, other := open(t), open(t)
	x := ok[*weft.Tensor](t)(weft.Arange(dev, weft.F32, 0, 60, 1))
	x = ok[*weft.Tensor](t)(x.Reshape(3, 4, 5))
	for name, v := range map[string]*weft.Tensor{
		"dense": x, "turned": x.T(), "part": ok[*weft.Tensor](t)(x.Slice(1, 1, 3)), "flipped": ok[*weft.Tensor](t)(x.Flip(0, 2)),
		"repeated": ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(x.Slice(1, 0, 1)).Broadcast(2, 3, 4, 5)), "one": ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(x.Select(0, 1)).Select(0, 1)),
		"none": ok[*weft.Tensor](t)(x.Slice(0, 2, 2)), "steps": ok[*weft.Tensor](t)(x.SliceStep(2, 4, -1, -2)),
	} {
		for _, to := range []*weft.Device{dev, other} {
			moved := ok[*weft.Tensor](t)(v.To(to))
			if moved.Device() != to || !moved.Layout().IsContiguous() || moved.Overlaps(x) {
				t.Errorf("%s: %s, layout %v", name, moved.Describe(), moved.Layout())
			}
			same(t, name, v, moved)
		}
	}
	x.Close()
	if _, err := x.To(other); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("closed: %v, want ErrClosed", err)
	}
}

// Numbers stand for inputs of a map, whose element types may differ.
func TestMapOfNumbersAndTypes(t *testing.T) {
	dev := open(t)
	choose := weft.NewMap("choose", []string{"cond", "x", "y"}, func(in []*tile.Value) *tile.Value { return in[0].Builder().Where(in[0], in[1], in[2]) }).InputTypes(weft.Bool)
	cond := ok[*weft.Tensor](t)(weft.FromSlice(dev, []bool{true, false, true}))
	for _, elem := range dtype.All() {
		x := ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, []float64{1, 1, 1}))
		got := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(choose.Apply(cond, x, 0))))
		if !slices.Equal(got, []float64{1, 0, 1}) {
			t.Errorf("%v: %v", elem, got)
		}
		if got = ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(choose.Apply(false, x, 0.0)))); !slices.Equal(got, []float64{0, 0, 0}) {
			t.Errorf("%v by a number: %v", elem, got)
		}
	}
	type flag bool
	type count uint16
	x := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 1, 1}))
	for _, n := range []any{int16(3), uint(3), count(3), float32(3), dtype.ToFloat16(3), 3 * time.Nanosecond} {
		if got := ok[[]float64](t)(weft.ToFloats(ok[*weft.Tensor](t)(choose.Apply(flag(false), x, n)))); !slices.Equal(got, []float64{3, 3, 3}) {
			t.Errorf("%T: %v", n, got)
		}
	}
	add := weft.NewMap("add", []string{"a", "b"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) })
	edges := ok[*weft.Tensor](t)(weft.FromSlice(dev, []int64{1, 0}))
	for _, n := range []int64{math.MaxInt64 - 1, math.MinInt64, -1, 1 << 32} {
		if got := ok[[]int64](t)(weft.ToSlice[int64](ok[*weft.Tensor](t)(add.Apply(edges, n)))); got[0] != n+1 || got[1] != n {
			t.Errorf("%d as a number: %v", n, got)
		}
	}
	bytesTensor := ok[*weft.Tensor](t)(weft.FromSlice(dev, []uint8{1, 2}))
	flags := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	for name, c := range map[string]struct{ err, kind error }{
		"cond of floats": {second(choose.Apply(flags, flags, flags)), weft.ErrArgument}, "no types": {second(choose.Apply(cond, 1, 2)), weft.ErrArgument},
		"all inputs are numbers": {second(add.Apply(1, 2)), weft.ErrArgument}, "too large": {second(add.Apply(bytesTensor, 256)), weft.ErrArgument},
		"negative": {second(add.Apply(bytesTensor, -1)), weft.ErrArgument}, "broken": {second(add.Apply(bytesTensor, 0.5)), weft.ErrArgument},
		"NaN": {second(add.Apply(edges, math.NaN())), weft.ErrArgument}, "text": {second(add.Apply(edges, "1")), weft.ErrArgument}, "nil": {second(add.Apply(edges, nil)), weft.ErrArgument},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: %v, want %v", name, c.err, c.kind)
		}
	}
}
