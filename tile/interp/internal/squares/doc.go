// Package squares transposes blocks of elements of 1, 2, 4 and 8 bytes for package interp, squares of them at a time in
// vector registers.
//
// On amd64 and arm64 kernels do it that the module in gen generates, with AVX-512, AVX2 or NEON. Where there are none, and for blocks that are smaller than
// the squares, it is done in Go.
package squares

//go:generate go -C gen run . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg squares
