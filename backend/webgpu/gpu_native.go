//go:build cgo && !js

package webgpu

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cogentcore/webgpu/wgpu"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// libraryVersion is part of what a tuned choice depends on.
// The library that the binding ships does not know its own version.
const libraryVersion = "cogentcore/webgpu v0.23.0"

// gpuExtra is what a native device has beyond the common part.
type gpuExtra struct {
	sink      sink
	submitted atomic.Uint64 // submissions so far
	finished  finished
}

// submission names work that was handed to the device; the zero value names all of it.
type submission struct {
	number uint64 // counted from 1
}

// instance is the library, started once.
var instance = sync.OnceValue(func() *wgpu.Instance {
	listen()
	backends := wgpu.InstanceBackendPrimary
	if runtime.GOOS == "linux" {
		backends = wgpu.InstanceBackendVulkan
	}
	return createInstance(backends)
})

// adapters finds the devices of this machine; the error says why there are none.
var adapters = sync.OnceValues(func() ([]adapter, error) {
	in := instance()
	if in == nil {
		return nil, errors.New("wgpu-native could not be started")
	}
	var found []adapter
	for i, a := range in.EnumerateAdapters(nil) {
		info := a.GetInfo()
		kind := backend.GPU
		if info.AdapterType == wgpu.AdapterTypeCPU {
			kind = backend.Software
		}
		found = append(found, adapter{
			Info: backend.Info{
				// The library gives the device's name as its description.
				Backend: name, Index: i, Name: cmp.Or(info.DriverDescription, info.Name), Kind: kind,
				Driver: fmt.Sprintf("wgpu-native (%v)%s", info.BackendType, driverVersion(info)),
			},
			open: func() (*gpu, error) { return openAdapter(a) },
		})
	}
	if len(found) == 0 {
		return nil, errors.New("no adapter was found; is a Vulkan driver installed?")
	}
	return found, nil
})

// driverVersion is ", vendor version" where the operating system tells it; the
// library does not.
func driverVersion(info wgpu.AdapterInfo) string {
	const nvidia = 0x10de
	if info.VendorId != nvidia || runtime.GOOS != "linux" {
		return ""
	}
	text, _ := os.ReadFile("/proc/driver/nvidia/version")
	if v := nvidiaVersion.FindSubmatch(text); v != nil {
		return ", NVIDIA " + string(v[1])
	}
	return ""
}

// registers of one thread, which the interface does not tell.
func registers(info wgpu.AdapterInfo) int {
	if info.AdapterType == wgpu.AdapterTypeCPU {
		return target.SoftwareRegisters
	}
	return target.Registers(info.VendorId)
}

// kindOf is what the interface reports about the machine.
func kindOf(info wgpu.AdapterInfo) target.Kind {
	switch info.AdapterType {
	case wgpu.AdapterTypeCPU:
		return target.Software
	case wgpu.AdapterTypeIntegratedGPU:
		return target.Integrated
	}
	return target.Discrete
}

var nvidiaVersion = regexp.MustCompile(`Kernel Module.*?\s(\d+\.\d+[.\d]*)\s`)

// openAdapter opens a device with all that the adapter can do for compute.
func openAdapter(a *wgpu.Adapter) (*gpu, error) {
	listen() // a logger may have come since
	l := adapterLimits(a)
	// Values that mean "undefined" in a request, or that no driver keeps.
	l.maxBufferSize = min(l.maxBufferSize, 64<<30)
	l.maxStorageBinding = min(l.maxStorageBinding, 64<<30)
	l.maxStorageBuffers = min(l.maxStorageBuffers, 64)
	var feature wgpu.FeatureName
	if a.HasFeature(wgpu.FeatureNameTimestampQuery) {
		feature = wgpu.FeatureNameTimestampQuery
	}
	s := newSink()
	device, why := requestDevice(a, l, feature, s)
	if device == nil {
		return nil, fault.New(fault.ErrDevice, name, "the adapter returned no device: %s", why)
	}
	return &gpu{
		device: device,
		queue:  device.GetQueue(),
		limits: limits{
			buffer: int64(l.maxBufferSize), binding: int64(l.maxStorageBinding), uniform: int64(l.maxUniformBinding),
			threads: int(min(l.maxInvocations, l.maxSizeX)), shared: int(l.maxWorkgroupStorage),
			bindings: int(min(l.maxStorageBuffers, l.maxBindingsPerBindGroup-1)), groups: int(l.maxWorkgroups),
			uniformAlignment: int(l.minUniformAlignment),
			registers:        registers(a.GetInfo()),
			kind:             kindOf(a.GetInfo()),
		},
		timestamps: feature != 0,
		gpuExtra:   gpuExtra{sink: s, finished: newFinished()},
	}, nil
}

// release frees the device once everything made from it is released.
func (g *gpu) release() {
	g.queue.Release()
	g.device.Release()
}

// takeError returns the first error that reached no caller.
func (g *gpu) takeError() (err error, lost bool) {
	kind, text, ok := g.sink.take()
	if !ok {
		return nil, false
	}
	if kind == int(wgpu.ErrorTypeOutOfMemory) {
		text = "out of memory: " + text
	}
	return errors.New(text), kind == int(wgpu.ErrorTypeDeviceLost)
}

// checked runs make, whose errors the binding catches itself.
func (g *gpu) checked(make func() error) error { return make() }

func endPass(p *wgpu.ComputePassEncoder) error { return p.End() }

func (g *gpu) submit(c *wgpu.CommandBuffer) submission {
	g.queue.Submit(c)
	return g.submitOver()
}

// submitOver numbers the submission that was just made.
func (g *gpu) submitOver() submission {
	g.finished.add(g.queue)
	return submission{g.submitted.Add(1)}
}

// write copies data, a positive multiple of 4 bytes long, to an offset that is one.
func (g *gpu) write(b rawBuffer, offset int64, data []byte) error {
	return g.queue.WriteBuffer(b, uint64(offset), data)
}

// flushWrites starts the transfers that write has queued.
func (g *gpu) flushWrites() submission {
	g.queue.Submit()
	return g.submitOver()
}

// wait blocks until the device has finished s. It may run concurrently with other methods.
//
// It asks again and again, since the library's own wait ends after 5 seconds and then takes the work for finished: it frees what a longer
// kernel still uses (https://github.com/gfx-rs/wgpu/issues/3601).
func (g *gpu) wait(s submission) {
	number := cmp.Or(s.number, g.submitted.Load())
	for start := time.Now(); g.finished.count() < number && !g.device.Poll(false, nil); {
		if waited := time.Since(start); waited < spin {
			runtime.Gosched()
		} else { // not much longer than the work takes in any case
			time.Sleep(min(waited/16, time.Millisecond))
		}
	}
}

// spin is how long a wait asks without a pause: about as long as the system needs to wake a thread.
const spin = 100 * time.Microsecond

// read passes the first n bytes of a staging buffer, which no work uses any more, to use.
func (g *gpu) read(b rawBuffer, n int, use func([]byte)) error {
	m := mapRead(b, n)
	for range 100 {
		g.device.Poll(false, nil)
		mapped, pending := m.finish()
		if pending {
			g.wait(submission{})
			continue
		}
		if !mapped {
			return errors.New("a staging buffer could not be mapped")
		}
		use(b.GetMappedRange(0, uint(n)))
		return b.Unmap()
	}
	// The mapping's flag stays allocated: the library may still write to it.
	return errors.New("a staging buffer was not mapped in time")
}

// querySet holds timestamps.
type querySet = *wgpu.QuerySet

func (g *gpu) newQuerySet(count int) (querySet, error) {
	return g.device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: uint32(count)})
}

// timestamp notes the device's time in a slot of set, after all that was recorded before.
func (b *batch) timestamp(set querySet, slot int) error {
	if err := b.endPass(); err != nil {
		return err
	}
	writeTimestamp(b.encoder, set, slot)
	return nil
}

// resolve writes a slot's timestamp, in ticks, to dst.
func (b *batch) resolve(set querySet, slot int, dst rawBuffer, offset int64) error {
	if err := b.endPass(); err != nil {
		return err
	}
	return b.encoder.ResolveQuerySet(set, uint32(slot), 1, dst, uint64(offset))
}
