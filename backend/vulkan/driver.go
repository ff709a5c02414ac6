//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"unsafe"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

func init() { backend.Register(driver{}) }

type driver struct{}

func (driver) Name() string { return "vulkan" }

// Candidates lists the physical devices in the loader's order.
func (driver) Candidates() []backend.Candidate {
	found, err := physicals()
	if err != nil {
		return []backend.Candidate{{
			Info:    backend.Info{Backend: "vulkan", Name: "Vulkan", Kind: backend.GPU},
			Refused: err,
		}}
	}
	list := make([]backend.Candidate, len(found))
	for i, p := range found {
		list[i] = p.candidate(i)
	}
	return list
}

func physicals() ([]*physical, error) {
	if err := load(); err != nil {
		return nil, err
	}
	var n uint32
	if err := failure("vkEnumeratePhysicalDevices", vk.EnumeratePhysicalDevices(loader.instance, &n, nil)); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fault.New(fault.ErrUnsupported, "vulkan", "the installed drivers report no device")
	}
	handles := make([]vk.PhysicalDevice, n)
	if r := vk.EnumeratePhysicalDevices(loader.instance, &n, handles); r != vk.Incomplete {
		if err := failure("vkEnumeratePhysicalDevices", r); err != nil {
			return nil, err
		}
	}
	list := make([]*physical, n)
	for i := range list {
		list[i] = inspect(handles[i])
	}
	return list, nil
}

// physical is a physical device with what was read of it.
type physical struct {
	handle     vk.PhysicalDevice
	properties vk.PhysicalDeviceProperties
	limits     vk.PhysicalDeviceLimits
	facts      C.weft_facts
	types      []vk.MemoryType
	heaps      []vk.MemoryHeap

	family        int // queue family with compute, -1 if there is none
	timestampBits uint32
}

func inspect(handle vk.PhysicalDevice) *physical {
	p := &physical{handle: handle, family: -1}
	vk.GetPhysicalDeviceProperties(handle, &p.properties)
	p.properties.Deref()
	p.limits = p.properties.Limits
	p.limits.Deref()
	C.weft_physical_facts(loader.getProc, instancePointer(), pointer(handle), C.uint32_t(p.properties.ApiVersion), &p.facts)
	C.weft_features(loader.getProc, instancePointer(), pointer(handle), C.uint32_t(p.properties.ApiVersion), &p.facts)

	var memory vk.PhysicalDeviceMemoryProperties
	vk.GetPhysicalDeviceMemoryProperties(handle, &memory)
	memory.Deref()
	for i := range memory.MemoryTypeCount {
		memory.MemoryTypes[i].Deref()
		p.types = append(p.types, memory.MemoryTypes[i])
	}
	for i := range memory.MemoryHeapCount {
		memory.MemoryHeaps[i].Deref()
		p.heaps = append(p.heaps, memory.MemoryHeaps[i])
	}

	var flags, bits [16]C.uint32_t
	n := C.weft_queue_families(loader.getProc, instancePointer(), pointer(handle), &flags[0], &bits[0], C.int(len(flags)))
	for i := range int(n) {
		if flags[i]&C.uint32_t(vk.QueueComputeBit) != 0 {
			p.family, p.timestampBits = i, uint32(bits[i])
			break
		}
	}
	return p
}

// pointer gives a dispatchable handle to the shim.
func pointer[H vk.PhysicalDevice | vk.Device | vk.Queue | vk.CommandBuffer](h H) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&h))
}

func instancePointer() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&loader.instance)) }

func (p *physical) candidate(index int) backend.Candidate {
	c := backend.Candidate{Info: p.info(index), Refused: p.refusal()}
	if c.Refused == nil {
		c.Open = func() (backend.Device, error) {
			d, err := open(p, c.Info)
			if err != nil {
				return nil, err
			}
			return d, nil
		}
	}
	return c
}

func (p *physical) refusal() error {
	switch version := vk.Version(p.properties.ApiVersion); {
	case version.Major() == 1 && version.Minor() < 1:
		return fault.New(fault.ErrUnsupported, "vulkan", "the device has Vulkan %v, want 1.1 or newer", version)
	case p.family < 0:
		return fault.New(fault.ErrUnsupported, "vulkan", "the device has no compute queue")
	}
	return nil
}

func (p *physical) info(index int) backend.Info {
	info := backend.Info{
		Backend: "vulkan",
		Index:   index,
		Name:    vk.ToString(p.properties.DeviceName[:]),
		Driver:  fmt.Sprintf("%s %s, Vulkan %v", C.GoString(&p.facts.driver_name[0]), C.GoString(&p.facts.driver_info[0]), vk.Version(p.properties.ApiVersion)),
		Kind:    backend.GPU,
		Memory:  p.heapBytes(),
	}
	if p.properties.DeviceType == vk.PhysicalDeviceTypeCpu {
		info.Kind = backend.Software
	}
	return info
}

// heapBytes is the size of the largest heap of device memory.
func (p *physical) heapBytes() int64 {
	var bytes vk.DeviceSize
	for _, h := range p.heaps {
		if h.Flags&vk.MemoryHeapFlags(vk.MemoryHeapDeviceLocalBit) != 0 {
			bytes = max(bytes, h.Size)
		}
	}
	return int64(bytes)
}

func (p *physical) caps(language target.Language) target.Caps {
	l := &p.limits
	c := target.Caps{
		Language:        language,
		MaxThreads:      int(min(l.MaxComputeWorkGroupInvocations, l.MaxComputeWorkGroupSize[0])),
		MaxGrid:         [3]int{int(l.MaxComputeWorkGroupCount[0]), int(l.MaxComputeWorkGroupCount[1]), int(l.MaxComputeWorkGroupCount[2])},
		SharedBytes:     int(l.MaxComputeSharedMemorySize),
		MaxBindings:     int(min(l.MaxPerStageDescriptorStorageBuffers, l.MaxDescriptorSetStorageBuffers, l.MaxPerStageResources-1, maxBindings)),
		MaxBindingBytes: int64(l.MaxStorageBufferRange) &^ (bufferAlign - 1),
		MaxBufferBytes:  p.maxBuffer(),
		Registers:       p.registers(),
		Machine:         target.MachineOf(p.info(0).Name, p.kind()),
		SubgroupSize:    p.subgroup(),
		F16:             p.f16(),
		F16Nearest:      p.f16(),
		Compiler:        compilers[language],
		Fingerprint:     p.fingerprint(language),
	}
	if language == target.SPIRV {
		c.Int64, c.Float64 = p.has(int64s), p.has(int64s, float64s)
		c.DeviceOrder = true // by features that each device of SPIR-V has: see spirvNeeds
		c.DeviceAddresses = p.has(int64s, addresses)
		c.KeepsNaN, c.KeepsDenormals, c.RoundsNearest = p.floatModes()
		c.BF16 = p.has(bfloat16s)
		c.AtomicAddF32 = p.has(atomicFloats, atomicAdd)
		c.SharedAliased = p.has(sharedLayout, sharedLayout8, sharedLayout16)
	}
	return c
}

// fingerprint names the device, its driver and what kernels in a language depend on beyond them.
func (p *physical) fingerprint(language target.Language) string {
	text := fmt.Sprintf("vulkan %04x:%04x driver %08x cache %x subgroup %d %s", p.properties.VendorID, p.properties.DeviceID,
		p.properties.DriverVersion, p.properties.PipelineCacheUUID, p.subgroup(), compilers[language])
	if language == target.SPIRV {
		text += p.digest(language)
	}
	return text
}

// kind is what the interface reports about the machine.
func (p *physical) kind() target.Kind {
	switch p.properties.DeviceType {
	case vk.PhysicalDeviceTypeCpu:
		return target.Software
	case vk.PhysicalDeviceTypeIntegratedGpu:
		return target.Integrated
	}
	return target.Discrete
}

// registers of one thread, which the interface does not tell.
func (p *physical) registers() int {
	if p.properties.DeviceType == vk.PhysicalDeviceTypeCpu {
		return target.SoftwareRegisters
	}
	return target.Registers(p.properties.VendorID)
}

// maxBindings bounds what the shim takes in one descriptor set.
const maxBindings = C.weft_max_bindings

// maxBuffer is the least of the limits on one allocation, in bytes. It leaves
// room for rounding a length up.
func (p *physical) maxBuffer() int64 {
	bytes := uint64(p.heapBytes())
	for _, limit := range []C.uint64_t{p.facts.max_allocation, p.facts.max_buffer} {
		if limit > 0 {
			bytes = min(bytes, uint64(limit))
		}
	}
	return int64(bytes &^ (bufferAlign - 1))
}
