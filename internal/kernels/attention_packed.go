package kernels

import (
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Packed sequences follow each other in a view of one batch: sequence n has the rows from starts[n] to starts[n+1]-1, of queries, of keys or of both (the cumulative
// lengths of FlashAttention's kernels for variable lengths). What would be a batch is a sequence. Blocks of rows begin where the sequence does, at any
// row, and the last one of a sequence has rows of the next, which are not written. With cfg.Folded a row is the query of a head, and the heads that share keys
// follow each other for each query: row r of a sequence is that of query r/period and of head r%period.

// Packed is the problem of so many packed sequences: one of as many batches of the mean lengths. Keys tells whether keys are packed, too, and folded whether the heads that share keys are rows of one.
func (p AttentionProblem) Packed(sequences int, keys, folded bool) AttentionProblem {
	n := max(sequences, 1)
	p.Q.Size[0], p.Q.Size[2] = sequences, CeilDiv(p.Q.Size[2], n)
	if folded {
		p.Q.Size[1], p.Q.Size[2] = p.K.Size[1], p.Q.Size[2]*p.sharing()
	}
	if keys {
		p.K.Size[0], p.K.Size[2] = sequences, CeilDiv(p.K.Size[2], n)
	}
	return p
}

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

// packedRows are the rows that queries of packed sequences are.
func (a *attention) packedRows(queries *tile.Value) *tile.Value {
	if a.period != nil {
		return queries.Mul(a.period)
	}
	return queries
}

// packedBlocks is how many blocks of rows there are: sequence n has those from starts[n]/BM+n on, which are as many as it needs or one more. So
// no program depends on more than the starts around its own.
func (a *attention) packedBlocks() *tile.Value {
	return a.packedRows(a.q.Dim(2)).Div(a.cfg.BM).Add(a.queryStarts.Dim(0).Sub(1))
}

// packedTile is the tile of a program of a grid of all blocks.
func (a *attention) packedTile() []tile.Operand {
	rank := a.out.Rank
	heads, at := a.out.Dim(rank-3), []tile.Operand{0, nil, nil, 0}
	if a.period != nil {
		heads = a.k.Dim(1)
	}
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
	first := func(n *tile.Value) *tile.Value {
		return a.packedRows(a.queryStarts.At(n).Gather().Maximum(0).Minimum(a.q.Dim(2))).Div(a.cfg.BM).Add(n)
	}
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

// packedQuery is the number of a row's query in the sequence.
func (a *attention) packedQuery(row *tile.Value) *tile.Value {
	if a.period != nil {
		return row.Div(a.period)
	}
	return row
}

// ownRows are where the program's rows are in a view of packed queries of several heads, and which of them the sequence has, all of rank dimensions of which
// the first is BM.
func (a *attention) ownRows(rank int) (head, query, own *tile.Value) {
	shape := append([]int{a.cfg.BM}, slices.Repeat([]int{1}, rank-1)...)
	row := a.Iota(0, shape...).Add(a.row.(*tile.Value).Mul(a.cfg.BM))
	query = row.Div(a.period)
	return a.head.(*tile.Value).Mul(a.period).Add(row.Rem(a.period)), query.Add(a.queriesFrom), query.Lt(a.queriesOf)
}

// packedQueries are the program's, in a block of the head, [BM,width]. Those of several heads are not one block, but for one row.
func (a *attention) packedQueries(width int, block tile.Operand) *tile.Value {
	row, head := a.row.(*tile.Value).Mul(a.cfg.BM), a.head
	if a.period != nil && a.cfg.BM > 1 {
		head, query, own := a.ownRows(2)
		return a.q.At(0, head, query, a.Iota(1, 1, width).Add(columnAt(block, width))).Mask(own).Gather()
	}
	if a.period != nil {
		head = a.head.(*tile.Value).Mul(a.period).Add(row.Rem(a.period))
	}
	return rowsOf(a.q, a.cfg.BM, width).LoadAt(0, head, a.queriesFrom.Add(a.packedQuery(row)), columnAt(block, width))
}

// storePacked writes a value of BM rows, and of columns from block on if it has more than one dimension, at those of the program's rows that the sequence has.
func (a *attention) storePacked(v *tile.View, x *tile.Value, block ...tile.Operand) {
	shape, within := x.Type().Shape, a.row.(*tile.Value).Mul(a.cfg.BM)
	at, ones := []tile.Operand{0, a.head, a.queriesFrom.Add(within)}, []int{a.cfg.BM}
	if a.cfg.Split {
		at = append([]tile.Operand{a.part}, at...)
	}
	for i, b := range block {
		at, ones = append(at, columnAt(b, shape[1+i])), append(ones, 1)
	}
	if a.period == nil {
		own := a.Iota(0, ones...).Add(within).Lt(a.queriesOf)
		rowsOf(v, shape...).PointsAt(at...).Mask(own).Scatter(x)
		return
	}
	head, query, own := a.ownRows(len(shape))
	first := len(at) - len(block) // column
	at[first-2], at[first-1] = head, query
	if len(block) > 0 {
		at[first] = a.Iota(1, 1, shape[1]).Add(at[first])
	}
	v.At(at...).Mask(own).Scatter(x)
}

// columnAt is the first element of a block of the head.
func columnAt(block tile.Operand, width int) tile.Operand {
	if v, ok := block.(*tile.Value); ok {
		return v.Mul(width)
	}
	return block.(int) * width
}
