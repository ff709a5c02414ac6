package ops_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// spy is the CPU's device, which counts what reaches it: launches, uploads and buffers
// that are open. It has little memory, so that what does not fit is refused at once.
type spy struct {
	backend.Device

	mu       sync.Mutex
	open     map[*spyBuffer]bool
	launches int
	uploads  int
	halt     bool // launches are counted, and refused
	full     bool // there is no memory left
}

// spyMemory is how many bytes a buffer may have.
const spyMemory = 1 << 28

// openSpy opens a device and returns what watches it.
func openSpy(t *testing.T) (*weft.Device, *spy) {
	t.Helper()
	dev, err := weft.Open("spy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev, lastSpy
}

var lastSpy *spy // opened last

func init() { backend.Register(spyDriver{}) }

type spyDriver struct{}

func (spyDriver) Name() string { return "spy" }

func (spyDriver) Candidates() []backend.Candidate {
	return []backend.Candidate{{
		Info: backend.Info{Backend: "spy", Name: "spy", Kind: backend.Software},
		Open: func() (backend.Device, error) {
			inner, err := backend.Open("cpu")
			lastSpy = &spy{Device: inner, open: map[*spyBuffer]bool{}}
			return lastSpy, err
		},
	}}
}

func (s *spy) Info() backend.Info { return spyDriver{}.Candidates()[0].Info }

func (s *spy) NewBuffer(bytes int64) (backend.Buffer, error) {
	s.mu.Lock()
	full := s.full
	s.mu.Unlock()
	if bytes > spyMemory || full {
		return nil, fault.New(fault.ErrOutOfMemory, "new buffer", "%d bytes", bytes)
	}
	inner, err := s.Device.NewBuffer(bytes)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &spyBuffer{inner, s}
	s.open[b] = true
	return b, nil
}

func (s *spy) Stream() backend.Stream { return spyStream{s.Device.Stream(), s} }

type spyBuffer struct {
	backend.Buffer
	spy *spy
}

func (b *spyBuffer) Upload(offset int64, src []byte) error {
	b.spy.mu.Lock()
	b.spy.uploads++
	b.spy.mu.Unlock()
	return b.Buffer.Upload(offset, src)
}

func (b *spyBuffer) Close() error {
	b.spy.mu.Lock()
	delete(b.spy.open, b)
	b.spy.mu.Unlock()
	return b.Buffer.Close()
}

type spyStream struct {
	backend.Stream
	spy *spy
}

func (s spyStream) Launch(p backend.Program, l backend.Launch) error {
	s.spy.mu.Lock()
	s.spy.launches++
	halt := s.spy.halt
	s.spy.mu.Unlock()
	if halt {
		return fault.New(fault.ErrDeviceLost, "launch", "nothing may be launched here")
	}
	buffers := make([]backend.Buffer, len(l.Buffers))
	for i, b := range l.Buffers {
		buffers[i] = b.(*spyBuffer).Buffer
	}
	l.Buffers = buffers
	return s.Stream.Launch(p, l)
}

// traces is what a call that must do nothing may not change.
type traces struct {
	launches, uploads int
	memory            map[*spyBuffer]string
}

func (s *spy) traces(t *testing.T) traces {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := traces{s.launches, s.uploads, map[*spyBuffer]string{}}
	for b := range s.open {
		data := make([]byte, b.Bytes())
		if err := b.Download(0, data); err != nil {
			t.Fatal(err)
		}
		now.memory[b] = string(data)
	}
	return now
}

// changes lists what happened on the device since before.
func (s *spy) changes(t *testing.T, before traces) (list []string) {
	t.Helper()
	note := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	now := s.traces(t)
	if n := now.launches - before.launches; n > 0 {
		note("%d kernels are launched", n)
	}
	if n := now.uploads - before.uploads; n > 0 {
		note("%d uploads are made", n)
	}
	for b, is := range now.memory { // what is gone since was a view that nobody closed
		if was, open := before.memory[b]; !open {
			note("a buffer of %d bytes is left open", b.Bytes())
		} else if is != was {
			note("a buffer of %d bytes has changed", b.Bytes())
		}
	}
	return list
}
