package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// legalInterleave says why weights cannot be the left operand of a config.
func (cfg MatMulConfig) legalInterleave(caps target.Caps) error {
	if cfg.Interleave == 0 {
		return nil
	}
	if err := cfg.checkInterleaved(); err != nil {
		return err
	}
	switch {
	case cfg.Weights.Bits == 0 || cfg.Consumers > 1 || cfg.Cluster > 1 || cfg.Batch > 0:
		return fmt.Errorf("weights that are interleaved, want some of few bits, and programs of one tile without batches")
	case !caps.WholeTiles && (!cfg.IsMatrix(caps) || cfg.IsCooperative(caps) && (!cfg.heldMatrices(caps) || cfg.SliceK <= 1)):
		return fmt.Errorf("weights that are interleaved are for matrix instructions whose operands are in registers")
	case cfg.SliceK > 1 && !caps.WholeTiles && (cfg.Threads < cfg.SliceK*warpThreads || cfg.BM*cfg.width()*cfg.SliceK > 64*cfg.Threads):
		return fmt.Errorf("%d threads are too few for %d parts of a step of K of %d columns", cfg.Threads, cfg.SliceK, cfg.width())
	case cfg.ScaleFirst && !cfg.Weights.Scaled():
		return fmt.Errorf("scales before products of weights of %v, want groups that share scales", cfg.Weights)
	case cfg.Producers > 0 && (!caps.TensorMaps || !caps.WarpGroups || cfg.Stages < 2 || cfg.Threads != 2*cfg.BN || cfg.Threads%warpgroup != 0):
		return fmt.Errorf("%s cannot serve %d rows for %d columns in %d threads", fault.Count(cfg.Producers, "producer"), cfg.BM, cfg.BN, cfg.Threads)
	}
	return nil
}

// heldMatrices reports whether operands of cooperative matrices are in registers, and the left one as interleaveK has it: four threads of a row with pairs of elements.
func (cfg MatMulConfig) heldMatrices(caps target.Caps) bool {
	m, reason := plan.Instruction(caps, cfg.interleavedDot())
	return reason == "" && !m.Opaque && len(m.A.Registers) > 0 && len(m.A.Threads) > 2 &&
		m.A.Registers[0] == [2]int{0, 1} && m.A.Threads[0] == [2]int{0, 2} && m.A.Threads[1] == [2]int{0, rowThreads} && m.A.Threads[2][1] == 0
}

// interleaves completes a config for weights as the left operand, or reports that they cannot be, or gain nothing, as without registers of threads.
func (p QuantizedProblem) interleaves(caps target.Caps, cfg *MatMulConfig) bool {
	m, n, k := p.sizes()
	c := *cfg
	c.Interleave = p.Weights.InterleavedBlock(k)
	if caps.WholeTiles || p.Fastest != 0 || c.Interleave == 0 {
		return false
	}
	// Without cooperative matrices slices take less. (1×8192×8192 weights of 8 bits on an H200: 27.9 µs row by row, 19.7 by slices; 1×14336×4096 21.6, 18.7.)
	if c.IsCooperative(caps) && (m <= MaxRowByRow && p.readsLonger(caps) || m <= wideRuns && (c.shortBlocks() || !c.narrow(caps, m))) {
		return false
	}
	c.RowByRow, c.Order, c.SplitK = false, tile.Order{}, 0
	if !c.fitInterleaved(caps, p.rowsFit(), m, n, k) {
		return false
	}
	*cfg = c
	return true
}

// rowsFit reports whether rows are copied as they are, by tensor maps and in vectors.
func (p QuantizedProblem) rowsFit() bool { return RowsFit(p.Elem, p.A) }

// RowsFit reports whether the rows of a matrix are copied as they are, by tensor maps and in vectors.
func RowsFit(elem weft.DType, a tune.View) bool {
	o := operandOf(elem, a, 1)
	return o.KMajor && o.Map
}

// What a weight takes a thread that multiplies it row by row, in multiplications: with the first row, and with each other one. (8192 × 8192 weights of 8 bits on an H100: 27.9 µs
// with 1 row, 65 with 4.)
const rowByRowCost, otherRowCost = 6, 7

// wideRuns are the most rows that runs multiply faster than cooperative matrices of more than 8 columns do. (F16 2×14336×4096 by Vulkan on an H200: 26.7 µs by runs, 29.4 by slices of
// matrices of 16 columns; with 4 rows 37, 29.6. Those of 8 columns are as fast with 1 row: 1×4096×14336 18.6, by runs 20.5.)
const wideRuns = 2

// readsLonger reports whether reading weights takes longer than converting and multiplying them row by row, in one launch. (1×4096×4096 of 8 bits on an H200: 8.9 µs.)
func (p QuantizedProblem) readsLonger(caps target.Caps) bool {
	m, _, _ := p.sizes()
	machine, convert := caps.Facts(), float64(rowByRowCost+otherRowCost*(m-1))+p.Weights.Codes.decodeCost(caps)
	return float64(p.Weights.Bits)/8/machine.Memory > convert*2/machine.Flops
}

// interleavedTile is a tile for products of some rows, with which weights are the left operand.
type interleavedTile struct {
	rows, columns, blocks int // blocks of weights in a step, of 128 elements of 4 bits each
	stages, producers     int
	inOrder, scaleFirst   bool // see MatMulConfig
}

// interleavedTiles are the fastest tiles on an H100 for 8192 × 8192, 14336 × 4096 and 4096 × 4096 weights of 4 bits; those with producers come first. Of few rows, small
// workgroups of warps read weights; of more, wide tiles read rows less often, up to what registers hold. (8192 × 8192, µs: 1 row 21.2, 16 rows 22.1, 64 rows 32.1, 128 rows
// 40.2, 512 rows 98.) Four warpgroups with 256 columns of 64 rows have no registers for the sums of groups in addition, and for more than two steps of loads; they take less where
// parts of K give each unit a program. (64 rows, µs with 128 and with 256 columns: 8192 × 8192 31.3, 29.1; 14336 × 4096 28.7, 27.6; 18944 × 3584 34.4, 32.5; 4096 × 14336 26.5, 28.5 in two
// parts.) With 256 rows a third stage gains nothing. (512, 1024 and 2048 rows of 8192 × 8192 with 3 stages and with 2: 96.6, 95.9; 193.6, 191.5; bytes 98.5, 95.9; 196, 191.7; 396.6, 384.8.) Slices of K take less for few rows, see slicedTiles.
var interleavedTiles = []interleavedTile{
	{8, 32, 2, 3, 0, false, false}, {16, 32, 2, 3, 0, false, false},
	{32, 64, 1, 6, 1, false, false}, {64, 128, 1, 6, 1, false, false}, {64, 256, 1, 3, 1, false, true},
	{256, 128, 1, 2, 1, true, true}, {256, 128, 1, 2, 1, false, true}, {128, 64, 1, 4, 1, true, false}, {128, 128, 1, 4, 1, false, true},
	{32, 64, 1, 3, 0, false, false}, {64, 128, 1, 2, 0, false, false}, {128, 64, 1, 2, 0, false, false},
}

// take takes over a tile.
func (cfg *MatMulConfig) take(t interleavedTile, fit bool, k int) {
	cfg.BM, cfg.BN, cfg.Threads, cfg.Stages, cfg.Producers = t.rows, t.columns, 2*t.columns, t.stages, t.producers
	cfg.InOrder, cfg.ScaleFirst = t.inOrder && fit && cfg.Weights.Interleaved == 0, (t.scaleFirst || t.producers > 0 && cfg.lengthens(k)) && cfg.Weights.Scaled()
	cfg.Interleave = cfg.longestBlock(k)
	step := max(cfg.Interleave, min(128, pow2.Floor(k)))
	if cfg.BK = t.blocks * step; cfg.BK > k {
		cfg.BK = step
	}
	cfg.SliceK, cfg.Strips, cfg.RowPitch, cfg.Resident = 0, 0, 0, 0
}

// lengthens reports whether scales before products make blocks as long as producers copy of rows, where those of groups are shorter.
func (cfg MatMulConfig) lengthens(k int) bool {
	least := ProducerStep / cfg.Elem.Size()
	cfg.ScaleFirst = true
	return cfg.Weights.InterleavedBlock(k) < least && cfg.longestBlock(k) >= least
}

// fitInterleaved chooses the tile for a number of rows, and the parts of K, if any is legal; fit says that rows are copied as they are.
func (cfg *MatMulConfig) fitInterleaved(caps target.Caps, fit bool, m, n, k int) bool {
	if !cfg.fitPacked(caps, m, n, k) && !cfg.fitTiles(caps, fit, m, n, k) {
		return false
	}
	cfg.fitColumns(caps, m, n, k)
	return true
}

// fitTiles chooses among interleavedTiles and slices. Without a producer are those that the device has none for.
func (cfg *MatMulConfig) fitTiles(caps target.Caps, fit bool, m, n, k int) bool {
	rows, least, alone, best := max(pow2.Ceil(m), 8), 0.0, 0.0, *cfg // alone: without what launches take the host
	try := func(c MatMulConfig) {
		if c.Legal(caps, m) != nil {
			return
		}
		for _, parts := range c.interleavedParts(caps.Facts(), m, n, k) {
			c.SplitK = parts
			device := c.InterleavedSeconds(caps, m, n, k)
			s := device
			if parts > 1 {
				s += worthLaunches * caps.Facts().Launch
			}
			if least == 0 || c.SliceK <= 1 && s < worthwhile*least || c.SliceK > 1 && s <= least && device <= alone {
				least, alone, best = s, device, c
			}
		}
	}
	var tiles []MatMulConfig
	for _, t := range interleavedTiles {
		c := *cfg
		c.take(t, fit, k)
		few := t.rows < rows && !t.scaleFirst // of more rows each tile converts the weights again, for which two warpgroups alternate
		if few || t.rows >= 2*rows || t.producers == 0 && best.Producers > 0 {
			continue
		}
		for _, c := range c.inTiles(caps, m, n, k) {
			tiles = append(tiles, c)
			try(c)
		}
	}
	if c := *cfg; c.slice(caps, m, n, k) {
		if m <= narrowMatrix && !c.IsCooperative(caps) && c.tilesOf(m, n) >= caps.Facts().Units && c.Legal(caps, m) == nil {
			least, alone = 0, 0 // other tiles take longer: what the model says of the second-level cache is for those
		}
		try(c)
	}
	best.shareInterleaved(caps, tiles, alone, m, n, k)
	best.narrowSlices(caps, m, n, k)
	best.stageAhead(caps, m)
	*cfg = best
	return least > 0
}

// stageAhead gives tiles of wideRows rows a third stage where they have all rows of the product. Each weight then comes from memory for one program alone. (On an H200, µs with two stages and with three: 4 bits 136×2560×10240 27.7, 24.0; 192×28672×4096 85.1, 77.0; 230×4096×14336 51.7, 47.8; 186×37888×3584 94.0, 87.3. Several
// tiles of rows, code books, and clusters that share K gain nothing: 256×6144×4096 26.6, 27.1.)
func (cfg *MatMulConfig) stageAhead(caps target.Caps, m int) {
	if cfg.Producers == 0 || cfg.BM < wideRows || cfg.BM < m || cfg.ClusterK || cfg.Weights.Codes.ofFour() {
		return
	}
	c := *cfg
	if c.Stages++; c.Legal(caps, m) == nil {
		*cfg = c
	}
}

// shareInterleaved has two programs of a cluster share K where that takes less than the config, which takes so long, and all programs run at once, or where it saves the second launch of the same
// tile in two parts.
func (cfg *MatMulConfig) shareInterleaved(caps target.Caps, tiles []MatMulConfig, alone float64, m, n, k int) {
	best := *cfg
	for _, c := range tiles {
		c.ClusterK = true
		once := clusterPrograms*c.tilesOf(m, n) <= caps.Facts().Units
		if same := cfg.SplitK == clusterPrograms && c.BM == cfg.BM && c.RowPitch == cfg.RowPitch && c.BN == cfg.BN && c.InOrder == cfg.InOrder; !once && !same || k < clusterPrograms*leastParts*c.BK || c.Legal(caps, m) != nil {
			continue
		}
		if s := c.InterleavedSeconds(caps, m, n, k); s < alone {
			alone, best = s, c
		}
	}
	*cfg = best
}

// interleavedParts are numbers of parts of K to choose from, the least first, 0 for one: that with which each unit has a program and enough bytes are asked for, twice as many, and a few, which
// leave fewer units idle at the end.
func (cfg MatMulConfig) interleavedParts(machine *target.Machine, m, n, k int) []int {
	if cfg.Strips > 1 { // so that each unit has one program
		return []int{0}
	}
	programs := max(fullUnits*float64(machine.Units), cfg.busyPrograms(machine))
	parts := int(math.Ceil(programs / float64(cfg.tilesOf(m, n))))
	list := []int{0}
	for _, p := range []int{2, 3, 4, parts, 2 * parts} {
		if p = min(p, k/(leastParts*cfg.BK)); p > 1 && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// busyPrograms are as many as keep the memory busy by the weights that they ask for at once; those of many rows wait for these instead.
func (cfg MatMulConfig) busyPrograms(machine *target.Machine) float64 {
	if cfg.BM > FewRows {
		return 0
	}
	ahead := cfg.Stages - 1
	switch {
	case cfg.Producers > 0: // stages are of rows
		ahead = 2
	case cfg.SliceK > 1: // warps are at different places of their steps
		ahead = cfg.Stages
	case cfg.reordersWithin(): // rows go through shared memory, one step at a time
		ahead = 1
	}
	each := float64(ahead*cfg.width()*cfg.BK*cfg.Weights.Bits) / 8
	return busyMemory * machine.Memory * machine.Latency / each
}

const (
	// busyMemory is which part of the bytes that a memory delivers within its latency is asked for at once, so that it is busy: what the data sheet says of its
	// bandwidth is not reached.
	busyMemory = 1.5
	// unitMemory is how much more of the bandwidth of memory a unit can have than its part.
	unitMemory = 1.3
	// fullUnits is the part of the units that have a program where a further part of K gains nothing.
	fullUnits = 0.95
	// leastParts is how many steps a part of K has at least.
	leastParts = 4
	// worthLaunches is how many launches a split of K has to save, in addition to its own second one: the host's share of that, and memory for the parts. (1×4096×4096 of 4
	// bits on an H100: 13.6 µs in one launch, 11.5 in two.)
	worthLaunches = 2
	// What a weight takes a thread until it is a factor, in multiplications; what it takes more where the sums of groups are scaled, also for each row, and where itself is scaled
	// before, by scales in two parts, with what that delays products (256×8192×8192 on an H100 is chosen right by it), or in one; and what the exchange of bytes takes.
	weightCost          = 3.2
	groupCost, rowCost  = 2.3, 1.0 / 30
	rowDepth            = 128 // of a product, whose sums rowCost is for
	scaleCost, pairCost = 2.3, 0.5
	inOrderCost         = 2.0
	// tableCost is what the number that a code stands for takes more than an integer does, where threads look up pairs of them. (8192×8192 weights of NF4 on an H100, µs for
	// 1, 16, 64 and 128 rows: 33, 32, 40, 84; where numbers are chosen one by one 78, 106, 100, 138.)
	tableCost = 2.0
	// tableScaleCost is a weight's part of what it takes to multiply such a table by a scale.
	tableScaleCost = 2.3
	// busyThreads are as many threads of a unit as hide what the instructions of each wait for.
	busyThreads = 256
	// exposed is the part of conversions that no products hide, for each part that they have of the products' time, up to a most; exposedOne and exposedTwo are those of integers in tiles of more than FewRows rows
	// with a producer, where one or more warpgroups of a unit multiply at a time, but where sums of more than weightRows rows are scaled. (On an H200 72 tiles of 4 bits in groups of 128 for 8 products of 512 to 1024
	// rows, and both choices for 157 of 33 to 1446 rows that these constants change, of seven kinds.)
	exposed, mostExposed       = 1.7, 0.85
	exposedOne, mostExposedOne = 1.2, 0.7
	exposedTwo, mostExposedTwo = 1.0, 0.7
	// wideRows are the most rows of a tile.
	wideRows = 256
	// exchangeWaits is how long the programs of a cluster take to add their sums, in latencies of memory, and fewExchangeWaits where a tile has up to fewSums of them.
	exchangeWaits, fewExchangeWaits, fewSums = 2.5, 0.5, 64 * 128
	// fourExchangeWaits is that where four warpgroups do.
	fourExchangeWaits = 4.0
	// weightRows are the most rows of a tile that reads about as many bytes of weights, which no other unit asks for, as of rows.
	weightRows = 64
	// sustainedCache is the part of the bandwidth of the second-level cache that tiles read with.
	sustainedCache = 0.8
)

// conversionCost is what a weight takes a thread, in multiplications.
func (cfg MatMulConfig) conversionCost() float64 {
	cost := weightCost
	switch {
	case !cfg.Weights.Scaled():
	case !cfg.ScaleFirst:
		depth := rowDepth
		if cfg.BM > FewRows { // by whose times the costs of fewer are not known
			depth = min(depth, cfg.DotDepth())
		}
		cost += groupCost + rowCost*float64(cfg.BM*rowDepth)/float64(depth)
	case !cfg.Weights.Codes.exact(cfg.Elem):
		cost += tableScaleCost
	case cfg.Weights.Scale == cfg.Elem || cfg.Weights.PowersOfTwo:
		cost += pairCost
	default:
		cost += scaleCost
	}
	if cfg.InOrder {
		cost += inOrderCost * float64(cfg.Weights.Bits) / 4
	}
	if cfg.Weights.Codes != (CodeBook{}) {
		cost += tableCost
	}
	return cost
}

// InterleavedSeconds is a model of the time of weights as the left operand: of their bytes, of the rows and weights that each tile reads again, of conversions and products, and of
// further launches. A unit multiplies while it converts.
func (cfg MatMulConfig) InterleavedSeconds(caps target.Caps, m, n, k int) float64 {
	machine, model := caps.Facts(), tune.ModelFor(caps)
	tiles, parts, units := cfg.tilesOf(m, n), cfg.partsOfK(), machine.Units
	bytes := float64(n*k) * float64(cfg.Weights.Bits) / 8
	working, rate := min(float64(tiles*parts)/float64(units), 1), sustainedCache // units
	if cfg.Producers > 0 && cfg.BM > weightRows {
		rate = mapsPerLoad
	}
	uneven := 1 / working
	if !cfg.shortBlocks() { // whose conversions take longer than reading
		uneven = float64(CeilDiv(tiles*parts, units)*units) / float64(tiles*parts) // of the unit that has most to do
	}
	read := (float64(CeilDiv(n, cfg.width())*cfg.copiedRows(m)*k*cfg.Elem.Size()) + float64(CeilDiv(m, cfg.rows()))*bytes) / (rate * machine.Cache) * uneven
	each := float64(CeilDiv(tiles*parts, units)) * float64(cfg.width()*k) / float64(parts)                  // weights of a unit
	together := min(CeilDiv(tiles*parts, units), max(machine.Shared/max(cfg.plan(caps).SharedBytes, 1), 1)) // programs of a unit at a time
	threads := together * cfg.Threads
	rows := cfg.fitted(m)
	convert := each * rows.conversionCost() * 2 * float64(units) / machine.Flops * max(1, busyThreads/float64(threads))
	multiply := rows.multiplySeconds(model, tiles*parts, k/parts)
	multiply += cfg.exposedPart(convert/multiply, threads) * convert
	busy := min(float64(tiles*parts)/max(cfg.busyPrograms(machine), 1), unitMemory*working, 1)
	s, launches := max(bytes/(machine.Memory*busy), read, convert, multiply), 1
	switch {
	case cfg.ClusterK:
		s += cfg.exchangeSeconds(machine)
	case parts > 1:
		s += sumPartsSeconds(machine, parts, m*n)
	}
	if cfg.RowPitch > 0 && !plan.MapAligns(cfg.Out, n) {
		s += singleStoreSeconds(machine, m*n)
	}
	if cfg.ReordersBefore() {
		launches++
		s += copySeconds(machine, 2*float64(m*k*cfg.Elem.Size()))
	}
	starts := 1
	if cfg.Producers > 0 { // programs of a unit, one after another
		starts = CeilDiv(CeilDiv(tiles*parts, units), together)
	}
	return s + float64(launches)*machine.Launch + float64(starts)*StartSeconds(machine)
}

// exposedPart is the part of conversions that no products hide, where conversions take ratio times as long as products, and a unit has so many threads.
func (cfg MatMulConfig) exposedPart(ratio float64, threads int) float64 {
	sums := cfg.Weights.Scaled() && !cfg.ScaleFirst
	switch {
	case cfg.Producers == 0 || cfg.BM <= FewRows || cfg.BM > weightRows && sums || cfg.Weights.Codes.ofFour():
		return min(exposed*ratio, mostExposed)
	case threads < 2*warpgroup:
		return min(exposedOne*ratio, mostExposedOne)
	}
	return min(exposedTwo*ratio, mostExposedTwo)
}

// exchangeSeconds is how long the programs of a cluster take to add their sums.
func (cfg MatMulConfig) exchangeSeconds(machine *target.Machine) float64 {
	if cfg.BM*cfg.BN <= fewSums {
		return fewExchangeWaits * machine.Latency
	}
	if cfg.Threads > 2*warpgroup {
		return fourExchangeWaits * machine.Latency
	}
	return exchangeWaits * machine.Latency
}

// multiplySeconds is how long the products of so many programs take, with so many elements of K each. Where units are idle, power leaves the others a higher clock.
func (cfg MatMulConfig) multiplySeconds(model tune.Model, programs, k int) float64 {
	units := model.Machine.Units
	wave := float64(cfg.BM) * float64(cfg.width()) * float64(k) * 2 * float64(units)
	s := float64(programs/units) * wave / model.Matrix
	if last := programs % units; last > 0 {
		peak := max(model.Machine.Matrix.F16, model.Matrix)
		s += wave / (peak - (peak-model.Matrix)*float64(last)/float64(units))
	}
	return s
}

// copySeconds is how long a kernel takes that reads and writes so many bytes in all, which others have just written or read if the second-level cache holds them.
func copySeconds(machine *target.Machine, bytes float64) float64 {
	if bytes > machine.CacheBytes() {
		return bytes / machine.Memory
	}
	return bytes / machine.Cache
}

// StartSeconds is what a program takes before its first step and after its last one.
func StartSeconds(machine *target.Machine) float64 { return startLoads * machine.Latency }

// interleavedConfigs lists the configs to choose from, the rule's first: tiles of other widths, stages and parts of K, with a producer and without.
func (p QuantizedProblem) interleavedConfigs(caps target.Caps) (list []MatMulConfig) {
	m, _, k := p.sizes()
	rule := newMatMulConfig(p.Elem, 0)
	rule.Weights = p.Weights
	if !p.interleaves(caps, &rule) {
		return nil
	}
	list = append(list, rule)
	list = append(list, p.slicedConfigs(caps, rule)...)
	for c := range combinations([]int{32, 64, 128}, []int{1, 2}, []int{2, 3, 4, 6}, []int{0, 1}, []int{1, 2, 4, 8}, []int{rule.RowPitch, 0}) {
		cfg := rule
		cfg.take(interleavedTile{rule.BM, c[0], c[1], c[2], c[3], c[3] > 0, rule.ScaleFirst}, p.rowsFit(), k)
		if cfg.Producers > 0 {
			cfg.RowPitch = c[5]
		} else if m <= FewRows {
			cfg.giveRegisters(caps.Facts())
		}
		if cfg.SplitK = c[4]; cfg.SplitK == 1 {
			cfg.SplitK = 0
		}
		if cfg.SplitK*cfg.BK <= k && cfg.Legal(caps, m) == nil {
			list = appendNew(list, cfg)
		}
		if cfg.ClusterK = cfg.SplitK == clusterPrograms; cfg.ClusterK {
			if cfg.SplitK = 0; cfg.Legal(caps, m) == nil {
				list = appendNew(list, cfg)
			}
		}
	}
	return list
}
