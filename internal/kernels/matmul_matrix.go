package kernels

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Where a device has matrix instructions for the operands (target.Caps.Matrix), tiles are larger than
// for fused multiply-adds, steps along the reduction as long as lines of memory, and several of them outstanding.

// matrixRow is how many bytes of each row of an operand a step takes: two requests of a cache. With twice as many the
// outstanding steps are half as many in the same room, which measured slower.
const matrixRow = 64

// IsMatrix reports whether the products of a config are done by matrix instructions.
func (cfg MatMulConfig) IsMatrix(caps target.Caps) bool {
	return isMatrix(caps, cfg.Elem, cfg.Precision)
}

// IsCooperative reports whether cooperative matrices do them, for which threads load the operands into registers first.
func (cfg MatMulConfig) IsCooperative(caps target.Caps) bool {
	m, _ := plan.Instruction(caps, cfg.dot())
	return m != nil && m.Cooperative
}

// loadsWhole reports whether cooperative matrices are loaded from whole tiles, not from a step along K while the next one is stored.
func (cfg MatMulConfig) loadsWhole(caps target.Caps) bool {
	m, _ := plan.Instruction(caps, cfg.dot())
	return m != nil && m.Cooperative && (cfg.Elem.Size() == 1 || plan.BFloatParts(m, cfg.Elem))
}

// stageBytes is what a step of both operands takes in shared memory.
func (cfg MatMulConfig) stageBytes(caps target.Caps) int {
	return cfg.dot().StageBytes(caps, cfg.Threads)
}

// fitMatrix chooses the tiles of a product by matrix instructions: 128×128 sums in each four warps, which leaves room for
// two workgroups at once, one of which computes while the other starts or stores.
func (cfg *MatMulConfig) fitMatrix(caps target.Caps, count, m, n, k int) {
	if cfg.TakesProducers(caps) && k >= ProducerStep/cfg.Elem.Size() {
		cfg.fitProducers(caps, producerTiles, whole, count, m, n, k)
		return
	}
	largest := MatMulConfig{BM: 128, BN: 128, BK: matrixRow / cfg.Elem.Size(), Order: tile.Order{Kind: tile.GroupedRows, Group: 8}}
	sums, stages := 128, 4 // of a thread, and of the pipeline
	if !caps.AsyncCopy {
		stages = 2 // what threads copy themselves is one iteration ahead
	}
	if cfg.Precision == tile.TF32x3 {
		// in addition to the sums, both parts of operands and the sums of a step need registers; of 14 configs measured this was the best
		largest.BN, largest.BK, sums, stages = 64, 32, 64, 3
		if cfg.SplitsInGroups(caps) { // from a fourth stage on, the small parts of a step are made during the products of the step before
			largest.BN, stages = 128, 5
		}
	}
	units := caps.Facts().Units
	if !caps.AsyncCopy && (cfg.Weights == (QuantView{}) || cfg.IsCooperative(caps)) {
		cfg.fitLoaded(caps, 128, count, m, n, k)
		return
	}
	cfg.fit(largest, 16, 64*64, units, count, m, n, k)
	cfg.BK = max(cfg.BK, 32/cfg.Elem.Size())
	cfg.Threads, cfg.Stages = caps.FitThreads(max(min(cfg.BM*cfg.BN/sums, 256), 64)), stages
	if caps.WarpGroups && cfg.Elem.Size() == 2 && cfg.BM >= 64 && cfg.BN >= 64 && k >= 64 { // warps of 16 rows each
		cfg.BK, cfg.Threads, cfg.Stages = 64, 2*cfg.BM, 3
	}
	if cfg.SplitsInGroups(caps) && cfg.BM >= 64 && cfg.BN >= 64 {
		cfg.Threads = 2 * cfg.BM
	}
	cfg.split(2*units, 8*cfg.BK, count, m, n, k)
	for cfg.Stages > 1 && !cfg.FitsShared(caps) {
		cfg.Stages--
	}
	// Where warps multiply, two workgroups hide each other's waits, and so many stages that one fills a unit's shared memory cost more than they hide.
	for cfg.Stages > 2 && !caps.WarpGroups && 2*(cfg.Stages*cfg.stageBytes(caps)+target.SystemShared) > caps.Facts().Shared {
		cfg.Stages--
	}
	for !cfg.FitsShared(caps) && cfg.BK > 32/cfg.Elem.Size() {
		cfg.BK /= 2
	}
}

// loadedThreads are what a compute unit needs of workgroups whose threads load what they multiply: fewer do not hide each other's waits.
const loadedThreads = 256

// fitLoaded chooses the tiles of products whose operands threads load into registers, and from there store to shared memory, whose bandwidth bounds them: those
// with which the compute unit that has the most to do moves the fewest bytes through it. The largest tile needs the fewest for each sum. A thread has so
// many sums at most.
//
// Cooperative matrices of bytes, and those of parts of F32, are loaded from whole tiles, and all threads of a workgroup wait before and after these are stored: then another workgroup
// computes. (I8 4096³ through Vulkan on an H200: 280 µs by 128×128 in 128 threads, 310 by 128×256 in 256.)
func (cfg *MatMulConfig) fitLoaded(caps target.Caps, sums, count, m, n, k int) {
	const least, area, few = 16, 64 * 64, 8 // sides, sums of a tile, and of a thread
	units := caps.Facts().Units
	largest := MatMulConfig{BM: 128, BN: 256, BK: matrixRow / cfg.Elem.Size(), Order: tile.Order{Kind: tile.GroupedRows, Group: 8}}
	each := 64 // sums of a thread, where a tile has enough
	if cfg.loadsWhole(caps) {
		largest.BN, each = 128, 128
	}
	cfg.fit(largest, least, 0, 0, count, m, n, k)
	cfg.BK, cfg.Stages = max(cfg.BK, 32/cfg.Elem.Size()), 2 // one step is loaded while another is computed
	whole, fewest := *cfg, 0.0
	for bm := whole.BM; bm >= least; bm /= 2 {
		for bn := whole.BN; bn >= least && (bm*bn >= area || bm*bn == whole.BM*whole.BN); bn /= 2 {
			t := whole
			t.BM, t.BN = bm, bn
			t.Threads = caps.FitThreads(min(max(bm*bn/each, loadedThreads/2), max(bm*bn/few, loadedThreads/4), loadedThreads))
			if bm*bn > sums*t.Threads {
				continue
			}
			atOnce := max(CeilDiv(count*t.tilesOf(m, n), units), loadedThreads/t.Threads)
			if bytes := float64(atOnce) * matrixDotWork(caps, t.Elem, t.Precision, bm, bn, 1, t.Threads).Staged; fewest == 0 || bytes < fewest {
				*cfg, fewest = t, bytes
			}
		}
	}
	if cfg.takesSteps(caps, n, k) {
		cfg.BK *= 2
	}
	cfg.split(units*loadedThreads/max(cfg.Threads, 1), 8*cfg.BK, count, m, n, k)
	for cfg.Stages > 1 && !cfg.FitsShared(caps) {
		cfg.Stages--
	}
	for !cfg.FitsShared(caps) && cfg.BK > 32/cfg.Elem.Size() {
		cfg.BK /= 2
	}
}

// takesSteps reports whether products of 16-bit elements gain by twice as many steps of cooperative matrices in an iteration, which then carries less of what
// it loads to the next one: where threads have 16 bytes of each step, and rows have whole vectors of them, as elements that are loaded one by one take too many
// registers. (F16 4096³ through Vulkan on an H200: 476 µs by steps of 64, 584 by steps of 32; 4095×4097×4093 without copies: 1609 and 887.)
func (cfg MatMulConfig) takesSteps(caps target.Caps, n, k int) bool {
	const chunk, step = 16, 16 // bytes that a thread loads, and elements
	size := cfg.Elem.Size()
	return size == 2 && cfg.IsCooperative(caps) && cfg.Weights == (QuantView{}) && n%(chunk/size) == 0 && k%(chunk/size) == 0 && 2*cfg.BK <= k &&
		min(cfg.BM, cfg.BN)*step*size >= cfg.Threads*chunk
}

// SplitsInGroups reports whether warpgroups compute products in parts of TF32, for which operands are K-major, as they are for tensor maps.
func (cfg MatMulConfig) SplitsInGroups(caps target.Caps) bool {
	return cfg.dot().Split && cfg.IsMatrix(caps) && caps.WarpGroups && caps.TensorMaps && cfg.Weights == QuantView{}
}

// matrixTiles lists the tiles for matrix instructions that suit a product.
func (cfg MatMulConfig) matrixTiles(caps target.Caps, count, m, n, k int) (list []MatMulConfig) {
	sides := []int{16, 32, 64, 128, 256} // of warpgroups, those whose warps have 16 rows each are among them
	for c := range combinations(sides, sides, []int{64, 128}, []int{64, 128, 256, 512}, []int{2, 3, 4}) {
		bm, bn, bytes, threads, stages := c[0], c[1], c[2], c[3], c[4]
		if bm > 16 && bm >= 2*m || bn > 16 && bn >= 2*n { // half of the tile or more is empty
			continue
		}
		t := cfg
		t.Producers, t.Persistent, t.Consumers, t.InFlight, t.Resident, t.Cluster = 0, 0, 0, 0, 0, 0
		t.BM, t.BN, t.BK, t.Threads, t.Stages, t.RowByRow = bm, bn, bytes/cfg.Elem.Size(), threads, stages, false
		sums := bm * bn / threads
		if t.FitsShared(caps) && sums >= 8 && sums <= 128 && t.noRegisters(caps) == "" && (t.BK <= 64/cfg.Elem.Size() || t.BK < 2*k) &&
			(caps.MaxThreads == 0 || threads <= caps.MaxThreads) {
			list = append(list, t)
		}
	}
	return slices.Concat(list, cfg.producersTiles(caps, count, m, n), rowTiles(caps, m, n, k))
}
