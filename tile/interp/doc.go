// Package interp executes verified tile IR on host memory. It is separate from
// lowering: the cpu backend launches its Programs, and every other backend is
// tested against it, since what it computes is what the IR means.
//
// A kernel is compiled once to a list of steps over numbered registers. A
// register holds a whole tile: []float32 for the float types, whose results are
// rounded to the element type after every op; []float64 for F64; []int32 for I8, U8, I16, U16 and I32;
// []uint32 for U32; []bool. Liveness decides which values share a register, so
// that a running program allocates nothing and a loop-carried accumulator is
// updated in place. The programs of a grid are spread over the cores, each
// worker with registers of its own.
//
// Options add what helps to find errors: where Print writes, a callback for
// breakpoints, and a mode that checks every access and every float.
//
// With Options.Native, which the cpu backend sets, runs of ops on the elements of tiles of one
// shape become loops in machine code (see internal/native), where there is some for the
// processor. fuse.go finds these groups, translate.go and nest.go make their loops, nestrun.go
// binds them to memory, copynest.go and copy.go move what is only copied. All other ops keep their steps. Without the option everything
// runs in Go: that is the reference to which all devices, the machine code too, are compared.
//
// Precision in Go: arithmetic on F32 is IEEE; elementary functions are computed in
// float64 and rounded once; sums of floats accumulate in float64. Dot gives F32
// products and sums, fused where the processor has it, for every precision
// that a kernel may ask for. In machine code, elementary functions are F32 within four units in the last place, sums
// of floats accumulate in F32, in parts, and values of F16 and BF16 are rounded where they are stored or cast.
package interp
