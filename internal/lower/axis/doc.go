// Package axis finds what is known of the values of a kernel in tile IR along each of their axes: how many
// elements follow each other (contiguity), which power of two divides what a run begins with (divisibility), how many are equal
// (constancy), and in which range all lie. It starts from what is known of a kernel's arguments (Facts).
//
// The lowering chooses the width of accesses by it, and proves masks and bounds. It knows tile IR and layouts alone.
package axis
