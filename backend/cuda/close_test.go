//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

func TestClose(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p, closedProgram := r.program(t, "vadd"), r.program(t, "vadd")
		bufs := []backend.Buffer{r.buffer(t, noise(400)), r.buffer(t, noise(400)), r.buffer(t, noise(400))}
		l := backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: bufs, Words: []uint32{100}}
		event, err := r.Stream().Record()
		if err != nil {
			t.Fatal(err)
		}
		gone := r.buffer(t, noise(4))
		for range 2 { // a second Close does nothing
			if err := errors.Join(gone.Close(), closedProgram.Close()); err != nil {
				t.Error(err)
			}
		}
		closedCases := map[string]func() error{
			"upload to a closed buffer":     func() error { return gone.Upload(0, []byte{1}) },
			"download from a closed buffer": func() error { return gone.Download(0, make([]byte, 4)) },
			"launch of a closed program":    func() error { return r.Stream().Launch(closedProgram, l) },
		}
		for name, f := range closedCases {
			if err := f(); !errors.Is(err, fault.ErrClosed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := r.Stream().Launch(p, l); err != nil { // still in flight when the device closes
			t.Fatal(err)
		}
		for range 2 {
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if r.fake != nil && r.fake.value(fakeContexts) != 0 {
			t.Error("the context is retained after Close")
		}
		src := testSource("vadd")
		for name, f := range map[string]func() error{
			"new buffer":    func() error { _, err := r.NewBuffer(4); return err },
			"compile":       func() error { _, err := r.Compile(src); return err },
			"load":          func() error { _, err := r.Load(src, fakeCubin()); return err },
			"launch":        func() error { return r.Stream().Launch(p, l) },
			"synchronize":   func() error { return r.Stream().Synchronize() },
			"record":        func() error { _, err := r.Stream().Record(); return err },
			"since":         func() error { _, err := event.Since(event); return err },
			"upload":        func() error { return bufs[0].Upload(0, []byte{1}) },
			"long upload":   func() error { return bufs[0].Upload(0, make([]byte, 400)) },
			"download":      func() error { return bufs[0].Download(0, []byte{1}) },
			"empty launch":  func() error { m := l; m.Grid[0] = 0; return r.Stream().Launch(p, m) },
			"empty buffers": func() error { _, err := r.NewBuffer(0); return err },
		} {
			if err := f(); !errors.Is(err, fault.ErrClosed) {
				t.Errorf("%s on a closed device: %v", name, err)
			}
		}
		if err := errors.Join(bufs[0].Close(), p.Close(), event.Close()); err != nil {
			t.Errorf("closing what the device has freed: %v", err)
		}
		if r.Info().Backend != "cuda" || r.Caps().MaxThreads == 0 || bufs[0].Bytes() != 400 {
			t.Error("Info, Caps and Bytes must survive Close")
		}
	})
}

// TestCloseDuringCall: memory that a call still needs outlives Close.
func TestCloseDuringCall(t *testing.T) {
	f := newFake(t)
	f.change(fakePools, 0) // memory is freed at once
	r := rig{f.open(t), f, f.open}
	b := r.buffer(t, noise(1000)).(*buffer)
	for range 2 {
		if err := b.acquire("test"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.acquire("test"); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("a new call on the closed buffer: %v", err)
	}
	b.release()
	if f.value(fakeLiveBytes) == 0 {
		t.Error("the memory is freed while a call needs it")
	}
	closed := make(chan error)
	go func() { closed <- r.Close() }()
	select {
	case err := <-closed:
		t.Errorf("the device closed while a call needs it (error %v)", err)
	case <-time.After(20 * time.Millisecond):
		b.release()
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
	if f.value(fakeLiveBytes) != 0 {
		t.Error("the memory is not freed after the last call")
	}
}

// TestCloseWhileBusy closes buffers and the device under the hands of others,
// who may see nothing but ErrClosed.
func TestCloseWhileBusy(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p := r.program(t, "vadd")
		shared := r.buffer(t, noise(2*stagedMax))
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range 12 {
			all.Go(func() {
				<-start
				for range 50 {
					if err := use(r, p, shared, i); err != nil {
						if !errors.Is(err, fault.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		all.Go(func() {
			<-start
			for range 30 {
				if err := use(r, p, shared, 0); err != nil {
					t.Error(err)
				}
			}
			shared.Close()
			r.Close()
		})
		close(start)
		all.Wait()
	})
}

// use does a bit of everything with the device.
func use(r rig, p backend.Program, shared backend.Buffer, i int) error {
	a, err := r.NewBuffer(400)
	if err != nil {
		return err
	}
	defer a.Close()
	out, err := r.NewBuffer(400)
	if err != nil {
		return err
	}
	defer out.Close()
	from, err := r.Stream().Record()
	if err != nil {
		return err
	}
	defer from.Close()
	l := backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{a, shared, out}, Words: []uint32{100}}
	if err := r.Stream().Launch(p, l); err != nil {
		return err
	}
	if err := shared.Upload(0, make([]byte, 100+i%2*stagedMax)); err != nil {
		return err
	}
	if err := shared.Download(0, make([]byte, 100)); err != nil {
		return err
	}
	_, err = from.Since(from)
	return err
}

// crash launches a kernel that writes to where nothing is.
func crash(t *testing.T, r rig) {
	p, b := r.program(t, "crash"), r.buffer(t, noise(4))
	if err := r.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}}); err != nil {
		t.Fatal(err)
	}
	err := r.Stream().Synchronize()
	if !errors.Is(err, fault.ErrDeviceLost) {
		t.Fatalf("synchronize after a crash: %v", err)
	}
	for _, part := range []string{"cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered", "crash"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	_, allocErr := r.NewBuffer(100)
	_, recordErr := r.Stream().Record()
	for _, err := range []error{allocErr, recordErr, b.Upload(0, []byte{1}), b.Download(0, []byte{1}), r.Stream().Synchronize()} {
		if !errors.Is(err, fault.ErrDeviceLost) || !strings.Contains(err.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS") {
			t.Errorf("after a crash: %v", err)
		}
	}
	if err := errors.Join(b.Close(), p.Close(), r.Close()); err != nil {
		t.Errorf("closing after a crash: %v", err)
	}
	if _, err := r.NewBuffer(100); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestDeviceLost(t *testing.T) {
	f := newFake(t)
	crash(t, rig{f.open(t), f, f.open})
	if f.value(fakeContexts) != 0 {
		t.Error("the context of a lost device is retained")
	}
}

// TestDeviceLostGPU crashes the GPU's context in a process of its own, which
// it may take down.
func TestDeviceLostGPU(t *testing.T) {
	const child = "WEFT_TEST_CRASH"
	r := rig{openGPU(t), nil, openGPU}
	if os.Getenv(child) != "" {
		crash(t, r)
		return
	}
	r.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDeviceLostGPU$", "-test.v")
	cmd.Env = append(os.Environ(), child+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestDeviceLostGPU") {
		t.Errorf("%v\n%s", err, out)
	}
}
