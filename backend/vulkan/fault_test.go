//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

func wantErr(t *testing.T, what string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: got %v, want %v", what, err, kind)
	}
}

func TestRefusedLaunches(t *testing.T) {
	d, other := openDevice(t), openDevice(t)
	p, strange := build(t, d, stepSource()), build(t, other, stepSource())
	b, closed, foreign := newBuffer(t, d, 40), newBuffer(t, d, 40), newBuffer(t, other, 40)
	must(t, closed.Close())
	gone := build(t, d, stepSource())
	must(t, gone.Close())
	must(t, b.Upload(0, bytes.Repeat([]byte{7}, 40)))
	big := d.Caps().MaxGrid[0] + 1
	words := []uint32{10, 1}
	for _, c := range []struct {
		what string
		p    backend.Program
		l    backend.Launch
		kind error
	}{
		{"no buffer", p, backend.Launch{Grid: [3]int{1, 1, 1}, Words: words}, fault.ErrArgument},
		{"nil buffer", p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{nil}, Words: words}, fault.ErrArgument},
		{"no words", p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}}, fault.ErrArgument},
		{"negative grid", p, backend.Launch{Grid: [3]int{1, -1, 1}, Buffers: []backend.Buffer{b}, Words: words}, fault.ErrShape},
		{"huge grid", p, backend.Launch{Grid: [3]int{big, 1, 1}, Buffers: []backend.Buffer{b}, Words: words}, fault.ErrLimit},
		{"closed buffer", p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{closed}, Words: words}, fault.ErrClosed},
		{"closed buffer, empty grid", p, backend.Launch{Buffers: []backend.Buffer{closed}, Words: words}, fault.ErrClosed},
		{"closed program", gone, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}, Words: words}, fault.ErrClosed},
		{"another device's buffer", p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{foreign}, Words: words}, fault.ErrDevice},
		{"another device's program", strange, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}, Words: words}, fault.ErrDevice},
		{"no program", nil, backend.Launch{Grid: [3]int{1, 1, 1}}, fault.ErrArgument},
	} {
		wantErr(t, c.what, d.Stream().Launch(c.p, c.l), c.kind)
	}
	must(t, d.Stream().Launch(p, backend.Launch{Buffers: []backend.Buffer{b}, Words: words}))
	got := make([]byte, 40)
	must(t, b.Download(0, got))
	if !bytes.Equal(got, bytes.Repeat([]byte{7}, 40)) {
		t.Errorf("a refused or empty launch wrote: %v", got)
	}
	for _, r := range []struct {
		offset int64
		n      int
	}{{-1, 2}, {0, 41}, {40, 1}, {1 << 62, 1}} {
		wantErr(t, "upload out of range", b.Upload(r.offset, make([]byte, r.n)), fault.ErrShape)
		wantErr(t, "download out of range", b.Download(r.offset, make([]byte, r.n)), fault.ErrShape)
	}
	must(t, d.Stream().Synchronize())
}

func TestRefusedSources(t *testing.T) {
	d := openDevice(t)
	src := addSource()
	binary, err := d.Compile(src)
	must(t, err)
	edit := func(f func(s *backend.Source)) backend.Source {
		s := src
		f(&s)
		return s
	}
	caps := d.Caps()
	for _, c := range []struct {
		what   string
		src    backend.Source
		binary []byte
		kind   error
	}{
		{"language", edit(func(s *backend.Source) { s.Language = target.CUDA }), binary, fault.ErrUnsupported},
		{"threads", edit(func(s *backend.Source) { s.Threads = caps.MaxThreads + 1 }), binary, fault.ErrLimit},
		{"shared memory", edit(func(s *backend.Source) { s.Shared = caps.SharedBytes + 1 }), binary, fault.ErrLimit},
		{"bindings", edit(func(s *backend.Source) { s.Bindings = make([]backend.Binding, caps.MaxBindings+1) }), binary, fault.ErrLimit},
		{"words", edit(func(s *backend.Source) { s.Words = 1 << 20 }), binary, fault.ErrLimit},
		{"entry", edit(func(s *backend.Source) { s.Entry = "ad" }), binary, fault.ErrKernel},
		{"empty", src, nil, fault.ErrKernel},
		{"odd length", src, binary[:len(binary)-1], fault.ErrKernel},
		{"no SPIR-V", src, slices.Repeat([]byte{3}, 400), fault.ErrKernel},
	} {
		_, err := d.Load(c.src, c.binary)
		wantErr(t, c.what, err, c.kind)
	}
	_, err = d.Compile(edit(func(s *backend.Source) { s.Text = "fn add(" }))
	wantErr(t, "syntax", err, fault.ErrKernel)
	_, err = d.Compile(edit(func(s *backend.Source) { s.Language = target.TileIR }))
	wantErr(t, "compile language", err, fault.ErrUnsupported)
}

func TestAllocationLimits(t *testing.T) {
	d := openDevice(t)
	_, err := d.NewBuffer(-1)
	wantErr(t, "negative", err, fault.ErrArgument)
	_, err = d.NewBuffer(d.Caps().MaxBufferBytes + 1)
	wantErr(t, "beyond the limit", err, fault.ErrLimit)
	_, err = d.NewBuffer(1 << 62)
	wantErr(t, "absurd", err, fault.ErrLimit)
	// Fill the device; a driver that overcommits may never say no, so stop at
	// eight times its memory.
	step := min(d.Caps().MaxBufferBytes, d.Info().Memory/2)
	var held []backend.Buffer
	for range 16 {
		b, err := d.NewBuffer(step)
		if err != nil {
			wantErr(t, "full", err, fault.ErrOutOfMemory)
			break
		}
		held = append(held, b)
	}
	for _, b := range held {
		must(t, b.Close())
	}
	must(t, newBuffer(t, d, 1000).Upload(0, make([]byte, 1000)))
	must(t, d.Stream().Synchronize())
}

func TestClose(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, stepSource())
	s := d.Stream()
	// Buffers and programs closed while in flight stay until they are done.
	for range 50 {
		b, q := newBuffer(t, d, 400), build(t, d, stepSource())
		must(t, b.Upload(0, make([]byte, 400)))
		must(t, s.Launch(q, backend.Launch{Grid: [3]int{4, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{100, 3}}))
		must(t, b.Close())
		must(t, b.Close())
		must(t, q.Close())
		must(t, q.Close())
		wantErr(t, "upload", b.Upload(0, []byte{1}), fault.ErrClosed)
		wantErr(t, "download", b.Download(0, []byte{1}), fault.ErrClosed)
	}
	b := newBuffer(t, d, 400)
	e, err := s.Record()
	must(t, err)
	l := backend.Launch{Grid: [3]int{4, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{100, 3}}
	must(t, s.Launch(p, l)) // still open when the device closes
	must(t, d.Close())
	must(t, d.Close())
	_, err = d.NewBuffer(4)
	wantErr(t, "new buffer", err, fault.ErrClosed)
	_, err = d.Compile(stepSource())
	wantErr(t, "compile", err, fault.ErrClosed)
	_, err = s.Record()
	wantErr(t, "record", err, fault.ErrClosed)
	_, err = e.Since(e)
	wantErr(t, "since", err, fault.ErrClosed)
	wantErr(t, "launch", s.Launch(p, l), fault.ErrClosed)
	wantErr(t, "synchronize", s.Synchronize(), fault.ErrClosed)
	wantErr(t, "upload", b.Upload(0, []byte{1}), fault.ErrClosed)
	must(t, b.Close())
	must(t, p.Close())
	must(t, e.Close())
	if d.Caps().Fingerprint == "" || d.Info().Backend != "vulkan" {
		t.Error("a closed device forgot what it is")
	}
}

// TestCloseWhileBusy closes a device under goroutines that use it: each call
// succeeds or says that something is closed.
func TestCloseWhileBusy(t *testing.T) {
	for range 5 {
		d := openDevice(t)
		p := build(t, d, stepSource())
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				data := make([]byte, 2*chunkBytes+4)
				for {
					b, err := d.NewBuffer(int64(len(data)))
					if err == nil {
						err = b.Upload(0, data)
					}
					if err == nil {
						err = d.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{1, 1}})
					}
					if err == nil {
						err = b.Download(0, data)
					}
					if err == nil {
						err = b.Close()
					}
					if err != nil {
						if !errors.Is(err, fault.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		for range 3 {
			must(t, d.Stream().Synchronize())
		}
		must(t, d.Close())
		wg.Wait()
	}
}

// TestLost pretends that the device was lost: every later call says so and
// closing still works.
func TestLost(t *testing.T) {
	d := openDevice(t).(*device)
	p, b := build(t, d, stepSource()), newBuffer(t, d, 40)
	must(t, d.Stream().Synchronize())
	d.mu.Lock()
	d.queue.lose("vkQueueSubmit", vk.ErrorDeviceLost)
	d.mu.Unlock()
	_, err := d.NewBuffer(4)
	wantErr(t, "new buffer", err, fault.ErrDeviceLost)
	wantErr(t, "launch", d.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{1, 1}}), fault.ErrDeviceLost)
	wantErr(t, "upload", b.Upload(0, []byte{1}), fault.ErrDeviceLost)
	wantErr(t, "synchronize", d.Stream().Synchronize(), fault.ErrDeviceLost)
	must(t, b.Close())
	must(t, p.Close())
	must(t, d.Close())
	wantErr(t, "closed", d.Stream().Synchronize(), fault.ErrClosed)
}

// TestValidationSpeaks makes a mistake that the layer knows, so that silence
// elsewhere means something.
func TestValidationSpeaks(t *testing.T) {
	d := openDevice(t).(*device)
	if !loader.validating {
		testenv.Skip(t, "validation", "VK_LAYER_KHRONOS_validation is not installed or "+ValidationEnv+" is not 1")
	}
	b, err := d.newBuffer(16, 0) // a buffer needs a usage
	if err == nil {
		vk.DestroyBuffer(d.handle, b, nil)
	}
	err = d.Stream().Synchronize()
	if err == nil || !strings.Contains(err.Error(), "usage") {
		t.Errorf("the layer said %v", err)
	}
	must(t, d.Stream().Synchronize())
}

// TestSynchronisationIsValidated leaves out a barrier on purpose. It does so
// between copies: not every version of the layer sees the writes of kernels.
func TestSynchronisationIsValidated(t *testing.T) {
	d := openDevice(t).(*device)
	if !loader.validating {
		testenv.Skip(t, "validation", "VK_LAYER_KHRONOS_validation is not installed or "+ValidationEnv+" is not 1")
	}
	b := newBuffer(t, d, 400).(*buffer)
	twice := func(forget bool) error {
		d.mu.Lock()
		d.queue.quota = maxCommands // both in one batch
		d.mu.Unlock()
		for range 2 {
			must(t, b.Upload(0, make([]byte, 100)))
			if forget {
				d.mu.Lock()
				b.read, b.wrote = 0, 0
				d.mu.Unlock()
			}
		}
		return d.Stream().Synchronize()
	}
	must(t, twice(false))
	if err := twice(true); err == nil || !strings.Contains(strings.ToUpper(err.Error()), "HAZARD") {
		t.Errorf("without a barrier the layer said %v", err)
	}
}
