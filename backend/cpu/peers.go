package cpu

import (
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

var _ backend.Peers = (*device)(nil)

// peer is a device of this package.
func peer(op string, x backend.Device) (*device, error) {
	d, ok := x.(*device)
	if !ok || d == nil {
		return nil, fault.New(fault.ErrDevice, op, "a device of another backend")
	}
	return d, nil
}

// Reach implements backend.Peers. All devices have the host's memory.
func (d *device) Reach(others []backend.Device) error {
	if d.isClosed() {
		return backend.Closed("reach", "device")
	}
	for _, x := range others {
		if _, err := peer("reach", x); err != nil {
			return err
		}
	}
	return nil
}

// Atomics implements backend.Peers: there is one interpreter.
func (d *device) Atomics(others []backend.Device) bool { return d.Reach(others) == nil }

// View implements backend.Peers.
func (d *device) View(b backend.Buffer, offset, bytes int64) (backend.Buffer, error) {
	const op = "view"
	if d.isClosed() {
		return nil, backend.Closed(op, "device")
	}
	of, ok := b.(*buffer)
	if !ok {
		return nil, fault.New(fault.ErrDevice, op, "the buffer belongs to another backend")
	}
	if bytes < 0 || offset < 0 || offset%backend.RangeAlign != 0 || bytes > of.size-offset {
		return nil, fault.New(fault.ErrShape, op, "%d bytes from byte %d on of a buffer of %d bytes", bytes, offset, of.size)
	}
	m := of.memory.Load()
	if m == nil {
		return nil, backend.Closed(op, "buffer")
	}
	v := &buffer{device: d, size: bytes, capacity: bytes}
	v.memory.Store(&memory{data: m.data[offset : offset+bytes], failure: m.failure, zero: m.zero})
	return v, nil
}

// Mark implements backend.Peers.
func (d *device) Mark() (backend.Event, error) { return stream{d}.Record() }

// After implements backend.Peers.
func (d *device) After(e backend.Event) error {
	ev, err := eventOf(e)
	if err != nil {
		return err
	}
	return d.enqueue("wait for an event", taskFunc(func() { <-ev.reached }))
}

func eventOf(e backend.Event) (*event, error) {
	const op = "wait for an event"
	ev, ok := e.(*event)
	if !ok || ev == nil {
		return nil, fault.New(fault.ErrDevice, op, "the event belongs to another backend")
	}
	if ev.IsClosed() {
		return nil, backend.Closed(op, "event")
	}
	return ev, nil
}

// Done implements backend.Poller.
func (e *event) Done() (bool, error) {
	if e.IsClosed() {
		return false, backend.Closed("ask an event", "event")
	}
	select {
	case <-e.reached:
		return true, nil
	default:
		return false, nil
	}
}

// copyQueue is a goroutine that copies.
type copyQueue struct {
	device *device
	mu     sync.Mutex
	closed bool
	queue  chan func()
	done   chan struct{}
}

// CopyQueue implements backend.Peers.
func (d *device) CopyQueue() (backend.CopyQueue, error) {
	if d.isClosed() {
		return nil, backend.Closed("new copy queue", "device")
	}
	q := &copyQueue{device: d, queue: make(chan func(), queueLength), done: make(chan struct{})}
	go func() {
		defer close(q.done)
		for f := range q.queue {
			f()
		}
	}()
	return q, nil
}

func (q *copyQueue) enqueue(f func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.device.isClosed() {
		return backend.Closed("copy", "copy queue")
	}
	q.queue <- f
	return nil
}

// After implements backend.CopyQueue.
func (q *copyQueue) After(e backend.Event) error {
	ev, err := eventOf(e)
	if err != nil {
		return err
	}
	return q.enqueue(func() { <-ev.reached })
}

// Copy implements backend.CopyQueue.
func (q *copyQueue) Copy(dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) error {
	f, err := copyOf(dst, at, src, from, bytes)
	if err != nil {
		return err
	}
	return q.enqueue(f)
}

// copyOf checks a copy of bytes between buffers and returns what does it.
func copyOf(dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) (func(), error) {
	const op = "copy"
	to, ok := dst.(*buffer)
	of, also := src.(*buffer)
	if !ok || !also {
		return nil, fault.New(fault.ErrDevice, op, "the buffer belongs to another backend")
	}
	for _, x := range []struct {
		b  *buffer
		at int64
	}{{to, at}, {of, from}} {
		if x.b.IsClosed() {
			return nil, backend.Closed(op, "buffer")
		}
		if err := backend.CheckRange(op, x.b.size, x.at, int(bytes)); err != nil {
			return nil, err
		}
	}
	out, in := to.memory.Load(), of.memory.Load()
	return func() { move(out.data[at:at+bytes], in.data[from:from+bytes]) }, nil
}

// copyWork is a copy that was recorded.
type copyWork struct {
	device   *device
	dst, src backend.Buffer
	at, from int64
	bytes    int64
}

// RecordCopy implements backend.Peers.
func (d *device) RecordCopy(dst backend.Buffer, at int64, src backend.Buffer, from, bytes int64) (backend.Work, error) {
	if _, err := copyOf(dst, at, src, from, bytes); err != nil {
		return nil, err
	}
	return &copyWork{d, dst, src, at, from, bytes}, nil
}

// Start implements backend.Work.
func (w *copyWork) Start() error {
	f, err := copyOf(w.dst, w.at, w.src, w.from, w.bytes)
	if err != nil {
		return err
	}
	return w.device.enqueue("copy", taskFunc(f))
}

// Uses implements backend.Work.
func (w *copyWork) Uses() []backend.Use {
	return backend.Uses(backend.Uses(nil, w.dst, backend.Write), w.src, backend.Read)
}

// Close implements backend.Work.
func (w *copyWork) Close() error { return nil }

// move copies bytes. A few words are each written at once: a stream may wait for them.
func move(dst, src []byte) {
	const few = 1 << 10
	if len(dst) == 0 || len(dst) > few || len(dst)%4 != 0 || uintptr(unsafe.Pointer(&dst[0]))%4 != 0 {
		copy(dst, src)
		return
	}
	for i := 0; i < len(dst); i += 4 {
		atomic.StoreUint32((*uint32)(unsafe.Pointer(&dst[i])), binary.NativeEndian.Uint32(src[i:]))
	}
}

// Mark implements backend.CopyQueue.
func (q *copyQueue) Mark() (backend.Event, error) {
	e := &event{device: q.device, reached: make(chan struct{})}
	return e, q.enqueue(func() {
		e.at = time.Now()
		close(e.reached)
	})
}

// Close implements backend.CopyQueue.
func (q *copyQueue) Close() error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.queue)
	}
	q.mu.Unlock()
	<-q.done
	return nil
}

// word is where a step of a signal writes or waits.
func (d *device) word(s backend.SignalStep) (*uint32, error) {
	const op = "signal"
	b, err := backend.Own[*buffer](d, d.info, op, "buffer", "buffer", s.Buffer)
	if err != nil {
		return nil, err
	}
	if err := backend.CheckRange(op, b.size, s.Offset, 4); err != nil {
		return nil, err
	}
	m := b.memory.Load()
	if m == nil {
		return nil, backend.Closed(op, "buffer")
	}
	if s.Offset%4 != 0 {
		return nil, fault.New(fault.ErrArgument, op, "byte %d is not where a word begins", s.Offset)
	}
	return (*uint32)(unsafe.Pointer(&m.data[s.Offset])), nil
}

// NewWords implements backend.Peers.
func (d *device) NewWords(n int) (backend.Buffer, error) {
	b, err := d.NewBuffer(4 * int64(n))
	if err != nil {
		return nil, err
	}
	if err := b.Upload(0, make([]byte, 4*n)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Signal implements backend.Peers.
func (d *device) Signal(steps []backend.SignalStep) error {
	words := make([]*uint32, len(steps))
	for i, s := range steps {
		var err error
		if words[i], err = d.word(s); err != nil {
			return err
		}
	}
	steps = slices.Clone(steps)
	return d.enqueue("signal", taskFunc(func() {
		for i, s := range steps {
			if !s.Wait {
				atomic.StoreUint32(words[i], s.Value)
				continue
			}
			for tries := 0; int32(atomic.LoadUint32(words[i])-s.Value) < 0; tries++ {
				if d.closing() {
					return
				}
				if tries < 100 {
					runtime.Gosched()
				} else {
					time.Sleep(10 * time.Microsecond)
				}
			}
		}
	}))
}

// closing reports whether nothing is to go on any more.
func (d *device) closing() bool {
	d.stops.Lock()
	defer d.stops.Unlock()
	return d.closer
}

// signalWork is a signal that was recorded.
type signalWork struct {
	device *device
	steps  []backend.SignalStep
	uses   []backend.Use
}

// RecordSignal implements backend.Peers.
func (d *device) RecordSignal(steps []backend.SignalStep, uses []backend.Use) (backend.Work, error) {
	w := &signalWork{device: d, steps: slices.Clone(steps), uses: slices.Clone(uses)}
	for _, s := range steps {
		if _, err := d.word(s); err != nil {
			return nil, err
		}
		w.uses = backend.Uses(w.uses, s.Buffer, backend.ReadWrite)
	}
	return w, nil
}

// Start implements backend.Work.
func (w *signalWork) Start() error { return w.device.Signal(w.steps) }

// Uses implements backend.Work.
func (w *signalWork) Uses() []backend.Use { return slices.Clone(w.uses) }

// Close implements backend.Work.
func (w *signalWork) Close() error { return nil }
