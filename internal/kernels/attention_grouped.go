package kernels

import "github.com/weftgpu/weft/tile"

// With cfg.TileHeads the rows of a tile are the queries of several heads that share keys, those of one query after those of another. The tile has fewer queries then, in BM rows: fewer of the
// last tile's are beyond the last query, and fewer of its keys are after those that its first query sees. (FlashAttention's kernels have the same as PackGQA.) The views of queries and results have
// a dimension more, [B,Hq/G,Sq,G,D], and so have the logarithms, [B,Hq/G,Sq,G].

// queryRank is the rank of views of queries.
func (cfg AttentionConfig) queryRank() int {
	if cfg.TileHeads > 0 {
		return 5
	}
	return 4
}

// tileQueries are how many queries a tile has.
func (cfg AttentionConfig) tileQueries() int { return cfg.BM / max(cfg.TileHeads, 1) }

// rowQueries are the queries of the rows of a tile, from its first one on.
func (a *attention) rowQueries() *tile.Value {
	rows := a.Iota(0, a.cfg.BM, 1)
	if a.cfg.TileHeads > 0 {
		rows = rows.Div(a.cfg.TileHeads)
	}
	return rows
}

// groupedBlock is the block of a view that has the program's rows.
func (a *attention) groupedBlock(v *tile.View, columns ...int) tile.Block {
	return v.Block(append([]int{1, 1, a.cfg.tileQueries(), a.cfg.TileHeads}, columns...)...).Squeeze(0, 1)
}

// groupedQueries are the program's, in a block of the head, [BM,width].
func (a *attention) groupedQueries(width int, block tile.Operand) *tile.Value {
	return a.groupedBlock(a.q, width).Load(a.batch, a.head, a.row, 0, block).Reshape(a.cfg.BM, width)
}

// storeGrouped writes a value of BM rows, and of columns from block on if it has more than one dimension, at the program's queries.
func (a *attention) storeGrouped(v *tile.View, x *tile.Value, block ...tile.Operand) {
	columns := x.Type().Shape[1:]
	shape := append([]int{a.cfg.tileQueries(), a.cfg.TileHeads}, columns...)
	a.groupedBlock(v, columns...).Store(x.Reshape(shape...), append([]tile.Operand{a.batch, a.head, a.row, 0}, block...)...)
}

// groups are how many heads there are, or groups of as many as a tile has.
func (cfg AttentionConfig) groups(p AttentionProblem) int {
	if cfg.TileHeads == 0 {
		return p.Q.Size[1]
	}
	return p.Q.Size[1] / min(cfg.TileHeads, p.sharing())
}

// groupings lists into tiles of how many heads those that share keys can go: a part of them, or all of them and rows of zeros up to a power of two.
func (p AttentionProblem) groupings(rows int) (list []int) {
	heads := p.sharing()
	for n := 2; n <= rows && n < 2*heads; n *= 2 {
		if heads%n == 0 || n > heads {
			list = append(list, n)
		}
	}
	return list
}
