package memo_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/memo"
)

// slowCompiler is the CPU's device with a compiler that works until it has been given so many kernels.
type slowCompiler struct {
	backend.Device
	refuses string // the kernel

	mu       sync.Mutex
	compiled map[string]int // how often, by the kernels' names
	waits    int            // for that many kernels
	all      chan struct{}  // closed when they are there
}

// times is how often a kernel was compiled.
func (s *slowCompiler) times(kernel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.compiled[kernel]
}

func (s *slowCompiler) Compile(src backend.Source) ([]byte, error) {
	s.mu.Lock()
	s.compiled[src.Entry]++
	if s.waits--; s.waits == 0 {
		close(s.all)
	}
	s.mu.Unlock()
	select {
	case <-s.all:
	case <-time.After(20 * time.Second):
		return nil, errors.New("the other kernels are not compiled meanwhile")
	}
	if src.Entry == s.refuses {
		return nil, fault.New(fault.ErrKernel, src.Entry, "refused")
	}
	return s.Device.Compile(src)
}

// openSlow opens a device whose compiler waits for that many kernels.
func openSlow(t *testing.T, kernels int) (*weft.Device, *slowCompiler) {
	t.Helper()
	s := &slowCompiler{Device: ok[backend.Device](t)(backend.Open("cpu")), compiled: map[string]int{}, waits: kernels, all: make(chan struct{})}
	if kernels == 0 {
		close(s.all)
	}
	dev := weft.NewDevice(s)
	t.Cleanup(func() { dev.Close() })
	return dev, s
}

// twoKernels computes out = 2·in - in with the kernels double and minus, and calls between after the first.
func twoKernels(between func(work, in *weft.Tensor) error) func(int, []*weft.Tensor) error {
	return func(_ int, x []*weft.Tensor) error {
		work, err := weft.Empty(x[1].Device(), x[1].DType(), x[1].Shape()...)
		if err != nil {
			return err
		}
		defer work.Close()
		if err := double.Into(work, x[1]); err != nil {
			return err
		}
		if between != nil {
			if err := between(work, x[1]); err != nil {
				return err
			}
		}
		return minus.Into(x[0], work, x[1])
	}
}

// The kernels of an op are compiled at once, each once, whoever calls it, and launched in their order.
func TestKernelsOfAnOpAreCompiledAtOnce(t *testing.T) {
	dev, compiler := openSlow(t, 2)
	in := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
	calls := memo.New(twoKernels(nil))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			out, err := weft.Empty(dev, weft.F32, 3)
			for range 3 {
				if err == nil {
					err = calls.Run(0, out, in)
				}
			}
			if err != nil {
				t.Error(err)
			} else if got, err := weft.ToFloats(out); err != nil || !slices.Equal(got, []float64{1, 2, 3}) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	wg.Wait()
	if double, minus := compiler.times("double"), compiler.times("minus"); double != 1 || minus != 1 {
		t.Errorf("double is compiled %d times, minus %d times", double, minus)
	}
}

// So are those of a capture.
func TestKernelsOfACaptureAreCompiledAtOnce(t *testing.T) {
	dev, compiler := openSlow(t, 2)
	in := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
	out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
	capture := func() (*weft.Recording, error) {
		return dev.Capture(func(rec *weft.Recorder) error {
			return twoKernels(nil)(0, []*weft.Tensor{rec.Use(out), rec.Use(in)})
		})
	}
	if r, err := capture(); err != nil || r.Launches() != 2 {
		t.Fatalf("%v, %d launches", err, r.Launches())
	}
	if double, minus := compiler.times("double"), compiler.times("minus"); double != 1 || minus != 1 {
		t.Errorf("double is compiled %d times, minus %d times", double, minus)
	}
	dev, compiler = openSlow(t, 0)
	compiler.refuses = "minus"
	in, out = ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3})), ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
	if _, err := capture(); !errors.Is(err, weft.ErrKernel) {
		t.Errorf("a kernel that the compiler refuses: %v", err)
	}
}

// The error of the compiler is that of the call, each time, whichever kernel it is of. Memory is given back.
func TestErrorsOfTheCompiler(t *testing.T) {
	for _, refused := range []string{"double", "minus"} {
		dev, compiler := openSlow(t, 0)
		compiler.refuses = refused
		in := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
		out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
		calls := memo.New(twoKernels(nil))
		for range 3 {
			if err := calls.Run(0, out, in); !errors.Is(err, weft.ErrKernel) {
				t.Errorf("%s is refused: %v", refused, err)
			}
		}
		in.Close()
		out.Close()
		if n := dev.MemoryStats().InUse; n != 0 {
			t.Errorf("%s is refused: %d bytes are in use", refused, n)
		}
		if n := compiler.times(refused); n != 1 {
			t.Errorf("%s is compiled %d times", refused, n)
		}
	}
}

// What else an op does with memory comes after the launches on it, although their kernels are being compiled.
func TestUsesBetweenLaunches(t *testing.T) {
	dev, _ := openSlow(t, 0)
	out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
	var in *weft.Tensor // not recorded
	for name, c := range map[string]struct {
		between func(work, in *weft.Tensor) error
		want    []float64
	}{
		"download": {func(work, _ *weft.Tensor) error {
			if got, err := weft.ToFloats(work); err != nil || !slices.Equal(got, []float64{2, 4, 6}) {
				t.Errorf("the download: %v, %v", got, err)
			}
			return nil
		}, []float64{1, 2, 3}},
		"launch": {func(*weft.Tensor, *weft.Tensor) error { return in.Fill(-1) }, []float64{3, 5, 7}},
	} {
		calls := memo.New(twoKernels(c.between))
		for range 2 {
			in = ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
			if err := calls.Run(0, out, in); err != nil {
				t.Fatal(err)
			}
			if got := ok[[]float64](t)(weft.ToFloats(out)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// A panic of an op leaves nothing in use.
func TestPanicsAfterLaunches(t *testing.T) {
	dev, _ := openSlow(t, 0)
	in := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
	out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
	calls := memo.New(twoKernels(func(*weft.Tensor, *weft.Tensor) error { panic("op") }))
	func() {
		defer func() { _ = recover() }()
		_ = calls.Run(0, out, in)
	}()
	in.Close()
	out.Close()
	if n := dev.MemoryStats().InUse; n != 0 {
		t.Errorf("%d bytes are in use", n)
	}
}

// A device is closed while its compiler works: the call ends, with or without an error.
func TestCloseWhileKernelsAreCompiled(t *testing.T) {
	dev, compiler := openSlow(t, 2)
	in := ok[*weft.Tensor](t)(weft.FromFloats(dev, weft.F32, []float64{1, 2, 3}))
	out := ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, 3))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := memo.New(twoKernels(nil)).Run(0, out, in); err != nil && !errors.Is(err, weft.ErrClosed) {
			t.Error(err)
		}
	})
	<-compiler.all
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}
