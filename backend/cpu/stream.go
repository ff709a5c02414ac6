package cpu

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile/interp"
)

// program is a loaded kernel.
type program struct {
	device *device
	src    backend.Source
	op     string // what a launch is called
	code   *interp.Program
	closed atomic.Bool
}

// Close makes the program unusable; launches in the queue still run.
func (p *program) Close() error { p.closed.Store(true); return nil }

// The methods that the checks of package backend ask.
func (p *program) Owner() *device                { return p.device }
func (p *program) IsClosed() bool                { return p.closed.Load() }
func (p *program) LaunchSource() *backend.Source { return &p.src }
func (b *buffer) Owner() *device                 { return b.device }
func (b *buffer) IsClosed() bool                 { return b.memory.Load() == nil }
func (e *event) Owner() *device                  { return e.device }
func (e *event) IsClosed() bool                  { return e.closed.Load() }

// memory is the contents of a buffer.
type memory struct {
	data    []byte
	failure *failure
	zero    bool // a launch that fails leaves zeros
}

// failure is the error of a launch that should have written memory; nil if that holds what it should. Views on other devices share it.
type failure struct {
	err   atomic.Pointer[error]
	bytes int // of the memory
}

func newMemory(data []byte) *memory { return &memory{data: data, failure: &failure{bytes: len(data)}} }

// err is the error that reads of the memory return.
func (m *memory) err() error {
	if err := m.failure.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (m *memory) fail(err error) { m.failure.err.Store(&err) }

// written forgets a failure after all of m was written, unless it is a view of a part.
func (m *memory) written() {
	if len(m.data) == m.failure.bytes && m.failure.err.Load() != nil {
		m.failure.err.Store(nil)
	}
}

// buffer is host memory. Queued work holds the memory itself, so that closing a
// buffer only drops this reference.
type buffer struct {
	device   *device
	size     int64
	capacity int64
	memory   atomic.Pointer[memory] // nil once the buffer is closed
}

// Bytes is the length that was asked for.
func (b *buffer) Bytes() int64 { return b.size }

// Capacity is the length that the buffer was made with.
func (b *buffer) Capacity() int64 { return b.capacity }

// Resize changes the part of the memory that is the buffer's. What failed launches left in it is forgotten.
func (b *buffer) Resize(bytes int64) {
	if m := b.memory.Load(); m != nil {
		b.memory.Store(newMemory(m.data[:bytes]))
	}
	b.size = bytes
}

// KeepZero implements backend.Zeroed.
func (b *buffer) KeepZero() {
	if m := b.memory.Load(); m != nil {
		m.zero = true
	}
}

// Upload copies src in the order of the queue.
func (b *buffer) Upload(offset int64, src []byte) error {
	return b.transfer("upload", offset, len(src), func(m *memory) {
		copy(m.data[offset:], src)
		if len(src) == len(m.data) {
			m.written()
		}
	})
}

// Download copies to dst in the order of the queue, or returns the error of the launch that should have written the buffer.
func (b *buffer) Download(offset int64, dst []byte) error {
	var failure error
	err := b.transfer("download", offset, len(dst), func(m *memory) {
		if failure = m.err(); failure == nil {
			copy(dst, m.data[offset:])
		}
	})
	if err != nil || failure == nil {
		return err
	}
	b.device.told(failure)
	return failure
}

func (b *buffer) transfer(op string, offset int64, n int, move func(m *memory)) error {
	m := b.memory.Load()
	if m == nil {
		return backend.Closed(op, "buffer")
	}
	if err := backend.CheckRange(op, b.size, offset, n); err != nil {
		return err
	}
	return b.device.wait(op, func() { move(m) })
}

// Close gives the memory to the garbage collector once no queued work holds it.
func (b *buffer) Close() error { b.memory.Store(nil); return nil }

type stream struct{ d *device }

// work is queued launches.
type work struct {
	device  *device
	steps   []*step
	buffers [][]byte  // scratch
	bound   []*buffer // those of the launch that was bound last
	once    bool      // it is used again for another launch when it is done
}

// step is a launch with what it is bound to.
type step struct {
	interp.Launch
	program  *program
	memories []*memory // of the program's bindings
}

// works are those of single launches, which are used again.
var works = sync.Pool{New: func() any { return &work{steps: []*step{new(step)}, once: true} }}

func (w *work) run() {
	for _, s := range w.steps {
		s.run(w.device)
	}
	if w.once {
		w.done()
	}
}

// run runs a launch, unless what it reads is not there. If it does not succeed, what it writes is not there either.
func (s *step) run(d *device) {
	err := s.missing()
	if err == nil {
		if err = s.Stop.Err(); err == nil {
			err = s.Launch.Run()
		}
		if err != nil {
			d.fail(err)
		}
	}
	for i, m := range s.memories {
		switch {
		case err != nil && s.program.src.Bindings[i].Access&backend.Write != 0:
			if m.zero {
				clear(m.data)
			} else {
				m.fail(err)
			}
		case err == nil && m.err() != nil && s.Overwrites(i):
			m.written()
		}
	}
}

// missing is the error of what the launch reads, nil if that is all there.
func (s *step) missing() error {
	for i, m := range s.memories {
		if err := m.err(); err != nil && s.program.src.Bindings[i].Access&backend.Read != 0 {
			return err
		}
	}
	return nil
}

// done lets go of all memory.
func (w *work) done() {
	for _, s := range w.steps {
		s.Release()
		clear(s.memories)
		s.program, s.memories = nil, s.memories[:0]
	}
	clear(w.buffers)
	clear(w.bound)
	works.Put(w)
}

// Launch checks a launch in full, including that views are within their
// buffers, and queues it.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	w := works.Get().(*work)
	w.device = s.d
	op, empty, err := w.bind(w.steps[0], p, l)
	if err == nil && !empty {
		w.steps[0].Stop = s.d.stop.Load()
		if err = s.d.enqueue(op, w); err == nil {
			return nil
		}
	}
	w.done()
	return err
}

// bind checks a launch and makes it ready.
func (w *work) bind(to *step, p backend.Program, l backend.Launch) (op string, empty bool, err error) {
	d := w.device
	prog, buffers, empty, err := backend.OwnLaunch[*program](d, d.info, &d.caps, p, l, w.bound[:0])
	if err != nil {
		return "", false, err
	}
	w.bound, op = buffers, prog.op
	if d.isClosed() {
		return op, false, backend.Closed(op, "device")
	}
	w.buffers, to.program, to.memories = w.buffers[:0], prog, to.memories[:0]
	for _, b := range buffers {
		if m := b.memory.Load(); m != nil {
			w.buffers, to.memories = append(w.buffers, m.data), append(to.memories, m)
		}
	}
	if err := backend.OpenLaunch(prog, buffers); err != nil { // once a buffer is closed it has no memory
		return op, false, err
	}
	if empty {
		return op, true, nil
	}
	return op, false, prog.code.Bind(&to.Launch, l.Grid, w.buffers, l.Words)
}

// Synchronize waits for the queue, and returns and forgets the errors of launches that were not reported.
func (s stream) Synchronize() error {
	if err := s.d.wait("synchronize", func() {}); err != nil {
		return err
	}
	s.d.failed.Lock()
	defer s.d.failed.Unlock()
	failures := s.d.failures
	s.d.failures = nil
	if len(failures) == 1 {
		return failures[0]
	}
	return errors.Join(failures...)
}

// Record queues an event.
func (s stream) Record() (backend.Event, error) {
	e := &event{device: s.d, reached: make(chan struct{})}
	err := s.d.enqueue("record", taskFunc(func() {
		e.at = time.Now()
		close(e.reached)
	}))
	if err != nil {
		return nil, err
	}
	return e, nil
}

// event is a moment in the queue; at is set when reached is closed.
type event struct {
	device  *device
	at      time.Time
	reached chan struct{}
	closed  atomic.Bool
}

// Since waits for both events.
func (e *event) Since(earlier backend.Event) (time.Duration, error) {
	const op = "since"
	from, err := backend.Own[*event](e.device, e.device.info, op, "event", "earlier", earlier)
	if err != nil {
		return 0, err
	}
	if e.IsClosed() || from.IsClosed() {
		return 0, backend.Closed(op, "event")
	}
	if e.device.isClosed() {
		return 0, backend.Closed(op, "device")
	}
	<-e.reached
	<-from.reached
	return e.at.Sub(from.at), nil
}

// Close releases the event.
func (e *event) Close() error { e.closed.Store(true); return nil }
