package kernels

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// Kernels of matrices see batches of them: the last two dimensions of a view are matrices, and
// those before count them. Tiles within the kernels are matrices alone.

// span is a coordinate along a dimension in which tiles have fewer elements than the block that holds them: where a tile begins, in elements, and how many are of it. The
// others load as zeros, and are not written.
type span struct{ from, most tile.Operand }

// matrixBlock loads a matrix of a view whose dimensions before the last two are batches.
func matrixBlock(v *tile.View, at []tile.Operand, rows, cols int) *tile.Value {
	b := matrixBlocks(v, rows, cols)
	if spans(at) {
		return spanned(b, at, rows, cols).Gather()
	}
	return b.Load(at...)
}

// spans reports whether a coordinate is a span.
func spans(at []tile.Operand) bool {
	return slices.ContainsFunc(at, func(x tile.Operand) bool { _, is := x.(span); return is })
}

// spanned are the elements of a matrix at coordinates of which some are spans.
func spanned(b tile.Block, at []tile.Operand, rows, cols int) tile.Points {
	var mask *tile.Value
	offsets, first := slices.Clone(at), len(at)-2
	for d, size := range []int{rows, cols} {
		s, is := at[first+d].(span)
		if !is {
			offsets[first+d] = columnAt(at[first+d], size)
			continue
		}
		offsets[first+d] = s.from
		within := b.Indices(first+d, 0).Lt(s.most)
		if mask != nil {
			within = mask.And(within)
		}
		mask = within
	}
	return b.PointsAt(offsets...).Mask(mask)
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
	switch b := matrixBlocks(v, rows, cols); {
	case spans(at):
		spanned(b, at, rows, cols).Scatter(x)
	case accumulate:
		b.Accumulate(x, at...)
	default:
		b.Store(x, at...)
	}
}
