//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"errors"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// bufferAlign is what lengths are rounded up to, and the least length: then a
// word or a vector of four that holds a buffer's last byte is within it.
const bufferAlign = 16

const storageUsage = vk.BufferUsageFlags(vk.BufferUsageStorageBufferBit | vk.BufferUsageTransferSrcBit | vk.BufferUsageTransferDstBit)

// addressUsage is for buffers whose addresses are asked for.
const addressUsage = vk.BufferUsageFlags(0x00020000)

// buffer is a range of device memory with a handle of its own.
type buffer struct {
	part
	bytes  int64         // as asked for
	made   int64         // the most that bytes may be
	size   vk.DeviceSize // made, rounded up: what the device knows of
	handle vk.Buffer
	place  place

	read, wrote uint64 // epochs of the last uses, see queue.touch
}

func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) {
	const op = "new buffer"
	if err := backend.CheckBuffer(op, bytes, &d.caps); err != nil {
		return nil, err
	}
	if err := d.lock(op); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	b := &buffer{part: part{d: d}, bytes: bytes, made: bytes, size: vk.DeviceSize(max(bytes, 1)+bufferAlign-1) &^ (bufferAlign - 1)}
	if err := b.create(); err != nil {
		return nil, err
	}
	d.adopt(&b.part, b.free)
	return b, nil
}

func (b *buffer) create() error {
	var err error
	usage := storageUsage
	if b.d.caps.DeviceAddresses {
		usage |= addressUsage
	}
	if b.handle, err = b.d.newBuffer(b.size, usage); err != nil {
		return err
	}
	size, align, _ := b.d.requirements(b.handle)
	b.place, err = b.d.arena.alloc(size, align)
	if errors.Is(err, fault.ErrOutOfMemory) {
		// Closed buffers may only wait for work in flight.
		if b.d.queue.wait(b.d.queue.mark); b.d.arena.trim() {
			b.place, err = b.d.arena.alloc(size, align)
		}
	}
	if err == nil {
		if err = failure("vkBindBufferMemory", vk.BindBufferMemory(b.d.handle, b.handle, b.place.block.memory, b.place.offset)); err != nil {
			b.d.arena.release(b.place)
		}
	}
	if err != nil {
		vk.DestroyBuffer(b.d.handle, b.handle, nil)
	}
	return err
}

// address is where the device finds the buffer.
func (b *buffer) address() uint64 {
	return uint64(C.weft_address(b.d.calls, pointer(b.d.handle), number(b.handle)))
}

func (d *device) newBuffer(size vk.DeviceSize, usage vk.BufferUsageFlags) (vk.Buffer, error) {
	info := vk.BufferCreateInfo{SType: vk.StructureTypeBufferCreateInfo, Size: size, Usage: usage, SharingMode: vk.SharingModeExclusive}
	defer info.Free()
	var b vk.Buffer
	err := failure("vkCreateBuffer", vk.CreateBuffer(d.handle, &info, nil, &b))
	return b, err
}

func (b *buffer) Bytes() int64 { return b.bytes }

// Capacity and Resize implement backend.Resizer. The device keeps binding the whole.
func (b *buffer) Capacity() int64    { return b.made }
func (b *buffer) Resize(bytes int64) { b.bytes = bytes }

// lock locks the device for a method of the buffer.
func (b *buffer) lock(op string, offset int64, n int) error {
	if err := backend.CheckRange(op, b.bytes, offset, n); err != nil {
		return err
	}
	if err := b.d.lock(op); err != nil {
		return err
	}
	if err := b.alive(op); err != nil {
		b.d.mu.Unlock()
		return err
	}
	return nil
}

// alive fails if the buffer or its device was closed meanwhile.
func (b *buffer) alive(op string) error {
	if b.IsClosed() {
		return backend.Closed(op, "buffer")
	}
	return nil
}

func (b *buffer) Upload(offset int64, src []byte) error {
	if err := b.lock("upload", offset, len(src)); err != nil {
		return err
	}
	defer b.d.mu.Unlock()
	return b.d.staging.upload(b, offset, src)
}

func (b *buffer) Download(offset int64, dst []byte) error {
	if err := b.lock("download", offset, len(dst)); err != nil {
		return err
	}
	defer b.d.mu.Unlock()
	return b.d.staging.download(b, offset, dst)
}

func (b *buffer) free() {
	vk.DestroyBuffer(b.d.handle, b.handle, nil)
	b.d.arena.release(b.place)
}
