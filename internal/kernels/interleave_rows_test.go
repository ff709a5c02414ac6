package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// TestFitRows: a product is in one tile of as many rows as it has, rounded up, or in whole tiles; tiles without producers are whole. What is copied is no less than what there is, and no more
// than whole tiles.
func TestFitRows(t *testing.T) {
	for _, bm := range []int{16, 32, 64, 128, 256} {
		cfg := MatMulConfig{BM: bm, BN: 128, Interleave: 128, Producers: 1}
		for m := 0; m <= 2*bm+1; m++ {
			rows, copied := cfg.FitRows(m), cfg.copiedRows(m)
			if rows != 0 && (rows < m || rows-m >= tilePart && m > 0 || rows%tilePart != 0 || rows >= bm) {
				t.Errorf("%d rows in a tile of %d: for up to %d", m, bm, rows)
			}
			if rows == 0 && m > 0 && m <= bm/2 && bm > tilePart {
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

// TestInTiles: the rows of several tiles are divided evenly among as many, or some more, in steps; tiles hold them, and none is empty. What the model expects to be ready first comes first. One tile, and
// tiles without a producer, stay as they are.
func TestInTiles(t *testing.T) {
	h200 := preset(t, "h200")
	const n, k = 4096, 4096
	of := MatMulConfig{Elem: weft.F16, Out: weft.F16, BN: 128, BK: 128, Threads: 256, Stages: 2, Producers: 1, Interleave: 128, ScaleFirst: true, Precision: tile.Float32Accumulate,
		Weights: QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32, Interleaved: 128}}
	fewer := 0
	for _, bm := range []int{64, 128, 256} {
		cfg := of
		cfg.BM = bm
		for m := 1; m <= 6*bm; m += 7 {
			list, least := cfg.inTiles(h200.Caps, m, n, k), CeilDiv(m, bm)
			if least == 1 && (len(list) != 1 || list[0] != cfg) {
				t.Errorf("%d rows in tiles of %d: %+v", m, bm, list)
			}
			if len(list) == 0 || list[0].InterleavedSeconds(h200.Caps, m, n, k) > cfg.InterleavedSeconds(h200.Caps, m, n, k) {
				t.Errorf("%d rows in tiles of %d: %d ways, of which the first takes longer than whole tiles", m, bm, len(list))
			}
			for i, c := range list {
				rows, tiles := c.rows(), c.tilesOf(m, 1)
				if rows > bm || rows*tiles < m || rows*(tiles-1) >= m || tiles > least+moreTiles || rows-CeilDiv(m, tiles) >= tilePart && least > 1 {
					t.Errorf("%d rows in tiles of %d: %d tiles of %d", m, bm, tiles, rows)
				}
				if err := c.Legal(h200.Caps, m); err != nil {
					t.Errorf("%d rows in tiles of %d: %v", m, bm, err)
				}
				if i > 0 && list[i-1].InterleavedSeconds(h200.Caps, m, n, k) > c.InterleavedSeconds(h200.Caps, m, n, k) {
					t.Errorf("%d rows in tiles of %d: %d rows come after %d, which take longer", m, bm, c.rows(), list[i-1].rows())
				}
				if c.RowPitch > 0 {
					fewer++
				}
			}
			without := cfg
			without.Producers = 0
			if list := without.inTiles(h200.Caps, m, n, k); len(list) != 1 || list[0] != without {
				t.Errorf("%d rows in tiles of %d without a producer: %+v", m, bm, list)
			}
		}
	}
	if fewer == 0 {
		t.Error("no tiles have fewer rows than they hold")
	}
}

// TestPitchRule: rows that leave the last of a few tiles nearly empty are in tiles of fewer rows, which the model expects to be ready sooner; not where their results are many, in rows that vectors do
// not begin in.
func TestPitchRule(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct{ m, n, k, pitch int }{{257, 4096, 4096, 144}, {311, 4096, 4096, 160}, {300, 8192, 8192, 160}, {460, 8192, 8192, 240}, {256, 8192, 8192, 0}, {512, 8192, 8192, 0}, {150, 8192, 8192, 0}, {16, 8192, 8192, 0}, {311, 4097, 4096, 160}, {311, 50257, 768, 0}} {
		p := QuantizedProblem{Elem: weft.F16, A: MatrixView(c.m, c.k, 1), N: c.n, Weights: QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32, Interleaved: 128}}
		cfg := p.Rule(h200.Caps)
		if cfg.RowPitch != c.pitch {
			t.Errorf("%d×%d×%d: %d rows apart, want %d: %+v", c.m, c.n, c.k, cfg.RowPitch, c.pitch, cfg)
		}
		if err := p.Legal(h200.Caps, cfg); err != nil {
			t.Errorf("%d×%d×%d: %v", c.m, c.n, c.k, err)
		}
	}
}

// TestTileRows compares the rule with what was measured on an H200: tiles of 128 rows with four stages instead of wide ones of as many rows, two of them instead of one that shares K or is in parts, and tiles of 256
// columns for up to 64 rows, where these took less. (µs so chosen, and otherwise)
func TestTileRows(t *testing.T) {
	h200 := preset(t, "h200").Caps
	for _, c := range []struct {
		kind           string
		m, n, k        int
		rows, columns  int
		chosen, others float64
	}{
		{"i8", 327, 2560, 2560, 128, 128, 12.5, 13.8}, {"i4", 397, 1536, 8960, 128, 128, 23.1, 30.6}, {"i4/128", 284, 2048, 2048, 128, 128, 10.2, 11.9}, {"u4/128", 639, 1024, 4096, 128, 128, 16.4, 19.1},
		{"i4/128", 768, 1024, 5120, 128, 128, 19.5, 23.3}, {"i4", 372, 11008, 4096, 128, 128, 50.2, 58.8}, {"i4", 656, 2560, 2560, 128, 128, 16.1, 18.9}, {"i4/64", 1049, 3584, 3584, 128, 128, 48.0, 58.0},
		{"i8", 196, 6144, 4096, 128, 128, 24.5, 26.1}, {"i4", 228, 6144, 4096, 128, 128, 24.9, 28.0}, {"i4/128", 202, 8192, 28672, 256, 128, 162.9, 186.7}, {"i4/64", 199, 3584, 18944, 256, 128, 60.3, 71.4},
		{"i4/64", 643, 1024, 4096, 256, 128, 18.0, 21.7}, {"i4/128", 803, 10240, 8192, 256, 128, 202.1, 212.9}, {"i8", 1188, 3584, 3584, 256, 128, 54.7, 57.7},
		{"i4", 52, 28672, 4096, 64, 256, 27.4, 34.2}, {"i4", 56, 28672, 8192, 64, 256, 51.6, 60.8}, {"i4", 55, 10240, 8192, 64, 256, 24.3, 29.9}, {"i4/128", 33, 14336, 4096, 64, 128, 19.7, 21.3},
	} {
		cfg := fewRowsProblem(c.kind, c.m, c.n, c.k, true).Rule(h200)
		if cfg.BM != c.rows || cfg.BN != c.columns || cfg.Producers == 0 {
			t.Errorf("%s %d×%d×%d: %d rows by %d columns, want %d by %d, which took %v µs of %v: %+v", c.kind, c.m, c.n, c.k, cfg.BM, cfg.BN, c.rows, c.columns, c.chosen, c.others, cfg)
		}
	}
}

// TestStageAhead: the widest tiles have a third stage where one has all rows of integers, and no cluster shares K; where shared memory has no room for it, they have two.
func TestStageAhead(t *testing.T) {
	h200 := preset(t, "h200")
	small := h200.Caps
	integers, codes := QuantScheme{Bits: 4, Block: [2]int{128, 1}}, QuantScheme{Bits: 4, Block: [2]int{64, 1}, Codes: NF4}
	for _, c := range []struct {
		m, n, k int
		scheme  QuantScheme
		stages  int
	}{
		{250, 4096, 14336, integers, 3}, {192, 28672, 4096, integers, 3}, {230, 4096, 14336, integers, 3}, {256, 8192, 8192, integers, 2}, {600, 8192, 8192, integers, 2}, {140, 4096, 14336, codes, 2},
	} {
		p := QuantizedProblem{Elem: weft.F16, A: MatrixView(c.m, c.k, 1), N: c.n, Weights: QuantView{QuantScheme: c.scheme, Scale: weft.F32}}
		cfg := p.Rule(h200.Caps)
		if cfg.BM < wideRows || cfg.Stages != c.stages || p.Legal(h200.Caps, cfg) != nil {
			t.Errorf("%d×%d×%d, %v: %d stages, want %d: %+v", c.m, c.n, c.k, c.scheme, cfg.Stages, c.stages, cfg)
		}
		two := cfg
		two.Stages = 2
		small.SharedBytes = two.plan(h200.Caps).SharedBytes
		if fit := two; c.stages == 3 {
			if fit.stageAhead(small, c.m); fit.Stages != 2 {
				t.Errorf("%d×%d×%d: %d stages in %d bytes of shared memory", c.m, c.n, c.k, fit.Stages, small.SharedBytes)
			}
		}
	}
}

// TestPitchChecks: tiles are fewer rows or columns apart than they hold, in steps, where nothing else divides them; other tiles drop a pitch that was chosen.
func TestPitchChecks(t *testing.T) {
	rows := MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: 128, BN: 128, BK: 128, Threads: 256, Stages: 2, Producers: 1, Interleave: 128, RowPitch: 112,
		Weights: QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}}
	columns := MatMulConfig{Elem: weft.F16, Out: weft.F16, BM: 128, BN: 128, BK: 64, Threads: 256, Stages: 2, Producers: 1, ColumnPitch: 112}
	for _, good := range []MatMulConfig{rows, columns} {
		if err := good.Consistent(); err != nil {
			t.Error(err)
		}
		if good.Merge(MatMulConfig{BM: 64}); good.RowPitch != 0 || good.ColumnPitch != 0 {
			t.Errorf("tiles of 64 rows keep a pitch: %+v", good)
		}
	}
	for _, tiles := range []MatMulConfig{{Atomic: true, SplitK: 2}, {SliceK: 4}} {
		cfg := rows
		if cfg.Merge(tiles); cfg.RowPitch != 0 {
			t.Errorf("%+v keeps a pitch", tiles)
		}
	}
	for name, change := range map[string]func(r, c *MatMulConfig){
		"negative":     func(r, c *MatMulConfig) { r.RowPitch, c.ColumnPitch = -16, -16 },
		"the tile":     func(r, c *MatMulConfig) { r.RowPitch, c.ColumnPitch = 128, 128 },
		"beyond it":    func(r, c *MatMulConfig) { r.RowPitch, c.ColumnPitch = 144, 144 },
		"no multiple":  func(r, c *MatMulConfig) { r.RowPitch, c.ColumnPitch = 100, 100 },
		"atomic":       func(r, c *MatMulConfig) { r.Atomic, c.Atomic = true, true },
		"other ways":   func(r, c *MatMulConfig) { r.Interleave, c.RowByRow, c.BM = 0, true, 2 },
		"other kinds":  func(r, c *MatMulConfig) { r.SliceK, c.Weights = 2, r.Weights },
		"swapped over": func(r, c *MatMulConfig) { r.RowPitch, r.ColumnPitch, c.RowPitch, c.ColumnPitch = 0, 112, 112, 0 },
	} {
		r, c := rows, columns
		change(&r, &c)
		for _, bad := range []MatMulConfig{r, c} {
			if bad.Consistent() == nil {
				t.Errorf("%s: %+v is consistent", name, bad)
			}
		}
	}
}
