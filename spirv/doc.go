// Package spirv prints thread-level IR as SPIR-V assembly, the text that spirv-as takes, for Vulkan 1.1 and newer. It is a pure
// function: no device, no compiler. Package internal/spirv/assembly makes the binary.
//
// The printer needs integers of 8 and 16 bits in registers and in storage buffers. It declares a capability where the kernel has a
// use for it, and what target.Caps promises beyond that: 16-bit floats, integers and floats of 64 bits, subgroups, atomic sums of F32.
// Buffer i of a kernel is the storage buffer at binding i of set 0; the scalar parameters are a uniform block at binding len(buffers).
//
// # Memory
//
// A buffer is declared once for each type of its accesses, vectors of 2 and 4 included, as views that alias each other. A masked load
// reads element 0 where its mask is false; masked stores are in a selection, which those of one mask share. A shared array has one declared type
// (simt.Declaration): vectors as wide as its widest accesses. Narrower accesses go to components, which are memory locations of their own.
//
// A kernel with simt.Func.DeviceAddresses has no variables for its buffers but their addresses, two words each, after the scalar parameters, and
// computes pointers in 64 bits (SPV_KHR_physical_storage_buffer). Its module has the Vulkan memory model, as one with cooperative matrices has.
//
// # Arithmetic
//
// Conversions to F16 and BF16 round to nearest even, to F16 by instructions where target.Caps promises it, otherwise in integer arithmetic;
// values beyond the largest F16 become infinite and NaN stays NaN. Conversions from float to integer truncate and saturate, NaN gives 0. Min
// and Max of a number and NaN are the number. Functions that devices compute coarsely, sin, cos, tanh, erf, log1p and expm1, are functions of the
// module (see helpers.go), and so are those of F64 that GLSL.std.450 does not have (see double.go). Sums, products and quotients of F64 have
// NoContraction, and conversions from F64 to F32 round to nearest where a kernel can ask for it. Infinities, NaN and the signs of zeros are kept where target.Caps says that a kernel can ask for it. Other
// arithmetic is as exact as the device makes it.
//
// # Control
//
// Values are SSA: loops and branches have OpPhi for what they carry. Loops with simt.Op.Unroll ask for it by their control.
package spirv
