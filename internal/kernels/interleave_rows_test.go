package kernels

import "testing"

// TestFitRows: a product is in one tile of as many rows as it has, rounded up, or in whole tiles; tiles without producers are whole. What is copied is no less than what there is, and no more
// than whole tiles.
func TestFitRows(t *testing.T) {
	for _, bm := range []int{16, 32, 64, 128, 256} {
		cfg := MatMulConfig{BM: bm, BN: 128, Interleave: 128, Producers: 1}
		for m := 0; m <= 2*bm+1; m++ {
			rows, copied := cfg.FitRows(m), cfg.copiedRows(m)
			if rows != 0 && (rows < m || rows-m >= rowPart && m > 0 || rows%rowPart != 0 || rows >= bm) {
				t.Errorf("%d rows in a tile of %d: for up to %d", m, bm, rows)
			}
			if rows == 0 && m > 0 && m <= bm/2 && bm > rowPart {
				t.Errorf("%d rows in a tile of %d: a whole tile", m, bm)
			}
			if copied < m || copied > max(CeilDiv(m, bm), 1)*bm {
				t.Errorf("%d rows in tiles of %d: %d are copied", m, bm, copied)
			}
			for name, other := range map[string]MatMulConfig{"no producer": {BM: bm, Interleave: 128}, "no weights": {BM: bm, Producers: 1}} {
				if other.FitRows(m) != 0 {
					t.Errorf("%s, %d rows in a tile of %d: for up to %d", name, m, bm, other.FitRows(m))
				}
			}
		}
	}
}
