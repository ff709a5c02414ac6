package kernels

import (
	"math"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Tiles of products by fused multiply-adds. For each step along K a thread reads 16 bytes of an operand from shared memory for every
// 4 rows and every 4 columns of its accumulators: with 8 × 8 accumulators the multiplications take twice as long as shared memory needs,
// with 4 × 4 as long. A program waits for the loads of a step unless it, or others of its unit, compute longer than
// these take. Tile, threads, stages and the split of K are chosen together, by the time that the product should take.

const (
	unitSide     = 128 // rows and columns of a tile, at most
	leastSide    = 16
	unitThreads  = 256 // of a workgroup, at most
	leastThreads = 32
	unitDepth    = 16 // elements of a step along K
	leastSteps   = 2  // of a part of K

	// vector is how many elements of an operand a thread reads at a time, and vectorBytes what a subgroup takes of the bandwidth of
	// shared memory for that: two wavefronts, though threads of a row or a column of the subgroup read the same.
	vector, vectorBytes = 4, 2 * 128
	// schedulers of a unit start an instruction of a subgroup each in a clock.
	schedulers = 4
	// partlyHidden is the part of the shorter one of arithmetic and shared memory that adds to the longer one.
	partlyHidden = 0.25
	// wordCost is what copying a word to shared memory takes a thread, in multiplications: copies of 4 bytes pass through the unit one
	// by one, each with an address and a mask.
	wordCost = 10.0
	// idleWarps is how many subgroups more for each scheduler would hide what those of a unit leave idle, at barriers for example.
	idleWarps = 0.2
	// cachedLoad is the part of a load's latency that remains where the second-level cache has most of what is loaded.
	cachedLoad = 0.5
	// startLoads is how many latencies a program takes before its first step and after its last one.
	startLoads = 3
	// sumWait is that of partial sums, which others have just stored.
	sumWait = 0.7
	// worthwhile is the part of another choice's time that a smaller tile or more parts take at most, and worthStages that more stages do.
	worthwhile, worthStages = 0.98, 0.95
)

// fitUnits chooses the tile, its threads and stages, and the split of K.
func (cfg *MatMulConfig) fitUnits(caps target.Caps, count, m, n, k int) {
	cfg.Order = tile.Order{Kind: tile.GroupedRows, Group: 8}
	cfg.BK = max(min(pow2.Ceil(k), unitDepth), 16)
	if min(m, n) <= 16 && !scarce(caps) {
		cfg.BK = max(min(pow2.Ceil(k), 128/cfg.Elem.Size(), 64), 16) // few accumulators for each element loaded: more loads are outstanding instead
	}
	each, side := []int{16, 32, 64}, unitSide
	if cfg.KMajor { // fragments of four steps take many registers in any case
		each = append(each, 128)
	}
	if scarce(caps) {
		each, side = []int{16}, 64
	}
	for i := range each { // registers of a thread
		each[i] /= cfg.sumWords()
	}
	stages := []int{0}
	if caps.AsyncCopy {
		stages = []int{0, 3, 4}
	}
	best, least := *cfg, 0.0
	longest := func(n int) int { return max(min(pow2.Ceil(n), side), leastSide) }
	for bm := longest(m); bm >= leastSide; bm /= 2 {
		for bn := longest(n); bn >= leastSide; bn /= 2 {
			for c := range combinations(each, stages) {
				t, threads := *cfg, max(bm*bn/c[0], leastThreads)
				t.BM, t.BN, t.Stages, t.Threads = bm, bn, c[1], caps.FitThreads(threads)
				if threads > unitThreads || bm*bn > c[0]*t.Threads || cfg.KMajor && t.registers(caps) > caps.Registers {
					continue
				}
				for !t.FitsShared(caps) && t.BK > 4 {
					t.BK /= 2
				}
				gain := worthwhile
				if t.Stages > best.Stages {
					gain = worthStages
				}
				if s := newUnitTile(caps, t).split(&t, count, m, n, k); least == 0 || s < gain*least {
					best, least = t, s
				}
			}
		}
	}
	*cfg = best
}

// unitTile is what a tile makes a compute unit do.
type unitTile struct {
	machine *target.Machine
	cfg     MatMulConfig
	room    int     // programs that a unit runs at a time
	compute float64 // seconds of a step of a program whose unit is busy
	wait    float64 // seconds of a step of a program that waits for its loads
}

func newUnitTile(caps target.Caps, cfg MatMulConfig) unitTile {
	machine := caps.Facts()
	units := float64(machine.Units)
	t := unitTile{machine: machine, cfg: cfg, room: cfg.room(caps)}
	depth, sums := float64(cfg.BK), float64(cfg.BM*cfg.BN)/float64(cfg.Threads)
	instructions := sums + cfg.sharedReads() + cfg.copyCost()*float64(cfg.BM+cfg.BN)/float64(cfg.Threads) // of a thread, for an element along K
	arithmetic := 2 * instructions * float64(cfg.Threads) / (machine.Flops / units)
	shared := subgroupsOf(cfg.Threads) * cfg.sharedReads() * vectorBytes * float64(cfg.sumWords()) / (machine.Staged / units)
	t.compute = depth * (max(arithmetic, shared) + partlyHidden*min(arithmetic, shared))
	t.wait = cachedLoad * machine.Latency / float64(max(cfg.Stages, plan.DefaultStages)-1)
	return t
}

// copyCost is what copying an element to shared memory takes a thread, in multiplications.
func (cfg *MatMulConfig) copyCost() float64 {
	if cfg.KMajor {
		return wordCost / vector
	}
	return wordCost
}

// sharedReads are the accesses to shared memory by which a thread reads what it multiplies for an element along K.
func (cfg *MatMulConfig) sharedReads() float64 {
	sums := perThread(cfg.BM*cfg.BN, cfg.Threads)
	high := pow2.Floor(int(math.Sqrt(float64(sums)))) // of a nearly square part
	return float64(CeilDiv(high, vector) + CeilDiv(sums/high, vector))
}

// registers are what a thread takes.
func (cfg *MatMulConfig) registers(caps target.Caps) int {
	copies := perThread((cfg.BM+cfg.BN)*cfg.BK, cfg.Threads)
	addresses := copies / 3
	if cfg.KMajor {
		addresses /= vector
	}
	registers := 36 + cfg.sumWords()*(perThread(cfg.BM*cfg.BN, cfg.Threads)+cfg.fragments()) + addresses
	if !caps.AsyncCopy { // copies pass through registers
		registers += copies
	}
	return registers
}

// fragments are the registers for what a thread multiplies at a time: of one step along K, or of four.
func (cfg *MatMulConfig) fragments() int {
	n := int(2 * math.Sqrt(float64(perThread(cfg.BM*cfg.BN, cfg.Threads))))
	if cfg.KMajor {
		n *= vector
	}
	return n
}

// room is how many programs a unit runs at a time.
func (cfg *MatMulConfig) room(caps target.Caps) int {
	machine, stages := caps.Facts(), max(cfg.Stages, plan.DefaultStages)
	if !caps.AsyncCopy {
		stages = 1
	}
	n := min(machine.Threads/cfg.Threads, machine.Workgroups)
	if machine.Registers > 0 {
		n = min(n, machine.Registers/(cfg.registers(caps)*cfg.Threads))
	}
	if machine.Shared > 0 {
		n = min(n, machine.Shared/(stages*cfg.stageBytes(caps)+target.SystemShared))
	}
	return max(n, 1)
}

// split chooses into how many parts K is split, and returns how long the product should take. A number is worth a look if
// it gives each unit as many programs as the next one.
func (t unitTile) split(cfg *MatMulConfig, count, m, n, k int) (least float64) {
	cfg.SplitK = 0
	tiles, steps := count*cfg.tilesOf(m, n), CeilDiv(k, cfg.BK)
	least = t.seconds(tiles, 1, count, m, n, k)
	if cfg.Batch == MaxBatch || tiles == 0 {
		return least
	}
	for each := 1; each <= 2*t.room; each++ { // programs of a unit
		parts := min(each*t.machine.Units/tiles, steps/leastSteps)
		if parts <= 1 || parts == cfg.SplitK {
			continue
		}
		if s := t.seconds(tiles, parts, count, m, n, k); s < worthwhile*least {
			cfg.SplitK, least = parts, s
		}
	}
	return least
}

// seconds is how long the product should take, of so many tiles with K in so many parts.
func (t unitTile) seconds(tiles, parts, count, m, n, k int) float64 {
	programs, steps := tiles*parts, float64(CeilDiv(CeilDiv(k, t.cfg.BK), parts))
	start := startLoads*t.machine.Latency + t.machine.Program
	// The unit that has the most to do takes as many programs at a time as it has room for.
	seconds := 0.0
	for left := CeilDiv(programs, t.machine.Units); left > 0; {
		together := min(t.room, left)
		waves := left / together
		seconds += float64(waves) * (start + steps*t.step(together))
		left -= waves * together
	}
	size := float64(t.cfg.Elem.Size())
	whole := size * float64(count) * (float64(m*k) + float64(k*n))
	asked := size * float64(programs) * steps * float64(t.cfg.BK) * float64(t.cfg.BM+t.cfg.BN)
	seconds = max(seconds, asked/t.machine.Cache, min(whole, asked)/t.machine.Memory)
	return seconds + sumPartsSeconds(t.machine, parts, count*m*n)
}

// step is how long a step of programs takes that share a unit.
func (t unitTile) step(together int) float64 {
	warps := float64(together) * subgroupsOf(t.cfg.Threads) / schedulers // of each scheduler
	rate := min(1, warps) * warps / (warps + idleWarps)
	return math.Hypot(float64(together)*t.compute/rate, t.wait)
}

// sumPartsSeconds is how long it takes to add so many parts of a result, which are written, and read by a launch of its own.
func sumPartsSeconds(machine *target.Machine, parts, elements int) float64 {
	if parts <= 1 {
		return 0
	}
	bytes, rate := 4*float64(parts)*float64(elements), machine.Cache
	if bytes > machine.CacheBytes() {
		rate = machine.Memory
	}
	return machine.Launch + sumWait*machine.Latency*float64(CeilDiv(parts, partsAtOnce)) + 2*bytes/rate
}
