package kernels

import (
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tile"
)

// Tiles of products on the cores of a CPU. Blocks at the edges have no more than the matrices have there, so that the sizes need not divide anything. What a tile
// costs is told in cycles of a core, to compare: what is computed, and what is read.

const (
	coreProducts = 24     // multiplications a cycle of micro-kernels, of F32
	coreFewRows  = 4      // rows of a for which b's elements pass through the registers as fast as for one
	readA        = 1. / 8 // cycles for an element of a, which stays in the second-level cache
	readB        = 3. / 8 // of b, which comes from further away and is put into panels
	decodeB      = 2.     // of b that is computed from weights of a few bits
	writeSum     = 1. / 4
	startTile    = 1500 // cycles that each tile takes in addition
	startCores   = 5000 // until more cores than one are awake
	lateCore     = 1.3  // the share of its time with which the last core ends if each has one tile, since not all begin at once and run as fast
	coreSide     = 512  // of a tile, at most
	coreTile     = 1 << 16
	coreDepth    = 1024 // along the reduction, at most
	coreThin     = 32   // rows for which b is read from memory once, in runs that should be long along the reduction, too
)

// fitCores chooses the tiles that should take least, of the result and along the reduction.
func (cfg *MatMulConfig) fitCores(units, count, m, n, k int) {
	least, depth := 0., min(pow2.Ceil(max(k, 1)), coreDepth)
	for bm := pow2.Ceil(max(min(m, coreSide), 1)); bm >= 1; bm /= 2 {
		for bn := pow2.Ceil(max(min(n, coreSide), 1)); bn >= min(16, pow2.Ceil(max(n, 1))); bn /= 2 {
			if bm*bn > coreTile || bm <= coreThin && bn*depth > coreTile {
				continue
			}
			if c := cfg.coreCost(bm, bn, units, count, m, n, k); least == 0 || c < least {
				least, cfg.BM, cfg.BN = c, bm, bn
			}
		}
	}
	cfg.BK = min(depth, coreTile/max(cfg.BM, cfg.BN))
	cfg.Order = tile.Order{Kind: tile.GroupedRows, Group: 4}
}

// coreCost is the cycles until the last of the cores is done.
func (cfg *MatMulConfig) coreCost(bm, bn, units, count, m, n, k int) float64 {
	rows, columns := min(bm, m), min(bn, n)
	perB := readB
	if cfg.Weights.Bits > 0 {
		perB = decodeB
	}
	each := func(rows, columns float64) float64 {
		return float64(k)*(max(rows, coreFewRows)*columns/coreProducts+readA*rows+perB*columns) + writeSum*rows*columns
	}
	tiles := float64(count * CeilDiv(m, bm) * CeilDiv(n, bn))
	largest := each(float64(rows), float64(columns)) + startTile
	// On average tiles at the edges are smaller.
	average := each(float64(m)/float64(CeilDiv(m, bm)), float64(n)/float64(CeilDiv(n, bn))) + startTile
	switch {
	case tiles == 1:
		return largest
	case tiles <= float64(units):
		return largest*lateCore + startCores
	}
	return tiles*average/float64(units) + largest/2 + startCores
}
