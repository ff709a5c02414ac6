//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// device is an open device. Its one lock guards all of it, its buffers and its
// programs included. What takes long (waiting for the device, building a
// pipeline, copying to a user's slice) is done outside the lock, by Unlocked.
type device struct {
	phys   *physical
	info   backend.Info
	caps   target.Caps
	handle vk.Device
	calls  *C.weft_calls
	args   *C.weft_dispatch_args // of the launch being recorded

	mu     backend.Guard
	change *sync.Cond // a batch retired, or a chunk was let go

	arena   arena
	queue   queue
	staging staging
	timers  timers
}

// part is what buffers, programs, events and sequences have in common: they belong to a device.
type part struct {
	backend.Life
	d *device
}

// Owner is for the checks of package backend.
func (p *part) Owner() *device { return p.d }

// adopt has destroy free a part when no batch uses it any longer, or with the device; the lock is held.
func (d *device) adopt(p *part, destroy func()) {
	d.mu.Adopt(&p.Life, func() error { destroy(); return nil })
}

// openFor opens a device whose kernels come in a language.
func openFor(p *physical, info backend.Info, language target.Language) (*device, error) {
	var raw unsafe.Pointer
	on := p.features(language)
	r := vk.Result(C.weft_device(loader.getProc, instancePointer(), pointer(p.handle), C.uint32_t(p.family), &on[0], &raw))
	if err := failure("vkCreateDevice", r); err != nil {
		return nil, err
	}
	d := &device{
		phys: p, info: info, caps: p.caps(language),
		handle: *(*vk.Device)(unsafe.Pointer(&raw)),
		calls:  C.weft_load(loader.getProc, instancePointer(), raw),
		args:   (*C.weft_dispatch_args)(C.calloc(1, C.sizeof_weft_dispatch_args)),
	}
	d.change = sync.NewCond(&d.mu)
	if err := d.prepare(); err != nil {
		return nil, err
	}
	if !ordered(d) {
		d.caps.SubgroupSize = 0
	}
	if d.caps.Cooperative = cooperativeMatrices(d); len(d.caps.Cooperative.Rows()) > 0 {
		d.caps.Fingerprint += fmt.Sprintf(" matrices %x", sha256.Sum256([]byte(d.caps.Cooperative.String())))[:len(" matrices ")+16]
	}
	return d, nil
}

// prepare makes what every open device needs, or destroys the device.
func (d *device) prepare() (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() {
		if err != nil {
			d.destroy()
		}
	}()
	if d.calls == nil {
		return fault.New(fault.ErrUnsupported, "vulkan", "a function of Vulkan 1.1 is missing")
	}
	typ, err := d.memoryType(storageUsage, deviceMemory)
	if err != nil {
		return err
	}
	d.arena = arena{device: d.handle, typ: typ, blockLen: min(blockBytes, vk.DeviceSize(d.info.Memory)/16)}
	if d.caps.DeviceAddresses {
		d.arena.flags = unsafe.Pointer(C.weft_address_flags())
	}
	d.staging.d = d
	d.timers.d = d
	return d.queue.init(d)
}

func (d *device) Info() backend.Info     { return d.info }
func (d *device) Caps() target.Caps      { return d.caps }
func (d *device) Stream() backend.Stream { return stream{d} }

// lock takes the lock for a method that needs the device alive. If it fails
// the lock is not held.
func (d *device) lock(op string) error {
	if err := d.mu.Enter(op); err != nil {
		return err
	}
	if err := d.queue.lost; err != nil {
		d.mu.Unlock()
		return err
	}
	return nil
}

// sleep waits for a change of the device's state.
func (d *device) sleep() {
	d.mu.Hold()
	d.change.Wait()
	d.mu.Release()
}

// Close waits for work in flight and frees everything. Under the validation
// layer it returns the messages that were left, leaked objects among them.
func (d *device) Close() error {
	if !d.mu.Shut() {
		return nil
	}
	defer d.mu.Unlock()
	d.queue.submit()
	vk.DeviceWaitIdle(d.handle)
	d.destroy()
	return complaints()
}

// destroy frees what exists, in a device that was not fully prepared too.
func (d *device) destroy() {
	d.queue.close()
	d.mu.FreeAll()
	d.staging.close()
	d.timers.close()
	d.arena.close()
	vk.DestroyDevice(d.handle, nil)
	C.free(unsafe.Pointer(d.calls))
	C.free(unsafe.Pointer(d.args))
	d.calls, d.args = nil, nil
}

// number gives a handle that is no pointer to the shim.
func number[H vk.Buffer | vk.Fence | vk.ShaderModule](h H) C.uint64_t {
	return *(*C.uint64_t)(unsafe.Pointer(&h))
}

// handle is the inverse of number.
func handle[H vk.DescriptorPool | vk.DescriptorSetLayout | vk.PipelineLayout | vk.Pipeline](n C.uint64_t) H {
	return *(*H)(unsafe.Pointer(&n))
}
