package kernels

import "github.com/weftgpu/weft/target"

// More rows than narrowMatrix, up to FewRows, of weights of 4 bits in groups have two kinds of tiles. Slices of K are multiplied by warps, in one launch, and each unit has one or a few programs. Tiles of columns are multiplied by
// warpgroups, which takes less for each weight; they need K in parts, and a second launch, so that all units have as many threads as fit. What decides is how many weights the unit with most of them has: a time is a constant and so much
// for each of those. From that 30 times of slices on an H200 differ by 7 %, and 99 of columns by 11 %.

// columnTiles are the fastest of those that were timed. (On an H200, packed weights, µs by slices or in one part, and by these: 12×5120×13824 22.4, 15.6; 16×3584×18944 18.3, 15.5; 16×28672×4096 23.9, 22.6; 20×8192×28672 64.5, 47.2;
// 24×2560×10240 16.2, 11.7; 32×8192×8192 20.8, 17.7; 32×4096×14336 19.3, 16.0; 32×11008×4096 17.7, 14.7; but 16×6144×4096 8.4, 11.7; 32×4096×4096 7.9, 8.8. Four stages of 64 columns of 32 rows leave room for fewer programs: 20×8192×28672 70.)
var columnTiles = []packedTile{{4, 16, 128, 256, 2, 107, 118}, {4, 16, 64, 256, 2, 116, 113}, {4, 32, 128, 128, 3, 104, 122}, {4, 32, 64, 128, 3, 107, 118}}

const (
	// columnRegisters are as many as a thread of any of them takes.
	columnRegisters = 128
	// What a weight takes a unit, in multiplications, and more for each row of the tile: by slices, and by columns where it has as many threads as fit; and the part by which it is more without any.
	slicedWeight, slicedRow = 2.5, 0.19
	columnWeight, columnRow = 3.1, 0.07
	idleColumns             = 0.7
	// startFew is how many latencies of memory a launch takes before the first weight is there and after the last one.
	startFew = 1.5
	// hostLaunch is the part of a further launch that the host takes in addition.
	hostLaunch = 0.5
	// worthColumnTile is the part of another choice's time that a tile of columns takes at most.
	worthColumnTile = 0.95
)

// fitColumns changes a config for few rows to a tile of columns where that takes less. With scales of 16 bits, which threads load, programs of 32 rows take 131 to 138 registers a thread.
func (cfg *MatMulConfig) fitColumns(caps target.Caps, m, n, k int) {
	w := cfg.Weights
	if !caps.WarpGroups || m <= narrowMatrix || m > FewRows || w.Bits != 4 || w.Codes != (CodeBook{}) || !w.Scaled() || w.Scale.Size() < 4 || cfg.shortBlocks() {
		return
	}
	base, best, least := *cfg, *cfg, worthColumnTile*cfg.fewRowsSeconds(caps, m, n, k)
	base.SplitK, base.ClusterK = 0, false
	for _, t := range columnTiles {
		c, ok := t.config(base, caps, m, n, k)
		if !ok {
			continue
		}
		most := min(t.room(caps, c)/c.tilesOf(m, n), k/(leastParts*c.BK))
		for parts := 1; parts <= max(most, 1); parts++ {
			if parts > 1 {
				c.SplitK = parts
			}
			if s := c.fewRowsSeconds(caps, m, n, k); s < least && c.Legal(caps, m) == nil {
				best, least = c, s
			}
		}
	}
	*cfg = best
}

// columnThreads are as many threads of tiles of columns as a unit has room for in any case.
func columnThreads(machine *target.Machine) int {
	return min(machine.Registers/columnRegisters, machine.Threads)
}

// fewRowsSeconds is a model of the time of few rows times weights of 4 bits in groups: of what the unit with most weights takes for them, or memory for all, and of launches.
func (cfg MatMulConfig) fewRowsSeconds(caps target.Caps, m, n, k int) float64 {
	machine, parts := caps.Facts(), cfg.partsOfK()
	programs := cfg.tilesOf(m, n) * parts
	most := CeilDiv(programs, machine.Units) // programs of a unit
	weights := float64(most * cfg.width() * CeilDiv(CeilDiv(k, cfg.BK), parts) * cfg.BK)
	cost := slicedWeight + slicedRow*float64(cfg.BM)
	if cfg.SliceK <= 1 {
		cost = columnWeight + columnRow*float64(cfg.BM)
		cost *= 1 + idleColumns*max(0, 1-float64(most*cfg.Threads)/float64(columnThreads(machine)))
	}
	s := machine.Launch + startFew*machine.Latency
	s += max(weights*cost*2*float64(machine.Units)/machine.Flops, float64(n*k)*float64(cfg.Weights.Bits)/8/machine.Memory)
	switch {
	case cfg.ClusterK:
		s += exchangeWaits * machine.Latency
	case parts > 1:
		s += sumPartsSeconds(machine, parts, m*n) + hostLaunch*machine.Launch
	}
	if cfg.ReordersBefore() {
		s += (1+hostLaunch)*machine.Launch + copySeconds(machine, 2*float64(m*k*cfg.Elem.Size()))
	}
	return s
}
