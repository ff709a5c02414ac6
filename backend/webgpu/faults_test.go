//go:build cgo || js

package webgpu

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// TestBrokenKernels loads kernels that must be refused with the library's own words.
func TestBrokenKernels(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> y: array<u32>;\n@compute @workgroup_size(64) fn main("
	y := []backend.Binding{{Name: "y", Access: backend.ReadWrite}}
	for _, c := range []struct {
		name string
		src  backend.Source
		kind error
		says string
	}{
		{"syntax", backend.Source{Text: head + "{}"}, fault.ErrKernel, "expected"},
		{"type", backend.Source{Text: head + ") { y[0] = 1.5; }", Bindings: y}, fault.ErrKernel, "1.5"},
		{"unknown name", backend.Source{Text: head + ") { y[0] = nothing; }", Bindings: y}, fault.ErrKernel, "nothing"},
		{"no binding in the layout", backend.Source{Text: head + ") { y[0] = 1u; }"}, fault.ErrKernel, "ayout"},
		{"write to a read binding", backend.Source{Text: head + ") { y[0] = 1u; }",
			Bindings: []backend.Binding{{Name: "y", Access: backend.Read}}}, fault.ErrKernel, "Storage"},
		{"scalars beyond the block", backend.Source{Text: "struct S { a: u32, b: array<vec4u, 9> }\n@group(0) @binding(1) var<uniform> s: S;\n" +
			head + ") { y[0] = s.b[0].x; }", Bindings: y, Words: 1}, fault.ErrKernel, "160"},
		{"feature", backend.Source{Text: "enable subgroups;\n" + head + ") {}"}, fault.ErrUnsupported, "enable"},
		{"entry", backend.Source{Text: head + ") {}", Entry: "other"}, fault.ErrKernel, "other"},
		{"no entry", backend.Source{Text: head + ") {}", Entry: " "}, fault.ErrKernel, "entry"},
		{"empty", backend.Source{}, fault.ErrKernel, "no text"},
		{"zero byte", backend.Source{Text: head + ") {}\x00"}, fault.ErrKernel, "zero byte"},
		{"threads", backend.Source{Text: strings.Replace(head, "64", "4096", 1) + ") {}"}, fault.ErrKernel, "4096"},
		{"declared threads", backend.Source{Text: head + ") {}", Threads: 1 << 20}, fault.ErrLimit, "threads"},
		{"declared shared memory", backend.Source{Text: head + ") {}", Shared: 1 << 24}, fault.ErrLimit, "shared"},
		{"scalars", backend.Source{Text: head + ") {}", Words: 1 << 20}, fault.ErrLimit, "words of parameters"},
		{"language", backend.Source{Text: head + ") {}", Language: target.CUDA}, fault.ErrUnsupported, "cuda"},
	} {
		if c.src.Language == 0 {
			c.src.Language = target.WGSL
		}
		switch c.src.Entry {
		case "":
			c.src.Entry = "main"
		case " ":
			c.src.Entry = ""
		}
		t.Run(c.name, func(t *testing.T) {
			forEach(t, func(t *testing.T, d backend.Device) {
				p, err := d.Load(c.src, []byte(c.src.Text))
				if p != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("program %v, error %v", p, err)
				}
				checkUsable(t, d)
			})
		})
	}
}

// checkUsable fails unless the device still computes.
func checkUsable(t *testing.T, d backend.Device) {
	t.Helper()
	p, y := load(t, d, stepSource), newBuffer(t, d, 8)
	must(t, y.Upload(0, words(1, 2)))
	must(t, launch(d.Stream(), p, 1, nil, y))
	must(t, d.Stream().Synchronize())
	got := make([]byte, 8)
	must(t, y.Download(0, got))
	if !bytes.Equal(got, words(4, 7)) {
		t.Fatalf("the device computes %v", got)
	}
	must(t, p.Close())
	must(t, y.Close())
}

func TestRefusedLaunches(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		other, err := (driver{}).Candidates()[d.Info().Index].Open()
		must(t, err)
		defer other.Close()
		p, foreign := load(t, d, addSource), load(t, other, addSource)
		x, y, z := newBuffer(t, d, 256), newBuffer(t, d, 256), newBuffer(t, other, 256)
		closed, gone := newBuffer(t, d, 256), load(t, d, addSource)
		must(t, closed.Close())
		must(t, gone.Close())
		poison := bytes.Repeat([]byte{0xee}, 256)
		must(t, y.Upload(0, poison))
		type buffers = []backend.Buffer
		for _, c := range []struct {
			name string
			p    backend.Program
			l    backend.Launch
			kind error
		}{
			{"no program", nil, backend.Launch{}, fault.ErrArgument},
			{"foreign program", foreign, backend.Launch{Buffers: buffers{x, y}, Words: []uint32{64, 1}}, fault.ErrDevice},
			{"closed program", gone, backend.Launch{Buffers: buffers{x, y}, Words: []uint32{64, 1}}, fault.ErrClosed},
			{"foreign buffer", p, backend.Launch{Buffers: buffers{x, z}, Words: []uint32{64, 1}}, fault.ErrDevice},
			{"closed buffer", p, backend.Launch{Buffers: buffers{closed, y}, Words: []uint32{64, 1}}, fault.ErrClosed},
			{"nil buffer", p, backend.Launch{Buffers: buffers{nil, y}, Words: []uint32{64, 1}}, fault.ErrArgument},
			{"few buffers", p, backend.Launch{Buffers: buffers{y}, Words: []uint32{64, 1}}, fault.ErrArgument},
			{"few words", p, backend.Launch{Buffers: buffers{x, y}, Words: []uint32{64}}, fault.ErrArgument},
			{"one buffer twice", p, backend.Launch{Buffers: buffers{y, y}, Words: []uint32{64, 1}}, fault.ErrUnsupported},
			{"negative grid", p, backend.Launch{Grid: [3]int{1, -1, 1}, Buffers: buffers{x, y}, Words: []uint32{64, 1}}, fault.ErrShape},
			{"wide grid", p, backend.Launch{Grid: [3]int{65536, 1, 1}, Buffers: buffers{x, y}, Words: []uint32{64, 1}}, fault.ErrLimit},
		} {
			if c.l.Grid == [3]int{} {
				c.l.Grid = [3]int{1, 1, 1}
			}
			if err := d.Stream().Launch(c.p, c.l); !errors.Is(err, c.kind) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		must(t, d.Stream().Synchronize())
		got := make([]byte, 256)
		must(t, y.Download(0, got))
		if !bytes.Equal(got, poison) {
			t.Error("a refused launch wrote")
		}
	})
}

func TestLimits(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		if _, err := d.NewBuffer(d.Caps().MaxBufferBytes + 1); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("a buffer beyond the limit: %v", err)
		}
		if _, err := d.NewBuffer(-1); !errors.Is(err, fault.ErrArgument) {
			t.Errorf("a negative buffer: %v", err)
		}
		if d.Caps().MaxBindingBytes == d.Caps().MaxBufferBytes {
			return
		}
		big, err := d.NewBuffer(d.Caps().MaxBindingBytes + 1)
		must(t, err)
		if err := launch(d.Stream(), load(t, d, stepSource), 1, nil, big); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("a binding beyond the limit: %v", err)
		}
		must(t, big.Close())
		whole, err := d.NewBuffer(d.Caps().MaxBindingBytes)
		must(t, err)
		must(t, launch(d.Stream(), load(t, d, stepSource), 1, nil, whole))
		must(t, d.Stream().Synchronize())
		must(t, whole.Close())
	})
}

func TestEvents(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		p, y := load(t, d, stepSource), newBuffer(t, d, 4<<20)
		record := func() backend.Event {
			e, err := d.Stream().Record()
			must(t, err)
			return e
		}
		must(t, launch(d.Stream(), p, 16384, nil, y)) // also clears the buffer
		must(t, d.Stream().Synchronize())
		start := time.Now()
		a := record()
		for range 20 {
			must(t, launch(d.Stream(), p, 16384, nil, y))
		}
		b := record()
		must(t, launch(d.Stream(), p, 16384, nil, y))
		c := record()
		must(t, d.Stream().Synchronize())
		host := time.Since(start)
		ab, err := b.Since(a)
		must(t, err)
		bc, err := c.Since(b)
		must(t, err)
		ca, err := a.Since(c)
		must(t, err)
		if ab <= bc || bc <= 0 || ab+bc > host+host/10 {
			t.Errorf("twenty launches took %v and one %v, of %v on the host", ab, bc, host)
		}
		if diff := ab + bc + ca; diff < -10 || diff > 10 {
			t.Errorf("the way back takes %v, the way there %v", ca, ab+bc)
		}
		must(t, b.Close())
		must(t, b.Close())
		if _, err := b.Since(a); !errors.Is(err, fault.ErrClosed) {
			t.Errorf("a closed event: %v", err)
		}
		// More events than a query set holds, and closed ones used again.
		for range 3 * slotsPerSet {
			e := record()
			if dt, err := e.Since(c); err != nil || dt <= 0 {
				t.Fatalf("%v after the last: %v", dt, err)
			}
			if rand.IntN(2) == 0 {
				must(t, e.Close())
			}
		}
	})
}

func TestClose(t *testing.T) {
	forEach(t, func(t *testing.T, _ backend.Device) {
		c := (driver{}).Candidates()
		d, err := c[0].Open()
		must(t, err)
		p, x, y := load(t, d, addSource), newBuffer(t, d, 4096), newBuffer(t, d, 4096)
		must(t, x.Upload(0, bytes.Repeat(words(5), 1024)))
		must(t, y.Upload(0, bytes.Repeat(words(1), 1024)))
		for range 100 {
			must(t, launch(d.Stream(), p, 16, []uint32{1024, 1}, x, y))
		}
		// Closed while launches that use them are still recorded or running.
		must(t, x.Close())
		must(t, p.Close())
		must(t, x.Close())
		got := make([]byte, 4096)
		must(t, y.Download(0, got))
		if !bytes.Equal(got, bytes.Repeat(words(501), 1024)) {
			t.Error("closing a buffer and a program disturbed launches before it")
		}
		for what, err := range map[string]error{
			"upload":   x.Upload(0, got),
			"download": x.Download(0, got),
			"launch":   launch(d.Stream(), p, 16, []uint32{1024, 1}, x, y),
		} {
			if !errors.Is(err, fault.ErrClosed) {
				t.Errorf("%s after the close of a buffer: %v", what, err)
			}
		}
		p = load(t, d, stepSource)
		event, err := d.Stream().Record()
		must(t, err)
		for range 100 {
			must(t, launch(d.Stream(), p, 16, nil, y))
		}
		must(t, d.Close())
		must(t, d.Close())
		checkClosed(t, d, p, y, event)
	})
}

// checkClosed uses everything of a closed device.
func checkClosed(t *testing.T, d backend.Device, p backend.Program, b backend.Buffer, e backend.Event) {
	t.Helper()
	_, errNew := d.NewBuffer(4)
	_, errCompile := d.Compile(stepSource)
	_, errLoad := d.Load(stepSource, []byte(stepSource.Text))
	_, errRecord := d.Stream().Record()
	_, errSince := e.Since(e)
	for what, err := range map[string]error{
		"new buffer": errNew, "compile": errCompile, "load": errLoad, "record": errRecord, "since": errSince,
		"launch":      launch(d.Stream(), p, 1, nil, b),
		"synchronize": d.Stream().Synchronize(),
		"upload":      b.Upload(0, []byte{1}),
		"download":    b.Download(0, []byte{1}),
	} {
		if !errors.Is(err, fault.ErrClosed) {
			t.Errorf("%s on a closed device: %v", what, err)
		}
	}
	must(t, errors.Join(b.Close(), p.Close(), e.Close()))
	if d.Info().Name == "" || d.Caps().MaxThreads == 0 {
		t.Error("a closed device has forgotten what it is")
	}
}

// TestCloseDuringWork closes a device under goroutines that use it: each call
// works or says that the device is closed.
func TestCloseDuringWork(t *testing.T) {
	forEach(t, func(t *testing.T, _ backend.Device) {
		for range 5 {
			d, err := (driver{}).Candidates()[0].Open()
			must(t, err)
			p, shared := load(t, d, stepSource), newBuffer(t, d, 64)
			must(t, shared.Upload(0, make([]byte, 64)))
			done := make(chan error, 4)
			for w := range cap(done) {
				go func() {
					for {
						if err := work(d, p, shared, w, 3); err != nil {
							done <- err
							return
						}
					}
				}()
			}
			time.Sleep(10 * time.Millisecond)
			must(t, d.Close())
			for range cap(done) {
				if err := <-done; !errors.Is(err, fault.ErrClosed) {
					t.Error(err)
				}
			}
		}
	})
}

// TestOpenAfterUnusedUpload closes a device whose last upload nothing has used,
// and uses the next one.
func TestOpenAfterUnusedUpload(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		for range 3 {
			d, err := (driver{}).Candidates()[d.Info().Index].Open()
			must(t, err)
			checkUsable(t, d)
			must(t, newBuffer(t, d, 64).Upload(0, make([]byte, 64)))
			must(t, d.Close())
		}
	})
}

// TestManyBindGroups launches on more buffers than the cache of bind groups holds.
func TestManyBindGroups(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		p := load(t, d, addSource)
		const n = 80
		var x, y [n]backend.Buffer
		for i := range n {
			x[i], y[i] = newBuffer(t, d, 4), newBuffer(t, d, 4)
			must(t, x[i].Upload(0, words(uint32(i))))
			must(t, y[i].Upload(0, words(0)))
		}
		sum := uint32(0)
		for i := range n {
			sum += uint32(i)
			for j := range n {
				must(t, launch(d.Stream(), p, 1, []uint32{1, 1}, x[i], y[j]))
			}
		}
		for j := range n {
			got := make([]byte, 4)
			must(t, y[j].Download(0, got))
			if !bytes.Equal(got, words(sum)) {
				t.Fatalf("buffer %d holds %v, want %d", j, got, sum)
			}
			must(t, y[j].Close())
		}
		dev := d.(*device)
		if len(dev.groups.all) > 0 {
			t.Errorf("%d bind groups outlive their buffers", len(dev.groups.all))
		}
	})
}

// TestAsynchronousError checks that what fails late is reported once, by
// Synchronize, and until then by whatever needs it.
func TestAsynchronousError(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		dev, y := d.(*device), newBuffer(t, d, 4)
		p := load(t, d, stepSource)
		dev.mu.Lock()
		dev.keep(fail("launch", fault.ErrKernel, errors.New("first")))
		dev.keep(fail("launch", fault.ErrKernel, errors.New("second")))
		dev.mu.Unlock()
		_, errRecord := d.Stream().Record()
		for _, err := range []error{errRecord, y.Upload(0, []byte{1}), y.Download(0, []byte{1}), launch(d.Stream(), p, 1, nil, y), d.Stream().Synchronize()} {
			if !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), "first") {
				t.Errorf("got %v", err)
			}
		}
		must(t, d.Stream().Synchronize())
		checkUsable(t, d)
	})
}

// TestLostDevice checks that a device that is lost stays lost, whatever failed before.
func TestLostDevice(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		dev, y := d.(*device), newBuffer(t, d, 4)
		p := load(t, d, stepSource)
		dev.mu.Lock()
		dev.keep(fail("launch", fault.ErrKernel, errors.New("first")))
		dev.keep(fail("launch", fault.ErrKernel, errors.New("device is lost")))
		dev.mu.Unlock()
		for range 2 {
			for _, err := range []error{d.Stream().Synchronize(), y.Upload(0, []byte{1}), y.Download(0, []byte{1}), launch(d.Stream(), p, 1, nil, y)} {
				if !errors.Is(err, fault.ErrDeviceLost) {
					t.Errorf("got %v", err)
				}
			}
		}
	})
}

// TestLateValidation records launches that the library itself refuses, past the
// checks of Launch: they must come back as errors, and the process must live.
func TestLateValidation(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		dev, p, y := d.(*device), load(t, d, stepSource).(*program), newBuffer(t, d, 4).(*buffer)
		for what, record := range map[string]func(b *batch, g bindGroup){
			"a grid beyond the limit":  func(b *batch, g bindGroup) { b.dispatch(p.pipeline, g, -1, [3]int{1 << 20, 1, 1}) },
			"a scalar offset too many": func(b *batch, g bindGroup) { b.dispatch(p.pipeline, g, 0, [3]int{1, 1, 1}) },
		} {
			dev.mu.Lock()
			b, err := dev.openBatch()
			must(t, err)
			group, err := dev.groups.get(dev, p, []*buffer{y}, &backend.Launch{Buffers: []backend.Buffer{y}})
			must(t, err)
			record(b, group)
			dev.mu.Unlock()
			err = d.Stream().Synchronize()
			if err == nil || !strings.HasPrefix(err.Error(), "weft: webgpu") {
				t.Errorf("%s: %v", what, err)
			}
			checkUsable(t, d)
		}
	})
}

func TestErrorKinds(t *testing.T) {
	for text, kind := range map[string]error{
		"wgpu.(*Device).CreateBuffer(): Validation Error\n\nCaused by:\n  In wgpuDeviceCreateBuffer\n    Not enough memory left\n": fault.ErrOutOfMemory,
		"Out of Memory":         fault.ErrOutOfMemory,
		"Parent device is lost": fault.ErrDeviceLost,
		"something else":        fault.ErrKernel,
	} {
		err := fail("op", fault.ErrKernel, errors.New(text))
		if !errors.Is(err, kind) || strings.Contains(err.Error(), "Caused by") {
			t.Errorf("%q became %v", text, err)
		}
	}
}
