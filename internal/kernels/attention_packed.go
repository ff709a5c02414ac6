package kernels

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Packed sequences follow each other in a view of one batch: sequence n has the rows from starts[n] to starts[n+1]-1, of queries, of keys or of both (the cumulative
// lengths of FlashAttention's kernels for variable lengths). What would be a batch is a sequence. Blocks of rows begin where the sequence does, at any
// row, and the last one of a sequence has rows of the next, which are not written.

// packedViews declares the views with the starts, and the scalar that searches take.
func (a *attention) packedViews() {
	if a.cfg.QueryStarts {
		a.queryStarts = a.In("query_starts", dtype.I32, 1)
	}
	if a.cfg.KeyStarts {
		a.keyStarts = a.In("key_starts", dtype.I32, 1)
	}
}

// Halvings is how often a number of sequences is halved, rounded up, until it is 1.
func Halvings(sequences int) int { return bits.Len(uint(max(sequences-1, 0))) }

// packedBlocks is how many blocks of queries there are: sequence n has those from starts[n]/BM+n on, which are as many as it needs or one more. So
// no program depends on more than the starts around its own.
func (a *attention) packedBlocks() *tile.Value {
	return a.q.Dim(2).Div(a.cfg.BM).Add(a.queryStarts.Dim(0).Sub(1))
}

// packedTile is the tile of a program of a grid of all blocks.
func (a *attention) packedTile() []tile.Operand {
	rank := a.out.Rank
	heads, at := a.out.Dim(rank-3), []tile.Operand{0, nil, nil, 0}
	if a.cfg.Split {
		a.Grid(a.packedBlocks(), heads, a.out.Dim(0))
		at = append([]tile.Operand{a.ProgramID(2)}, at...)
	} else {
		a.Grid(a.packedBlocks(), heads)
	}
	at[rank-3], at[rank-2] = a.ProgramID(1), a.ProgramID(0)
	return at
}

// sequenceOf finds the sequence of a block of queries by a binary search, and the number of the block in it.
func (a *attention) sequenceOf(block *tile.Value) (sequence, within *tile.Value) {
	first := func(n *tile.Value) *tile.Value { return a.queryStarts.At(n).Gather().Maximum(0).Div(a.cfg.BM).Add(n) }
	low, high := a.Var(a.Int(0)), a.Var(a.queryStarts.Dim(0).Sub(1))
	for range a.Range(a.halvings) {
		middle := low.Get().Add(high.Get()).Div(2)
		from := first(middle).Le(block)
		low.Set(a.Where(from, middle, low.Get()))
		high.Set(a.Where(from, high.Get(), middle))
	}
	return low.Get(), block.Sub(first(low.Get()))
}

// rangeOf is where a sequence begins in a view of so many rows, and how many of them it has. No starts reach outside of the view.
func rangeOf(starts *tile.View, sequence tile.Operand, rows *tile.Value) (from, count *tile.Value) {
	next := starts.At(sequence.(*tile.Value).Add(1)).Gather()
	from = starts.At(sequence).Gather().Maximum(0).Minimum(rows)
	return from, next.Maximum(from).Minimum(rows).Sub(from)
}

// columnAt is the first element of a block of the head.
func columnAt(block tile.Operand, width int) tile.Operand {
	if v, ok := block.(*tile.Value); ok {
		return v.Mul(width)
	}
	return block.(int) * width
}
