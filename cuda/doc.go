// Package cuda prints thread-level IR as CUDA C++ for NVRTC. It is a pure
// function: no device, no compiler.
//
// The text includes no header. The entry point is an extern "C" kernel whose
// parameters are its tensor maps, one pointer for each buffer, in order of binding, then the
// 32-bit words. The pointers are __restrict__, for a launch binds distinct memory, except as follows.
//
// A kernel for compute capability 9.0 or more may start before the launches before it have ended, see Dependent. It waits for them before it reaches
// memory of the GPU (griddepcontrol), and the next kernel may start when all of its own workgroups have ended. Its pointers to
// const are not __restrict__: what both are is loaded as memory that nobody writes, across the wait.
//
// # Memory
//
// Elements have their own size in memory, in shared arrays too. Vectors are
// small structs, aligned to their size and accessed in one instruction.
//
// Shared arrays of more than 48 KiB together, or some of which alias others, are in the memory that
// a launch gives, see Dynamic. Matrix instructions, asynchronous copies, those by
// tensor maps and their barriers are inline PTX.
//
// # Arithmetic
//
// Signed integers wrap: where an operand comes from memory or a conversion,
// through helpers that compute on unsigned. Index arithmetic is plain C++, so
// that the compiler may assume that it does not overflow.
//
// Division, square root and FMA round to nearest even, and NVRTC contracts a
// product and a sum into an FMA. exp, log, sin, cos and tanh are CUDA's
// accurate versions. Conversions to f16 and bf16 round to nearest even,
// conversions from float to integer truncate and saturate, NaN gives 0.
package cuda
