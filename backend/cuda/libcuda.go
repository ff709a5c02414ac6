//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/weftgpu/weft/fault"
)

// driverTable holds the functions of libcuda; all return a CUresult. Handles
// and device pointers are 64 bits wide, a CUdevice is an int. Where the header
// maps a name to a versioned symbol, it is the symbol that stands here.
type driverTable struct {
	Init           proc `sym:"cuInit"`             // (unsigned flags)
	DriverVersion  proc `sym:"cuDriverGetVersion"` // (int*)
	GetErrorName   proc `sym:"cuGetErrorName"`     // (CUresult, const char**)
	GetErrorString proc `sym:"cuGetErrorString"`   // (CUresult, const char**)

	DeviceGetCount     proc `sym:"cuDeviceGetCount"`     // (int*)
	DeviceGet          proc `sym:"cuDeviceGet"`          // (CUdevice*, int ordinal)
	DeviceGetName      proc `sym:"cuDeviceGetName"`      // (char*, int len, CUdevice)
	DeviceGetUuid      proc `sym:"cuDeviceGetUuid"`      // (CUuuid*, CUdevice)
	DeviceTotalMem     proc `sym:"cuDeviceTotalMem_v2"`  // (size_t*, CUdevice)
	DeviceGetAttribute proc `sym:"cuDeviceGetAttribute"` // (int*, attribute, CUdevice)

	PrimaryCtxRetain  proc `sym:"cuDevicePrimaryCtxRetain"`     // (CUcontext*, CUdevice)
	PrimaryCtxRelease proc `sym:"cuDevicePrimaryCtxRelease_v2"` // (CUdevice)
	CtxSetCurrent     proc `sym:"cuCtxSetCurrent"`              // (CUcontext)

	StreamCreate      proc `sym:"cuStreamCreate"`      // (CUstream*, unsigned flags)
	StreamSynchronize proc `sym:"cuStreamSynchronize"` // (CUstream)
	StreamDestroy     proc `sym:"cuStreamDestroy_v2"`  // (CUstream)

	MemAlloc        proc `sym:"cuMemAlloc_v2"`                    // (CUdeviceptr*, size_t)
	MemFree         proc `sym:"cuMemFree_v2"`                     // (CUdeviceptr)
	PoolCreate      proc `sym:"cuMemPoolCreate,optional"`         // (CUmemoryPool*, const CUmemPoolProps*)
	PoolSetAttr     proc `sym:"cuMemPoolSetAttribute,optional"`   // (CUmemoryPool, attribute, void*)
	PoolTrimTo      proc `sym:"cuMemPoolTrimTo,optional"`         // (CUmemoryPool, size_t)
	PoolDestroy     proc `sym:"cuMemPoolDestroy,optional"`        // (CUmemoryPool)
	PoolAlloc       proc `sym:"cuMemAllocFromPoolAsync,optional"` // (CUdeviceptr*, size_t, CUmemoryPool, CUstream)
	PoolFree        proc `sym:"cuMemFreeAsync,optional"`          // (CUdeviceptr, CUstream)
	MemAllocHost    proc `sym:"cuMemAllocHost_v2"`                // (void**, size_t)
	MemFreeHost     proc `sym:"cuMemFreeHost"`                    // (void*)
	MemcpyHtoDAsync proc `sym:"cuMemcpyHtoDAsync_v2"`             // (CUdeviceptr, const void*, size_t, CUstream)
	MemcpyDtoHAsync proc `sym:"cuMemcpyDtoHAsync_v2"`             // (void*, CUdeviceptr, size_t, CUstream)

	ModuleLoadData    proc `sym:"cuModuleLoadData"`    // (CUmodule*, const void*)
	ModuleGetFunction proc `sym:"cuModuleGetFunction"` // (CUfunction*, CUmodule, const char*)
	ModuleUnload      proc `sym:"cuModuleUnload"`      // (CUmodule)
	FuncGetAttribute  proc `sym:"cuFuncGetAttribute"`  // (int*, attribute, CUfunction)
	FuncSetAttribute  proc `sym:"cuFuncSetAttribute"`  // (CUfunction, attribute, int)
	// (CUfunction, unsigned grid x, y, z, unsigned block x, y, z, unsigned shared, CUstream, void **params, void **extra)
	LaunchKernel proc `sym:"cuLaunchKernel"`
	// (const CUlaunchConfig*, CUfunction, void **params, void **extra); since CUDA 11.8
	LaunchKernelEx proc `sym:"cuLaunchKernelEx,optional"`
	// (CUtensorMap*, CUtensorMapDataType, uint32_t rank, void *address, const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
	// const uint32_t *elementStrides, interleave, swizzle, promotion, fill); since CUDA 12.0
	TensorMapEncode proc `sym:"cuTensorMapEncodeTiled,optional"`

	GraphCreate         proc `sym:"cuGraphCreate,optional"`           // (CUgraph*, unsigned flags)
	GraphAddKernelNode  proc `sym:"cuGraphAddKernelNode,optional"`    // (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS*)
	GraphAddKernelNode2 proc `sym:"cuGraphAddKernelNode_v2,optional"` // the same with two fields more
	// (CUgraph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData*, size_t); since CUDA 12.3
	GraphAddDependencies2 proc `sym:"cuGraphAddDependencies_v2,optional"`

	GraphInstantiate proc `sym:"cuGraphInstantiateWithFlags,optional"` // (CUgraphExec*, CUgraph, unsigned long long flags)
	GraphLaunch      proc `sym:"cuGraphLaunch,optional"`               // (CUgraphExec, CUstream)
	GraphExecDestroy proc `sym:"cuGraphExecDestroy,optional"`          // (CUgraphExec)
	GraphDestroy     proc `sym:"cuGraphDestroy,optional"`              // (CUgraph)

	EventCreate      proc `sym:"cuEventCreate"`      // (CUevent*, unsigned flags)
	EventRecord      proc `sym:"cuEventRecord"`      // (CUevent, CUstream)
	EventSynchronize proc `sym:"cuEventSynchronize"` // (CUevent)
	EventElapsedTime proc `sym:"cuEventElapsedTime"` // (float *ms, CUevent start, CUevent end)
	EventDestroy     proc `sym:"cuEventDestroy_v2"`  // (CUevent)
	EventQuery       proc `sym:"cuEventQuery"`       // (CUevent)
	StreamWaitEvent  proc `sym:"cuStreamWaitEvent"`  // (CUstream, CUevent, unsigned flags)

	CanAccessPeer    proc `sym:"cuDeviceCanAccessPeer"`       // (int*, CUdevice, CUdevice peer)
	PeerAttribute    proc `sym:"cuDeviceGetP2PAttribute"`     // (int*, CUdevice_P2PAttribute, CUdevice, CUdevice peer)
	EnablePeerAccess proc `sym:"cuCtxEnablePeerAccess"`       // (CUcontext peer, unsigned flags)
	PoolSetAccess    proc `sym:"cuMemPoolSetAccess,optional"` // (CUmemoryPool, const CUmemAccessDesc*, size_t n)
	MemcpyDtoDAsync  proc `sym:"cuMemcpyDtoDAsync_v2"`        // (CUdeviceptr dst, CUdeviceptr src, size_t, CUstream)

	StreamBatchMemOp proc `sym:"cuStreamBatchMemOp_v2,optional"` // (CUstream, unsigned n, CUstreamBatchMemOpParams*, unsigned flags); since CUDA 11.7

	// (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_BATCH_MEM_OP_NODE_PARAMS*); since CUDA 11.7
	GraphAddBatchMemOpNode proc `sym:"cuGraphAddBatchMemOpNode,optional"`

	StreamBeginCapture     proc `sym:"cuStreamBeginCapture_v2,optional"`  // (CUstream, mode)
	StreamEndCapture       proc `sym:"cuStreamEndCapture,optional"`       // (CUstream, CUgraph*)
	GraphAddEmptyNode      proc `sym:"cuGraphAddEmptyNode,optional"`      // (CUgraphNode*, CUgraph, const CUgraphNode*, size_t)
	GraphAddChildGraphNode proc `sym:"cuGraphAddChildGraphNode,optional"` // (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraph child)
}

// CUdevice_attribute, CUfunction_attribute and other constants of cuda.h.
const (
	attrMaxThreads      = 1
	attrClock           = 13 // kHz
	attrUnits           = 16
	attrMemoryClock     = 36 // kHz
	attrMemoryBits      = 37
	attrL2Bytes         = 38
	attrUnitThreads     = 39
	attrUnitShared      = 81
	attrUnitRegisters   = 82
	attrUnitWorkgroups  = 106
	attrMaxGridX        = 5 // y and z follow
	attrWarpSize        = 10
	attrComputeMode     = 20
	attrCapabilityMajor = 75
	attrCapabilityMinor = 76
	attrSharedBytes     = 97 // beyond the 48 KiB that need no asking
	attrMemoryPools     = 115

	funcMaxThreads    = 0
	funcRegisters     = 4
	funcDynamicShared = 8

	peerAtomics           = 3 // CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
	computeModeProhibited = 2
	streamNonBlocking     = 1
	poolReleaseThreshold  = 4
	eventWithoutTime      = 2 // CU_EVENT_DISABLE_TIMING
	captureRelaxed        = 2 // CU_STREAM_CAPTURE_MODE_RELAXED
)

// CUresult values that mean more than a failed call.
const (
	statusOutOfMemory          = 2
	statusNotReady             = 600
	statusLaunchOutOfResources = 701
	statusPeerAccessEnabled    = 704
)

// fatal holds the statuses after which a context answers nothing else:
// CUDA_ERROR_DEINITIALIZED, ECC_UNCORRECTABLE,
// NVLINK_UNCORRECTABLE, CONTAINED, ILLEGAL_ADDRESS, LAUNCH_TIMEOUT,
// CONTEXT_IS_DESTROYED, ASSERT, HARDWARE_STACK_ERROR, ILLEGAL_INSTRUCTION,
// MISALIGNED_ADDRESS, INVALID_ADDRESS_SPACE, INVALID_PC, LAUNCH_FAILED,
// TENSOR_MEMORY_LEAK, EXTERNAL_DEVICE and UNKNOWN.
var fatal = map[int32]bool{
	4: true, 214: true, 220: true, 226: true, 700: true, 702: true,
	709: true, 710: true, 714: true, 715: true, 716: true, 717: true, 718: true, 719: true,
	721: true, 911: true, 999: true,
}

// driverLib is a loaded libcuda.
type driverLib struct {
	driverTable
	version int    // of CUDA that the driver offers, 12040 for 12.4
	kernel  string // version of the kernel driver, empty where unknown
}

// theDriver is the process's libcuda.
var theDriver = sync.OnceValues(func() (*driverLib, error) { return loadDriver(driverNames) })

// loadDriver loads the first of the libraries named. It does not initialise it.
func loadDriver(names []string) (*driverLib, error) {
	var failed []string
	for _, name := range names {
		handle, err := openLibrary(name)
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		lib := &driverLib{kernel: kernelDriver()}
		if err := bind(handle, &lib.driverTable); err != nil {
			return nil, fault.New(fault.ErrUnsupported, "cuda", "the driver in %s is too old: %v", name, err)
		}
		var version int32
		if r := lib.DriverVersion.call(uintptr(unsafe.Pointer(&version))); r != 0 {
			return nil, lib.fault(&lib.DriverVersion, r)
		}
		lib.version = int(version)
		return lib, nil
	}
	return nil, fault.New(fault.ErrDevice, "cuda", "no NVIDIA driver was found: %s", strings.Join(failed, "; "))
}

// String names the driver and the CUDA version it offers.
func (lib *driverLib) String() string {
	s := fmt.Sprintf("CUDA %d.%d", lib.version/1000, lib.version%1000/10)
	if lib.kernel != "" {
		s = lib.kernel + ", " + s
	}
	return s
}

// fault turns a status into an error of the op "cuda: cuName" that holds CUDA's
// name of the status and its explanation.
func (lib *driverLib) fault(p *proc, status int32) *fault.Error {
	kind := fault.ErrUnsupported
	switch {
	case fatal[status]:
		kind = fault.ErrDeviceLost
	case status == statusOutOfMemory:
		kind = fault.ErrOutOfMemory
	case status == statusLaunchOutOfResources:
		kind = fault.ErrLimit
	}
	var name, text *byte
	lib.GetErrorName.call(uintptr(status), uintptr(unsafe.Pointer(&name)))
	lib.GetErrorString.call(uintptr(status), uintptr(unsafe.Pointer(&text)))
	if name == nil {
		return fault.New(kind, "cuda: "+p.name, "the driver returned status %d", status)
	}
	return fault.New(kind, "cuda: "+p.name, "%s (%s)", goString(name), goString(text))
}
