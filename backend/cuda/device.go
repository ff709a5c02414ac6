//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// device is an open GPU: its primary context, one stream and what lives there.
//
// mu guards the bookkeeping and is held while work is submitted, never while a
// call waits for the GPU. What waits, or copies for long, is counted by its
// resource and by mu, so that closing in the meantime comes after it.
type device struct {
	gpu
	lib    *driverLib
	rtc    *nvrtcLib
	ctx    []uintptr // CUcontext; the arguments of cuCtxSetCurrent, made once to spare calls an allocation
	queue  uintptr   // CUstream
	pool   uintptr   // CUmemoryPool, 0 if the device has none
	staged staging

	lost atomic.Pointer[fault.Error] // first fatal error; the context answers nothing else after it
	last atomic.Pointer[program]     // launched last, to say so in lost

	mu   backend.Guard
	maps map[mapKey][mapWords]uint64 // encoded, see tensormap.go

	spareMarks []uintptr // CUevents without timestamps that can be recorded again
}

// open retains the GPU's primary context and makes its stream and pool.
func open(lib *driverLib, rtc *nvrtcLib, g gpu) (backend.Device, error) {
	d := &device{gpu: g, lib: lib, rtc: rtc, ctx: make([]uintptr, 1), maps: map[mapKey][mapWords]uint64{}}
	if r := lib.PrimaryCtxRetain.call(uintptr(unsafe.Pointer(&d.ctx[0])), uintptr(g.handle)); r != 0 {
		err := lib.fault(&lib.PrimaryCtxRetain, r)
		if err.Kind != fault.ErrOutOfMemory {
			err.Kind = fault.ErrDevice
		}
		return nil, err
	}
	if err := d.call(&lib.StreamCreate, uintptr(unsafe.Pointer(&d.queue)), streamNonBlocking); err != nil {
		d.Close()
		return nil, err
	}
	if g.pools {
		d.newPool()
	}
	return d, nil
}

// call calls the driver with the device's context current on a locked thread.
//
//go:uintptrescapes
func (d *device) call(p *proc, args ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := d.lib.CtxSetCurrent.call(d.ctx...); r != 0 {
		return d.failed(&d.lib.CtxSetCurrent, r)
	}
	if r := p.call(args...); r != 0 {
		return d.failed(p, r)
	}
	return nil
}

// status is call for a function whose status may be no error.
//
//go:uintptrescapes
func (d *device) status(p *proc, args ...uintptr) (int32, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := d.lib.CtxSetCurrent.call(d.ctx...); r != 0 {
		return 0, d.failed(&d.lib.CtxSetCurrent, r)
	}
	return p.call(args...), nil
}

// failed turns a status into an error and remembers the first fatal one.
func (d *device) failed(p *proc, status int32) error {
	err := d.lib.fault(p, status)
	if fatal[status] {
		if prog := d.last.Load(); prog != nil {
			err.Msg += "; the last kernel launched was " + prog.src.Entry
		}
		first := *err
		d.lost.CompareAndSwap(nil, &first)
	}
	return err
}

// usable says why the device cannot be used; mu is held.
func (d *device) usable(op string) error {
	if d.mu.IsClosed() {
		return backend.Closed(op, "device")
	}
	if lost := d.lost.Load(); lost != nil {
		err := *lost // callers may add to theirs
		return &err
	}
	return nil
}

// wait waits for everything on the stream.
func (d *device) wait() error { return d.call(&d.lib.StreamSynchronize, d.queue) }

// Info implements backend.Device.
func (d *device) Info() backend.Info { return d.info }

// Caps implements backend.Device.
func (d *device) Caps() target.Caps { return d.caps }

// Stream implements backend.Device.
func (d *device) Stream() backend.Stream { return stream{d} }

// Close implements backend.Device. Its error is that of the work it waits for.
func (d *device) Close() error {
	if !d.mu.Shut() {
		return nil
	}
	defer d.mu.Unlock()
	return d.free()
}

// free gives everything back to the driver. The primary context may be shared
// with others, so that releasing it alone need not free what was made in it.
func (d *device) free() error {
	var err error
	lib := d.lib
	if d.queue != 0 && d.lost.Load() == nil {
		err = d.wait()
	}
	d.mu.FreeAll()
	if d.queue != 0 {
		d.wait() // buffers are freed in stream order
	}
	for _, e := range d.spareMarks {
		d.call(&lib.EventDestroy, e)
	}
	if d.staged.mem != nil {
		d.call(&lib.MemFreeHost, uintptr(d.staged.mem))
	}
	if d.pool != 0 {
		d.call(&lib.PoolDestroy, d.pool)
	}
	if d.queue != 0 {
		d.call(&lib.StreamDestroy, d.queue)
	}
	lib.PrimaryCtxRelease.call(uintptr(d.handle))
	return err
}

// resource is what buffers, programs and events have in common: they belong to
// a device and are destroyed once, when closed and no longer in use.
// The device's mu guards its fields.
type resource struct {
	backend.Life
	dev     *device
	what    string // "buffer", for errors
	destroy func() error
}

// Owner is for the checks of package backend.
func (r *resource) Owner() *device { return r.dev }

// adopt adds a resource to the device. If that was closed meanwhile it frees the resource, too. After a fatal
// error the memory went with the context.
func (d *device) adopt(r *resource) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mu.Adopt(&r.Life, func() error {
		if d.lost.Load() != nil {
			return nil
		}
		return r.destroy()
	})
	if d.mu.IsClosed() {
		return backend.Closed("new "+r.what, "device")
	}
	return nil
}

// usable says why the resource cannot be used; mu is held.
func (r *resource) usable(op string) error {
	if err := r.dev.usable(op); err != nil {
		return err
	}
	if r.IsClosed() {
		return backend.Closed(op, r.what)
	}
	return nil
}

// acquire keeps the resource from being destroyed until release.
func (r *resource) acquire(op string) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if err := r.usable(op); err != nil {
		return err
	}
	r.Hold()
	return nil
}

func (r *resource) release() {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	r.Release()
}
