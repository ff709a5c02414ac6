package kernels

const (
	// rowPart is what MostRows is a multiple of: there is a kernel for each. Matrix instructions have multiples of 8 columns.
	rowPart = 16
	// mostOfWide is the part of a tile of wideRows rows that MostRows is at most: of more, all are multiplied. (With 224 of 256 rows weights of 4 bits 200×8192×8192 take 1.08 of the time on an H200,
	// 200×6144×4096 1.09, where clusters share K; 200×14336×4096 0.92, 8 bits 200×8192×8192 0.94. With 160 all take less, 0.63 to 0.83.)
	mostOfWide = 0.75
)

// FitRows is MostRows for a product of m rows: 0 if they take several tiles, or nearly all of one. Lines of rows that do not exist are not copied then, and not multiplied. One row is known to be one
// where it goes through shared memory, which is where weights are interleaved.
func (cfg MatMulConfig) FitRows(m int) int {
	if m == 1 && cfg.SliceK > 1 && cfg.Weights.Interleaved > 0 {
		return 1
	}
	rows, most := CeilDiv(max(m, 1), rowPart)*rowPart, cfg.BM-rowPart
	if cfg.BM >= wideRows {
		most = int(mostOfWide * float64(cfg.BM))
	}
	if cfg.Interleave == 0 || cfg.Producers == 0 || rows > most {
		return 0
	}
	return rows
}

// fitted is the config with as many rows in a tile as a product of m rows has copied and multiplied.
func (cfg MatMulConfig) fitted(m int) MatMulConfig {
	if rows := cfg.FitRows(m); rows > 0 && cfg.Producers > 0 {
		cfg.BM = rows
	}
	return cfg
}

// copiedRows are the rows of all tiles that are copied in a product of m rows: by tensor maps also some that do not exist.
func (cfg MatMulConfig) copiedRows(m int) int {
	if cfg.Producers == 0 {
		return m
	}
	rows := cfg.fitted(m).BM
	return CeilDiv(m, rows) * rows
}
