package kernels

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft/target"
)

const (
	// mostOfWide is the part of a tile of wideRows rows that MostRows is at most: of more, all are multiplied. (With 224 of 256 rows weights of 4 bits 200×8192×8192 take 1.08 of the time on an H200,
	// 200×6144×4096 1.09, where clusters share K; 200×14336×4096 0.92, 8 bits 200×8192×8192 0.94. With 160 all take less, 0.63 to 0.83.)
	mostOfWide = 0.75
	// moreTiles are how many more tiles than whole ones are tried.
	moreTiles = 3
	// leastPitch is the least number of rows of each of more tiles than whole ones.
	leastPitch = 64
)

// FitRows is MostRows for a product of m rows: 0 if they take several tiles, or nearly all of one. Lines of rows that do not exist are not copied then, and not multiplied. One row is known to be one
// where it goes through shared memory, which is where weights are interleaved.
func (cfg MatMulConfig) FitRows(m int) int {
	if m == 1 && cfg.SliceK > 1 && cfg.Weights.Interleaved > 0 {
		return 1
	}
	rows, most := tileSize(m), cfg.BM-tilePart
	if cfg.BM >= wideRows {
		most = int(mostOfWide * float64(cfg.BM))
	}
	if cfg.Interleave == 0 || cfg.Producers == 0 || cfg.RowPitch > 0 || rows > most {
		return 0
	}
	return rows
}

// fitted is the config with as many rows in a tile as a product of m rows has copied and multiplied.
func (cfg MatMulConfig) fitted(m int) MatMulConfig {
	if rows := cfg.FitRows(m); rows > 0 && cfg.Producers > 0 {
		cfg.BM = rows
	} else {
		cfg.BM = cfg.rows()
	}
	return cfg
}

// inTiles lists configs for a product of m rows, those first that the model expects to be ready first: with its tile, or, where rows take several that the last one would not fill, with as many rows in each
// of as many tiles, or of a few more if that is worthwhile: weights are converted for each. (On an H200 the same number of tiles, µs whole and with fewer rows: 4 bits 400×28672×4096 207, 163; 470×3584×18944 108, 101; 460×8192×8192 94, 91; NF4 400×4096×4096
// 35.5, 28.6. Twelve tiles of 208 rows take 474 for 2491×8192×8192 of 4 bits, ten whole ones 461.)
func (cfg MatMulConfig) inTiles(caps target.Caps, m, n, k int) (list []MatMulConfig) {
	least := CeilDiv(m, cfg.BM)
	if cfg.Producers == 0 || least < 2 {
		return []MatMulConfig{cfg}
	}
	for count := least; count <= least+moreTiles; count++ {
		c := cfg
		if c.RowPitch = tileSize(CeilDiv(m, count)); c.RowPitch == cfg.BM {
			c.RowPitch = 0
		}
		half := c.BM == wideRows && c.rows() <= c.BM/2 // as many rows as tiles have that have more stages
		if count == least || c.rows() >= leastPitch && !half {
			list = appendNew(list, c)
		}
	}
	seconds := func(c MatMulConfig) float64 {
		s := c.InterleavedSeconds(caps, m, n, k)
		if c.tilesOf(m, 1) == least {
			s *= worthwhile
		}
		return s
	}
	slices.SortStableFunc(list, func(a, b MatMulConfig) int { return cmp.Compare(seconds(a), seconds(b)) })
	return list
}

// copiedRows are the rows of all tiles that are copied in a product of m rows: by tensor maps also some that do not exist.
func (cfg MatMulConfig) copiedRows(m int) int {
	if cfg.Producers == 0 {
		return m
	}
	rows := cfg.fitted(m).BM
	return CeilDiv(m, rows) * rows
}
