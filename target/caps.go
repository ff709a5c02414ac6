package target

import "math/bits"

// Language is what a backend takes as source.
type Language uint8

// The languages.
const (
	TileIR Language = iota // verified tile IR, executed by the interpreter
	WGSL                   // WebGPU shading language
	CUDA                   // CUDA C++ for NVRTC
	SPIRV                  // SPIR-V assembly for Vulkan
)

// String returns the language's name.
func (l Language) String() string {
	switch l {
	case TileIR:
		return "tile"
	case WGSL:
		return "wgsl"
	case CUDA:
		return "cuda"
	case SPIRV:
		return "spirv"
	}
	return "unknown"
}

// Caps is what a device can do. Sizes are in bytes, counts are per workgroup
// unless said otherwise. A zero limit means that the device has none.
type Caps struct {
	Language Language
	Arch     string // architecture the compiler is asked for, such as "sm_90a"; empty where it has no choice

	// WholeTiles says that a program works on tiles as a whole, as the interpreter does: it has no threads, no shared memory and
	// no registers, the limits of which are 0, and schedules that ask for threads are refused.
	WholeTiles bool

	MaxThreads      int    // threads (invocations) of one workgroup
	MaxGrid         [3]int // workgroups in each dimension of one launch
	SharedBytes     int    // shared (workgroup) memory of one workgroup
	MaxBindings     int    // storage buffers of one kernel
	MaxBindingBytes int64  // one storage buffer as a kernel sees it
	MaxBufferBytes  int64  // one allocation
	DeviceAddresses bool   // kernels that reach more of a buffer than MaxBindingBytes have its address instead of a binding

	Registers int // 32-bit registers that one thread may hold, 0 where that is not known

	// SubgroupSize is how many threads exchange registers by shuffles: threads whose
	// numbers, divided by this power of two, are equal. 0 where that is not promised.
	// It holds for workgroups of a multiple of that many threads, see Subgroup.
	SubgroupSize int

	// F16 says that buffers and shared memory hold 16-bit floats as such, so that one
	// of them can be stored alone. Without it they travel in pairs, packed in words.
	F16 bool
	// F16Nearest says that conversions from F32 to F16 are to the nearest, ties to
	// even, infinite from 65520 on. Without it kernels round by integer arithmetic.
	F16Nearest bool

	Int64 bool // integers of 64 bits, in registers and in memory
	// SystemOrder says that atomic ops can order the accesses of a kernel with those of other kernels that run, on this device or another one that
	// reaches the memory.
	SystemOrder bool
	// DeviceOrder says so for kernels of this device alone.
	DeviceOrder bool
	Float64     bool // F64, in registers and in memory, with all ops on floats; only with Int64

	// Matrix lists the element types of the operands whose products warps compute by matrix instructions, F32
	// with the precision of TF32: mma.sync and ldmatrix of CUDA. Products of other types are fused multiply-adds.
	Matrix Types
	// StoreMatrix says that warps store 8 rows of 16 bytes, spread over their registers as matrix instructions leave sums, to shared
	// memory by one instruction: stmatrix of CUDA.
	StoreMatrix bool
	// WarpGroups says that four warps together compute products, the right operand from shared memory, the left one
	// from there or from registers: wgmma of CUDA.
	WarpGroups bool
	// TensorMaps says that the hardware copies blocks of views to shared memory, which descriptors tell it of, and counts the bytes at
	// barriers there: TMA of CUDA.
	TensorMaps bool
	// Clusters says that neighbouring workgroups can run at one time and reach each other's shared memory, to which one copy by a tensor map
	// brings what all of them need: thread block clusters of CUDA.
	Clusters bool
	// AsyncCopy says that threads start copies from buffers to shared memory which do not pass
	// through registers, and wait for them later: cp.async of CUDA.
	AsyncCopy bool

	// Cooperative lists the products of cooperative matrices that subgroups or workgroups compute, in the order in which the device
	// has them. Those with a reason in Opaque are not used.
	Cooperative CooperativeList `json:",omitzero"`

	// What kernels in SPIR-V can ask for of floats: the types of which infinities and NaN, or denormals, are kept, and whose results
	// are rounded to the nearest, ties to even. Without it a driver may do otherwise.
	KeepsNaN, KeepsDenormals, RoundsNearest Types `json:",omitempty"`

	// BF16 says that there are registers of bfloat16, whose values convert to and from F32 by instructions.
	BF16 bool `json:",omitempty"`
	// AtomicAddF32 says that an instruction adds F32 to a buffer atomically. Without it kernels compare and exchange in a loop.
	AtomicAddF32 bool `json:",omitempty"`
	// SharedAliased says that one shared array can be declared several times, with different types of elements
	// (VK_KHR_workgroup_memory_explicit_layout).
	SharedAliased bool `json:",omitempty"`

	// Machine is the device's hardware, nil where only its kind is known: see Facts.
	Machine *Machine `json:",omitempty"`

	// Compiler names what turns source into binaries, with its version; empty where a device
	// loads source. It keys caches of binaries.
	Compiler string

	// Fingerprint names device, driver and everything else that a compiled
	// binary or a tuned choice depends on. It keys caches.
	Fingerprint string
}

// Subgroup is how many threads of a workgroup exchange registers by shuffles, 0 for
// none. Smaller workgroups than a subgroup have shuffles in CUDA alone, which says how
// threads fill a warp (CUDA C++ programming guide, "SIMT Architecture"). Vulkan and
// WebGPU say nothing of subgroups that are not full.
func (c Caps) Subgroup(threads int) int {
	switch {
	case c.SubgroupSize == 0 || threads >= c.SubgroupSize:
		return c.SubgroupSize
	case c.Language == CUDA:
		return threads
	}
	return 0
}

// FitThreads is the size of a workgroup of n threads, a power of two, on a device that may
// have fewer in one.
func (c Caps) FitThreads(n int) int {
	if c.MaxThreads > 0 && c.MaxThreads < n {
		return 1 << (bits.Len(uint(c.MaxThreads)) - 1)
	}
	return n
}
