//go:build cgo || js

package webgpu

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// granule is what buffer lengths are rounded up to, so that a kernel may see
// any buffer as an array of vec4.
const granule = 16

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// part is what buffers, programs and events have in common: they belong to a device.
type part struct {
	backend.Life
	device *device
}

// Owner is for the checks of package backend.
func (p *part) Owner() *device { return p.device }

// adopt has free free a part when it is closed, or with the device; the lock is held.
func (d *device) adopt(p *part, free func()) {
	d.mu.Adopt(&p.Life, func() error { free(); return nil })
}

// buffer is device memory. Its mutable fields are guarded by the device's lock.
type buffer struct {
	part
	raw    rawBuffer
	bytes  int64
	made   int64 // the most that bytes may be
	id     uint64
	used   uint64 // number of the last batch that uses it
	groups groupSet
}

// NewBuffer allocates device memory. If there is none left it waits for work in
// flight, which may hold memory of closed buffers, and tries again.
func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) {
	const op = "new buffer"
	if err := backend.CheckBuffer(op, bytes, &d.caps); err != nil {
		return nil, err
	}
	if err := d.mu.Enter(op); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	b := &buffer{part: part{device: d}, bytes: bytes, made: bytes, groups: groupSet{}}
	raw, err := d.allocate(b.padded())
	if err != nil {
		d.flush()
		d.gpu.wait(submission{})
		raw, err = d.allocate(b.padded())
	}
	if err != nil {
		return nil, fail(op, fault.ErrOutOfMemory, err)
	}
	d.nextID++
	b.raw, b.id = raw, d.nextID
	d.adopt(&b.part, b.free)
	return b, nil
}

// allocate makes a storage buffer and looks for errors outside the binding's scope.
func (d *device) allocate(bytes int64) (rawBuffer, error) {
	d.collect()
	raw, err := d.gpu.newBuffer(bytes, storageUsage)
	if err != nil {
		return nil, err
	}
	if err, _ := d.gpu.takeError(); err != nil {
		raw.Release()
		return nil, err
	}
	return raw, nil
}

// padded is the length of the memory after the buffer, which is what bind groups bind.
func (b *buffer) padded() int64 { return max(granule, roundUp(b.made, granule)) }

// Bytes is the length that was asked for.
func (b *buffer) Bytes() int64 { return b.bytes }

// Capacity implements backend.Resizer.
func (b *buffer) Capacity() int64 { return b.made }

// Resize implements backend.Resizer.
func (b *buffer) Resize(bytes int64) { b.bytes = bytes }

// enter locks the device for a transfer of n bytes at offset.
func (b *buffer) enter(op string, offset int64, n int) error {
	if err := backend.CheckRange(op, b.bytes, offset, n); err != nil {
		return err
	}
	if err := b.device.enterOrdered(op); err != nil {
		return err
	}
	if err := b.open(op); err != nil {
		b.device.mu.Unlock()
		return err
	}
	return nil
}

func (b *buffer) open(op string) error {
	switch {
	case b.device.mu.IsClosed():
		return backend.Closed(op, "device")
	case b.IsClosed():
		return backend.Closed(op, "buffer")
	}
	return nil
}

// free frees the buffer; launches recorded before still run.
func (b *buffer) free() {
	b.device.unuse(b.used, b.groups)
	b.raw.Release()
}
