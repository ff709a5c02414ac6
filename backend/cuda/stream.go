//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"time"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// stream is the device's one stream.
type stream struct{ dev *device }

// Launch implements backend.Stream.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	d := s.dev
	prog, ok := p.(*program)
	if !ok || prog == nil || prog.dev != d {
		return backend.Foreign("launch", "program", "p", p, d.Info())
	}
	empty, err := backend.CheckLaunch(prog.src, d.caps, l)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := prog.usable("launch"); err != nil {
		return err
	}
	if err := prog.bind(l); err != nil || empty {
		return err
	}
	for axis, n := range l.Grid {
		prog.launch[1+axis] = uintptr(n)
	}
	d.last.Store(prog)
	return d.call(&d.lib.LaunchKernel, prog.launch...)
}

// bind writes the arguments of a launch into the program's memory for them; mu is held.
func (p *program) bind(l backend.Launch) error {
	pointers := p.args[mapWords*len(p.src.Maps):]
	for i, given := range l.Buffers {
		b, ok := given.(*buffer)
		if !ok || b == nil || b.dev != p.dev {
			return backend.Foreign("launch "+p.src.Entry, "buffer", p.src.Bindings[i].Name, given, p.dev.Info())
		}
		if b.closed {
			return fault.New(fault.ErrClosed, "launch "+p.src.Entry, "the buffer is closed").For(p.src.Bindings[i].Name)
		}
		pointers[i] = uint64(b.ptr)
	}
	if len(l.Words) > 0 {
		copy(unsafe.Slice((*uint32)(unsafe.Pointer(&pointers[len(l.Buffers)])), len(l.Words)), l.Words)
	}
	return p.bindMaps(l)
}

// Synchronize implements backend.Stream.
func (s stream) Synchronize() error {
	d := s.dev
	if err := d.enter("cuda: synchronize"); err != nil {
		return err
	}
	defer d.busy.Done()
	return d.wait()
}

// event is a CUevent that was recorded.
type event struct {
	resource
	handle uintptr
}

// Record implements backend.Stream.
func (s stream) Record() (backend.Event, error) {
	d := s.dev
	if err := d.enter("cuda: record"); err != nil {
		return nil, err
	}
	defer d.busy.Done()
	e := &event{}
	e.resource = resource{dev: d, what: "event", destroy: func() error { return d.call(&d.lib.EventDestroy, e.handle) }}
	if err := d.call(&d.lib.EventCreate, uintptr(unsafe.Pointer(&e.handle)), 0); err != nil {
		return nil, err
	}
	if err := d.call(&d.lib.EventRecord, e.handle, d.queue); err != nil {
		d.call(&d.lib.EventDestroy, e.handle)
		return nil, err
	}
	if err := d.adopt(&e.resource); err != nil {
		return nil, err
	}
	return e, nil
}

// Since implements backend.Event. Its resolution is about half a microsecond.
func (e *event) Since(earlier backend.Event) (time.Duration, error) {
	const op = "cuda: time between events"
	from, ok := earlier.(*event)
	if !ok || from == nil || from.dev != e.dev {
		return 0, backend.Foreign(op, "event", "earlier", earlier, e.dev.Info())
	}
	for _, ev := range []*event{from, e} {
		if err := ev.acquire(op); err != nil {
			return 0, err
		}
		defer ev.release()
	}
	d := e.dev
	for _, ev := range []*event{from, e} {
		if err := d.call(&d.lib.EventSynchronize, ev.handle); err != nil {
			return 0, err
		}
	}
	var ms float32
	if err := d.call(&d.lib.EventElapsedTime, uintptr(unsafe.Pointer(&ms)), from.handle, e.handle); err != nil {
		return 0, err
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}
