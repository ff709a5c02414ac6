package target

// Rates are what a GPU's parts do in a second, and what they hold.
type Rates struct {
	Name            string
	Multiprocessors int
	Resident        int // threads of a multiprocessor
	Registers       int // of a multiprocessor, of 32 bits
	Shared          int // bytes of a multiprocessor

	Memory, Cache, Staged float64 // bytes a second: of memory, of the second-level cache, of all shared memory
	Flops, Matrix         float64 // F32 on ordinary units, dense F16 by matrix instructions
	CacheBytes            float64 // of the second-level cache that operands can count on

	// What is sustained of the data sheet's Memory, Flops and Matrix: a power limit lowers the clock while matrix units are busy.
	MemorySustained, FlopsSustained, MatrixSustained float64

	Latency, Launch, Program float64 // seconds: of a load from memory, of a launch, of starting a program
}

// ReferenceMultiprocessors are those of Reference, which launches are made to fill.
const ReferenceMultiprocessors = 132

// Reference is the GPU by which configs are compared where none was measured: an H200. Its rates are those of its data
// sheet; latencies and the bandwidth of its second-level cache are as measured by Luo et al., Benchmarking and Dissecting
// the Nvidia Hopper GPU Architecture via Microbenchmarking, 2024, rounded.
var Reference = Rates{
	Name: "an H200", Multiprocessors: ReferenceMultiprocessors, Resident: 2048, Registers: 1 << 16, Shared: 228 << 10,
	Memory: 4.8e12, Cache: 8e12, Staged: 30e12, Flops: 67e12, Matrix: 989.5e12, CacheBytes: 40e6,
	MemorySustained: 0.92, FlopsSustained: 0.82, MatrixSustained: 0.75,
	Latency: 8e-7, Launch: 2e-6, Program: 2e-7,
}
