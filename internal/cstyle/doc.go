// Package cstyle prints thread-level IR as a C-like language: the part that
// WGSL and CUDA C++ have in common. It names values, decides which expressions
// are printed where they are used, sets parentheses, and turns loops with
// carried values into loops over variables.
//
// Packages wgsl and cuda give it a Dialect, which says how types, constants,
// ops and memory accesses read in one language, and put its output between
// their declarations.
//
//	simt.Func ─▶ wgsl.Emit, cuda.Emit ─▶ cstyle.Printer ─▶ text of the body
package cstyle
