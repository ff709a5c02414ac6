package target

import (
	"math"
	"slices"
)

// Preset is a device that kernels can be compiled for where there is none.
type Preset struct {
	Name  string // as the command line takes it, such as "h200"
	About string
	Caps  Caps
}

// PresetNamed finds a preset.
func PresetNamed(name string) (p Preset, ok bool) {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return p, false
	}
	return presets[i], true
}

// Presets lists what devices of some kinds can do, as their backends report it.
func Presets() []Preset { return slices.Clone(presets) }

var presets = []Preset{
	cudaPreset("h200", "NVIDIA H200, CUDA, compute capability 9.0", "sm_90a", 90, 227<<10, 140<<30),
	cudaPreset("a100", "NVIDIA A100 80 GB, CUDA, compute capability 8.0", "sm_80", 80, 163<<10, 80<<30),
	cudaPreset("rtx4090", "NVIDIA GeForce RTX 4090, CUDA, compute capability 8.9", "sm_89", 89, 99<<10, 24<<30),
	cudaPreset("t4", "NVIDIA T4, CUDA, compute capability 7.5", "sm_75", 75, 64<<10, 16<<30),
	{"vulkan-nvidia", "an NVIDIA GPU through Vulkan", Caps{
		Language: WGSL, MaxThreads: 1024, MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: 48 << 10,
		MaxBindings: 64, MaxBindingBytes: 4<<30 - 1, Registers: 255, SubgroupSize: 32, F16: true, F16Nearest: true,
		Fingerprint: "preset vulkan-nvidia",
	}},
	{"vulkan-amd", "an AMD RDNA GPU through Vulkan", Caps{
		Language: WGSL, MaxThreads: 1024, MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: 64 << 10,
		MaxBindings: 64, MaxBindingBytes: 4<<30 - 1, Registers: 256, SubgroupSize: 32, F16: true, F16Nearest: true,
		Fingerprint: "preset vulkan-amd",
	}},
	{"llvmpipe", "Mesa's software driver through Vulkan", Caps{
		Language: WGSL, MaxThreads: 1024, MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: 32 << 10,
		MaxBindings: 64, MaxBindingBytes: 128 << 20, Registers: SoftwareRegisters, SubgroupSize: 8, F16: true, F16Nearest: true,
		Fingerprint: "preset llvmpipe",
	}},
	webgpuPreset("webgpu", "WebGPU's default limits, which every browser grants", 16<<10, 128<<20, 0, false),
	webgpuPreset("webgpu-apple", "an Apple GPU through WebGPU", 32<<10, 4<<30-4, 0, true),
	webgpuPreset("webgpu-amd", "an AMD GPU through WebGPU", 32<<10, 2<<30-4, 256, true),
	webgpuPreset("webgpu-intel", "an Intel GPU through WebGPU", 32<<10, 1<<30, 0, true),
	{"cpu", "weft's interpreter", Caps{Language: TileIR, Int64: true, Fingerprint: "preset cpu"}},
}

// cudaPreset is an NVIDIA GPU: the limits are those that all compute capabilities since 7.0 share (CUDA
// C++ programming guide, technical specifications), but for shared memory.
func cudaPreset(name, about, arch string, capability, shared int, memory int64) Preset {
	caps := Caps{
		Language: CUDA, Arch: arch, MaxThreads: 1024, MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: shared,
		MaxBufferBytes: memory, Registers: 255, SubgroupSize: 32, Int64: true, Fingerprint: "preset " + name,
	}
	return Preset{name, about, caps.WithCapability(capability)}
}

// webgpuPreset is a WebGPU device: limits that are not given are the defaults of its specification.
func webgpuPreset(name, about string, shared int, binding int64, registers int, f16 bool) Preset {
	c := Caps{
		Language: WGSL, MaxThreads: 256, MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: shared,
		MaxBindings: 8, MaxBindingBytes: binding, MaxBufferBytes: max(binding, 256<<20), Registers: registers, F16: f16,
		Fingerprint: "preset " + name,
	}
	if name != "webgpu" {
		c.MaxThreads = 1024
	}
	return Preset{name, about, c}
}
