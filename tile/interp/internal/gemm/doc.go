// Package gemm multiplies matrices in memory for package interp: the blocks of a Dot.
//
// Operands are read where they are, by strides. Micro-kernels keep a tile of the sums in vector registers. They are machine code, made when they are needed first
// for the tile's size, the element type, and whether the last vector of a row is whole:
//
//   - outer.go: products of columns of a and rows of b, for b whose rows are contiguous;
//   - inner.go: products along k, for b whose columns are contiguous, which are rows of its transpose;
//   - neon.go: both for arm64;
//   - tiles.go: products of tiles of BF16 by AMX.
//
// multiply.go chooses between them and between b in place and b in panels, which pack.go makes; integers.go and bfloats.go make pairs of neighbours along k, for which there are
// instructions of their own; plain.go is all of it in Go, for processors without machine code.
package gemm
