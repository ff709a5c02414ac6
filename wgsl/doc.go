// Package wgsl prints thread-level IR as WGSL, the language of WebGPU, and so
// also the way to Vulkan. It is a pure function: no device, no compiler.
//
// The text keeps to WGSL's core, except where target.Caps promises an extension
// that the kernel has a use for: f16 for buffers and shared arrays of 16-bit floats,
// subgroups for shuffles. Buffer i of a kernel is the storage buffer @group(0)
// @binding(i); the scalar parameters are a uniform struct at @binding(len(buffers)).
//
// # Memory
//
// A 32-bit buffer is declared as an array of scalars, vec2 or vec4, so wide
// that no store touches a neighbour, and so is one of f16. Other elements of 8 and 16
// bits are packed in u32 words, lowest bits first; a buffer that is stored to in pieces
// smaller than a word, or changed by atomic ops, is an array of atomics, in u32 for
// f32: sums of f32 are a loop around a compare-and-exchange. Shared arrays hold every
// element type but f16 in 32 bits. A buffer must therefore be bound with a length
// rounded up to 16 bytes.
//
// # Matrices
//
// Cooperative matrices are printed where target.Caps.Cooperative has them, as the subgroup
// matrices of a draft that Dawn has as chromium_experimental_subgroup_matrix (its
// docs/dawn/features/subgroup_matrix.md, with the majorness as a template parameter). No
// backend promises them yet. The draft gives no access to elements: matrices are constants,
// or are loaded from shared arrays, multiplied and stored there (see
// simt.MatrixInstruction.Opaque). Operands are of f16 or f32. Arrays of f16 whose accesses are
// to whole words are declared as words, which the draft loads matrices from as well. The
// offsets of matrices are the same in all threads of a subgroup, as the draft asks for, but
// are computed from the thread's number, so the text turns off the diagnostic that asks for a
// proof.
//
// # Arithmetic
//
// Conversions to f16 and bf16 round to nearest even in integer arithmetic, since
// WGSL leaves the rounding of pack2x16float and of f16() open, unless target.Caps
// promises it for f16(); values beyond the largest f16 become infinite and NaN stays
// NaN. Conversions from float to integer truncate and saturate, NaN gives 0. Other
// arithmetic is as exact as the device makes it.
package wgsl
