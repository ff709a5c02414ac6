package cpu

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
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

// buffer is host memory. Queued work holds the slice itself, so that closing a
// buffer only drops this reference.
type buffer struct {
	device   *device
	size     int64
	capacity int64
	data     atomic.Pointer[[]byte] // nil once the buffer is closed
}

// Bytes is the length that was asked for.
func (b *buffer) Bytes() int64 { return b.size }

// Capacity is the length that the buffer was made with.
func (b *buffer) Capacity() int64 { return b.capacity }

// Resize changes the part of the memory that is the buffer's.
func (b *buffer) Resize(bytes int64) {
	if data := b.data.Load(); data != nil && bytes != b.size {
		part := (*data)[:bytes]
		b.data.Store(&part)
	}
	b.size = bytes
}

// Upload copies src in the order of the queue.
func (b *buffer) Upload(offset int64, src []byte) error {
	return b.transfer("upload", offset, len(src), func(data []byte) { copy(data, src) })
}

// Download copies to dst in the order of the queue. It also fails if a launch
// failed since the last Synchronize, for dst may then not hold what was asked for.
func (b *buffer) Download(offset int64, dst []byte) error {
	if err := b.transfer("download", offset, len(dst), func(data []byte) { copy(dst, data) }); err != nil {
		return err
	}
	b.device.failed.Lock()
	defer b.device.failed.Unlock()
	return b.device.failure
}

func (b *buffer) transfer(op string, offset int64, n int, move func(data []byte)) error {
	data := b.data.Load()
	if data == nil {
		return errClosed(op, "the buffer")
	}
	if err := backend.CheckRange(op, b.size, offset, n); err != nil {
		return err
	}
	return b.device.wait(op, func() { move((*data)[offset : offset+int64(n)]) })
}

// Close gives the memory to the garbage collector once no queued work holds it.
func (b *buffer) Close() error { b.data.Store(nil); return nil }

type stream struct{ d *device }

// work is launches on their way through the queue.
type work struct {
	device  *device
	steps   []*interp.Launch
	buffers [][]byte // scratch
	once    bool     // it is used again for another launch when it is done
}

// works are those of single launches, which are used again.
var works = sync.Pool{New: func() any { return &work{steps: []*interp.Launch{new(interp.Launch)}, once: true} }}

func (w *work) run() {
	for _, l := range w.steps {
		if err := l.Run(); err != nil {
			w.device.fail(err)
		}
	}
	if w.once {
		w.done()
	}
}

// done lets go of all memory.
func (w *work) done() {
	for _, l := range w.steps {
		l.Release()
	}
	clear(w.buffers)
	works.Put(w)
}

// Launch checks a launch in full, including that views lie within their
// buffers, and queues it.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	w := works.Get().(*work)
	w.device = s.d
	op, empty, err := w.bind(w.steps[0], p, l)
	if err == nil && !empty {
		if err = s.d.enqueue(op, w); err == nil {
			return nil
		}
	}
	w.done()
	return err
}

// bind checks a launch and makes it ready.
func (w *work) bind(to *interp.Launch, p backend.Program, l backend.Launch) (op string, empty bool, err error) {
	d := w.device
	prog, ok := p.(*program)
	if !ok || prog == nil || prog.device != d {
		return "", false, fault.New(fault.ErrDevice, "launch", "the program belongs to another device")
	}
	op = prog.op
	if empty, err = backend.CheckLaunch(prog.src, d.caps, l); err != nil {
		return op, false, err
	}
	if d.isClosed() {
		return op, false, errClosed(op, "the device")
	}
	if prog.closed.Load() {
		return op, false, errClosed(op, "the program")
	}
	w.buffers = w.buffers[:0]
	for i, b := range l.Buffers {
		buf, ok := b.(*buffer)
		if !ok || buf == nil || buf.device != d {
			return op, false, fault.New(fault.ErrDevice, op, "the buffer belongs to another device").For(prog.src.Bindings[i].Name)
		}
		data := buf.data.Load()
		if data == nil {
			return op, false, errClosed(op, "the buffer").For(prog.src.Bindings[i].Name)
		}
		w.buffers = append(w.buffers, *data)
	}
	if empty {
		return op, true, nil
	}
	return op, false, prog.code.Bind(to, l.Grid, w.buffers, l.Words)
}

// Synchronize waits for the queue and returns and forgets the first error of a launch.
func (s stream) Synchronize() error {
	if err := s.d.wait("synchronize", func() {}); err != nil {
		return err
	}
	s.d.failed.Lock()
	defer s.d.failed.Unlock()
	err := s.d.failure
	s.d.failure = nil
	return err
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
	from, ok := earlier.(*event)
	if !ok || from == nil || from.device != e.device {
		return 0, fault.New(fault.ErrDevice, op, "the event belongs to another device")
	}
	if e.closed.Load() || from.closed.Load() {
		return 0, errClosed(op, "the event")
	}
	if e.device.isClosed() {
		return 0, errClosed(op, "the device")
	}
	<-e.reached
	<-from.reached
	return e.at.Sub(from.at), nil
}

// Close releases the event.
func (e *event) Close() error { e.closed.Store(true); return nil }
