package tracedev

import (
	"fmt"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/trace"
)

// stream is a device's queue. mu is held while something is put into the queue, so that the events around
// it hold nothing else.
type stream struct {
	inner backend.Stream
	mu    sync.Mutex
	clock *clock
}

// Launch notes a launch by the name of its kernel and its grid.
func (s *stream) Launch(p backend.Program, l backend.Launch) error {
	args := trace.Args{"grid": fmt.Sprint(l.Grid)}
	name := "launch"
	if w, ok := p.(*program); ok {
		p, name = w.Program, fmt.Sprintf("%s %dx%dx%d", w.src.Entry, l.Grid[0], l.Grid[1], l.Grid[2])
		args["threads"], args["shared"] = w.src.Threads, w.src.Shared
	}
	var bytes int64
	for _, b := range l.Buffers {
		if b != nil {
			bytes += b.Bytes()
		}
	}
	args["buffer bytes"] = bytes
	l.Buffers = unwrap(l.Buffers)
	return s.note(work{track: kernels, name: name, category: "kernel", args: args}, func() error { return s.inner.Launch(p, l) })
}

// Sequence launches one after the other, so that each is noted.
func (s *stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	return backend.Loop(s, steps), nil
}

// copy notes a copy of bytes.
func (s *stream) copy(name string, bytes int, f func() error) error {
	return s.note(work{track: copies, name: name, category: "copy", args: trace.Args{"bytes": bytes}}, f)
}

// note puts work into the queue between two events, within a span of the host.
func (s *stream) note(w work, f func() error) error {
	span := trace.Begin(w.category, w.name)
	defer span.End()
	s.mu.Lock()
	defer s.mu.Unlock()
	w.start = s.clock.record()
	err := f()
	w.end = s.clock.record()
	if err != nil {
		w.close()
		return err
	}
	s.clock.add(w)
	return nil
}

// Synchronize notes how long the host waits, and all that it waited for.
func (s *stream) Synchronize() error {
	span := trace.Begin("wait", "synchronize")
	err := s.inner.Synchronize()
	span.End()
	s.settle(true)
	return err
}

// Record is the other device's, which alone can compare its events.
func (s *stream) Record() (backend.Event, error) { return s.inner.Record() }

// settle writes what the queue has done; idle says that nothing is in it.
func (s *stream) settle(idle bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.settle(len(s.clock.works))
	if idle {
		s.clock.set()
		trace.Flush()
	}
}
