package kernels

import "github.com/weftgpu/weft/target"

// More rows than narrowMatrix, up to FewRows, of integers and code books have two kinds of tiles. Slices of K are multiplied by warps, in one launch, and each unit has one or a few programs. Tiles of columns are multiplied by
// warpgroups, which takes less for each weight; they need K in parts, and a second launch, so that all units have as many threads as fit. What decides is how many weights the unit with most of them has: a time is a constant and so much
// for each of those. From that 760 times on H200s, of 14 kinds of weights and of tiles without a producer, differ by 8 % in the root mean square.

// columnTiles are the fastest of those that were timed. Their threads have columnRegisters each. (On an H200, packed weights, µs by slices or in one part, and by these: 4 bits in groups of 128 12×5120×13824 22.4, 15.6; 16×28672×4096 23.9,
// 22.6; 32×8192×8192 20.8, 17.7; but 16×6144×4096 8.4, 11.7; 32×4096×4096 7.9, 8.8; with scales of F16 12×5120×13824 24.5, 16.0; 32×8192×8192 22.5, 19.1; with a scale for each column 24×4096×14336 20.6, 13.8; 8 bits 32×3584×18944 31.5,
// 23.4, in groups of 128 64.1, 25.0; NF4 in groups of 64 20×5120×5120 26.2, 17.3; but MXFP4 32×8192×8192 26.9, 44.3. Four stages of 64 columns of 32 rows leave room for fewer programs: 20×8192×28672 70, by three 47.2.)
var columnTiles = []packedTile{
	{0, 16, 128, 256, 2, columnRegisters, columnRegisters}, {0, 16, 64, 256, 2, columnRegisters, columnRegisters},
	{0, 32, 128, 128, 3, columnRegisters, columnRegisters}, {0, 32, 64, 128, 3, columnRegisters, columnRegisters},
}

const (
	// columnRegisters are as many as a thread of any of them takes, or is given where the compiler would take more.
	columnRegisters = 128
	// leastColumnBlock is the fewest weights that share a scale of which tiles of columns take less. (4 bits in groups of 32, on an H200, µs by slices and by columns: 16×8192×8192 24.9, 36.7; 32×4096×14336 28.8, 37.7.)
	leastColumnBlock = 64
	// What a weight takes a unit, in multiplications, and more for each row of the tile, of columns also where sums are of groups; and the part by which columns take more where a unit has no threads but theirs.
	slicedWeight, slicedRow            = 2.2, 0.225
	columnWeight, columnRow, columnSum = 3.2, 0.05, 0.02
	idleColumns                        = 0.4
	// startSlices and startColumns are how many latencies of memory a launch takes before the first weight is there and after the last one, by slices and by columns.
	startSlices, startColumns = 1.5, 3.5
	// producedColumns is how much more integers take where a producer copies rows for tiles of few.
	producedColumns = 1.25
	// crowdedColumns is how much more columns take where the compiler gives threads more than columnRegisters, so that a unit has room for fewer.
	crowdedColumns = 1.2
	// stripedBytes is what a weight of 8 bits in groups takes more in strips of columns. (On H200s, µs by strips and by columns: 20×5120×5120 22.8, 14.2; with scales of F16 22.6, 15.0.)
	stripedBytes = 6
	// hostLaunch is the part of a further launch that the host takes in addition.
	hostLaunch = 0.5
	// hostParts and hostReorder are how long the host takes for the launches of a product in parts, and of one whose rows are reordered before, in those of the device. (Six products of 17 to 32 rows that take 8 to 11 µs packed take 16 to
	// 18 otherwise.)
	hostParts, hostReorder = 4.5, 8
	// worthColumnTile is the part of another choice's time that a tile of columns takes at most.
	worthColumnTile = 0.97
)

// fewCosts are what weights of some kinds take a unit more, in multiplications, by slices and by columns.
var fewCosts = []struct {
	is              func(cfg MatMulConfig) bool
	sliced, columns float64
}{
	{func(cfg MatMulConfig) bool { return cfg.Weights.Codes.ofFour() }, 4.1, 3.8},
	{MatMulConfig.shortBlocks, 1.5, 1.6},
	{func(cfg MatMulConfig) bool { return cfg.shortBlocks() && !cfg.Weights.Codes.ofFour() }, 0, 0.8},
	{func(cfg MatMulConfig) bool { return cfg.Weights.Asymmetric }, 1, 0.7},
	{func(cfg MatMulConfig) bool { return cfg.Weights.scaledBy16() }, 0.6, 0.2},
	{func(cfg MatMulConfig) bool { return cfg.Weights.Bits == 8 }, 2.3, 2.4},
	{func(cfg MatMulConfig) bool { return cfg.Weights.Bits == 8 && cfg.Weights.Scaled() }, 1.6, 1.8},
	{func(cfg MatMulConfig) bool { return cfg.Weights.Bits == 8 && cfg.Weights.scaledBy16() }, 0, 1.2},
}

// fitColumns changes a config for few rows to a tile of columns where that takes less.
func (cfg *MatMulConfig) fitColumns(caps target.Caps, m, n, k int) {
	w := cfg.Weights
	if !caps.WarpGroups || m <= narrowMatrix || m > FewRows || w.InterleavedBlock(k) < leastColumnBlock {
		return
	}
	base, best, least := *cfg, *cfg, worthColumnTile*cfg.fewRowsSeconds(caps, m, n, k)
	base.SplitK, base.ClusterK = 0, false
	for _, t := range columnTiles {
		c, ok := t.config(base, caps, m, n, k)
		if !ok {
			continue
		}
		c.giveRegisters(caps.Facts())
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

// takesRegisters reports whether threads of columns of such weights would have more than columnRegisters: 131 to 138 of 32 rows and scales of 16 bits, which threads load, 136 to 159 of 8 bits in groups. With fewer, 8 to 120 bytes of a
// thread spill. (On an H200, µs as the compiler would have it and with two workgroups a unit, 4 bits, scales of F16: 32×8192×8192 23.2, 19.1; 20×8192×28672 61.3, 48.5.)
func (v QuantView) takesRegisters() bool { return v.Bits == 8 && v.Scaled() || v.scaledBy16() }

// scaledBy16 reports whether sums of groups are multiplied by scales of 16 bits.
func (v QuantView) scaledBy16() bool { return v.Scaled() && v.Scale.Size() == 2 }

// giveRegisters has as many workgroups of a tile of columns share a unit as of weights that take fewer registers.
func (cfg *MatMulConfig) giveRegisters(machine *target.Machine) {
	if cfg.Weights.takesRegisters() {
		cfg.Resident = columnThreads(machine) / cfg.Threads
	}
}

// columnThreads are as many threads of tiles of columns as a unit has room for in any case.
func columnThreads(machine *target.Machine) int {
	return min(machine.Registers/columnRegisters, machine.Threads)
}

// fewRowsCost is what a weight takes a unit, in multiplications, and how many latencies of memory a launch takes in addition.
func (cfg MatMulConfig) fewRowsCost() (cost, start float64) {
	columns, w := cfg.SliceK <= 1, cfg.Weights
	cost, start = slicedWeight+slicedRow*float64(cfg.BM), startSlices
	if columns {
		cost, start = columnWeight+columnRow*float64(cfg.BM), startColumns
		if w.Scaled() {
			cost += columnSum * float64(cfg.BM)
		}
	}
	for _, c := range fewCosts {
		switch {
		case !c.is(cfg):
		case columns:
			cost += c.columns
		default:
			cost += c.sliced
		}
	}
	switch {
	case cfg.Strips > 1 && w.Bits == 8 && w.Scaled():
		cost += stripedBytes
	case cfg.Producers > 0 && !w.Codes.ofFour():
		cost *= producedColumns
	case columns && cfg.Producers == 0 && cfg.Resident == 0 && w.takesRegisters():
		cost *= crowdedColumns
	}
	return cost, start
}

// fewRowsSeconds is a model of the time of few rows times weights: of what the unit with most weights takes for them, or memory for all, and of launches. That of the sums of parts begins while programs of the first one run.
func (cfg MatMulConfig) fewRowsSeconds(caps target.Caps, m, n, k int) float64 {
	machine, parts := caps.Facts(), cfg.partsOfK()
	most := CeilDiv(cfg.tilesOf(m, n)*parts, machine.Units) // programs of a unit
	weights := float64(most * cfg.width() * CeilDiv(CeilDiv(k, cfg.BK), parts) * cfg.BK)
	cost, start := cfg.fewRowsCost()
	if cfg.SliceK <= 1 {
		cost *= 1 + idleColumns*max(0, 1-float64(most*cfg.Threads)/float64(columnThreads(machine)))
	}
	s := machine.Launch + start*machine.Latency
	s += max(weights*cost*2*float64(machine.Units)/machine.Flops, float64(n*k)*float64(cfg.Weights.Bits)/8/machine.Memory)
	switch {
	case cfg.ClusterK:
		s += cfg.exchangeSeconds(machine)
	case parts > 1:
		s = max(s+sumPartsSeconds(machine, parts, m*n)-machine.Launch, hostParts*machine.Launch)
	}
	if cfg.ReordersBefore() {
		s += (1+hostLaunch)*machine.Launch + copySeconds(machine, 2*float64(m*k*cfg.Elem.Size()))
		s = max(s, hostReorder*machine.Launch)
	}
	return s
}
