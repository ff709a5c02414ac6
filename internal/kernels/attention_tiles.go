package kernels

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft/tile"
)

// tiles describes what follows for each tile of queries that is the program's, at coordinates of blocks of the result, after the part of the keys if they are split.
func (a *attention) tiles() iter.Seq[[]tile.Operand] {
	if a.cfg.isPersistent() {
		return a.persistentTiles
	}
	return func(yield func(at []tile.Operand) bool) { yield(a.programTile()) }
}

// programTile is the only tile of a program. Those with the most keys start first.
func (a *attention) programTile() []tile.Operand {
	var at []tile.Operand
	if a.cfg.QueryStarts {
		at = a.packedTile()
	} else {
		others := 2 // dimensions before the queries
		if a.cfg.Split {
			others++
		}
		block := make([]int, a.out.Rank)
		copy(block, append(slices.Repeat([]int{1}, others), a.cfg.tileQueries()))
		at = a.ProgramTile(a.out, block...)
	}
	if !a.cfg.Last {
		return at
	}
	var rows *tile.Value
	if a.cfg.QueryStarts {
		rows = a.packedBlocks()
	} else {
		rows = a.CDiv(a.q.Dim(2), a.cfg.tileQueries())
	}
	row := 2
	if a.cfg.Split {
		row++
	}
	at[row] = rows.Sub(1).Sub(at[row])
	return at
}

// isPersistent reports whether programs have several tiles. Of sequences of different lengths they would have more and less to do.
func (cfg AttentionConfig) isPersistent() bool {
	return cfg.Persistent > 0 && !cfg.Split && !cfg.QueryStarts && !cfg.KeyStarts && !cfg.Lengths
}

// persistentTiles yields the tiles of a persistent program. Where a query sees no key after a last one, they are in pairs, one as far from the first as the
// other from the last: all pairs of a head have about as many keys.
func (a *attention) persistentTiles(yield func(at []tile.Operand) bool) {
	rows, heads := a.CDiv(a.out.Dim(2), a.cfg.tileQueries()), a.out.Dim(1)
	each := rows
	if a.cfg.Last {
		each = a.CDiv(rows, 2)
	}
	total := each.Mul(heads).Mul(a.out.Dim(0))
	a.Grid(total.Minimum(a.cfg.Persistent))
	for n := range a.Persistent(total) {
		row, head := n.Rem(each), n.Div(each)
		at := []tile.Operand{head.Div(heads), head.Rem(heads), row}
		if !a.cfg.Last {
			yield(at)
			continue
		}
		apart := rows.Sub(1).Sub(row.Mul(2)).Maximum(1)
		for at[2] = range a.RangeStep(row, rows.Sub(row), apart) {
			yield(at)
		}
	}
}
