// Package simt is the thread-level IR: how one workgroup computes what a tile
// kernel means. Values live in the registers of one thread, as scalars or
// vectors of 2 or 4; threads share arrays and meet at barriers.
//
// internal/lower produces it from tile IR; packages wgsl, cuda and spirv print it. It
// has the syntax of no language and no op that only one of them could print,
// except where target.Caps promised it (ShuffleXor, integers and floats of 64 bits).
//
// # Meaning
//
// Registers hold Bool, I32, U32, I64, U64, F32 or F64. Buffers and shared arrays hold any
// element type; a load widens to the register type (F16 and BF16 to F32, I8 and I16 to
// I32, U8 and U16 to U32) and a store narrows to nearest even or truncates. Indices
// count elements. A load or store of w > 1 elements promises that its index is a multiple of w and that
// the buffer starts at a multiple of w elements. One of Words moves 32-bit words as they are,
// each of several elements of 8 or 16 bits, which Unpack and Pack convert to registers and back. A load of Words may reach beyond
// a buffer's last element, whose memory is a multiple of BufferAlign; what it finds there is arbitrary.
//
// Integer arithmetic wraps; Op.Wraps tells printers where that matters. The divisor of an integer Div or Rem is never 0 and never
// such that the quotient overflows, whether anything uses the result or not: a
// pass does not move one to where it was not executed before. The result of a
// shift by the width or more, or of an I32 Rem of a negative operand, is arbitrary (Vulkan leaves
// it undefined), and nothing may depend on it. Lowering sees to all of it.
// A Convert to a narrower integer keeps the low bits. The Number of a constant is exact:
// what float64 does not hold is computed.
//
// Barriers stand only where all threads of a workgroup pass: in the body of
// the kernel, in loops with uniform bounds, in While and in a Branch with a uniform condition, never under If.
// Verify proves the conditions and bounds uniform.
//
// An Atomic changes one element of a buffer in one step for all workgroups and
// orders no other access, but for one that acquires or releases, which orders those of its thread among all devices. Accesses of a workgroup's threads to a buffer are
// ordered by a Barrier that says so.
//
// # Text
//
// Func.String prints all of a kernel, one op a line, and Parse reads it back. A
// value is "%" and its number, before that its hint; attributes stand between the
// op's name and its operands, as the table syntax says; the op's line and note follow as a
// comment:
//
//	%row.7 = load x alias=1 else=-Inf %at.3, %5 : f32x4     // softmax.go:31; a note
package simt
