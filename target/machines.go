package target

import (
	"slices"
	"strings"
)

// Kind is a kind of device, for what is known of those that are in no table.
type Kind uint8

// The kinds.
const (
	Discrete   Kind = iota // a GPU with memory of its own
	Integrated             // a GPU that shares the memory of the host
	Software               // a GPU interface implemented on the host
	Host                   // the CPU
)

// kinds are the machines that stand for devices of which no more is known. Their figures are round ones of devices that are sold
// today; those of the host were fitted to the interpreter's order of configs.
var kinds = [...]*Machine{
	Discrete: withDefaults(Machine{Name: "a discrete GPU", Units: 64, Threads: 1536, Workgroups: 16, Registers: 1 << 16, Shared: 64 << 10, L2: 32 << 20,
		Clock: 2e9, Memory: 500e9, Cache: 2e12, Flops: 30e12}, true),
	Integrated: withDefaults(Machine{Name: "an integrated GPU", Units: 12, Threads: 1024, Workgroups: 16, Registers: 1 << 16, Shared: 64 << 10, L2: 4 << 20,
		Clock: 1.5e9, Memory: 100e9, Cache: 300e9, Flops: 4e12}, true),
	// Its threads are lanes of vectors of the host's cores.
	Software: {Name: "a software driver", Generic: true, Units: 8, Threads: 256, Workgroups: 32, Registers: 256 * SoftwareRegisters, Shared: 32 << 10, L2: 32 << 20,
		Memory: 20e9, Cache: 50e9, Staged: 50e9, Flops: 50e9, Latency: 1e-7, Launch: 2e-5, Program: 2e-6},
	// Its programs are goroutines of the interpreter, which has a faster way for products.
	Host: {Name: "a CPU", Generic: true, Units: 8, Threads: 1, Workgroups: 1, L2: 32 << 20,
		Memory: 20e9, Cache: 100e9, Staged: 100e9, Flops: 20e9, Matrix: MatrixRates{F16: 100e9, TF32: 100e9, I8: 100e9}, Latency: 2e-7, Launch: 2e-6, Program: 3e-6},
}

// hopper is what is sustained of the rates of an H200: power limits the clock while matrix units are busy.
var hopper = struct{ Memory, Flops, Matrix float64 }{0.92, 0.82, 0.75}

// machines are the GPUs that are known by name. Rates are those of data sheets, at the boost clock, of dense matrices and sums of 32 bits.
// NVIDIA publishes no bandwidth of second-level caches: the A100's is 5120 bytes a clock (NVIDIA A100 Tensor Core GPU Architecture,
// 2020), that of Hopper and the latencies were measured by Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture
// via Microbenchmarking, 2024, rounded, that of the T4 by Jia et al., Dissecting the NVidia Turing T4 GPU via Microbenchmarking, 2019;
// those of Ada are estimates.
var machines = []*Machine{
	// NVIDIA H200 data sheet, SXM; the clock is that of the H100 SXM. What is sustained was measured.
	nvidia(90, Machine{Name: "NVIDIA H200", Units: 132, L2: 50 << 20, Clock: 1.98e9, Link: 450e9, Memory: 4.8e12, Cache: 8e12, Staged: 30e12, Flops: 67e12,
		Matrix: MatrixRates{F16: 989.5e12, TF32: 494.75e12, I8: 1979e12, Warp: hopperWarps}, Sustained: hopper}),
	// NVIDIA H100 data sheet, SXM and PCIe; NVIDIA H100 Tensor Core GPU Architecture, 2022.
	nvidia(90, Machine{Name: "NVIDIA H100 80GB HBM3", Units: 132, L2: 50 << 20, Clock: 1.98e9, Link: 450e9, Memory: 3.35e12, Cache: 8e12, Staged: 30e12, Flops: 67e12,
		Matrix: MatrixRates{F16: 989.5e12, TF32: 494.75e12, I8: 1979e12, Warp: hopperWarps}}),
	nvidia(90, Machine{Name: "NVIDIA H100 PCIe", Units: 114, L2: 50 << 20, Clock: 1.755e9, Memory: 2e12, Cache: 6e12, Flops: 51e12,
		Matrix: MatrixRates{F16: 756e12, TF32: 378e12, I8: 1513e12, Warp: hopperWarps}}),
	// NVIDIA A100 data sheet, 80 GB.
	nvidia(80, Machine{Name: "NVIDIA A100 80GB", Units: 108, L2: 40 << 20, Clock: 1.41e9, Link: 300e9, Memory: 2.039e12, Cache: 7.2e12, Flops: 19.5e12,
		Matrix: MatrixRates{F16: 312e12, TF32: 156e12, I8: 624e12}}),
	// NVIDIA Ada GPU Architecture, 2022, for the RTX 4090; NVIDIA L4 data sheet, whose rates are of sparse matrices, twice those of dense ones.
	nvidia(89, Machine{Name: "NVIDIA GeForce RTX 4090", Units: 128, L2: 72 << 20, Clock: 2.52e9, Memory: 1.008e12, Cache: 5e12, Flops: 82.6e12,
		Matrix: MatrixRates{F16: 165.2e12, TF32: 82.6e12, I8: 660.6e12}}),
	nvidia(89, Machine{Name: "NVIDIA L4", Units: 58, L2: 48 << 20, Clock: 2.04e9, Memory: 300e9, Cache: 2e12, Flops: 30.3e12,
		Matrix: MatrixRates{F16: 121e12, TF32: 60e12, I8: 242.5e12}}),
	// NVIDIA T4 data sheet.
	nvidia(75, Machine{Name: "NVIDIA T4", Units: 40, L2: 4 << 20, Clock: 1.59e9, Memory: 320e9, Cache: 1.27e12, Flops: 8.1e12,
		Matrix: MatrixRates{F16: 65e12, I8: 130e12}}),

	// AMD Radeon RX 7900 XTX specifications, and the RDNA 3 instruction set architecture reference: a compute unit has half of a work-group
	// processor's 128 KiB, two SIMDs of 32 lanes with 1536 registers each, and room for 16 waves of 32 threads on each. F32 counts dual issue.
	// The cache is the Infinity Cache, in front of which are 6 MiB of a second level; its bandwidth is of AMD's presentation.
	withDefaults(Machine{Name: "AMD Radeon RX 7900 XTX", Units: 96, Threads: 1024, Workgroups: 16, Registers: 2 * 1536 * 32, Shared: 64 << 10, L2: 96 << 20,
		Clock: 2.5e9, Memory: 960e9, Cache: 3.5e12, Flops: 61.4e12, Matrix: MatrixRates{F16: 122.8e12, I8: 122.8e12}}, false),
	// Intel Arc A770 specifications, 16 GB, and the Intel oneAPI GPU optimization guide, Xe-HPG: 16 vector engines of a core have 8 threads of 16
	// lanes and 32 KiB of registers each, and a core's matrix engines do 2048 operations of F16 a clock.
	withDefaults(Machine{Name: "Intel Arc A770", Units: 32, Threads: 16 * 8 * 16, Workgroups: 16, Registers: 16 * 8192, Shared: 64 << 10, L2: 16 << 20,
		Clock: 2.1e9, Memory: 560e9, Cache: 2e12, Flops: 17.2e12, Matrix: MatrixRates{F16: 137.6e12, I8: 275e12}}, false),
	// Apple: 10 cores, 3.6 TFLOP/s and 100 GB/s; registers and shared memory of a core, and 1024 threads that have all of its registers, as Philip
	// Turner measured (metal-benchmarks, 2023).
	withDefaults(Machine{Name: "Apple M2", Units: 10, Threads: 1024, Workgroups: 8, Registers: 208 << 10 / 4, Shared: 60 << 10, L2: 8 << 20,
		Clock: 1.398e9, Memory: 100e9, Cache: 300e9, Flops: 3.6e12}, false),
}

// hopperWarps is what mma.sync reaches of the rate of wgmma (Luo et al.).
const hopperWarps = 0.63

// sharedWidth is how many bytes of shared memory a unit reads in a clock (CUDA C++ programming guide, "Shared Memory": 32 banks of 4 bytes;
// those of other vendors have as many).
const sharedWidth = 128

// withDefaults fills in what GPUs have in common: the bandwidth of shared memory, and latencies in the order of what Luo et al. measured.
func withDefaults(m Machine, generic bool) *Machine {
	m.Generic = generic
	if m.Staged == 0 {
		m.Staged = float64(m.Units) * sharedWidth * m.Clock
	}
	m.Latency, m.Launch, m.Program = 8e-7, 2e-6, 2e-7
	return &m
}

// nvidia fills in what all GPUs of a compute capability share.
func nvidia(capability int, m Machine) *Machine {
	a := ArchitectureOf(capability)
	m.Threads, m.Workgroups, m.Registers, m.Shared = a.Threads, a.Workgroups, a.Registers, a.Shared
	return withDefaults(m, false)
}

// Machines lists the GPUs that are known by name.
func Machines() []Machine {
	list := make([]Machine, len(machines))
	for i, m := range machines {
		list[i] = *m
	}
	return list
}

// MachineOf is the machine of a device by the name that its driver gives it, or the one of its kind where that is not known.
func MachineOf(device string, kind Kind) *Machine {
	if m := named(device); m != nil && kind < Software {
		return m
	}
	return kinds[min(kind, Host)]
}

// others are words of names by which vendors tell GPUs of one number from each other.
var others = []string{"d", "gre", "laptop", "max", "max-q", "mobile", "nvl", "pro", "super", "ti", "ultra", "xt"}

// vendors are words that drivers leave out of names.
var vendors = []string{"nvidia", "geforce", "amd", "intel"}

// named finds the GPU of which a device's name has all words; nil if there is none. The words may stand between others, such as those of the driver, but
// for those that make it another GPU.
func named(device string) *Machine {
	words := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" -()", r) })
	}
	clean := strings.NewReplacer("(R)", " ", "(TM)", " ", "(tm)", " ").Replace(device)
	have := append(words(clean), vendors...)
	for _, m := range machines {
		want := words(m.Name)
		missing := func(list []string) func(string) bool { return func(w string) bool { return !slices.Contains(list, w) } }
		other := slices.DeleteFunc(slices.Clone(have), missing(others))
		if !slices.ContainsFunc(want, missing(have)) && !slices.ContainsFunc(other, missing(want)) {
			return m
		}
	}
	return nil
}

// NVIDIA is the machine of one of NVIDIA's GPUs: the known one of that name, if there is one, with the facts that the driver told. Of others, the rates of
// arithmetic follow from the units, the clock and what a unit of the compute capability does in one, and 32 bytes from the second-level cache
// are counted for each unit and clock.
func NVIDIA(device string, capability int, told Machine) *Machine {
	if m := named(device); m != nil {
		return m.as(told)
	}
	a := ArchitectureOf(capability)
	rate := float64(told.Units) * told.Clock
	told.Name = device
	told.Flops, told.Cache = 2*float64(a.Lanes)*rate, 32*rate
	told.Matrix = MatrixRates{F16: float64(a.Matrix) * rate, TF32: float64(a.Matrix) / 2 * rate, I8: 2 * float64(a.Matrix) * rate}
	if capability < Ampere {
		told.Matrix.TF32 = 0
	}
	if capability == Hopper {
		told.Matrix.Warp = hopperWarps
	}
	if told.Units == 0 || told.Clock == 0 || told.Memory == 0 { // a driver that tells nothing
		return kinds[Discrete].as(told)
	}
	return nvidia(capability, told).as(told)
}
