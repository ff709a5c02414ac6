package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// MatMulConfig is what the kernel of MatMul is built for. Sizes are in elements
// and, but for those of fewer rows or columns than tiles hold, powers of two.
type MatMulConfig struct {
	Elem        weft.DType     // of the operands; sums are F32, of F64 F64, of I8 and U8 I32
	Out         weft.DType     // of the result
	Batch       int            // leading dimensions of every view before its matrices, 0 to 3
	BM, BN      int            // tile of the result that one program computes
	BK          int            // step along the reduction
	RowByRow    bool           // products for each of BM rows by themselves, without tile.Dot: for one row or a few
	Gated       bool           // there is another right operand, whose product is multiplied by the SiLU of the first: see ForGate
	Order       tile.Order     // in which programs take the tiles of the result
	Persistent  int            // the most programs there are, each of which takes several tiles; 0 is one for each tile
	SplitK      int            // programs that share the reduction of a tile; 0 and 1 are one
	Atomic      bool           // those add to the result by atomic ops, which F32 and I32 alone have, instead of storing partial sums for SumParts
	Threads     int            // of a workgroup; 0 lets the compiler choose
	Stages      int            // of the pipeline: 2 loads one step while the one before computes, or 2 at once RowByRow; 0 lets the compiler choose
	Producers   int            // producer warpgroups in addition to Threads, which copy operands, 0 or 1: see tile.Schedule
	Consumers   int            // ping-pong consumer groups of Threads threads each, with producers: see tile.Schedule; 0 and 1 are one
	InFlight    int            // steps whose products are outstanding at once: see tile.Schedule
	Cluster     int            // neighbouring programs that copy an operand together, 2, or 0 and 1 for none: see tile.Schedule; their tiles are in adjacent rows, one row in Order
	ClusterK    bool           // two programs of a cluster share the reduction of a tile, and each stores half of it; on devices without clusters one computes all
	Resident    int            // workgroups that share a multiprocessor, by the registers that threads have: see tile.Schedule; 0 lets the compiler choose
	KMajor      bool           // K-major operands of fused multiply-adds stay so in shared memory: see tile.Schedule
	Precision   tile.Precision // least precision of the products
	Epilogue    Epilogue       `json:"-"` // what is done with the sums
	Weights     QuantView      // how b is quantised; without Bits it is a view of Elem
	Interleave  int            // elements of K in a block of weights that are the left operand: see interleaveK; 0 for the right one
	Run         int            // elements of a column of weights that a thread multiplies one after the other, RowByRow, before it has their sum; 0 and 1 for sums of each
	SliceK      int            // warps, or groups of them, that each multiply one of as many parts of a step of K, whose sums a program adds, with Interleave; 0 and 1 are one
	Strips      int            // of BN columns that a program computes, with SliceK, each by itself from the same rows: any number, so that all units have as many columns; 0 and 1 are one
	InOrder     bool           // those are in the order of K: threads exchange bytes of them, and the other operand is as it is
	ScaleFirst  bool           // those are multiplied by the scales of groups before products, each rounded to Elem, not their sums in F32
	MostRows    int            // the most rows of the product, all in one tile, with Interleave: matrix instructions multiply no others of BM; 0 for any number. A launch sets it, see FitRows
	MostColumns int            // the most columns of the product, all in one tile, where tensor maps copy both operands: none others of BN are copied or multiplied; 0 for any number. See FitColumns
	RowPitch    int            // rows from a tile to the next, of which it has no more, with Interleave: a multiple of 16 below BM, so that tiles have any number of them; 0 for BM
	ColumnPitch int            // columns from a tile to the next, of which it has no more, of a matrix of Elem: a multiple of 16 below BN; 0 for BN
	Together    bool           // tiles of the same rows follow each other in Order whose matrices differ along the last dimension of the batch, since these have the same left operand. A launch sets it, see SharesLeft
	Padded      bool           // sizes of operands differ: one has zeros beyond the other's, or rows or columns beyond the result's
}

const (
	// MaxRowByRow is the most rows of a product that are computed one by one: the memory that b comes
	// from, and not arithmetic, is then what limits it.
	MaxRowByRow = 4
)

// MatMulConfigFor chooses the config for a product of [m,k] and [k,n], or for as many as the
// batch dimensions of the given sizes have. The result is of the type that MatMul gives it.
func MatMulConfigFor(caps target.Caps, elem weft.DType, m, n, k int, batch ...int) MatMulConfig {
	return completeMatMul(caps, newMatMulConfig(elem, len(batch)), m, n, k, batch...)
}

// completeMatMul completes a config in which is what follows from the operands and the options.
func completeMatMul(caps target.Caps, cfg MatMulConfig, m, n, k int, batch ...int) MatMulConfig {
	count, units := countOf(batch), caps.Facts().Units
	if caps.WholeTiles {
		cfg.fitCores(units, count, m, n, k)
		cfg.split(2*units, 1<<13, count, m, n, k)
		return cfg
	}
	if m <= MaxRowByRow {
		if cfg.RowByRow = true; cfg.streams(caps) {
			cfg.fitStreams(units, count, m, n, k)
		} else {
			cfg.fitRows(caps, count, m, n, k)
		}
		return cfg
	}
	if cfg.IsMatrix(caps) {
		cfg.fitMatrix(caps, count, m, n, k)
		return cfg
	}
	cfg.fitUnits(caps, count, m, n, k)
	if cfg.BM*cfg.BN == 128*128 && caps.Registers >= 255 && !caps.AsyncCopy {
		// 8 × 16 sums a thread: more of them for each element read from shared memory. With 8 × 8, and copies that take no
		// registers, twice as many threads fit instead: of F32 products with a side of 4096, an H200 makes one in 2.77 ms, not in 3.09.
		cfg.Threads = 128
	}
	longer := cfg
	longer.BK = 32
	if p := longer.plan(caps); cfg.BM*cfg.BN == 128*128 && cfg.SplitK <= 1 && k >= 32 && p.Stages > 1 && cfg.Weights == (QuantView{}) && 2*p.SharedBytes <= caps.SharedBytes {
		cfg.BK = longer.BK // asynchronous copies take no registers, and two workgroups have room
	}
	cfg.limitThreads(caps)
	return cfg
}

// newMatMulConfig is a config with what follows from the operands alone.
func newMatMulConfig(elem weft.DType, batch int) MatMulConfig {
	cfg := MatMulConfig{Elem: elem, Out: elem, Batch: batch, Precision: tile.Float32Accumulate}
	switch {
	case elem.IsInt():
		cfg.Out, cfg.Precision = weft.I32, tile.IEEE
	case elem == elem.Accumulator(): // F32 and F64
		cfg.Precision = tile.IEEE
	}
	return cfg
}

// sumWords are the registers of a sum.
func (cfg *MatMulConfig) sumWords() int {
	if cfg.SumType() == weft.F64 {
		return 2
	}
	return 1
}

// scarce reports whether a thread has so few registers that tiles must be small.
func scarce(caps target.Caps) bool { return caps.Registers > 0 && caps.Registers < 64 }

// FitsShared reports whether steps of both operands fit shared memory; all that are outstanding of matrix instructions'.
func (cfg MatMulConfig) FitsShared(caps target.Caps) bool { return cfg.plan(caps).Fits }

func (cfg *MatMulConfig) limitThreads(caps target.Caps) {
	cfg.Threads = caps.FitThreads(cfg.Threads)
}

// fitRows takes blocks of b of 16 elements a thread, square where b is: then rows and columns of it are read in
// runs of 128 bytes or so, whichever of them are contiguous. Many programs with
// many outstanding loads each are what uses the whole bandwidth of a memory.
func (cfg *MatMulConfig) fitRows(caps target.Caps, count, m, n, k int) {
	cfg.RowByRow, cfg.BM = true, pow2.Ceil(max(m, 1))
	side, each := 64, 16
	if scarce(caps) {
		side, each = 32, min(16, 32/cfg.BM) // at most 32 sums in each thread
	}
	each /= cfg.sumWords()
	area := side * side
	cfg.BN = min(pow2.Ceil(max(n, 1)), side)
	cfg.BK = min(pow2.Ceil(max(k, 1)), area/cfg.BN)
	cfg.BN = min(pow2.Ceil(max(n, 1)), area/cfg.BK)
	cfg.Threads = min(max(cfg.BK*cfg.BN/each, 32), 256)
	cfg.limitThreads(caps)
	cfg.split(8*caps.Facts().Units, 4*cfg.BK, count, m, n, k)
}

// residentStreams is how many workgroups of few rows share a compute unit.
const residentStreams = 2

// streams reports whether a product of few rows is by the blocks of fitStreams.
func (cfg *MatMulConfig) streams(caps target.Caps) bool {
	return cfg.RowByRow && !caps.WholeTiles && caps.AsyncCopy && caps.FitThreads(512) == 512
}

// fitStreams takes blocks of b of 16 elements a thread, as many of them at once as are 128 bytes, whose columns are as few as runs of 64 bytes of
// 16-bit elements have: programs that run together, two in a compute unit, read all of b in one wave and need nobody else to
// add up their sums. (Of 134 MB, which an H200 reads in 31 µs, six programs a unit made a wave and a third, and the kernel after them took two
// or three more.) Only where there are too few columns do several programs share their sums.
func (cfg *MatMulConfig) fitStreams(units, count, m, n, k int) {
	const least, most = 32, 256 // columns
	cfg.RowByRow, cfg.BM = true, pow2.Ceil(max(m, 1))
	cfg.Threads, cfg.Stages = 512, min(8/cfg.Elem.Size(), 4)
	if cfg.BM > 1 || cfg.Elem.Size() > 2 { // more sums, or masks, than registers of so many threads
		cfg.Threads, cfg.Stages = 256, min(max(cfg.Stages*2/cfg.BM, 1), cfg.Stages)
	}
	each := 16 / cfg.sumWords()
	area, depth := each*cfg.Threads, pow2.Ceil(max(k, 1))
	cfg.BN = min(pow2.Ceil(max(n, 1)), most)
	for cfg.BN > least && count*cfg.tilesOf(m, n) < units*3/2 {
		cfg.BN /= 2
	}
	cfg.BK = min(depth, area/cfg.BN)
	cfg.Threads = max(min(cfg.Threads, cfg.BK*cfg.BN/each), 32)
	cfg.Stages = min(cfg.Stages, depth/cfg.BK)
	cfg.split(units*3/2, cfg.Stages*cfg.BK, count, m, n, k)
}

// columnStreams are blocks of one row or two times a K-major matrix of 16-bit elements: a program for each column, or for two, that asks for all of it, or 16 KiB, at once.
// Programs that end soon, at different times, keep the memory busier than those that all units have to their end. (F16 on an H100, µs as narrowStreams has it and so:
// 1×14336×4096 41.1, 38.6; 1×8192×8192 46.6, 43.9; 1×1024×4096 5.3, 4.4; 2×4096×14336 45.2, 40.4; 2×4096×4096 14.0, 13.0; 4 rows gain nothing.)
var columnStreams = []struct{ rows, columns, depth int }{{1, 1, 2048}, {2, 2, 512}}

// columnStream takes such blocks, if there are programs for all units several times.
func (cfg *MatMulConfig) columnStream(units, count, n, k int) bool {
	const each, most, rounds = 16, 4, 4 // elements of a thread, blocks at once, programs of a unit
	for _, t := range columnStreams {
		if cfg.BM != t.rows || cfg.Elem.Size() != 2 || count*CeilDiv(n, t.columns) < rounds*units {
			continue
		}
		cfg.BN, cfg.BK, cfg.SplitK = t.columns, min(t.depth, pow2.Ceil(max(k, 1))), 0
		cfg.Threads = max(cfg.BN*cfg.BK/each, 32)
		cfg.Stages = max(min(most, k/cfg.BK), 1)
		return true
	}
	return false
}

// narrowStreams gives a vector or a few rows times a K-major matrix as many programs as there are units, of fewer columns: the runs of memory are along K,
// where they stay as long, or become longer. Programs of one row have as many threads fewer, down to two subgroups: all of a small matrix is asked
// for at once in any case, and a second launch, to add sums, is spared. (F16 1×1383×2432 on an H200: 16 µs by 44 programs of 512 threads in 2 parts, 7.5
// by 173 of 128; 4×4096×4096 22 µs by 128 programs, 17 by 256.) Runs of two lines are worth fewer columns where there are programs enough, too. (BF16
// 3×28672×8192 on an H100: 188 µs by blocks of 32×128, 174 of 64×64, 170 of 128×32; F16 2×18944×3584: 53, 56 and 50.)
func (cfg *MatMulConfig) narrowStreams(units, count, m, n, k int) {
	const leastThreads, run = 64, 256
	least := 1 // columns: those of which a thread has elements
	if cfg.BM > 1 {
		least = 4
	}
	stages, depth := cfg.Stages, pow2.Ceil(max(k, 1))
	for cfg.BN > least && cfg.BK*cfg.Elem.Size() < run && 2*cfg.BK <= depth {
		cfg.BN, cfg.BK = cfg.BN/2, 2*cfg.BK
	}
	for cfg.BN > least && count*cfg.tilesOf(m, n) < units {
		switch cfg.BN /= 2; {
		case cfg.BM == 1 && cfg.Threads > leastThreads:
			cfg.Threads /= 2
		case 2*cfg.BK <= depth:
			cfg.BK *= 2
		default:
			cfg.Threads = max(cfg.Threads/2, 32)
		}
	}
	cfg.Stages, cfg.SplitK = max(min(stages, depth/cfg.BK), 1), 0
	cfg.split(units*3/2, cfg.Stages*cfg.BK, count, m, n, k)
}

// fit takes the largest tiles, cut down to the matrices (but to least at most), and
// halves them while they are fewer than the programs that fill the machine and
// have more than area elements.
func (cfg *MatMulConfig) fit(largest MatMulConfig, least, area, programs, count, m, n, k int) {
	size := func(have, largest int) int { return max(min(pow2.Ceil(have), largest), least) }
	cfg.BM, cfg.BN, cfg.BK = size(m, largest.BM), size(n, largest.BN), size(k, largest.BK)
	cfg.Order = largest.Order
	for cfg.BM*cfg.BN > area && count*cfg.tilesOf(m, n) < programs {
		if cfg.BM >= cfg.BN {
			cfg.BM /= 2
		} else {
			cfg.BN /= 2
		}
	}
}

// tightTile is the tile of at most a given size that costs the interpreter least along n elements: it computes what
// is beyond them, too, and each tile costs it as much as some elements more.
func tightTile(n, largest int) int {
	const perTile, least = 16, 32
	best, cost := largest, CeilDiv(n, largest)*(largest+perTile)
	for size := largest / 2; size >= least; size /= 2 {
		if c := CeilDiv(n, size) * (size + perTile); c < cost {
			best, cost = size, c
		}
	}
	return best
}

// tilesOf is the number of tiles of a result.
func (cfg *MatMulConfig) tilesOf(m, n int) int {
	return CeilDiv(m, cfg.rows()) * CeilDiv(n, cfg.width())
}

// rows is how many rows of the result a program computes.
func (cfg *MatMulConfig) rows() int {
	if cfg.RowPitch > 0 {
		return cfg.RowPitch
	}
	return cfg.BM
}

// width is how many columns of the result a program computes.
func (cfg *MatMulConfig) width() int {
	if cfg.ColumnPitch > 0 {
		return cfg.ColumnPitch
	}
	return cfg.BN * max(cfg.Strips, 1)
}

// split shares the reductions among the programs that fill the machine where the
// tiles of the result are at most half as many, in parts of least terms at least: compared with
// so many, the partial sums cost little to write and to add.
func (cfg *MatMulConfig) split(programs, least, count, m, n, k int) {
	tiles := count * cfg.tilesOf(m, n)
	if parts := min(programs/max(tiles, 1), k/least); tiles > 0 && parts > 1 && cfg.Batch < MaxBatch {
		cfg.SplitK = parts
	}
}

// countOf is how many matrices a batch of the given sizes has.
func countOf(batch []int) int {
	count := 1
	for _, size := range batch {
		count *= size
	}
	return count
}

// CeilDiv is x / y rounded up, for x >= 0 and y > 0: how many tiles of y elements hold x elements.
func CeilDiv(x, y int) int { return (x + y - 1) / y }

// MatMulConfigs lists the configs that are worth trying for a product on a device, all of which are within
// its limits and give what MatMulConfigFor's choice gives, which comes first.
func MatMulConfigs(caps target.Caps, elem weft.DType, m, n, k int, batch ...int) []MatMulConfig {
	cfg := newMatMulConfig(elem, len(batch))
	return cfg.alternatives(caps, completeMatMul(caps, cfg, m, n, k, batch...), m, n, k, batch...)
}

// alternatives completes a config in which is what follows from the operands and the options, in all ways that are worth trying, a choice first.
func (cfg MatMulConfig) alternatives(caps target.Caps, choice MatMulConfig, m, n, k int, batch ...int) []MatMulConfig {
	count := countOf(batch)
	list := []MatMulConfig{choice}
	add := func(cfg MatMulConfig) { list = appendNew(list, cfg) }
	splits := []int{0, choice.SplitK}
	if choice.RowByRow { // as on other devices, too
		other := cfg
		other.fitRows(caps, count, m, n, k)
		add(other)
		splits = append(splits, other.SplitK)
	}
	slices.Sort(splits)
	for _, split := range slices.Compact(splits) {
		cfg := choice
		cfg.SplitK = split
		add(cfg)
		tiles := matMulTiles(caps, cfg.SumType(), m, n, k)
		if cfg.IsMatrix(caps) {
			tiles = cfg.matrixTiles(caps, count, m, n, k)
		}
		for _, t := range tiles {
			cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages, cfg.RowByRow = t.BM, t.BN, t.BK, t.Threads, t.Stages, t.RowByRow
			cfg.Producers, cfg.Persistent, cfg.Consumers, cfg.InFlight, cfg.Resident, cfg.Cluster = t.Producers, t.Persistent, t.Consumers, t.InFlight, t.Resident, t.Cluster
			if cfg.SplitK > 1 && (cfg.Persistent > 0 || cfg.Cluster > 1) {
				continue
			}
			for _, group := range []int{4, 8, 16} {
				cfg.Order = tile.Order{}
				if group <= CeilDiv(m, cfg.BM) {
					cfg.Order = tile.Order{Kind: tile.GroupedRows, Group: group}
				}
				add(cfg)
			}
		}
	}
	return list
}

// matMulTiles lists the sizes of tiles, with threads, that suit a product with sums of a type.
func matMulTiles(caps target.Caps, sum weft.DType, m, n, k int) (list []MatMulConfig) {
	sides, steps, threads := []int{16, 32, 64, 128, 256}, []int{8, 16, 32, 64}, []int{32, 64, 128, 256}
	if caps.WholeTiles {
		sides, steps, threads = []int{32, 64, 128, 256, 512}, []int{64, 128, 256, 512}, []int{0}
	}
	sums := 128 // of a thread, at most
	if scarce(caps) {
		sums = 16
	}
	staged := weft.F32
	if sum == weft.F64 {
		staged, sums = sum, sums/2
	}
	for c := range combinations(sides, sides, steps, threads) {
		bm, bn, bk, t := c[0], c[1], c[2], c[3]
		cfg := MatMulConfig{Elem: staged, Precision: tile.IEEE, BM: bm, BN: bn, BK: bk, Threads: t} // whatever is staged as F32
		switch {
		case bm > sides[0] && bm >= 2*m || bn > sides[0] && bn >= 2*n: // half of the tile or more is empty
		case bk > steps[0] && bk >= 2*k || !cfg.FitsShared(caps) || caps.MaxThreads > 0 && t > caps.MaxThreads:
		case t == 0 || bm*bn >= 4*t && bm*bn <= sums*t:
			list = append(list, cfg)
		}
	}
	return append(list, rowTiles(caps, m, n, k)...)
}

// rowTiles lists the blocks for products of few rows, taken one by one.
func rowTiles(caps target.Caps, m, n, k int) (list []MatMulConfig) {
	if m > MaxRowByRow || caps.WholeTiles {
		return nil
	}
	for c := range combinations([]int{1, 8, 32, 64, 128, 256}, []int{8, 16, 32}, []int{64, 128, 256, 512}) {
		bn, perThread, t := c[0], c[1], c[2]
		bk := t * perThread / bn
		if bn >= 2*n || bk >= 2*k || caps.MaxThreads > 0 && t > caps.MaxThreads || scarce(caps) && perThread > 16 {
			continue
		}
		cfg := MatMulConfig{BM: pow2.Ceil(max(m, 1)), BN: bn, BK: bk, Threads: t, RowByRow: true}
		list = append(list, cfg)
		if cfg.Stages = 4; caps.AsyncCopy && perThread == 16 && 4*bk < 2*k {
			list = append(list, cfg)
		}
	}
	return list
}

// Merge takes over the fields of t that are set.
func (cfg *MatMulConfig) Merge(t MatMulConfig) {
	cfg.Overlay(t)
	if cfg.BK < cfg.Interleave && t.Interleave == 0 { // blocks that were chosen for longer steps
		cfg.Interleave = cfg.BK
	}
	if (t.BK != 0 || t.Threads != 0) && t.SliceK == 0 { // groups of threads that were chosen for other steps
		cfg.SliceK = 0
	}
	if (cfg.SliceK <= 1 || t.BN != 0) && t.Strips == 0 { // which have strips, or other ones
		cfg.Strips = 0
	}
	if (cfg.SliceK > 1 || cfg.Atomic) && t.RowPitch == 0 { // which tiles that were chosen with fewer rows do not go with
		cfg.RowPitch = 0
	}
	if (cfg.Persistent == 0 || t.BN != 0) && cfg.Consumers > 1 && t.Consumers == 0 { // ping-pong groups that were chosen have no such tiles
		if cfg.Consumers = 0; t.Threads == 0 {
			cfg.Threads = min(2*cfg.BM, 256)
		}
	}
}

// Overlay is Merge into a config that is itself to be merged into another.
func (cfg *MatMulConfig) Overlay(t MatMulConfig) {
	replace([][2]*int{
		{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BK, &t.BK}, {&cfg.Persistent, &t.Persistent},
		{&cfg.SplitK, &t.SplitK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages},
		{&cfg.Producers, &t.Producers}, {&cfg.Consumers, &t.Consumers}, {&cfg.InFlight, &t.InFlight}, {&cfg.Cluster, &t.Cluster},
		{&cfg.Resident, &t.Resident}, {&cfg.SliceK, &t.SliceK}, {&cfg.Strips, &t.Strips}, {&cfg.RowPitch, &t.RowPitch}, {&cfg.ColumnPitch, &t.ColumnPitch}, {&cfg.Run, &t.Run},
	})
	if t.BM != 0 {
		cfg.RowByRow, cfg.Producers, cfg.Consumers, cfg.InFlight, cfg.Cluster = t.RowByRow, t.Producers, t.Consumers, t.InFlight, t.Cluster
		cfg.KMajor, cfg.Resident, cfg.Interleave, cfg.SliceK, cfg.Strips, cfg.InOrder, cfg.ScaleFirst, cfg.Run, cfg.RowPitch, cfg.ColumnPitch = t.KMajor, t.Resident, t.Interleave, t.SliceK, t.Strips, t.InOrder, t.ScaleFirst, t.Run, t.RowPitch, t.ColumnPitch
		cfg.ClusterK = false
	}
	if t.ClusterK { // instead of what else was chosen to divide the work
		cfg.SplitK, cfg.Cluster, cfg.Consumers, cfg.Persistent = t.SplitK, t.Cluster, t.Consumers, t.Persistent
	}
	if t.BM != 0 || t.SplitK > 1 { // neither goes with programs that were chosen for other tiles
		cfg.Persistent = t.Persistent
	}
	if t.Order != (tile.Order{}) {
		cfg.Order = t.Order
	}
	cfg.Atomic, cfg.KMajor = cfg.Atomic || t.Atomic, cfg.KMajor || t.KMajor
	cfg.ClusterK = t.ClusterK || cfg.ClusterK && cfg.mayShareK()
}
