package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// CacheAppend is the kernel of CacheAppend. Its views are x [B,H,S,D], positions [B] of I32 and
// cache [B,H,Capacity,D]; with cfg.Paged a table [B,MaxPages] of I32 before the cache, which is
// [Pages,H,PageSize,D] then.
var CacheAppend = weft.NewKernel("cache_append", describeCacheAppend)

func describeCacheAppend(k *tile.Builder, cfg CacheConfig) {
	x, positions := k.In("x", cfg.Elem, 4), k.In("positions", dtype.I32, 1)
	var table *tile.View
	if cfg.Paged {
		table = k.In("table", dtype.I32, 2)
	}
	cache := k.Out("cache", cfg.Elem, 4)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	k.Require(positions.Dim(0).Eq(x.Dim(0)))
	k.Require(x.Dim(1).Eq(cache.Dim(1)))
	k.Require(x.Dim(3).Eq(cache.Dim(3)))
	block := x.Block(1, cfg.Heads, cfg.Rows, cfg.Cols)
	at := k.ProgramTile(x, 1, cfg.Heads, cfg.Rows, cfg.Cols)
	row := block.Indices(2, at[2])
	inside := row.Lt(x.Dim(2))
	row = row.Add(positions.At(at[0]).Gather()) // a sum that wraps is below 0
	var first tile.Operand = at[0]
	if cfg.Paged {
		first = pageOf(table, cache, at[0], row, inside)
		row = row.Rem(cache.Dim(2))
	}
	cache.At(first, block.Indices(1, at[1]), row, block.Indices(3, at[3])).Mask(inside.Broadcast(1, cfg.Heads, cfg.Rows, cfg.Cols)).Scatter(block.Load(at...))
}

// pageOf are the pages of rows of a batch, as a table lists them; -1 for rows that are not there. A row below 0 is in no page: its remainder is below 0, too.
func pageOf(table, cache *tile.View, batch tile.Operand, row, inside *tile.Value) *tile.Value {
	return table.At(batch, row.Div(cache.Dim(2))).Mask(inside).Fill(-1).Gather()
}
