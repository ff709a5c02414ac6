package cpu

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// affine is y = y*scale + shift on vectors of bytes' worth of i32, in blocks of 64.
func affine(t testing.TB) backend.Source {
	t.Helper()
	k, err := tile.Build("affine", func(k *tile.Builder) {
		y := k.InOut("y", dtype.I32, 1)
		scale, shift := k.Scalar("scale", dtype.I32), k.Scalar("shift", dtype.I32)
		k.Grid(k.CDiv(y.Dim(0), 64))
		pid, block := k.ProgramID(0), y.Block(64)
		block.Store(block.Load(pid).Mul(scale).Add(shift), pid)
	})
	if err != nil {
		t.Fatal(err)
	}
	return sourceOf(k, 1)
}

func sourceOf(k *tile.Func, buffers int) backend.Source {
	src := backend.Source{Entry: k.Name, Text: k.String(), Words: k.WordCount(), Threads: 1}
	p := &interp.Program{Kernel: k}
	for i := range buffers {
		p.Buffers = append(p.Buffers, i)
		src.Bindings = append(src.Bindings, backend.Binding{Name: k.Views[i].Name, Access: backend.ReadWrite})
	}
	src.IR = p
	return src
}

func openDevice(t testing.TB) backend.Device {
	t.Helper()
	dev, err := backend.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

func load(t testing.TB, dev backend.Device, src backend.Source) backend.Program {
	t.Helper()
	binary, err := dev.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dev.Load(src, binary)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newBuffer(t testing.TB, dev backend.Device, bytes int64) backend.Buffer {
	t.Helper()
	b, err := dev.NewBuffer(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// affineLaunch launches affine on the first n elements of a buffer.
func affineLaunch(t testing.TB, src backend.Source, b backend.Buffer, n, scale, shift int) backend.Launch {
	t.Helper()
	l, err := layout.Contiguous(n)
	if err != nil {
		t.Fatal(err)
	}
	words, err := src.IR.(*interp.Program).Kernel.Words([]layout.Layout{l}, []uint32{uint32(scale), uint32(shift)})
	if err != nil {
		t.Fatal(err)
	}
	return backend.Launch{Grid: [3]int{(n + 63) / 64, 1, 1}, Buffers: []backend.Buffer{b}, Words: words}
}

func ints(b []byte) []float64 {
	x := make([]float64, len(b)/4)
	dtype.Floats(dtype.I32, x, b)
	return x
}

func want(t *testing.T, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
}

func TestCandidates(t *testing.T) {
	list := driver{}.Candidates()
	if len(list) != 1 || list[0].Kind != backend.CPU || list[0].Refused != nil || list[0].Name == "" || list[0].Index != 0 {
		t.Fatalf("candidates %+v", list)
	}
	if dev := openDevice(t); dev.Info() != list[0].Info || dev.Caps().Fingerprint == "" {
		t.Errorf("info %+v, caps %+v", dev.Info(), dev.Caps())
	}
}

// Every size up to a few blocks, with bytes after the view that must stay.
func TestLaunchSizes(t *testing.T) {
	dev, src := openDevice(t), affine(t)
	p := load(t, dev, src)
	for _, n := range []int{0, 1, 63, 64, 65, 1000, 4097} {
		b := newBuffer(t, dev, int64(4*n+5))
		in := make([]byte, 4*n+5)
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		dtype.PutFloats(dtype.I32, in, x)
		copy(in[4*n:], "guard")
		if err := b.Upload(0, in); err != nil {
			t.Fatal(err)
		}
		if err := dev.Stream().Launch(p, affineLaunch(t, src, b, n, 3, -7)); err != nil {
			t.Fatal(err)
		}
		out := make([]byte, len(in))
		if err := b.Download(0, out); err != nil {
			t.Fatal(err)
		}
		for i, y := range ints(out[:4*n]) {
			if y != float64(3*i-7) {
				t.Fatalf("n=%d: y[%d] = %v", n, i, y)
			}
		}
		if string(out[4*n:]) != "guard" {
			t.Errorf("n=%d: bytes after the view became %q", n, out[4*n:])
		}
	}
}

// Launches, uploads and downloads take effect in the order of the calls:
// y = y*3 + i does not commute.
func TestOrder(t *testing.T) {
	dev, src := openDevice(t), affine(t)
	p := load(t, dev, src)
	const n = 130
	b := newBuffer(t, dev, 4*n)
	out := make([]byte, 4*n)
	for round := range 3 {
		if err := b.Upload(0, make([]byte, 4*n)); err != nil {
			t.Fatal(err)
		}
		expect := int32(0)
		for i := range 2*queueLength + round { // more than the queue holds
			if err := dev.Stream().Launch(p, affineLaunch(t, src, b, n, 3, i)); err != nil {
				t.Fatal(err)
			}
			expect = expect*3 + int32(i)
		}
		if err := b.Download(0, out); err != nil {
			t.Fatal(err)
		}
		for i, y := range ints(out) {
			if y != float64(expect) {
				t.Fatalf("round %d: y[%d] = %v, want %v", round, i, y, expect)
			}
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	dev, src := openDevice(t), affine(t)
	p := load(t, dev, src)
	var group sync.WaitGroup
	for g := range 16 {
		group.Go(func() {
			const n = 77
			b := newBuffer(t, dev, 4*n)
			out := make([]byte, 4*n)
			for round := range 20 {
				if b.Upload(0, make([]byte, 4*n)) != nil || dev.Stream().Launch(p, affineLaunch(t, src, b, n, 1, g)) != nil ||
					dev.Stream().Launch(p, affineLaunch(t, src, b, n, 2, round)) != nil || b.Download(0, out) != nil {
					t.Error("a call failed")
				}
				for i, y := range ints(out) {
					if y != float64(2*g+round) {
						t.Errorf("goroutine %d: y[%d] = %v, want %v", g, i, y, 2*g+round)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

func TestPartialTransfers(t *testing.T) {
	dev := openDevice(t)
	b := newBuffer(t, dev, 7)
	if err := errors.Join(b.Upload(0, []byte("abcdefg")), b.Upload(3, []byte("XY")), b.Upload(7, nil)); err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 5)
	if err := b.Download(1, out); err != nil || string(out) != "bcXYf" {
		t.Errorf("download %q, %v", out, err)
	}
	for _, off := range []int64{-1, 7, 8, math.MaxInt64} {
		want(t, b.Upload(off, []byte("z")), fault.ErrShape)
		want(t, b.Download(off, out), fault.ErrShape)
	}
	empty := newBuffer(t, dev, 0)
	if err := errors.Join(empty.Upload(0, nil), empty.Download(0, nil)); err != nil {
		t.Error(err)
	}
}

func TestBufferErrors(t *testing.T) {
	dev := openDevice(t)
	_, err := dev.NewBuffer(-1)
	want(t, err, fault.ErrArgument)
	for _, size := range []int64{1 << 44, 1 << 50, math.MaxInt64} {
		_, err = dev.NewBuffer(size)
		if !errors.Is(err, fault.ErrOutOfMemory) && !errors.Is(err, fault.ErrLimit) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if _, err := allocate(math.MaxInt, 0); !errors.Is(err, fault.ErrOutOfMemory) { // memory unknown: makeslice panics
		t.Errorf("all of the address space: %v", err)
	}
}

func TestLaunchErrors(t *testing.T) {
	dev, other, src := openDevice(t), openDevice(t), affine(t)
	p := load(t, dev, src)
	b, foreign, closed := newBuffer(t, dev, 400), newBuffer(t, other, 400), newBuffer(t, dev, 400)
	closed.Close()
	launch := func(change func(l *backend.Launch)) error {
		l := affineLaunch(t, src, b, 100, 1, 1)
		change(&l)
		return dev.Stream().Launch(p, l)
	}
	want(t, launch(func(l *backend.Launch) { l.Buffers = nil }), fault.ErrArgument)
	want(t, launch(func(l *backend.Launch) { l.Buffers[0] = nil }), fault.ErrArgument)
	want(t, launch(func(l *backend.Launch) { l.Buffers[0] = foreign }), fault.ErrDevice)
	want(t, launch(func(l *backend.Launch) { l.Buffers[0] = closed }), fault.ErrClosed)
	want(t, launch(func(l *backend.Launch) { l.Words = l.Words[1:] }), fault.ErrArgument)
	want(t, launch(func(l *backend.Launch) { l.Grid[1] = -1 }), fault.ErrShape)
	want(t, launch(func(l *backend.Launch) { l.Words[1] = 101 }), fault.ErrShape)            // beyond the buffer
	want(t, launch(func(l *backend.Launch) { l.Words[0] = math.MaxUint32 }), fault.ErrShape) // offset
	want(t, other.Stream().Launch(p, affineLaunch(t, src, foreign, 1, 1, 1)), fault.ErrDevice)
	want(t, dev.Stream().Launch(nil, backend.Launch{}), fault.ErrArgument)

	wrong := src
	wrong.IR = src.IR.(*interp.Program).Kernel
	_, err := dev.Load(wrong, nil)
	want(t, err, fault.ErrUnsupported)
	wrong.IR = &interp.Program{}
	_, err = dev.Load(wrong, nil)
	want(t, err, fault.ErrKernel)

	if err := dev.Stream().Synchronize(); err != nil {
		t.Errorf("%v remain after refused launches", err)
	}
	p.Close()
	want(t, launch(func(*backend.Launch) {}), fault.ErrClosed)
}

// A loop whose step is found to be zero fails when it runs; the error waits for who reads what it writes, or for Synchronize.
func TestAsynchronousError(t *testing.T) {
	dev := openDevice(t)
	k, err := tile.Build("stuck", func(k *tile.Builder) {
		y := k.Out("y", dtype.I32, 1)
		for i := range k.RangeStep(0, 10, k.Scalar("step", dtype.I32)) {
			y.Block(1).Store(i, 0)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	src := sourceOf(k, 1)
	p, b := load(t, dev, src), newBuffer(t, dev, 4)
	l := backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{0, 1, 1, 0}}
	if err := dev.Stream().Launch(p, l); err != nil {
		t.Fatal(err)
	}
	want(t, b.Download(0, make([]byte, 4)), fault.ErrKernel)
	want(t, b.Download(0, make([]byte, 4)), fault.ErrKernel) // the memory is still not what it should be
	if err := dev.Stream().Synchronize(); err != nil {
		t.Errorf("the error was reported twice: %v", err)
	}
	if err := b.Upload(0, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	if err := b.Download(0, make([]byte, 4)); err != nil {
		t.Errorf("memory that was written again: %v", err)
	}
	if err := dev.Stream().Launch(p, l); err != nil {
		t.Fatal(err)
	}
	want(t, dev.Stream().Synchronize(), fault.ErrKernel)
	if err := dev.Stream().Synchronize(); err != nil {
		t.Errorf("the error was reported twice: %v", err)
	}
}

func TestEvents(t *testing.T) {
	dev, src := openDevice(t), affine(t)
	p, b := load(t, dev, src), newBuffer(t, dev, 4<<20)
	record := func() backend.Event {
		e, err := dev.Stream().Record()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	before := record()
	if err := dev.Stream().Launch(p, affineLaunch(t, src, b, 1<<20, 3, 1)); err != nil {
		t.Fatal(err)
	}
	after := record()
	d, err := after.Since(before)
	if err != nil || d <= 0 {
		t.Errorf("a launch on 4 MiB took %v, %v", d, err)
	}
	if back, err := before.Since(after); err != nil || back != -d {
		t.Errorf("backwards %v, %v; want %v", back, err, -d)
	}
	other, err := openDevice(t).Stream().Record()
	if err != nil {
		t.Fatal(err)
	}
	_, err = after.Since(other)
	want(t, err, fault.ErrDevice)
	before.Close()
	_, err = after.Since(before)
	want(t, err, fault.ErrClosed)
}

// Close waits for the work that was queued, and then everything is closed.
func TestClose(t *testing.T) {
	dev, src := openDevice(t), affine(t)
	p, b := load(t, dev, src), newBuffer(t, dev, 4<<20)
	for range 5 {
		if err := dev.Stream().Launch(p, affineLaunch(t, src, b, 1<<20, 1, 1)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := dev.Stream().Record()
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = dev.NewBuffer(1)
	want(t, err, fault.ErrClosed)
	_, err = dev.Compile(src)
	want(t, err, fault.ErrClosed)
	_, err = dev.Load(src, nil)
	want(t, err, fault.ErrClosed)
	want(t, b.Upload(0, []byte{1}), fault.ErrClosed)
	want(t, b.Download(0, []byte{1}), fault.ErrClosed)
	want(t, dev.Stream().Launch(p, affineLaunch(t, src, b, 1, 1, 1)), fault.ErrClosed)
	want(t, dev.Stream().Synchronize(), fault.ErrClosed)
	_, err = dev.Stream().Record()
	want(t, err, fault.ErrClosed)
	_, err = e.Since(e)
	want(t, err, fault.ErrClosed)
	if err := errors.Join(dev.Close(), b.Close(), p.Close(), e.Close()); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if dev.Info().Backend != "cpu" {
		t.Error("Info after Close")
	}
}

// Close races with everything else without a panic or a deadlock.
func TestCloseRace(t *testing.T) {
	for range 20 {
		dev, src := openDevice(t), affine(t)
		p, b := load(t, dev, src), newBuffer(t, dev, 4000)
		l := affineLaunch(t, src, b, 1000, 1, 1)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for {
					if err := dev.Stream().Launch(p, l); err != nil {
						want(t, err, fault.ErrClosed)
						return
					}
					if err := b.Download(0, make([]byte, 10)); err != nil {
						want(t, err, fault.ErrClosed)
						return
					}
				}
			})
		}
		group.Go(func() { dev.Close() })
		group.Wait()
	}
}
