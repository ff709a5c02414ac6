package kernels

import "github.com/weftgpu/weft/internal/lower/plan"

// MaxBatch is the most batch dimensions of the kernel, whose views have two dimensions more.
const MaxBatch = 3

// mostSwapped is the most rows of a product that is computed as its transpose, bᵀ·aᵀ.
//
// Warpgroups multiply 64 rows at a time, by any number of columns. Of a product of fewer rows the rows become columns:
// nothing is copied, all views are transposed. So is a product of F32 in the precision TF32 whose right operand is MN-major, where
// warpgroups take the left one alone: threads load its words.
const mostSwapped = 32

// swapsEdge reports whether a product of rows that have one tile, as columns, copies and multiplies less as its transpose: of rows that a tile has too many, all are copied and multiplied.
func swapsEdge(m, n int) bool {
	const rows = 64 // of a warpgroup
	most := plan.MostColumns()
	padded := func(m, n int) int {
		part := rows
		if n <= most {
			part = tilePart
		}
		return CeilDiv(m, rows) * rows * (CeilDiv(n, part) * part)
	}
	return m <= most && padded(n, m) < padded(m, n)
}

// tilePart is what the rows or columns of a tile are a multiple of where they are fewer than it holds (MostRows, MostColumns, RowPitch, ColumnPitch): there is a kernel for each. Matrix instructions have
// multiples of 8 or 16 columns.
const tilePart = 16

// tileSize is how many rows or columns a tile has for n of them.
func tileSize(n int) int { return CeilDiv(max(n, 1), tilePart) * tilePart }

// FitColumns is MostColumns for a product of n columns: 0 if they take several tiles, or all of one.
func (cfg MatMulConfig) FitColumns(n int) int {
	if columns := existing(n, cfg.BN); columns < cfg.BN && cfg.ColumnPitch == 0 && cfg.Producers > 0 && cfg.Interleave == 0 && cfg.Weights == (QuantView{}) {
		return columns
	}
	return 0
}

// existing is how many columns of a tile of bn are copied and multiplied, of a product of n.
func existing(n, bn int) int { return min(tileSize(n), bn) }

// fitted is the tile with as many columns as a product of n has copied and multiplied. Few of them leave matrix instructions waiting for the left operand, which they read anew for each 64 rows.
func (t producerTile) fitted(n int) producerTile {
	const enough = 96
	if columns := existing(n, t.bn); columns < t.bn && !t.gathered {
		rate := min(1, float64(columns)/enough)
		t.bn, t.rate, t.lone = columns, t.rate*rate, t.lone*rate
	}
	return t
}
