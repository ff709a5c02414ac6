// Package native turns loops over elements into machine code of the processor that runs the program.
//
// A Loop is straight-line code on vectors of 32-bit lanes, which a nest of rows and columns repeats: its inputs and outputs are streams of elements
// in memory, the values between them stay in registers. loop.go has the loop, functions.go what elementary functions are made of, generate.go
// the generator with its register allocation, memory_*.go executable memory. Package vector names the operations, which packages amd64 and arm64
// encode. The
// CPU device compiles what kernels do with tiles so; see package tile/interp for what no loop takes.
//
// Code exists for amd64 with AVX2 and FMA, and with AVX-512 (F, DQ, BW and VL), and for arm64. On other processors Compile returns ErrNoCode.
package native
