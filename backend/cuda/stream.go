//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"time"
	"unsafe"

	"github.com/weftgpu/weft/backend"
)

// stream is the device's one stream.
type stream struct{ dev *device }

// Launch implements backend.Stream.
func (s stream) Launch(p backend.Program, l backend.Launch) error {
	d := s.dev
	var room [16]*buffer
	prog, buffers, empty, err := backend.OwnLaunch[*program](d, d.info, &d.caps, p, l, room[:0])
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := prog.bind(buffers, &l); err != nil || empty {
		return err
	}
	d.last.Store(prog)
	return prog.start(d, l.Grid)
}

// bind writes the arguments of a launch into the program's memory for them, if all of it is open; mu is held.
func (p *program) bind(buffers []*buffer, l *backend.Launch) error {
	if err := p.dev.usable("launch"); err != nil {
		return err
	}
	if err := backend.OpenLaunch(p, buffers); err != nil {
		return err
	}
	pointers := p.args[mapWords*len(p.src.Maps):]
	for i, b := range buffers {
		pointers[i] = uint64(b.ptr)
	}
	if len(l.Words) > 0 {
		copy(unsafe.Slice((*uint32)(unsafe.Pointer(&pointers[len(l.Buffers)])), len(l.Words)), l.Words)
	}
	return p.bindMaps(*l)
}

// Synchronize implements backend.Stream.
func (s stream) Synchronize() error {
	d := s.dev
	if err := d.enter("cuda: synchronize"); err != nil {
		return err
	}
	defer d.leave()
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
	defer d.leave()
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

// Done implements backend.Poller.
func (e *event) Done() (bool, error) {
	if err := e.acquire("cuda: ask an event"); err != nil {
		return false, err
	}
	defer e.release()
	d := e.dev
	r, err := d.status(&d.lib.EventQuery, e.handle)
	if err == nil && r != 0 && r != statusNotReady {
		err = d.failed(&d.lib.EventQuery, r)
	}
	return err == nil && r == 0, err
}

// Since implements backend.Event. Its resolution is about half a microsecond.
func (e *event) Since(earlier backend.Event) (time.Duration, error) {
	const op = "cuda: time between events"
	from, err := backend.Own[*event](e.dev, e.dev.info, op, "event", "earlier", earlier)
	if err != nil {
		return 0, err
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
