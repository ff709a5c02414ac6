package target

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Preset is a device that kernels can be compiled for where there is none.
type Preset struct {
	Name  string // as the command line takes it, such as "h200"
	About string
	Caps  Caps
	SPIRV *Caps // where kernels come in SPIR-V, nil for hardware that takes none
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
	cudaPreset("h200", "NVIDIA H200", 90, 140<<30),
	cudaPreset("h100", "NVIDIA H100 80GB HBM3", 90, 80<<30),
	cudaPreset("h100-pcie", "NVIDIA H100 PCIe", 90, 80<<30),
	cudaPreset("a100", "NVIDIA A100 80GB", 80, 80<<30),
	cudaPreset("rtx4090", "NVIDIA GeForce RTX 4090", 89, 24<<30),
	cudaPreset("l4", "NVIDIA L4", 89, 24<<30),
	cudaPreset("t4", "NVIDIA T4", 75, 16<<30),
	vulkanPreset("vulkan-nvidia", "an NVIDIA GPU through Vulkan", "", Caps{
		MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: 48 << 10, MaxBindingBytes: 4<<30 - 1, Registers: 255, SubgroupSize: 32,
	}, MMA()),
	vulkanPreset("vulkan-amd", "an AMD RDNA GPU through Vulkan", "", rdna, RDNA3(32)),
	vulkanPreset("rx7900xtx", "AMD Radeon RX 7900 XTX, Vulkan", "AMD Radeon RX 7900 XTX", rdna, RDNA3(32)),
	vulkanPreset("arc-a770", "Intel Arc A770, Vulkan", "Intel Arc A770", Caps{
		MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: 64 << 10, MaxBindingBytes: 1 << 30, SubgroupSize: 32,
	}, XeHPG(32)),
	vulkanPreset("llvmpipe", "Mesa's software driver through Vulkan", "", Caps{
		MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: 32 << 10, MaxBindingBytes: 128 << 20, Registers: SoftwareRegisters, SubgroupSize: 8,
	}, Llvmpipe()),
	webgpuPreset("webgpu", "WebGPU's default limits, which every browser grants", MachineOf("", Integrated), 256, 16<<10, 128<<20, 0, false),
	webgpuPreset("apple-m2", "Apple M2 through WebGPU, with its default limits", MachineOf("Apple M2", Integrated), 256, 16<<10, 128<<20, 0, false),
	webgpuPreset("webgpu-apple", "an Apple GPU through WebGPU", MachineOf("", Integrated), 1024, 32<<10, 4<<30-4, 0, true),
	webgpuPreset("webgpu-amd", "an AMD GPU through WebGPU", MachineOf("", Discrete), 1024, 32<<10, 2<<30-4, 256, true),
	webgpuPreset("webgpu-intel", "an Intel GPU through WebGPU", MachineOf("", Integrated), 1024, 32<<10, 1<<30, 0, true),
	{Name: "cpu", About: "the cores of this machine", Caps: Caps{
		Language: TileIR, WholeTiles: true, Int64: true, Float64: true, SystemOrder: true, DeviceOrder: true, Machine: MachineOf("", Host), Fingerprint: "preset cpu",
	}},
}

// rdna is what AMD's GPUs offer through Vulkan.
var rdna = Caps{
	MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: 64 << 10, MaxBindingBytes: 4<<30 - 1, Registers: 256, SubgroupSize: 32,
}

// cudaPreset is an NVIDIA GPU that is known by name: its limits are those that all compute capabilities since 7.0 share (CUDA
// C++ programming guide, technical specifications), but for shared memory.
func cudaPreset(name, device string, capability int, memory int64) Preset {
	a := ArchitectureOf(capability)
	arch := fmt.Sprintf("sm_%d", capability)
	if a.Variants != "" {
		arch += a.Variants[:1]
	}
	caps := Caps{
		Language: CUDA, Arch: arch, MaxThreads: 1024, MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: a.MostShared,
		MaxBufferBytes: memory, Registers: 255, SubgroupSize: 32, Int64: true, Float64: true, Machine: MachineOf(device, Discrete), Fingerprint: "preset " + name,
	}
	about := fmt.Sprintf("%s, CUDA, compute capability %d.%d", device, capability/10, capability%10)
	return Preset{Name: name, About: about, Caps: caps.WithCapability(capability)}
}

// vulkanPreset is a device through Vulkan, by the name of its machine if that is known. Its matrices are for kernels in SPIR-V.
func vulkanPreset(name, about, device string, c Caps, list CooperativeList) Preset {
	kind := Discrete
	if c.Registers == SoftwareRegisters {
		kind = Software
	}
	c.Language, c.MaxThreads, c.MaxBindings, c.F16, c.F16Nearest = WGSL, 1024, 64, true, true
	c.Machine, c.Fingerprint = MachineOf(device, kind), "preset "+name
	spirv := c
	spirv.Language, spirv.Fingerprint = SPIRV, c.Fingerprint+" spirv"
	spirv.Int64, spirv.AtomicAddF32, spirv.DeviceOrder = true, true, true
	spirv.Float64 = list != XeHPG(32) // whose units have no doubles
	spirv.Cooperative, spirv.BF16 = list, list != Llvmpipe()
	spirv.KeepsDenormals = TypesOf(dtype.F16)
	spirv.KeepsNaN, spirv.RoundsNearest = TypesOf(dtype.F16, dtype.F32, dtype.F64), TypesOf(dtype.F16, dtype.F32, dtype.F64)
	return Preset{name, about, c, &spirv}
}

// webgpuPreset is a WebGPU device: limits that are not given are the defaults of its specification.
func webgpuPreset(name, about string, machine *Machine, threads, shared int, binding int64, registers int, f16 bool) Preset {
	return Preset{Name: name, About: about, Caps: Caps{
		Language: WGSL, MaxThreads: threads, MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: shared,
		MaxBindings: 8, MaxBindingBytes: binding, MaxBufferBytes: max(binding, 256<<20), Registers: registers, F16: f16,
		Machine: machine, Fingerprint: "preset " + name,
	}}
}
