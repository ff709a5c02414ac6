package kernels

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// slicedTile is a tile for few rows whose workgroups slice K.
type slicedTile struct {
	most                  int // rows of products that it is for
	rows, columns, blocks int // blocks of K of a warp in a step
	strips                int // of so many columns each: see MatMulConfig
}

// width is how many columns a program computes.
func (t slicedTile) width() int { return t.columns * max(t.strips, 1) }

// slicedTiles are the fastest on an H100 for weights of 4 bits: a row alone is loaded to registers as it is multiplied, more rows go through shared memory, where blocks
// of few columns would read them too often.
var slicedTiles = []slicedTile{{1, 8, 16, 2, 0}, {8, 8, 32, 1, 0}, {16, 16, 32, 1, 0}, {FewRows, 32, 32, 1, 0}}

const (
	// busyWarps are as many warps of a unit as keep the memory busy with weights, which each has a few loads of. (F16 1×N×K by blocks of 16 columns on an H100, µs with 4, 8 and 16
	// slices: 8192×8192 16.6, 17.4, 18.3; 14336×4096 15.3, 16.2, 17.0; 4096×14336 18.4, 15.8, 16.4.)
	busyWarps = 16
	// A workgroup has so many slices, and accumulators.
	leastSlices, mostSlices, mostSliced = 4, 16, 1 << 13
	// Of wide tiles half as many warps do. (Relative to tiles of 32 columns on an H200, weights of 4 bits: 32×8192×8192 0.91, 32×14336×4096 0.83, 32×28672×4096 0.94, 32×11008×4096, whose
	// units then have a third more columns, 1.11.)
	busyWide, mostWide, worthWide = busyWarps / 2, 1 << 14, 1.25
	// busyHeld and leastHeld are those of cooperative matrices of 8 columns, whose threads load rows as they take them and wait for no other. (F16 by Vulkan on an H100, each launch after a
	// barrier, µs with 4 and 8 slices of 16 columns, and of 32: 1×14336×4096 17.1, 19.1; 18.3, 21.0; 8×14336×4096 19.2, 21.2; 18.8, 21.6. Two blocks a step took 19.6 and 22.2 with 4 slices of 16.)
	busyHeld, leastHeld = 32, 4
	narrowMatrix        = 8 // columns of the narrowest matrices
	// longRows are the most rows whose steps have several short blocks in any case: see longer.
	longRows = 16
)

// slice completes a config by the tile for some rows: with as many slices as keep each unit's memory busy, in steps of which K has several.
func (cfg *MatMulConfig) slice(caps target.Caps, m, n, k int) bool {
	units := caps.Facts().Units
	cfg.fitSliceBlocks(caps, k)
	if cfg.Weights.Interleaved > 0 || cfg.scalesInTwo() && CeilDiv(n, slicedTiles[1].columns) >= units {
		m = max(m, 2) // one row, too, has the tiles of two
	}
	i := slices.IndexFunc(slicedTiles, func(t slicedTile) bool { return m <= t.most })
	if i < 0 || cfg.Interleave == 0 {
		return false
	}
	t := slicedTiles[i].on(caps, cfg)
	if t.rows <= longRows {
		t = t.longer(caps, cfg)
	}
	least, busy := leastSlices, busyWarps
	if cfg.IsCooperative(caps) && t.rows <= narrowMatrix {
		least, busy = leastHeld, busyHeld
	}
	most := mostSliced
	if t.rows == FewRows && !cfg.IsCooperative(caps) && !cfg.shortBlocks() && t.widens(cfg.Weights, units, n) {
		t.columns *= 2
		busy, most = busyWide, mostWide
	}
	count := t.slices(units, n, least, busy, most)
	for count > least && leastParts*count*t.blocks*cfg.Interleave > k {
		count /= 2
	}
	if long := t.longer(caps, cfg); t.rows > longRows && count*CeilDiv(CeilDiv(n, t.columns), units) < busyWarps && leastParts*count*long.blocks*cfg.Interleave <= k {
		t = long
	}
	cfg.setSlices(t, count)
	switch {
	case t.rows > longRows:
		cfg.Stages = cfg.wideStages(caps.Facts(), m, n)
	case m > 1: // one row is in registers, and no barrier has it wait
		cfg.Stages = cfg.slicedStages(caps.Facts(), m, n)
	case cfg.scalesInTwo(): // a third stage takes 232 registers, not 167, and leaves room for two programs, not three
		cfg.Stages = 2
	}
	if cfg.inWaves(caps, m) {
		cfg.fitWave(caps, t, m, n, k)
	}
	if cfg.IsCooperative(caps) {
		cfg.Stages = 1 // registers of loads that are ahead leave room for fewer programs
	}
	if t.rows == FewRows && cfg.Weights.Interleaved > 0 {
		cfg.fitStrips(caps, t, m, n, k)
	}
	return cfg.BK <= k
}

// scalesInTwo reports whether weights are multiplied by scales in two parts, which take registers: for one row tiles of twice as many columns, as for two, are
// better where each unit has one. (4 bits in groups of 32 on an H200, µs with 16 columns and with 32: 1×8192×8192 21.3, 18.6; 1×28672×4096 39.2, 28.7; 1×6144×4096 12.2, 10.6; but 1×4096×14336 19.4, 22.2. MXFP4 with the
// first of these sizes 18.4, 18.5, with the others 30.5, 28.7; 8.4, 10.2; 16.8, 18.4.)
func (cfg *MatMulConfig) scalesInTwo() bool { return cfg.ScaleFirst && !cfg.Weights.PowersOfTwo }

// slices are so many that each unit has as many warps as keep its memory busy, but no more accumulators than most.
func (t slicedTile) slices(units, n, least, busy, most int) int {
	return min(max(pow2.Floor(busy*units/max(CeilDiv(n, t.width()), 1)), least), mostSlices, pow2.Floor(most/(t.rows*t.width())))
}

// longer is a tile with more blocks in a step where blocks are short, because few weights share a scale: as many as threads load in one access of longer ones. Few rows, and few
// warps, wait for loads; of others more registers leave room for fewer warps. (MXFP4 on an H200, µs with one block and with four: 1×8192×8192 35.4, 30.0; 8×8192×8192 31.9, 29.7;
// 32×4096×14336 69.5, 49.7; 32×8192×8192 47.9, 57.8. On an H100: 16×8192×8192 33.4, 27.2; NF4 with one and with two 28.2, 25.5, 16×14336×4096 25.9, 24.8.)
func (t slicedTile) longer(caps target.Caps, cfg *MatMulConfig) slicedTile {
	if !cfg.IsCooperative(caps) {
		t.blocks *= max(WholeBlock(cfg.Weights.QuantScheme)/cfg.Interleave, 1)
	}
	return t
}

// shortBlocks reports whether blocks are shorter, because few weights share a scale.
func (cfg MatMulConfig) shortBlocks() bool {
	return cfg.Interleave < WholeBlock(cfg.Weights.QuantScheme)
}

// on is a tile for a device and weights of some bits. One that has whole matrices of a device's instructions: cooperative ones may have more rows. With few rows, programs of few
// columns wait for one another least. Others have as many columns as rows take bytes for, of 8 bits half as many, but where each has scales to load. (8×4096×14336 of 8 bits on an
// H100, µs with 32 columns and with 16: 28.2, 23.7; 8×8192×8192 27.7, 26.4; in groups of 128 29.3, 32.9.)
func (t slicedTile) on(caps target.Caps, cfg *MatMulConfig) slicedTile {
	if !cfg.IsCooperative(caps) {
		if !cfg.Weights.Scaled() {
			t.columns = min(t.columns, max(8*cfg.Elem.Size()*t.rows/cfg.Weights.Bits, fewMatrixRows))
		}
		return t
	}
	rows, columns, ok := cfg.heldMatrix(caps, t.rows)
	if !ok {
		return t
	}
	t.blocks, t.rows, t.columns = 1, max(t.rows, columns), max(t.columns, rows)
	if t.rows <= narrowMatrix {
		t.columns = rows
	}
	return t
}

// heldMatrix is the size of the cooperative matrices of slices for so many rows of a product: their columns are its rows.
func (cfg MatMulConfig) heldMatrix(caps target.Caps, most int) (rows, columns int, ok bool) {
	cfg.BM, cfg.BN, cfg.SliceK = min(max(pow2.Ceil(max(most, 1)), narrowMatrix), fewMatrixRows), fewMatrixRows, mostSlices
	m, _ := plan.Instruction(caps, cfg.interleavedDot())
	if m == nil {
		return 0, 0, false
	}
	return m.Rows, m.Columns, true
}

// narrow reports whether slices for so many rows are multiplied by matrices of few columns.
func (cfg MatMulConfig) narrow(caps target.Caps, rows int) bool {
	_, columns, ok := cfg.heldMatrix(caps, rows)
	return ok && columns <= narrowMatrix
}

// fitSliceBlocks chooses the blocks of slices. Where so few weights share a scale that a thread would load single words, it loads as many as of longer groups, which are scaled before products. Tables would have
// to be scaled, which takes longer. (On an H200, µs by sums of 32 and scaled before: MXFP4 1×8192×8192 22.8, 18.2; 8×6144×4096 13.6, 10.1; 16×4096×14336 32.2, 18.2; 32×28672×4096 44.8, 46.6; 4 bits in
// groups of 32 8×8192×8192 20.3, 18.4; 16×28672×4096 50.1, 33.3; NF4 in groups of 64 1×8192×8192 25.9, 29.0; MXFP8, in blocks of twice the length, 8×8192×8192 29.4, 23.0; 1×6144×4096 12.6, 11.0; 8×28672×4096
// 36.1, 40.5; 16×28672×4096 53.2, 40.9, of 15 works 0.92 of the time in the geometric mean.)
func (cfg *MatMulConfig) fitSliceBlocks(caps target.Caps, k int) {
	longer := 4
	if cfg.Weights.PowersOfTwo { // products with which take one rounding
		longer = 2
	}
	cfg.ScaleFirst, cfg.Interleave = false, cfg.Weights.InterleavedBlock(k)
	if cfg.Interleave == 0 || !cfg.Weights.Codes.exact(cfg.Elem) {
		return
	}
	long := *cfg
	long.ScaleFirst = true
	if long.Interleave = long.longestBlock(k); long.Interleave >= longer*cfg.Interleave {
		*cfg = long
	}
}

// setSlices takes over a tile with so many slices, a warp each.
func (cfg *MatMulConfig) setSlices(t slicedTile, count int) {
	cfg.SliceK, cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Resident = count, t.rows, t.columns, count*t.blocks*cfg.Interleave, count*warpThreads, 0
	cfg.Producers, cfg.InOrder, cfg.Strips = 0, false, t.strips
	cfg.Stages = mostAhead
}

// mostAhead are the most stages of slices: more of them take registers that leave room for fewer warps.
const mostAhead = 3

// slicedStages are as many stages as have outstanding what a unit gets from memory within its latency, and more where a unit has one program of few
// rows, all of which waits at barriers. (H100, µs with 2 and with 3: 8 bits 8×4096×14336 with 8 slices of 16 columns, two programs a unit, 25, 23.4; in groups of 128 with 16 slices of
// 32 columns, one program, 31.6, 25.3; 16×4096×14336 so 25.6, 25.7; NF4 16×8192×8192 with 8 slices, two blocks a step, two programs, 25.5, 31.)
func (cfg *MatMulConfig) slicedStages(machine *target.Machine, m, n int) int {
	programs := min(CeilDiv(cfg.tilesOf(m, n), machine.Units), max(machine.Threads/cfg.Threads, 1))
	step := float64(programs*cfg.BN*cfg.BK*cfg.Weights.Bits) / 8
	if programs == 1 && cfg.BM <= narrowMatrix || step*float64(machine.Units) < machine.Memory*machine.Latency {
		return mostAhead
	}
	return 2
}

// widens reports whether tiles of twice as many columns, which read rows half as often, leave no unit with many more columns than others. Bytes that are interleaved do not gain by that where units
// have one program then. (32×8192×8192 on an H200, µs with 64 columns and with 32: 28.0, 24.7.)
func (t slicedTile) widens(w QuantView, units, n int) bool {
	if w.Interleaved > 0 && w.Bits == 8 && CeilDiv(n, 2*t.columns) <= units {
		return false
	}
	each := func(columns int) float64 { return float64(columns * CeilDiv(CeilDiv(n, columns), units)) }
	return each(2*t.columns) <= worthWide*each(t.columns)
}

// wideStages are those of more rows. A third one takes registers: of weights of 4 bits, whose sums of groups take some, it is spilled, and of 8 bits two programs of a unit with eight warps have no room for it.
// (32×8192×8192 on an H200, µs with 2 and with 3: 4 bits 8 slices of 64 columns 22.0, 33.4, 8 bits 27.9, 26.1; 8 slices of 32 25.9, 33.0.)
func (cfg *MatMulConfig) wideStages(machine *target.Machine, m, n int) int {
	if several := cfg.tilesOf(m, n) > machine.Units; cfg.Weights.Scaled() || several && cfg.SliceK > leastSlices {
		return 2
	}
	return mostAhead
}

// slicedConfigs lists the configs with slices to choose from: of a tile's columns, of twice as many, and in strips that give each unit one program.
func (p QuantizedProblem) slicedConfigs(caps target.Caps, rule MatMulConfig) (list []MatMulConfig) {
	m, n, k := p.sizes()
	for _, t := range slicedTiles {
		t = t.on(caps, &rule)
		wide := t
		wide.columns *= 2
		tiles := []slicedTile{t, wide, t.even(caps.Facts().Units, n)}
		for c := range combinations([]int{4, 8, 16}, []int{0, 2, 4}, []int{0, 1, 2}) {
			cfg := rule
			cfg.fitSliceBlocks(caps, k)
			cfg.setSlices(tiles[c[2]], c[0])
			if cfg.SplitK = c[1]; t.rows < m || t.most < m || max(cfg.SplitK, 1)*cfg.BK > k || cfg.Legal(caps, m) != nil {
				continue
			}
			list = appendNew(list, cfg)
		}
	}
	return list
}

// slicedSums is interleavedSums by several groups of threads, for each of the strips of columns that a program has: each group multiplies one block of K of every step, and what they have summed is
// added at the end, in the workgroup. A product of few columns has enough threads for the memory then, in one launch, without partial sums in memory.
func (cfg MatMulConfig) slicedSums(k *tile.Builder, a *tile.View, w *quantTiles, row tile.Operand, cols []tile.Operand) []*tile.Value {
	count, block := cfg.SliceK, cfg.Interleave
	sums := make([]*tile.Var, len(cols))
	for i := range sums {
		sums[i] = k.Var(k.Zeros(cfg.SumType(), count, cfg.BN, cfg.BM))
	}
	steps := cfg.BK / (count * block)
	for i := range k.SplitRange(k.CDiv(a.Dim(1), cfg.BK)) {
		step := func(s int) slicedStep {
			n := i
			if steps > 1 {
				n = i.Mul(steps).Add(s)
			}
			return cfg.slicedStep(a, w, row, n, cols)
		}
		if cfg.loadsFirst() {
			var list []slicedStep
			for s := range steps {
				list = append(list, step(s))
			}
			step = func(s int) slicedStep { return list[s] }
		}
		for n := range steps {
			cfg.addStep(k, w, step(n), sums)
		}
	}
	totals := make([]*tile.Value, len(cols))
	for i, sum := range sums {
		total := sum.Get().Sum(0).Reshape(cfg.BN, cfg.BM)
		if !w.Scaled() {
			total = total.Mul(w.scale([2]int{1, cfg.BN}, []tile.Operand{0, cols[i]}).Transpose())
		}
		totals[i] = total.Transpose()
	}
	return totals
}

// addStep adds the products of a step to the sums of the strips.
func (cfg MatMulConfig) addStep(k *tile.Builder, w *quantTiles, s slicedStep, sums []*tile.Var) {
	count, block := cfg.SliceK, cfg.Interleave
	reorder := interleaveK
	if cfg.looksUpPairs() {
		reorder = interleavePairs
	}
	var x *tile.Value
	for i, strip := range s.strips {
		size := [2]int{count * block, cfg.BN}
		y := reorder(cfg.factors(w.convert(strip.weights(), size, strip.at), strip.scale), block, w.perWord())
		if x == nil {
			if x = s.rows(); w.Interleaved == 0 {
				x = reorder(x, block, w.perWord())
			}
			x = x.Reshape(cfg.BM, count, block).Permute(1, 2, 0)
		}
		y = y.Reshape(cfg.BN, count, block).Permute(1, 0, 2)
		if !w.Scaled() || cfg.ScaleFirst {
			sums[i].Set(tile.Dot(y, x, sums[i].Get(), cfg.Precision))
			continue
		}
		part := tile.Dot(y, x, k.Zeros(cfg.SumType(), count, cfg.BN, cfg.BM), cfg.Precision)
		sums[i].Set(part.FMA(strip.scale(), sums[i].Get()))
	}
}

// looksUpPairs reports whether numbers of code books come in pairs of neighbours, as the compiler has tables of: of weights in their own order and few rows, whose programs wait for conversions more than for products. (NF4
// in groups of 64 on an H200, of the time of picking bytes from registers: 1 row of 8192×8192 0.78, of 28672×4096 0.92; 4 rows of 4096×14336 0.86; 8 rows 0.93 and 0.96; 16 to 32 rows 0.93 to 1.09.)
func (cfg MatMulConfig) looksUpPairs() bool {
	return cfg.BM <= narrowMatrix && cfg.Weights.Codes.isTable() && cfg.Weights.Interleaved == 0
}

// slicedStep is what a step of slicedSums loads: rows, and the weights of each strip.
type slicedStep struct {
	rows   func() *tile.Value
	strips []slicedStrip
}

// slicedStrip is what a step loads for a strip, at coordinates of weights.
type slicedStrip struct {
	at             []tile.Operand
	weights, scale func() *tile.Value
}

// loadsFirst reports whether the loads of all steps of an iteration come first: there are several, and no pass begins them earlier.
func (cfg MatMulConfig) loadsFirst() bool {
	return (cfg.BK > cfg.SliceK*cfg.Interleave || cfg.ScaleFirst) && cfg.Stages <= 1
}

// slicedStep is a step whose loads are where they are used, or first.
func (cfg MatMulConfig) slicedStep(a *tile.View, w *quantTiles, row, n tile.Operand, cols []tile.Operand) slicedStep {
	each := cfg.SliceK * cfg.Interleave
	s := slicedStep{rows: func() *tile.Value { return cfg.rowsOf(a, each, row, n) }}
	for _, col := range cols {
		at := []tile.Operand{n, col}
		s.strips = append(s.strips, slicedStrip{
			at:      at,
			weights: func() *tile.Value { return w.stored([2]int{each, cfg.BN}, at) },
			scale: func() *tile.Value {
				if cfg.ScaleFirst {
					return w.scale([2]int{each, cfg.BN}, at)
				}
				return w.sliceScale(cfg.Interleave, [2]int{cfg.SliceK, cfg.BN}, at, cfg.Stages > 1)
			},
		})
	}
	if !cfg.loadsFirst() {
		return s
	}
	first := func(load *func() *tile.Value) {
		x := (*load)()
		*load = func() *tile.Value { return x }
	}
	for i := range s.strips {
		first(&s.strips[i].weights)
		if w.Scaled() {
			first(&s.strips[i].scale)
		}
	}
	first(&s.rows)
	return s
}

// rowsOf is a tile of so many elements of rows. Where there is one row, all of the tile's are that, and one is loaded; the others' sums are not stored.
func (cfg MatMulConfig) rowsOf(a *tile.View, each int, row, n tile.Operand) *tile.Value {
	if cfg.MostRows == 1 {
		return a.Block(1, each).Load(row, n).Broadcast(cfg.BM, each)
	}
	return a.Block(cfg.BM, each).Load(row, n)
}

// sliceScale is the scales of blocks of so many elements of K, in a shape that broadcasts to [slices,columns,rows]; size and coordinates are counted in blocks
// and columns. A group has whole blocks. Numbers are loaded one by one where a pass begins loads earlier, as points, and as a block otherwise, whose masks a loop is split for.
func (w *quantTiles) sliceScale(block int, size [2]int, at []tile.Operand, points bool) *tile.Value {
	blocks := *w
	blocks.Block[0] /= block // 0 stays all of K
	blocks.points = points || w.Scale.Size() == 1
	x := blocks.scale(size, at)
	return x.Reshape(x.Type().Shape[0], x.Type().Shape[1], 1)
}
