package kernels

import "github.com/weftgpu/weft/target"

const (
	// mostFew are the most rows whose slices depend on waves.
	mostFew = 8
	// A thread of a slice takes fewBase registers, of 8 bits byteBase, and fewWord for each word of weights of a step, aheadWord more for a third stage, which the compiler gives weights
	// of 8 bits without groups alone, and fewZero for zero points.
	fewBase, byteBase, fewWord, aheadWord, fewZero = 32, 16, 3, 3, 8
	// mostBeyond says which part of K steps have beyond its end at most, where more slices make them longer.
	mostBeyond = 8
)

// inWaves reports whether waves of programs decide about slices: of up to mostFew rows by integers, of which a thread loads whole blocks that share a scale.
func (cfg MatMulConfig) inWaves(caps target.Caps, m int) bool {
	return m <= mostFew && !cfg.IsCooperative(caps) && !cfg.shortBlocks() && !cfg.ScaleFirst && !cfg.Weights.Codes.ofFour()
}

// atOnce is how many programs of slices the units have registers for at a time.
func (cfg MatMulConfig) atOnce(machine *target.Machine) int {
	words := cfg.BN * cfg.BK * cfg.Weights.Bits / 32 / cfg.Threads
	registers := fewBase + fewWord*words
	if cfg.Weights.Bits == 8 {
		registers += byteBase - fewBase
		if !cfg.Weights.Scaled() {
			registers += aheadWord * words * (cfg.Stages - 2)
		}
	}
	if cfg.Weights.Asymmetric {
		registers += fewZero
	}
	return machine.Units * max(min(machine.Registers/(registers*cfg.Threads), machine.Threads/cfg.Threads), 1)
}

// fitWave changes slices so that all programs run at once. One row is loaded to registers as it is multiplied: it takes as many slices as fit, of however few steps, or, where the
// least are too many, fewer stages or shorter steps, which take fewer registers. More rows of 4 bits in groups have longer steps where the programs do not run at once in any case.
func (cfg *MatMulConfig) fitWave(caps target.Caps, t slicedTile, m, n, k int) {
	machine, tiles := caps.Facts(), CeilDiv(n, cfg.BN)
	with := func(blocks, count, stages int) (c MatMulConfig, ok bool) {
		c = *cfg
		c.setSlices(slicedTile{rows: t.rows, columns: t.columns, blocks: blocks}, count)
		c.Stages = stages
		long := count > cfg.SliceK && (!cfg.Weights.Scaled() || CeilDiv(k, c.BK)*c.BK-k > k/mostBeyond)
		return c, c.BK <= k && !long && c.Legal(caps, m) == nil
	}
	if m > 1 {
		if c, ok := with(2*t.blocks, cfg.SliceK, cfg.Stages); ok && cfg.Weights.Scaled() && cfg.Weights.Bits == 4 && tiles > cfg.atOnce(machine) {
			*cfg = c
		}
		return
	}
	for _, c := range [][3]int{{t.blocks, mostSlices, mostAhead}, {t.blocks, 8, mostAhead}, {t.blocks, leastSlices, mostAhead}, {t.blocks, leastSlices, 2}, {t.blocks / 2, leastSlices, mostAhead}, {t.blocks / 2, leastSlices, 2}} {
		if c, ok := with(c[0], c[1], c[2]); ok && tiles <= c.atOnce(machine) {
			*cfg = c
			return
		}
	}
	if c, ok := with(t.blocks, leastSlices, 2); ok {
		*cfg = c
	}
}

// narrowSlices changes slices of several rows to more ones of fewer columns where at most half of the units have a program.
func (cfg *MatMulConfig) narrowSlices(caps target.Caps, m, n, k int) {
	if m == 1 && cfg.Weights.Interleaved == 0 || cfg.BN <= fewMatrixRows || cfg.SliceK <= 1 || cfg.SplitK > 1 || !cfg.inWaves(caps, m) || 2*cfg.tilesOf(m, n) > caps.Facts().Units {
		return
	}
	for count := mostSlices; count >= leastSlices; count /= 2 {
		c := *cfg
		c.setSlices(slicedTile{rows: cfg.BM, columns: fewMatrixRows, blocks: 1}, count)
		if c.BK <= k && c.Legal(caps, m) == nil {
			*cfg = c
			return
		}
	}
}
