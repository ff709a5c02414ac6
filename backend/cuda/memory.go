//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	"math"
	"runtime"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// buffer is device memory; a buffer of no bytes has none and a null address.
type buffer struct {
	resource
	bytes    int64
	capacity int64
	ptr      uintptr // CUdeviceptr
	apart    bool    // no memory of the pool
}

// newPool makes a pool for the device's buffers. It keeps freed memory for the
// next buffer instead of handing it back at every synchronisation; allocate
// trims it when memory runs out. Where the driver refuses (some virtual GPUs do
// although they list the ability) buffers are allocated one by one.
func (d *device) newPool() {
	// CUmemPoolProps, 88 bytes: allocation type 1 (pinned) and no handle type,
	// location type 1 (device) and its id; the rest is zero.
	props := [11]uint64{0: 1, 1: 1 | uint64(uint32(d.handle))<<32}
	var pool uintptr
	if d.call(&d.lib.PoolCreate, uintptr(unsafe.Pointer(&pool)), uintptr(unsafe.Pointer(&props))) != nil {
		return
	}
	keep := uint64(math.MaxUint64)
	if d.call(&d.lib.PoolSetAttr, pool, poolReleaseThreshold, uintptr(unsafe.Pointer(&keep))) != nil {
		d.call(&d.lib.PoolDestroy, pool)
		return
	}
	d.pool = pool
}

// NewBuffer implements backend.Device.
func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) { return d.newBuffer(bytes, false) }

func (d *device) newBuffer(bytes int64, apart bool) (*buffer, error) {
	const op = "cuda: new buffer"
	if err := backend.CheckBuffer(op, bytes, &d.caps); err != nil {
		return nil, err
	}
	b := &buffer{bytes: bytes, capacity: bytes, apart: apart}
	b.resource = resource{dev: d, what: "buffer", destroy: b.free}
	if err := d.enter(op); err != nil {
		return nil, err
	}
	defer d.leave()
	if bytes > 0 {
		if err := d.allocate(b); err != nil {
			return nil, err
		}
	}
	if err := d.adopt(&b.resource); err != nil {
		return nil, err
	}
	return b, nil
}

// enter counts a call among those that Close waits for, until leave.
func (d *device) enter(op string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(op); err != nil {
		return err
	}
	d.mu.Hold()
	return nil
}

func (d *device) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mu.Release()
}

// memoryAlign is what memory is a multiple of: kernels load in vectors, the last of which may reach beyond a buffer's last element.
const memoryAlign = 16

// allocate gets the buffer's memory. If there is not enough it waits for the
// buffers being freed and tries again with the pool's spare memory given back.
func (d *device) allocate(b *buffer) error {
	size := uintptr(b.bytes+memoryAlign-1) &^ (memoryAlign - 1)
	if d.pool == 0 || b.apart {
		return d.call(&d.lib.MemAlloc, uintptr(unsafe.Pointer(&b.ptr)), size)
	}
	try := func() error {
		return d.call(&d.lib.PoolAlloc, uintptr(unsafe.Pointer(&b.ptr)), size, d.pool, d.queue)
	}
	err := try()
	if !errors.Is(err, fault.ErrOutOfMemory) {
		return err
	}
	if err := d.wait(); err != nil {
		return err
	}
	if err := d.call(&d.lib.PoolTrimTo, d.pool, 0); err != nil {
		return err
	}
	return try()
}

// free gives the memory back after the work launched so far.
func (b *buffer) free() error {
	d := b.dev
	switch {
	case b.ptr == 0:
		return nil
	case d.pool != 0 && !b.apart:
		return d.call(&d.lib.PoolFree, b.ptr, d.queue)
	}
	if err := d.wait(); err != nil {
		return err
	}
	return d.call(&d.lib.MemFree, b.ptr)
}

// Bytes implements backend.Buffer.
func (b *buffer) Bytes() int64 { return b.bytes }

// Capacity implements backend.Resizer.
func (b *buffer) Capacity() int64 { return b.capacity }

// Resize implements backend.Resizer.
func (b *buffer) Resize(bytes int64) { b.bytes = bytes }

// Upload implements backend.Buffer. Short uploads go through pinned memory and
// do not wait for the device; longer ones wait until the copy is done.
func (b *buffer) Upload(offset int64, src []byte) error {
	const op = "cuda: upload"
	if err := backend.CheckRange(op, b.bytes, offset, len(src)); err != nil {
		return err
	}
	d := b.dev
	if len(src) <= stagedMax {
		d.mu.Lock()
		defer d.mu.Unlock()
		if err := b.usable(op); err != nil {
			return err
		}
		return d.stage(b.ptr+uintptr(offset), src)
	}
	if err := b.acquire(op); err != nil {
		return err
	}
	defer b.release()
	err := d.call(&d.lib.MemcpyHtoDAsync, b.ptr+uintptr(offset), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), d.queue)
	if err == nil {
		err = d.wait()
	}
	runtime.KeepAlive(src)
	return err
}

// Download implements backend.Buffer.
func (b *buffer) Download(offset int64, dst []byte) error {
	const op = "cuda: download"
	if err := backend.CheckRange(op, b.bytes, offset, len(dst)); err != nil {
		return err
	}
	if err := b.acquire(op); err != nil {
		return err
	}
	defer b.release()
	d := b.dev
	var err error
	if len(dst) > 0 {
		err = d.call(&d.lib.MemcpyDtoHAsync, uintptr(unsafe.Pointer(&dst[0])), b.ptr+uintptr(offset), uintptr(len(dst)), d.queue)
	}
	if err == nil {
		err = d.wait()
	}
	runtime.KeepAlive(dst)
	return err
}

const (
	stagedMax   = 64 << 10 // bytes of the longest upload that is staged
	stagedBytes = 1 << 20  // bytes of pinned memory
)

// staging is pinned host memory that short uploads are copied to, one after
// the other; the device fetches them in its own time.
type staging struct {
	mem  unsafe.Pointer // outside of Go's heap
	used int
}

// stage uploads src to dst through pinned memory; mu is held. When that is
// full it waits until the device has fetched all of it.
func (d *device) stage(dst uintptr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	s := &d.staged
	if s.mem == nil {
		if err := d.call(&d.lib.MemAllocHost, uintptr(unsafe.Pointer(&s.mem)), stagedBytes); err != nil {
			return err
		}
	}
	if s.used+len(src) > stagedBytes {
		if err := d.wait(); err != nil {
			return err
		}
		s.used = 0
	}
	at := unsafe.Add(s.mem, s.used)
	copy(unsafe.Slice((*byte)(at), len(src)), src)
	s.used += (len(src) + 63) &^ 63
	return d.call(&d.lib.MemcpyHtoDAsync, dst, uintptr(at), uintptr(len(src)), d.queue)
}
