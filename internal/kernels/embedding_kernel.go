package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Embedding is the kernel of Embedding. Its views are table [V,D], ids [...] of I32 and out
// [...,D].
var Embedding = weft.NewKernel("embedding", describeEmbedding)

func describeEmbedding(k *tile.Builder, cfg EmbeddingConfig) {
	last := cfg.Rank - 1
	table, ids, out := k.In("table", cfg.Elem, 2), k.In("ids", dtype.I32, last), k.Out("out", cfg.Elem, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Require(table.Dim(1).Eq(out.Dim(last)))
	for d := range last {
		k.Require(ids.Dim(d).Eq(out.Dim(d)))
	}
	at := k.ProgramTile(out, append(slices.Repeat([]int{1}, last-1), cfg.Rows, cfg.Cols)...)
	row := ids.Block(append(slices.Repeat([]int{1}, last-1), cfg.Rows)...).Fill(-1).Load(at[:last]...).Reshape(cfg.Rows, 1)
	// An id that the table lacks is a point outside of it, which reads as 0.
	rowsOf(out, cfg.Rows, cfg.Cols).Store(table.At(row, columns(k, cfg.Cols, at[last])).Gather(), at...)
}

// columns are the indices [1,n] of the columns of a tile, at a coordinate counted in tiles.
func columns(k *tile.Builder, n int, at tile.Operand) *tile.Value {
	return k.Iota(1, 1, n).Add(k.Int(n).Mul(at))
}
