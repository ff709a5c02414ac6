package kernels

import (
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A tile's columns are a power of two. A program of slices may compute several such tiles, strips of columns, from the same rows, so that its columns are any number of the narrowest strips: all programs
// run at once then, and no unit has many more columns than others.

// MostStrips are the most strips of columns of a program, whose code is as long as there are strips.
const MostStrips = 8

// stripColumns are the columns of a strip: those of a matrix instruction, whose rows they are.
const stripColumns = fewMatrixRows

// fitStrips changes slices for 17 to 32 rows to as many strips as each unit has one program with, where the unit that has the most columns has fewer then. (H200, µs before and with three strips of 16:
// 4 bits 32×6144×4096 11.7, 10.5; 32×5120×5120 13.0, 11.7; 8 bits 32×5120×5120 15.4, 13.6. Up to 16 rows wait for memory: 16×6144×4096 8.6, 9.1. With fewer than eight slices, as there are in a short K,
// parts of K take less: 32×4608×3584 11.4, 12.9.)
func (cfg *MatMulConfig) fitStrips(caps target.Caps, t slicedTile, m, n, k int) {
	units := caps.Facts().Units
	if t = t.even(units, n); t.strips == 0 {
		return
	}
	c, count := *cfg, t.slices(units, n, leastSlices, busyWide, mostWide)
	c.setSlices(t, count)
	c.Stages = c.wideStages(caps.Facts(), m, n)
	if fewer := c.busiestColumns(units, n) < cfg.busiestColumns(units, n); fewer && count >= busyWide && leastParts*c.BK <= k && c.Legal(caps, m) == nil {
		*cfg = c
	}
}

// even is the tile with as many strips as each unit has one program with, or none if they are too many, or as wide as a tile.
func (t slicedTile) even(units, n int) slicedTile {
	t.columns, t.strips = stripColumns, CeilDiv(n, stripColumns*units)
	if t.strips > MostStrips || t.strips&(t.strips-1) == 0 {
		t.strips = 0
	}
	return t
}

// busiestColumns are those of the unit that has the most.
func (cfg *MatMulConfig) busiestColumns(units, n int) int {
	return CeilDiv(CeilDiv(n, cfg.width()), units) * cfg.width()
}

// stripsAt are the coordinates of a program's strips, given that of its tile.
func (cfg MatMulConfig) stripsAt(col tile.Operand) []tile.Operand {
	if cfg.Strips <= 1 {
		return []tile.Operand{col}
	}
	list := make([]tile.Operand, cfg.Strips)
	for i := range list {
		list[i] = col.(*tile.Value).Mul(cfg.Strips).Add(i)
	}
	return list
}
