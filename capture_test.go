package weft_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

var (
	double = weft.NewMap("double", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Add(in[0]) })
	minus  = weft.NewMap("minus", []string{"x", "y"}, func(in []*tile.Value) *tile.Value { return in[0].Sub(in[1]) })
)

// What cannot be captured is refused by name, runs nothing, and leaves the device as it was.
func TestCaptureRefuses(t *testing.T) {
	dev := open(t)
	x := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{1, 2, 3}))
	plain := ok[*weft.Tensor](t)(weft.FromSlice(dev, []float32{1, 2, 3}))
	for name, c := range map[string]struct {
		f    func(x *weft.Tensor) error
		says string
	}{
		"upload":   {func(x *weft.Tensor) error { return scaled.Debug(16, interp.Options{}, weft.Scalars{2}, x, x) }, "scaled"},
		"download": {func(x *weft.Tensor) error { _, err := weft.ToSlice[float32](x); return err }, "to slice"},
		"floats":   {func(x *weft.Tensor) error { _, err := weft.ToFloats(x); return err }, "to floats"},
		"item":     {func(x *weft.Tensor) error { _, err := ok[*weft.Tensor](t)(x.Select(0, 1)).Item(); return err }, "host and device"},
		"nothing": {func(x *weft.Tensor) error {
			_, err := weft.ToSlice[float32](ok[*weft.Tensor](t)(x.Slice(0, 1, 1)))
			return err
		}, "to slice"},
		"to": {func(x *weft.Tensor) error { _, err := x.To(open(t)); return err }, "to: "},
		"a result": {func(x *weft.Tensor) error {
			_, err := weft.ToSlice[float32](ok[*weft.Tensor](t)(double.Apply(x)))
			return err
		}, "to slice"},
		"another's": {func(x *weft.Tensor) error {
			_, err := dev.Capture(func(rec *weft.Recorder) error { return double.Into(x, rec.Use(plain)) })
			return err
		}, "another capture"},
	} {
		r, err := dev.Capture(func(rec *weft.Recorder) error {
			x := rec.Use(x)
			if err := double.Into(x, x); err != nil {
				return err
			}
			return c.f(x)
		})
		if r != nil || !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrUnsupported that says %q", name, err, c.says)
		}
	}
	other := ok[*weft.Tensor](t)(weft.FromSlice(open(t), []float32{1}))
	if _, err := dev.Capture(func(rec *weft.Recorder) error { return double.Into(rec.Use(x), rec.Use(other)) }); !errors.Is(err, weft.ErrDevice) {
		t.Errorf("a tensor of another device: %v", err)
	}
	if _, err := dev.Capture(func(rec *weft.Recorder) error { rec.Use(other); return nil }); !errors.Is(err, weft.ErrDevice) {
		t.Errorf("a tensor of another device that is not used: %v", err)
	}
	func() {
		defer func() { recover() }()
		dev.Capture(func(rec *weft.Recorder) error {
			_ = double.Into(rec.Use(x), x)
			panic("within a capture")
		})
	}()
	if got := ok[[]float32](t)(weft.ToSlice[float32](x)); !slices.Equal(got, []float32{1, 2, 3}) {
		t.Errorf("a capture that fails has run: %v", got)
	}
}

// A recording keeps the memory of what it uses, and gives it back.
func TestRecordingKeepsMemory(t *testing.T) {
	dev := open(t)
	out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error {
		x, err := weft.Full(dev, weft.F32, 4, 3)
		if err != nil {
			return err
		}
		zeros, err := weft.Zeros(dev, weft.F32, 3)
		if err != nil {
			return err
		}
		if err := errors.Join(rec.Use(x).Fill(4), double.Into(x, x), minus.Into(out, x, zeros)); err != nil {
			return err
		}
		return errors.Join(x.Close(), zeros.Close())
	}))
	if r.Launches() != 3 {
		t.Errorf("%d launches, want 3", r.Launches())
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
	r = ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error { return double.Into(rec.Use(out), out) }))
	dev.Close()
	if err := r.Replay(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("the device is closed: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := dev.Capture(func(*weft.Recorder) error { return nil }); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("capture on a closed device: %v", err)
	}
}

// What a capture computes from constants is computed at once; what depends on a tensor of the recorder is recorded, through
// tensors that are not, and by ops of several launches.
func TestCaptureFollowsTensors(t *testing.T) {
	dev := open(t)
	tensor := func() *weft.Tensor { return ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3, 5)) }
	x, used, out, constant, read := tensor(), tensor(), tensor(), tensor(), tensor()
	if err := errors.Join(used.Fill(7), constant.Fill(1), read.Fill(3)); err != nil {
		t.Fatal(err)
	}
	var result *weft.Tensor
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error {
		if err := double.Into(constant, constant); err != nil { // 2, at once
			return err
		}
		if err := minus.Into(used, rec.Use(x), constant); err != nil { // x - 2
			return err
		}
		turned := ok[*weft.Tensor](t)(used.T().Contiguous())
		defer turned.Close()
		if err := out.CopyFrom(turned.T()); err != nil { // x - 2
			return err
		}
		if err := double.Into(read, read); err != nil { // 6, at once: nothing of the recorder
			return err
		}
		var err error
		result, err = minus.Apply(out, read) // x - 8
		return err
	}))
	defer r.Close()
	if n := r.Launches(); n != 4 {
		t.Errorf("%d launches, want 4", n)
	}
	for i, want := range map[string]*weft.Tensor{"2": constant, "6": read, "7": used} {
		if got := ok[[]float32](t)(weft.ToSlice[float32](want)); fmt.Sprint(got[3]) != i {
			t.Errorf("after the capture %v, want %s", got[3], i)
		}
	}
	for n := range 3 {
		if err := errors.Join(x.Fill(10*n), r.Replay()); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]float32](t)(weft.ToSlice[float32](result)); got[14] != float32(10*n-8) {
			t.Errorf("%d - 8 = %v", 10*n, got[14])
		}
	}
	if err := double.Into(out, out); err != nil { // runs, as the capture is over
		t.Fatal(err)
	}
	if got := ok[[]float32](t)(weft.ToSlice[float32](out)); got[0] != 36 {
		t.Errorf("after the capture: %v", got[0])
	}
}

// A program that is launched on what a capture writes, or that was bound to its tensors, is recorded in its place; a recording is not replayed there.
func TestCaptureOfPrograms(t *testing.T) {
	dev := open(t)
	x, y := ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, 3)), ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 100, 3))
	p := ok[*weft.Program](t)(scaled.Bind(16, weft.Scalars{2}, y, y))
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error {
		x := rec.Use(x)
		bound := ok[*weft.Program](t)(scaled.Bind(16, weft.Scalars{10}, x, y))
		defer bound.Close()
		return errors.Join(bound.Launch(), p.Launch())
	}))
	if got := ok[[]float32](t)(weft.ToSlice[float32](y)); r.Launches() != 2 || got[0] != 100 {
		t.Errorf("%d launches are recorded, want 2, and %v is there, want what was there before", r.Launches(), got)
	}
	for range 2 {
		if err := r.Replay(); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]float32](t)(weft.ToSlice[float32](y)); got[0] != 20 {
			t.Errorf("replayed: %v, want 20", got)
		}
	}
	if err := p.Launch(); err != nil { // runs, as the capture is over
		t.Fatal(err)
	}
	_, err := dev.Capture(func(rec *weft.Recorder) error { return errors.Join(double.Into(y, rec.Use(x)), r.Replay()) })
	if got := ok[[]float32](t)(weft.ToSlice[float32](y)); !errors.Is(err, weft.ErrUnsupported) || got[0] != 40 {
		t.Errorf("a replay within a capture that writes its memory: %v, and %v is there, want 40", err, got)
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
