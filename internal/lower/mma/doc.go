// Package mma knows matrix instructions. Choose says which one computes a Dot, or why none does; matrix.go has the layouts of accumulators
// and operands in registers, wgmma.go those of warpgroups and what they read from shared memory, staging.go how an operand is staged, and stmatrix.go
// which tiles a warp stores as matrices.
package mma
