package target

import "slices"

// Architecture is what all of NVIDIA's GPUs of one compute capability have (CUDA C++ programming guide, technical specifications for
// each compute capability, and the throughput of arithmetic instructions).
type Architecture struct {
	Capability int    // 90 for 9.0
	Variants   string // letters that may follow the number for a compiler: a for all features of this one, f for those of its family

	Threads    int // of a multiprocessor at a time
	Workgroups int // of a multiprocessor at a time
	Registers  int // of a multiprocessor, of 32 bits
	Shared     int // bytes of shared memory of a multiprocessor
	MostShared int // bytes of it that a workgroup may have
	Lanes      int // multiplications with additions of F32 in a clock
	Matrix     int // operations of F16 in a clock by matrix instructions: as white papers of the architectures give them for GPUs of data centres
}

// SystemShared is how many bytes of shared memory the system keeps of each workgroup, from compute capability 8.0 on.
const SystemShared = 1 << 10

var architectures = []Architecture{
	row(70, "", 2048, 32, 96, 96, 64, 1024), row(72, "", 2048, 32, 96, 96, 64, 1024), row(75, "", 1024, 16, 64, 64, 64, 1024),
	row(80, "", 2048, 32, 164, 163, 64, 2048), row(86, "", 1536, 16, 100, 99, 128, 1024), row(87, "", 1536, 16, 164, 163, 128, 1024),
	row(88, "", 1536, 16, 100, 99, 128, 1024), row(89, "", 1536, 24, 100, 99, 128, 1024),
	row(90, "a", 2048, 32, 228, 227, 128, 4096),
	row(100, "af", 2048, 32, 228, 227, 128, 8192), row(101, "af", 1536, 24, 228, 227, 128, 8192), row(103, "af", 2048, 32, 228, 227, 128, 8192),
	row(110, "af", 1536, 24, 228, 227, 128, 8192), row(120, "af", 1536, 24, 100, 99, 128, 1024), row(121, "af", 1536, 24, 100, 99, 128, 1024),
}

// row is an architecture, shared memory in KiB.
func row(capability int, variants string, threads, workgroups, shared, most, lanes, matrix int) Architecture {
	return Architecture{capability, variants, threads, workgroups, 1 << 16, shared << 10, most << 10, lanes, matrix}
}

// Architectures lists those that there are, the oldest first.
func Architectures() []Architecture { return slices.Clone(architectures) }

// ArchitectureOf is the architecture of a compute capability, or the last one before it; the first one for those before all.
func ArchitectureOf(capability int) Architecture {
	a := architectures[0]
	for _, next := range architectures {
		if next.Capability <= capability {
			a = next
		}
	}
	return a
}
