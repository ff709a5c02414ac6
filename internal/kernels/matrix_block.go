package kernels

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// Kernels of matrices see batches of them: the last two dimensions of a view are matrices, and
// those before count them. Tiles within the kernels are matrices alone.

// matrixBlock loads a matrix of a view whose dimensions before the last two are batches.
func matrixBlock(v *tile.View, at []tile.Operand, rows, cols int) *tile.Value {
	return matrixBlocks(v, rows, cols).Load(at...)
}

// matrixBlocks are the blocks of one matrix of a view with batches.
func matrixBlocks(v *tile.View, rows, cols int) tile.Block {
	b := v.Block(blockOf(v.Rank, rows, cols)...)
	for d := range v.Rank - 2 {
		b = b.Squeeze(d)
	}
	return b
}

// blockOf is the shape of a block of one matrix.
func blockOf(rank, rows, cols int) []int {
	block := slices.Repeat([]int{1}, rank)
	block[rank-2], block[rank-1] = rows, cols
	return block
}

// storeMatrix stores a tile [rows,cols] of a view with batches.
func storeMatrix(v *tile.View, x *tile.Value, rows, cols int, at []tile.Operand, accumulate bool) {
	if b := matrixBlocks(v, rows, cols); accumulate {
		b.Accumulate(x, at...)
	} else {
		b.Store(x, at...)
	}
}
