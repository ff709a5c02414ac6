//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

func init() { backend.Register(driver{}) }

// driver finds the GPUs of the process's libcuda.
type driver struct{}

// Name returns "cuda".
func (driver) Name() string { return "cuda" }

// Candidates lists the GPUs, or one refused candidate that says what is missing.
func (driver) Candidates() []backend.Candidate {
	lib, err := theDriver()
	if err != nil {
		return []backend.Candidate{refused(err)}
	}
	return candidates(lib, theNVRTC)
}

// refused is the candidate of a machine without a usable GPU.
func refused(err error) backend.Candidate {
	return backend.Candidate{Info: backend.Info{Backend: "cuda", Kind: backend.GPU}, Refused: err}
}

// gpu is what is known of a device before it is opened.
type gpu struct {
	handle int32 // CUdevice
	info   backend.Info
	caps   target.Caps
	pools  bool // offers stream-ordered memory pools
}

// candidates lists the GPUs of a driver; nvrtc is only loaded if there is one.
func candidates(lib *driverLib, nvrtc func() (*nvrtcLib, error)) []backend.Candidate {
	if r := lib.Init.call(0); r != 0 {
		err := lib.fault(&lib.Init, r)
		err.Kind = fault.ErrDevice
		return []backend.Candidate{refused(err)}
	}
	var count int32
	if r := lib.DeviceGetCount.call(uintptr(unsafe.Pointer(&count))); r != 0 {
		return []backend.Candidate{refused(lib.fault(&lib.DeviceGetCount, r))}
	}
	if count == 0 {
		return []backend.Candidate{refused(fault.New(fault.ErrDevice, "cuda", "the driver (%v) finds no GPU", lib))}
	}
	list := make([]backend.Candidate, count)
	for i := range list {
		c := &list[i]
		g, err := lib.inspect(i, nvrtc)
		c.Info, c.Refused = g.info, err
		if err == nil {
			c.Open = func() (backend.Device, error) {
				rtc, err := nvrtc()
				if err != nil {
					return nil, err
				}
				return open(lib, rtc, g)
			}
		}
	}
	return list
}

// inspect asks the driver about its i-th GPU. The error says why it cannot be
// used; the info is then filled in as far as it is known.
func (lib *driverLib) inspect(i int, nvrtc func() (*nvrtcLib, error)) (g gpu, err error) {
	q := query{lib: lib}
	var handle int32
	var memory uintptr
	var name [256]byte
	var uuid [16]byte
	q.ask(&lib.DeviceGet, uintptr(unsafe.Pointer(&handle)), uintptr(i))
	q.ask(&lib.DeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(handle))
	q.ask(&lib.DeviceGetUuid, uintptr(unsafe.Pointer(&uuid[0])), uintptr(handle))
	q.ask(&lib.DeviceTotalMem, uintptr(unsafe.Pointer(&memory)), uintptr(handle))
	capability := 10*q.attribute(attrCapabilityMajor, handle) + q.attribute(attrCapabilityMinor, handle)
	g.handle = handle
	g.pools = lib.PoolAlloc.addr != 0 && q.attribute(attrMemoryPools, handle) != 0
	g.info = backend.Info{
		Backend: "cuda", Index: i, Name: trimNUL(name[:]), Driver: lib.String(), Kind: backend.GPU, Memory: int64(memory),
	}
	g.caps = target.Caps{
		Language:       target.CUDA,
		MaxThreads:     q.attribute(attrMaxThreads, handle),
		SharedBytes:    q.attribute(attrSharedBytes, handle),
		MaxBufferBytes: int64(memory),
		Int64:          true,
		Float64:        true,
		Registers:      255,
		SubgroupSize:   q.attribute(attrWarpSize, handle),
	}
	g.caps = g.caps.WithCapability(capability)
	g.caps.Machine = target.NVIDIA(g.info.Name, capability, lib.machine(handle))
	g.caps.TensorMaps = g.caps.TensorMaps && lib.TensorMapEncode.addr != 0
	for axis := range g.caps.MaxGrid {
		g.caps.MaxGrid[axis] = q.attribute(attrMaxGridX+axis, handle)
	}
	if q.attribute(attrComputeMode, handle) == computeModeProhibited && q.err == nil {
		q.err = fault.New(fault.ErrDevice, "cuda", "the GPU's compute mode prohibits its use")
	}
	if q.err != nil {
		return g, q.err
	}
	if capability < oldest { // whatever NVRTC there is
		_, err := chooseArch(capability, nil)
		return g, fault.New(fault.ErrUnsupported, "cuda", "%v", err)
	}
	rtc, err := nvrtc()
	if err != nil {
		return g, err
	}
	if driverMajor := lib.version / 1000; rtc.major > driverMajor {
		return g, fault.New(fault.ErrUnsupported, "cuda", "NVRTC %d.%d (%s) is too new for the driver (%v), which loads binaries of CUDA %d; set %s to an older one",
			rtc.major, rtc.minor, rtc.path, lib, driverMajor, nvrtcEnv)
	}
	if g.caps.Arch, err = chooseArch(capability, rtc.archs); err != nil {
		return g, fault.New(fault.ErrUnsupported, "cuda", "NVRTC %d.%d (%s): %v", rtc.major, rtc.minor, rtc.path, err)
	}
	g.caps.Compiler = rtc.String()
	g.caps.Fingerprint = fmt.Sprintf("cuda %s, %x, %s, driver %v, NVRTC %d.%d",
		g.info.Name, uuid, g.caps.Arch, lib, rtc.major, rtc.minor)
	return g, nil
}

// machine is what the driver reports about a GPU's hardware; what it does not know is 0.
func (lib *driverLib) machine(handle int32) target.Machine {
	ask := func(which int) int {
		q := query{lib: lib}
		return q.attribute(which, handle)
	}
	const perTransfer = 2 // memory transfers data on both edges of its clock
	return target.Machine{
		Units: ask(attrUnits), Threads: ask(attrUnitThreads), Workgroups: ask(attrUnitWorkgroups),
		Registers: ask(attrUnitRegisters), Shared: ask(attrUnitShared), L2: int64(ask(attrL2Bytes)),
		Clock: 1e3 * float64(ask(attrClock)), Memory: perTransfer * 1e3 * float64(ask(attrMemoryClock)) * float64(ask(attrMemoryBits)) / 8,
	}
}

// query calls the driver until the first failure, which it keeps.
type query struct {
	lib *driverLib
	err error
}

//go:uintptrescapes
func (q *query) ask(p *proc, args ...uintptr) {
	if q.err != nil {
		return
	}
	if r := p.call(args...); r != 0 {
		q.err = q.lib.fault(p, r)
	}
}

func (q *query) attribute(which int, device int32) int {
	var value int32
	q.ask(&q.lib.DeviceGetAttribute, uintptr(unsafe.Pointer(&value)), uintptr(which), uintptr(device))
	return int(value)
}
