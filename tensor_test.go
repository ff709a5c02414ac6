package weft_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/tile"
)

func open(t *testing.T) *weft.Device {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// ok fails the test on an error and returns the value otherwise.
func ok[T any](t *testing.T) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct{ env, spec, want string }{
		{"", "cpu", "cpu:0"}, {"", "cpu:0", "cpu:0"}, {"cpu", "", "cpu:0"}, {"nonsense", "cpu", "cpu:0"},
		{"nonsense", "", ""}, {"", "nonsense", ""}, {"", "cpu:1", ""}, {"", "cpu:x", ""}, {"", ":0", ""},
	} {
		t.Setenv(weft.DeviceEnv, c.env)
		dev, err := weft.Open(c.spec)
		switch {
		case c.want == "" && !errors.Is(err, weft.ErrDevice):
			t.Errorf("Open(%q) with %q in the environment: %v, want ErrDevice", c.spec, c.env, err)
		case c.want != "" && err != nil:
			t.Errorf("Open(%q) with %q in the environment: %v", c.spec, c.env, err)
		case c.want != "":
			if dev.String() != c.want {
				t.Errorf("Open(%q) opened %v, want %s", c.spec, dev, c.want)
			}
			dev.Close()
		}
	}
	if !slices.ContainsFunc(weft.Devices(), func(d weft.DeviceInfo) bool { return d.Spec() == "cpu:0" && d.Refused == nil }) {
		t.Errorf("cpu:0 is not among %v", weft.Devices())
	}
}

func TestFromSliceChecksTheShape(t *testing.T) {
	dev := open(t)
	for _, shape := range [][]int{{5}, {2, 2}, {-1, -6}, {6, 0}, {math.MaxInt, 2}} {
		_, err := weft.FromSlice(dev, make([]float32, 6), shape...)
		if !errors.Is(err, weft.ErrShape) && !errors.Is(err, weft.ErrLimit) {
			t.Errorf("6 elements as %v: %v, want ErrShape", shape, err)
		}
	}
	if _, err := weft.FromFloats(dev, 0, []float64{1}); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("no element type: %v, want ErrArgument", err)
	}
	if _, err := weft.FromSlice(nil, []int32{1}); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil device: %v, want ErrArgument", err)
	}
	tensor := ok[*weft.Tensor](t)(weft.FromSlice(dev, []int32{1, 2}))
	if _, err := weft.ToSlice[uint32](tensor); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("i32 as uint32: %v, want ErrArgument", err)
	}
}

// Views share memory: what is written through one is read through the other.
func TestViewsShareMemory(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromSlice(dev, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4))
	for _, c := range []struct {
		name string
		view *weft.Tensor
		want []int32
	}{
		{"T", x.T(), []int32{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}},
		{"Slice", ok[*weft.Tensor](t)(x.Slice(1, 1, 3)), []int32{1, 2, 5, 6, 9, 10}},
		{"SliceStep", ok[*weft.Tensor](t)(x.SliceStep(1, 3, -1, -2)), []int32{3, 1, 7, 5, 11, 9}},
		{"Select", ok[*weft.Tensor](t)(x.Select(0, 1)), []int32{4, 5, 6, 7}},
		{"Permute", ok[*weft.Tensor](t)(x.Permute(1, 0)), []int32{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}},
		{"Reshape", ok[*weft.Tensor](t)(x.Reshape(2, -1)), []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{"Broadcast", ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(x.Select(1, 0)).Broadcast(2, 3)), []int32{0, 4, 8, 0, 4, 8}},
	} {
		if got := ok[[]int32](t)(weft.ToSlice[int32](c.view)); !slices.Equal(got, c.want) {
			t.Errorf("%s gives %v, want %v", c.name, got, c.want)
		}
	}
	row := ok[*weft.Tensor](t)(x.Select(0, 2))
	if err := ok[*weft.Tensor](t)(x.Select(0, 0)).CopyFrom(row); err != nil {
		t.Fatal(err)
	}
	if got := ok[[]int32](t)(weft.ToSlice[int32](x))[:4]; !slices.Equal(got, []int32{8, 9, 10, 11}) {
		t.Errorf("the first row is %v after a copy of the last", got)
	}
	if _, err := x.T().Reshape(12); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("reshape of a transpose: %v, want ErrUnsupported", err)
	}
	for _, c := range []struct {
		name      string
		err, kind error
	}{
		{"slice", second(x.Slice(2, 0, 1)), weft.ErrArgument},
		{"select", second(x.Select(0, 3)), weft.ErrShape},
		{"permute", second(x.Permute(0, 0)), weft.ErrArgument},
		{"reshape", second(x.Reshape(5)), weft.ErrShape},
		{"broadcast", second(x.Broadcast(3, 5)), weft.ErrShape},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.kind)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A view that repeats an element more often than the host has memory for is an error of whoever copies it to the host.
func TestRepeatedBeyondMemory(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 3, 1)).Broadcast(1, 1<<50))
	_, slice := weft.ToSlice[float32](x)
	_, floats := weft.ToFloats(x)
	_, dense := weft.ToDense(x)
	_, blas := weft.ToBlas32(x)
	for name, err := range map[string]error{"ToSlice": slice, "ToFloats": floats, "ToDense": dense, "ToBlas32": blas} {
		if !errors.Is(err, weft.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", name, err)
		}
	}
}

// Memory goes back when the last tensor over it is closed, or is garbage.
func TestMemoryIsFreed(t *testing.T) {
	dev := open(t)
	inUse := func() int64 { return dev.MemoryStats().InUse }
	before := inUse()
	x := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 100))
	one := inUse() - before
	if one < 400 {
		t.Fatalf("%d bytes are in use for a tensor of 400", one)
	}
	view := ok[*weft.Tensor](t)(x.Reshape(10, 10))
	view.T() // becomes garbage
	x.Close()
	x.Close()
	if n := inUse() - before; n != one {
		t.Errorf("%d bytes are in use where a view is left, %d where it and the tensor were", n, one)
	}
	ok[float64](t)(view.At(3, 4))
	view = nil
	for deadline := time.Now().Add(10 * time.Second); inUse() != before; {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are in use long after all tensors are garbage", inUse()-before)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	y := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 100))
	if y.Close(); inUse() != before {
		t.Errorf("%d bytes are in use after the only tensor was closed", inUse()-before)
	}
}

func TestGonum(t *testing.T) {
	dev := open(t)
	m := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6.5})
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
		tensor := ok[*weft.Tensor](t)(weft.FromDense(dev, elem, m))
		if back := ok[*mat.Dense](t)(weft.ToDense(tensor)); !mat.Equal(back, m) {
			t.Errorf("%v: %v comes back as %v", elem, m, back)
		}
		turned := ok[*weft.Tensor](t)(weft.FromDense(dev, elem, m.T()))
		if back := ok[*mat.Dense](t)(weft.ToDense(turned.T())); !mat.Equal(back, m) {
			t.Errorf("%v: the transpose of the transpose is %v", elem, back)
		}
	}
	part := m.Slice(0, 2, 1, 3) // a stride wider than its rows
	if back := ok[*mat.Dense](t)(weft.ToDense(ok[*weft.Tensor](t)(weft.FromDense(dev, weft.F32, part)))); !mat.Equal(back, part) {
		t.Errorf("a slice comes back as %v", back)
	}
	padded := blas32.General{Rows: 2, Cols: 2, Stride: 3, Data: []float32{1, 2, -1, 3, 4}}
	g := ok[blas32.General](t)(weft.ToBlas32(ok[*weft.Tensor](t)(weft.FromBlas32(dev, padded)).T()))
	if g.Rows != 2 || g.Cols != 2 || g.Stride != 2 || !slices.Equal(g.Data, []float32{1, 3, 2, 4}) {
		t.Errorf("the transpose of %v is %v", padded, g)
	}
	g64 := ok[blas64.General](t)(weft.ToBlas64(ok[*weft.Tensor](t)(weft.FromBlas64(dev, weft.F16, m.RawMatrix()))))
	if !slices.Equal(g64.Data, m.RawMatrix().Data) {
		t.Errorf("blas64 gives %v", g64)
	}
	for name, bad := range map[string]blas32.General{
		"short": {Rows: 2, Cols: 2, Stride: 2, Data: make([]float32, 3)}, "stride": {Rows: 2, Cols: 2, Stride: 1, Data: make([]float32, 4)},
		"negative": {Rows: -1, Cols: 2, Stride: 2}, "beyond 2^63": {Rows: 1 << 32, Cols: 1 << 31, Stride: 1 << 31},
		"a stride beyond 2^63": {Rows: 3, Cols: 1, Stride: math.MaxInt},
	} {
		if _, err := weft.FromBlas32(dev, bad); !errors.Is(err, weft.ErrShape) {
			t.Errorf("%s: %v, want ErrShape", name, err)
		}
	}
	vector := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	if _, err := weft.ToDense(vector); !errors.Is(err, weft.ErrShape) {
		t.Errorf("a vector as a matrix: %v, want ErrShape", err)
	}
	if _, err := weft.ToDense(ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 0, 3))); !errors.Is(err, weft.ErrShape) {
		t.Errorf("an empty matrix: %v, want ErrShape", err)
	}
	for _, shape := range [][]int{{3, 0}, {0, 3}, {0, 0}} { // as gonum has them for BLAS alone
		g := ok[blas64.General](t)(weft.ToBlas64(ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, shape...))))
		if back := ok[*weft.Tensor](t)(weft.FromBlas64(dev, weft.F32, g)); !slices.Equal(back.Shape(), shape) {
			t.Errorf("shape %v comes back as %v", shape, back.Shape())
		}
	}
	if empty := ok[*weft.Tensor](t)(weft.FromDense(dev, weft.F32, &mat.Dense{})); !slices.Equal(empty.Shape(), []int{0, 0}) {
		t.Errorf("an empty matrix has shape %v", empty.Shape())
	}
}

type scaleConfig struct{ Block int }

// A kernel of a user's own, with a config and a scalar.
func TestKernel(t *testing.T) {
	dev := open(t)
	described := 0
	scale := weft.NewKernel("scale", func(k *tile.Builder, cfg scaleConfig) {
		described++
		x, factor, y := k.In("x", weft.F32, 1), k.Scalar("factor", weft.F32), k.Out("y", weft.F32, 1)
		k.Grid(k.CDiv(y.Dim(0), cfg.Block))
		i := k.ProgramID(0)
		y.Block(cfg.Block).Store(x.Block(cfg.Block).Load(i).Mul(factor), i)
	})
	x := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{1, 2, 3, 4, 5}))
	y := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 5))
	for _, factor := range []any{2, 2.0, float32(2), int32(2), int64(2), uint32(2)} {
		for _, block := range []int{2, 8} {
			if err := scale.LaunchWith(scaleConfig{block}, weft.Scalars{factor}, x, y); err != nil {
				t.Fatal(err)
			}
			if got := ok[[]float32](t)(weft.ToSlice[float32](y)); !slices.Equal(got, []float32{2, 4, 6, 8, 10}) {
				t.Errorf("factor %v, block %d: %v", factor, block, got)
			}
			if err := y.CopyFrom(x); err != nil {
				t.Fatal(err)
			}
		}
	}
	if described != 2 {
		t.Errorf("described %d times for 2 configs", described)
	}
	wide := ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(y.Slice(0, 0, 1)).Broadcast(5))
	ints := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 5))
	two := weft.Scalars{2}
	for _, c := range []struct {
		name string
		err  error
		kind error
		part string // of the message
	}{
		{"no scalars", scale.Launch(scaleConfig{2}, x, y), weft.ErrArgument, "0 scalars given, the kernel has 1"},
		{"a string", scale.LaunchWith(scaleConfig{2}, weft.Scalars{"2"}, x, y), weft.ErrArgument, "factor"},
		{"too few", scale.LaunchWith(scaleConfig{2}, two, x), weft.ErrArgument, "1 tensor given, the kernel has 2 views"},
		{"type", scale.LaunchWith(scaleConfig{2}, two, ints, y), weft.ErrArgument, "scale: x: the tensor holds i32, the kernel takes f32"},
		{"nil", scale.LaunchWith(scaleConfig{2}, two, x, nil), weft.ErrArgument, "scale: y: the tensor is nil"},
		{"repeated", scale.LaunchWith(scaleConfig{2}, two, x, wide), weft.ErrUnsupported, "repeats elements"},
		{"bad config", scale.LaunchWith(scaleConfig{3}, two, x, y), weft.ErrShape, "tensor_test.go"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("%s: %v, want %v with %q", c.name, c.err, c.kind, c.part)
		}
	}
}

func TestScalarRanges(t *testing.T) {
	dev := open(t)
	k := weft.NewKernel("put", func(k *tile.Builder, _ struct{}) {
		i, u := k.Scalar("i", weft.I32), k.Scalar("u", weft.U32)
		oi, ou := k.Out("oi", weft.I32, 1), k.Out("ou", weft.U32, 1)
		k.Grid(1)
		oi.Block(1).Store(i, 0)
		ou.Block(1).Store(u, 0)
	})
	oi, ou := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1)), ok[*weft.Tensor](t)(weft.Zeros(dev, weft.U32, 1))
	if err := k.LaunchWith(struct{}{}, weft.Scalars{math.MinInt32, math.MaxUint32}, oi, ou); err != nil {
		t.Fatal(err)
	}
	if i, u := ok[[]int32](t)(weft.ToSlice[int32](oi)), ok[[]uint32](t)(weft.ToSlice[uint32](ou)); i[0] != math.MinInt32 || u[0] != math.MaxUint32 {
		t.Errorf("got %v and %v", i, u)
	}
	type count int16
	for _, c := range []struct {
		scalars weft.Scalars
		i       int32
		u       uint32
	}{{weft.Scalars{int8(-3), uint16(7)}, -3, 7}, {weft.Scalars{count(-4), count(8)}, -4, 8}, {weft.Scalars{uint(5), uintptr(6)}, 5, 6}} {
		if err := k.LaunchWith(struct{}{}, c.scalars, oi, ou); err != nil {
			t.Fatal(err)
		}
		if i, u := ok[[]int32](t)(weft.ToSlice[int32](oi)), ok[[]uint32](t)(weft.ToSlice[uint32](ou)); i[0] != c.i || u[0] != c.u {
			t.Errorf("%v: got %v and %v", c.scalars, i, u)
		}
	}
	for _, bad := range []weft.Scalars{{1 << 31, 0}, {0, -1}, {0, 1 << 32}, {0.5, 0}, {0, 1.0}} {
		if err := k.LaunchWith(struct{}{}, bad, oi, ou); !errors.Is(err, weft.ErrArgument) {
			t.Errorf("%v: %v, want ErrArgument", bad, err)
		}
	}
}

// A map of a user's own, on any shapes and into another element type.
func TestMap(t *testing.T) {
	dev := open(t)
	lerp := weft.NewMap("lerp", []string{"a", "b", "w"}, func(in []*tile.Value) *tile.Value {
		return in[0].Add(in[1].Sub(in[0]).Mul(in[2]))
	})
	a := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{0, 10}, 2, 1))
	b := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{4, 8, 12}))
	w := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{0.5}))
	out := ok[*weft.Tensor](t)(lerp.Apply(a, b, w))
	if got := ok[[]float32](t)(weft.ToSlice[float32](out)); !slices.Equal(got, []float32{2, 4, 6, 7, 9, 11}) || !slices.Equal(out.Shape(), []int{2, 3}) {
		t.Errorf("%v of %v", got, out)
	}
	whole := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 2, 3))
	if err := lerp.Into(whole, a, b, w); err != nil {
		t.Fatal(err)
	}
	if got := ok[[]int32](t)(weft.ToSlice[int32](whole)); !slices.Equal(got, []int32{2, 4, 6, 7, 9, 11}) {
		t.Errorf("as i32: %v", got)
	}
	if _, err := lerp.Apply(a, b); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("two of three inputs: %v, want ErrArgument", err)
	}
	if _, err := lerp.Apply(a, b, whole); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), "lerp: w: ") {
		t.Errorf("an input of another type: %v, want ErrArgument that names w", err)
	}
	if err := lerp.Into(w, a, b, w); !errors.Is(err, weft.ErrShape) {
		t.Errorf("into something smaller: %v, want ErrShape", err)
	}
	if out, err := lerp.Apply(); err == nil {
		t.Errorf("no inputs give %v", out)
	}
}
