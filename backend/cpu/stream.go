package cpu

import (
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

// Launch checks a launch in full, including that views lie within their
// buffers, and queues it.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	prog, ok := p.(*program)
	if !ok || prog == nil || prog.device != s.d {
		return fault.New(fault.ErrDevice, "launch", "the program belongs to another device")
	}
	op := "launch " + prog.src.Entry
	empty, err := backend.CheckLaunch(prog.src, s.d.caps, l)
	if err != nil {
		return err
	}
	if s.d.isClosed() {
		return errClosed(op, "the device")
	}
	if prog.closed.Load() {
		return errClosed(op, "the program")
	}
	buffers, sizes := make([][]byte, len(l.Buffers)), make([]int64, len(l.Buffers))
	for i, b := range l.Buffers {
		buf, ok := b.(*buffer)
		if !ok || buf == nil || buf.device != s.d {
			return fault.New(fault.ErrDevice, op, "the buffer belongs to another device").For(prog.src.Bindings[i].Name)
		}
		data := buf.data.Load()
		if data == nil {
			return errClosed(op, "the buffer").For(prog.src.Bindings[i].Name)
		}
		buffers[i], sizes[i] = *data, buf.size
	}
	if empty {
		return nil
	}
	words := append([]uint32(nil), l.Words...)
	if err := prog.code.Check(l.Grid, sizes, words); err != nil {
		return err
	}
	return s.d.enqueue(op, func() {
		if err := prog.code.Run(l.Grid, buffers, words); err != nil {
			s.d.fail(err)
		}
	})
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
	err := s.d.enqueue("record", func() {
		e.at = time.Now()
		close(e.reached)
	})
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
