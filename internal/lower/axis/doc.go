// Package axis finds what is known of the values of a kernel in tile IR along each of their axes:
// how many elements are consecutive numbers (contiguity), which power of two divides the first of
// them (divisibility), how many are equal (constancy), and the range of all. It starts from what is
// known of the kernel's arguments (Facts).
//
// The lowering chooses the width of accesses by these facts, and proves masks and bounds. The package
// knows tile IR and layouts, and nothing of a target.
package axis
