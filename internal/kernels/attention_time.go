package kernels

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// MostParts is into how many parts keys are cut at most, since a program of the second pass walks over all of them.
const MostParts = 256

// What a score takes in multiplications, besides its products, where a unit is busy; and the products and scores of a warpgroup that has
// its unit for itself, which wait for each other: a step of 64 × 128 scores takes 1.5 µs then with heads of 128, 1.05 µs with those of 64 (H200). Of programs
// by rows, and of those of few rows whose operands go through registers to shared memory, a step takes two latencies.
const busyScore, aloneProducts, aloneScore, rowsLatencies = 20, 1.6, 40, 2

// rowsSpared are registers of a thread that a program by rows needs less than others beside its sums, where a step's loads run ahead. (4 queries of 128 elements for 32768 keys of 8 heads
// by Vulkan on an H200, µs with 16, 32, 48 and 64 parts, in 256 threads: 60.0, 49.5, 61.8, 52.6: a unit runs two programs.)
const rowsSpared = 8

// attentionTime is a model of how long attention takes. It tells in how many parts keys should be, and which tiles are best.
type attentionTime struct {
	machine  *target.Machine
	room     int     // programs that a unit runs at a time
	tiles    int     // of queries
	steps    int     // of keys for a tile, at most
	share    float64 // of these steps that a tile has in the mean
	ahead    int     // steps more, than two stages have, whose copies begin at once: these wait together
	bytes    float64 // that a step reads
	unique   float64 // bytes of all keys and values, which are read from memory once
	compute  float64 // seconds of a step of a program whose unit is busy
	alone    float64 // and of one that waits for nothing but itself
	stored   float64 // bytes of a part's results
	launches float64 // seconds of a second pass

	combined func(parts int) (float64, bool) // seconds of the last program of a tile that combines so many parts, if there is no second pass
}

func newAttentionTime(caps target.Caps, cfg AttentionConfig, p AttentionProblem) attentionTime {
	machine := caps.Facts()
	queries, keys, head := p.Sizes()
	heads, size := p.Q.Size[0]*p.Q.Size[1], cfg.Elem.Size()
	t := attentionTime{
		machine: machine, room: cfg.room(caps), tiles: p.Q.Size[0] * cfg.groups(p) * CeilDiv(queries, cfg.tileQueries()), steps: CeilDiv(keys, cfg.BN), share: 1,
		bytes: float64(2 * cfg.BN * head * size), unique: float64(2 * p.K.Size[0] * p.K.Size[1] * keys * head * size),
		stored: float64(4 * heads * queries * head), launches: secondPass(machine),
		combined: func(parts int) (float64, bool) {
			return cfg.combineTime(machine, queries, parts), cfg.CombinesOn(caps, queries, parts)
		},
	}
	if p.Last && !p.First && queries > cfg.tileQueries() { // a query sees half of the last keys in the mean
		t.share = 1 - float64(min(queries, keys))/float64(2*keys)
	}
	rate := machine.Flops
	if cfg.isMatrix(caps) {
		rate = max(machine.Matrix.F16, machine.Flops) // a machine of which no more is known has no rate of matrices
	}
	units, scores := float64(machine.Units), float64(cfg.BM*cfg.BN)
	products, softmax := 4*scores*float64(head)/rate*units, scores/machine.Flops*units
	t.compute = products + busyScore*softmax
	t.alone = max(cachedLoad*machine.Latency, (aloneProducts*products+aloneScore*softmax)/float64(max(cfg.BM/groupRows, 1)))
	switch {
	case cfg.ByRows && cfg.Stages > 1 && caps.SubgroupSize > 0: // loads of the next step are under way, and no barriers wait for those of the step
		t.alone = max(t.alone, machine.Latency)
	case cfg.ByRows:
		t.alone = max(t.alone, rowsLatencies*machine.Latency)
	case cfg.isFew() && caps.WarpGroups && cfg.isMatrix(caps): // whose warps wait for copies and for one another
		t.alone, t.ahead = max(t.alone, machine.Latency), max(cfg.Stages-plan.DefaultStages, 0)
	case cfg.isMatrix(caps) && !caps.AsyncCopy && cfg.BM <= 2*fewMatrixRows: // several programs of a unit wait as long
		t.alone = max(t.alone, rowsLatencies*machine.Latency)
		t.compute = max(t.compute, t.alone)
	}
	return t
}

// best is into how many parts the keys should be cut, and the seconds that both passes take then.
func (t attentionTime) best() (parts int, least float64) {
	least, units := t.seconds(1), t.machine.Units
	look := func(n int) {
		n = min(n, t.steps, MostParts)
		if n < 2 {
			return
		}
		n = CeilDiv(t.steps, CeilDiv(t.steps, n)) // none of which is empty
		if s := t.seconds(n); s < worthwhile*least {
			parts, least = n, s
		}
	}
	for n := 2; n <= 8; n++ {
		look(n)
	}
	for each := 1; each <= 2*t.room; each++ { // programs of a unit
		look(each * units / max(t.tiles, 1))
	}
	return parts, least
}

// seconds are those of both passes for so many parts.
func (t attentionTime) seconds(parts int) float64 {
	programs := t.tiles * parts
	steps := t.share * float64(CeilDiv(t.steps, parts))
	rounds := float64(CeilDiv(programs, t.machine.Units*t.room))
	busy := float64(CeilDiv(programs, t.machine.Units)) * steps * t.compute
	read := max(t.unique/t.machine.Memory, float64(programs)*steps*t.bytes/t.machine.Cache)
	waits := max(steps-float64(t.ahead), min(steps, 1)) // at least once, but of less than a step
	s := max(busy, rounds*waits*t.alone, read) + rounds*startLoads*t.machine.Latency
	if parts > 1 {
		rate, bytes := t.machine.Cache, 2*float64(parts)*t.stored
		if bytes > t.machine.CacheBytes() {
			rate = t.machine.Memory
		}
		if last, ok := t.combined(parts); ok {
			return s + last + bytes/2/rate
		}
		s += t.launches + bytes/rate
	}
	return s
}

// split cuts the keys into parts, so many that programs fill the machine, if that saves more than combining them takes.
func (cfg *AttentionConfig) split(caps target.Caps, p AttentionProblem) {
	cfg.Parts, _ = newAttentionTime(caps, *cfg, p).best()
}

// fewStages are those of tiles of few queries by the matrix instructions of warps on GPUs with warpgroups. (64 batches of 4096 keys of 8 heads of 128 elements of F16, 4 queries
// each, on an H200, in µs with two stages, with three, and 64 rows by warpgroups: 262, 238, 258.)
const fewStages = 3

// shortSteps are steps of keys after which programs end before waits count.
const shortSteps = 3

// hidesWaits reports whether those tiles are better than 64 rows by warpgroups: another program computes while the warps of one wait for copies and for each other. A unit has
// room for two whose keys are split, there are two for each unit, or they end soon. (In one part on an H100 and on an H200, of the time of 64 rows: 36 programs of 18 steps 2.19, 79 of 33 steps 1.12, 87 of 7
// steps 1.11, 160 of 94 steps 1.13, 208 of 5 steps 1.30; 24 of 3 steps 0.75, 250 of 2 steps 0.83, 384 of 9 steps 0.94, 512 of 128 steps 0.95; one program at a time, heads of 192 and 256: 480 of 40 steps 0.90, 784
// of 5 steps 0.92, 2560 of 15 steps 0.92.)
func (t attentionTime) hidesWaits(parts int) bool {
	return t.room > 1 && parts > 1 || t.tiles >= 2*t.machine.Units || t.steps <= shortSteps
}

// stepByStep is what tiles take longer whose products are of one step at a time. (8 heads of 192 for 7039 keys on an H200, which two keys' heads share: 661 µs in two parts, 516 in one.)
const stepByStep = 1.25

// fit chooses the tiles that take the shortest time of those that are like the config, which comes first. Others must be clearly better.
func (cfg *AttentionConfig) fit(caps target.Caps, p AttentionProblem) {
	queries, keys, head := p.Sizes()
	best, least := *cfg, 0.0
	tiles := attentionProducerTiles(head, queries)
	if p.sharesKeys() {
		tiles[0], tiles[1] = tiles[1], tiles[0]
	}
	if queries <= fewMatrixRows {
		few := attentionFewTiles(head)
		if few[0].Stages = fewStages; keys < few[0].BN { // of fewer keys tiles are shorter (9 × 128 heads of 192 for 24 keys on an H200: 29 and 11 µs; 60 × 8 groups of 2 heads of 256 for 50 keys: 18 and 11)
			few = few[1:]
		}
		tiles = slices.Insert(tiles, 0, few[0])
	}
	for _, t := range tiles {
		c := *cfg
		c.Replace(t)
		c.cut(queries, keys)
		if c.Legal(caps) != nil {
			continue
		}
		time := newAttentionTime(caps, c, p)
		parts, seconds := time.best()
		if c.Producers == 0 && !time.hidesWaits(parts) {
			continue
		}
		if c.Parts = parts; least == 0 || seconds < worthStages*least {
			best, least = c, seconds
		}
	}
	if best.Parts > 1 && best.InFlight > 1 { // a kernel for parts has products of one step at a time
		best.InFlight, least = 0, stepByStep*least
	}
	best.fitPrompt(caps, p, tiles, least)
	best.together(caps, p)
	*cfg = best
}

// What a step of 64 keys takes where two warpgroups of a program share its keys, in steps of two programs of one, and what such a program takes longer to start and to
// end. Fewer bytes come from the second-level cache, and the more so where rows of keys are not whole lines of it. Windows show too few keys for that.
// (32 heads of 64 on an H100, full and causal, of the speed of one warpgroup: 1024 keys 0.99 and 0.90, 4096 keys 1.02 and 0.99, 13604 keys 1.05 and 1.01; heads of 40 to 56 1.25 to 1.7.)
const sharedStep, sharedLines, sharedStart = 0.96, 0.75, 0.6

// sharesKeys reports whether heads of 64 and less are better in tiles of two warpgroups, which share keys, than of one: where that saves more than the rows and keys that
// larger tiles multiply for nothing.
func (p AttentionProblem) sharesKeys() bool {
	queries, keys, head := p.Sizes()
	if head > 64 || queries <= groupRows || p.First {
		return false
	}
	time := func(rows int, step, start float64) float64 {
		steps, edge := float64(CeilDiv(keys, groupRows)), float64(rows)/(2*groupRows)
		if p.Last {
			steps = steps*(1-float64(min(queries, keys))/float64(2*keys)) + edge
		}
		return float64(CeilDiv(queries, rows)*rows) * (steps*step + start)
	}
	step := sharedStep
	if head*p.Elem.Size()%ProducerStep != 0 {
		step = sharedLines
	}
	return time(2*groupRows, step, sharedStart) < time(groupRows, 1, 0)
}

// attentionMaskTile is the tile where numbers are added to the scores of heads of 64 and less: with the mask's elements the threads of four warpgroups would spill registers. (Masks of 1024, 2304
// and 1701 keys on an H200: 1.36, 1.05 and 2.29 of the speed of tiles of 64×128.)
func attentionMaskTile(head int) AttentionConfig {
	whole := pow2.Ceil(head)
	return AttentionConfig{BM: groupRows, BN: 64, BD: whole, BV: whole, Threads: warpgroup, Stages: 2, Producers: 1, Workgroups: 3}
}

// StepByStep leaves out what does not pay for what a problem does not say: products of two steps where numbers are added to scores, whose loads they delay (0.8 to 1.04 of the
// speed on an H200), tiles of heads together with masks (16 heads of 128 for 340 keys, causal, with Booleans on an H100: 10.8 µs, each head by itself 10.2), and persistent programs where tiles have keys
// of different numbers.
func (cfg *AttentionConfig) StepByStep() {
	if cfg.Mask.Valid() || cfg.QueryStarts || cfg.Folded {
		cfg.TileHeads = 0
	}
	switch {
	case cfg.PacksMask():
		cfg.Heads = 0
	case cfg.Mask != dtype.Invalid:
		cfg.InFlight, cfg.Heads = 0, 0
		if cfg.Workgroups > 0 {
			cfg.Replace(attentionMaskTile(cfg.Head))
		}
	}
	if cfg.InFlight == 0 || cfg.Lengths || cfg.QueryStarts || cfg.KeyStarts {
		cfg.Persistent = 0
	}
	if cfg.isFew() && cfg.hides() { // three stages have room, but take 1.06 of the time of two (H200, 13 drawn shapes with lengths, windows, masks and causal queries)
		cfg.Stages = min(cfg.Stages, fewStages-1)
	}
}

// mostTogether are the most heads whose tiles programs take together.
const mostTogether = 8

// together lets programs take the tiles of several heads together where a head has more than half as many of them and their keys and values fit in the cache. Else the last head's tiles of most keys start late.
// (Causal, on an H200: 4 heads of 64 for 9174 keys 0.855 to 1.043 of the speed of the tiles before, 8 of 128 for 11268 keys 1.015 to 1.132, 8 of 256 for 4433 keys 1.06 to 1.41; 16 × 32 heads of 64 for 1024 keys 1.00;
// of seven tiles, 32 heads of 80 for 871 keys, 1.09; of three or fewer, 16 × 7 heads of 192 for 135 keys 0.95, 4 × 128 of 192 for 258 keys 0.967, 5 × 48 of 80 for 178 keys 0.976.)
func (cfg *AttentionConfig) together(caps target.Caps, p AttentionProblem) {
	queries, keys, head := p.Sizes()
	bytes := 2 * mostTogether * keys * head * p.Elem.Size()
	if p.Last && !p.First && queries > mostTogether/2*cfg.tileQueries() && cfg.Persistent == 0 && float64(bytes) <= caps.Facts().CacheBytes() {
		cfg.Heads = CeilDiv(mostTogether, max(cfg.TileHeads, 1))
	}
}

// room is how many programs a unit runs at a time.
func (cfg AttentionConfig) room(caps target.Caps) int {
	machine, threads, registers := caps.Facts(), max(cfg.Threads, 1), 48
	if cfg.Threads > 0 {
		registers += cfg.sums()
	}
	switch {
	case cfg.ByRows && cfg.Stages > 1:
		registers -= rowsSpared
	case cfg.Workgroups > 0:
		return cfg.Workgroups
	case cfg.Producers > 0 && cfg.Threads > warpgroup: // all start with as many registers
		threads += warpgroup
		registers = max(registers, machine.Registers/(2*threads)+1)
	case cfg.Producers > 0:
		threads += 32
	}
	n := min(machine.Threads/threads, machine.Workgroups)
	if machine.Registers > 0 {
		n = min(n, machine.Registers/(registers*threads))
	}
	if machine.Shared > 0 {
		n = min(n, machine.Shared/(cfg.plan(caps).SharedBytes+target.SystemShared))
	}
	return max(n, 1)
}
