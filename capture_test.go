package weft_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var (
	double = weft.NewMap("double", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[0]) })
	minus  = weft.NewMap("minus", []string{"x", "y"}, func(in []*tile.Value) *tile.Value { return in[0].Sub(in[1]) })
)

// What cannot be captured is refused by name, runs nothing, and leaves the device as it was.
func TestCaptureRefuses(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{1, 2, 3}))
	for name, c := range map[string]struct {
		f    func() error
		says string
	}{
		"upload":      {func() error { _, err := weft.FromSlice(dev, []float32{1}); return err }, "from slice"},
		"download":    {func() error { _, err := weft.ToSlice[float32](x); return err }, "to slice"},
		"floats":      {func() error { _, err := weft.ToFloats(x); return err }, "to floats"},
		"item":        {func() error { _, err := ok[*weft.Tensor](t)(x.Select(0, 1)).Item(); return err }, "host and device"},
		"nothing":     {func() error { _, err := weft.ToSlice[float32](ok[*weft.Tensor](t)(x.Slice(0, 1, 1))); return err }, "to slice"},
		"to":          {func() error { _, err := x.To(open(t)); return err }, "to: "},
		"synchronize": {dev.Synchronize, "synchronize"},
		"record":      {func() error { _, err := dev.Record(); return err }, "record"},
		"time":        {func() error { _, err := dev.Time(func() error { return nil }); return err }, "record"},
		"nested":      {func() error { _, err := dev.Capture(func() error { return nil }); return err }, "capture"},
	} {
		r, err := dev.Capture(func() error {
			if err := double.Into(x, x); err != nil {
				return err
			}
			return c.f()
		})
		if r != nil || !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrUnsupported that says %q", name, err, c.says)
		}
	}
	func() {
		defer func() { recover() }()
		dev.Capture(func() error { panic("within a capture") })
	}()
	if got := ok[[]float32](t)(weft.ToSlice[float32](x)); !slices.Equal(got, []float32{1, 2, 3}) {
		t.Errorf("a capture that fails has run: %v", got)
	}
}

// A recording keeps the memory of what it uses, and gives it back.
func TestRecordingKeepsMemory(t *testing.T) {
	dev := open(t)
	out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	r := ok[*weft.Recording](t)(dev.Capture(func() error {
		x, err := weft.Full(dev, weft.F32, 4, 3)
		if err != nil {
			return err
		}
		zeros, err := weft.Zeros(dev, weft.F32, 3)
		if err != nil {
			return err
		}
		if err := errors.Join(double.Into(x, x), minus.Into(out, x, zeros)); err != nil {
			return err
		}
		return errors.Join(x.Close(), zeros.Close())
	}))
	if r.Launches() != 4 {
		t.Errorf("%d launches, want 4", r.Launches())
	}
	runtime.GC()
	if err := r.Replay(); err != nil {
		t.Fatal(err)
	}
	if got := ok[[]float32](t)(weft.ToSlice[float32](out)); !slices.Equal(got, []float32{8, 8, 8}) {
		t.Errorf("replayed: %v", got)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := r.Replay(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	r = ok[*weft.Recording](t)(dev.Capture(func() error { return double.Into(out, out) }))
	dev.Close()
	if err := r.Replay(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("the device is closed: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := dev.Capture(func() error { return nil }); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("capture on a closed device: %v", err)
	}
}

var scaled = weft.NewKernel("scaled", func(k *tile.Builder, block int) {
	x, y, factor := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1), k.Scalar("factor", weft.F32)
	at := k.ProgramTile(y, block)
	y.Block(block).Store(x.Block(block).Load(at...).Mul(factor), at...)
})

// A program runs on the memory that it was bound to, whatever becomes of the tensors.
func TestProgram(t *testing.T) {
	dev := open(t)
	x, y := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{1, 2, 3})), ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	p := ok[*weft.Program](t)(scaled.Bind(16, weft.Scalars{2}, x, y))
	for i := range 3 {
		if err := x.Fill(i); err != nil {
			t.Fatal(err)
		}
		if err := p.Launch(); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]float32](t)(weft.ToSlice[float32](y)); got[1] != float32(2*i) {
			t.Errorf("2 · %d = %v", i, got[1])
		}
	}
	x.Close()
	if err := p.Launch(); err != nil {
		t.Errorf("after the tensor's Close: %v", err)
	}
	for name, err := range map[string]error{
		"a closed tensor": second(scaled.Bind(16, weft.Scalars{2}, x, y)), "no scalar": second(scaled.Bind(16, nil, y, y)),
		"a tensor too few": second(scaled.Bind(16, weft.Scalars{2}, y)), "no tensor": second(scaled.Bind(16, weft.Scalars{2}, nil, y)),
	} {
		if err == nil {
			t.Errorf("%s: bound", name)
		}
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := p.Launch(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	p = ok[*weft.Program](t)(scaled.Bind(16, weft.Scalars{2}, y, y))
	dev.Close()
	if err := p.Launch(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("the device is closed: %v", err)
	}
}
