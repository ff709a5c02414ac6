package target

// Language is what a backend takes as source.
type Language uint8

// The languages.
const (
	TileIR Language = iota // verified tile IR, executed by the interpreter
	WGSL                   // WebGPU shading language
	CUDA                   // CUDA C++ for NVRTC
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
	}
	return "unknown"
}

// Caps is what a device can do. Sizes are in bytes, counts are per workgroup
// unless said otherwise. A zero limit means that the device has none.
type Caps struct {
	Language Language
	Arch     string // architecture the compiler is asked for, such as "sm_90a"; empty where it has no choice

	MaxThreads      int    // threads (invocations) of one workgroup
	MaxGrid         [3]int // workgroups in each dimension of one launch
	SharedBytes     int    // shared (workgroup) memory of one workgroup
	MaxBindings     int    // storage buffers of one kernel
	MaxBindingBytes int64  // one storage buffer as a kernel sees it
	MaxBufferBytes  int64  // one allocation

	Int64 bool // integers of 64 bits, in registers and in memory

	Registers    int // 32-bit registers that one thread may hold, 0 where that is not known
	SubgroupSize int // threads that exchange registers by shuffles, in thread order; 0 where that is not promised

	// Fingerprint names device, driver and everything else that a compiled
	// binary or a tuned choice depends on. It keys caches.
	Fingerprint string
}
