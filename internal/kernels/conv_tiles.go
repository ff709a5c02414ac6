package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// fitGathered chooses tiles, threads and steps of an implicit product by fused multiply-adds for which the model expects the least time. The model does not
// count stages: of these there are as many as products have that are loaded. Nor does it see that a unit has too few threads where each has more than 64 sums.
// (F32 53×128×28×28 by 128 filters of 3 × 3 on an H200, tiles of 128 × 64: 432 µs with 128 sums a thread, 268 with 64, 288 with 32.)
func (s Conv2DShape) fitGathered(caps target.Caps, elem weft.DType, cfg *MatMulConfig) {
	m, n, terms := s.GroupFilters(), s.Pixels(), s.Terms()
	best, least := *cfg, 0.0
	for c := range combinations(sides(m), sides(n), []int{8, 16, 32, 64}, []int{unitDepth, 2 * unitDepth}) {
		t, threads := *cfg, max(c[0]*c[1]/c[2], leastThreads)
		t.SplitK, t.Stages = 0, 0
		t.BM, t.BN, t.BK, t.Threads = c[0], c[1], c[3], caps.FitThreads(threads)
		if threads > unitThreads || t.BM*t.BN > c[2]*t.Threads || !t.FitsShared(caps) || t.registers(caps) > caps.Registers || t.BK > unitDepth && t.BK >= 2*terms {
			continue
		}
		tiles := Conv2DConfig{Elem: elem, Algorithm: ConvImplicit, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Depth: s.Volume.ConvDepth, PixelsFirst: s.ChannelsLast}
		tiles.setTiles(t)
		tiles.repack(s, false)
		seconds := tiles.shareSums(caps, s)
		t.SplitK = tiles.Parts
		if least == 0 || seconds < worthwhile*least {
			best, least = t, seconds
		}
	}
	*cfg = best
	least = 0
	for _, stages := range []int{0, 3, 4} {
		t := best
		if t.Stages = stages; !t.FitsShared(caps) {
			break
		}
		if seconds := newUnitTile(caps, t).seconds(s.Groups*t.tilesOf(m, n), max(t.SplitK, 1), s.Groups, m, n, terms); least == 0 || seconds < worthStages*least {
			*cfg, least = t, seconds
		}
	}
}

// spread gives workgroups of fused multiply-adds that leave units idle more threads, and then fewer pixels, where elements are gathered through registers: each thread gathers fewer
// of them in a step, and others of a unit multiply meanwhile. (By Vulkan on an H200, µs: F32 1×64×256×256 by 64 filters of 3 × 3, 64 × 128 in 128 threads 268, 64 × 64 in 256
// threads 169; 17×192×28×28 by 384 of 2 × 2, 64 × 64 in 64 threads 150, in 256 84. With 8 sums a thread and as few gathers 3×224×224 by 64 of 7 × 7 takes 1.11 of the time with 16.)
func (cfg *Conv2DConfig) spread(caps target.Caps, s Conv2DShape) {
	const most, busy = 256, 1024           // threads of a workgroup, and those that keep a unit busy
	const leastSums, gathered = 2 * 16, 16 // sums of a thread that are many enough to halve, and elements it gathers that are few
	for {
		sums, gathers := cfg.BO*cfg.BP/cfg.Threads, cfg.BP*cfg.BK/cfg.Threads
		programs := s.tilesOf(MatMulConfig{BM: cfg.BO, BN: cfg.BP})
		switch {
		case programs*cfg.Threads >= busy*caps.Facts().Units:
			return
		case 2*cfg.Threads <= most && caps.FitThreads(2*cfg.Threads) == 2*cfg.Threads && (sums >= leastSums || gathers > gathered && sums >= leastSums/2):
			cfg.Threads *= 2
		case sums >= leastSums && cfg.BP > leastSide:
			cfg.BP /= 2
		default:
			return
		}
	}
}

// shareSums has several programs share the reductions of tiles that leave units idle, where the model expects that to save several launches: of short convolutions it
// expects too much time. It returns how long the convolution should take. (By Vulkan on an H200, µs without and in three parts: BF16 2×8×7×7 by 128 filters of 5 × 5, stride 2, 3.1 and 3.5, where
// it expects 11.8 and 9.8; F32 13×8×12×12 by 102 3.5 and 4.9, 17.3 and 10.3.) Nor does it expect that steps of small tiles wait for memory, however many loads are outstanding. (F16 2×512×24×24 by 2
// filters of 7 × 7, stride 2, 392 steps, by CUDA: 73 µs, in 14 parts 12.) Where nothing else is launched, and loads wait, both have to be saved. (By Vulkan, F16 11×960×7×7 by 156 of 1 × 1, stride 2,
// 4.3 µs and in parts 14.6, where the model expects 59 and 11.)
func (cfg *Conv2DConfig) shareSums(caps target.Caps, s Conv2DShape) float64 {
	const launches, wait = 5, 0.2 // what is saved, at least, and what a step waits, in latencies of memory
	p, model := ConvProblem{Elem: cfg.Elem, Shape: s}, tune.ModelFor(caps)
	if s.ChannelsLast { // so have the weights, as networks keep them
		p.Weight = tune.Strides{Rank: 4, Unit: true, Align: accessBytes, Order: [tune.MaxRank]int8{0, 2, 3, 1}}
	}
	whole := model.Seconds(p.Work(caps, *cfg))
	least := whole
	steps, alone := cfg.steps(s), p.otherLaunches(*cfg) == 0
	for _, parts := range cfg.partsToTry(caps, s) {
		c := *cfg
		c.Parts = parts
		seconds := model.Seconds(p.Work(caps, c))
		saved, waits := whole-seconds, wait*model.Machine.Latency*float64(steps-CeilDiv(steps, c.Parts))
		if !caps.AsyncCopy && alone {
			saved = min(saved, waits)
		} else {
			saved = max(saved, waits)
		}
		if seconds < worthwhile*least && saved > launches*model.Machine.Launch {
			*cfg, least = c, seconds
		}
	}
	return least
}

// steps are those of a tile's reduction.
func (cfg *Conv2DConfig) steps(s Conv2DShape) int {
	return CeilDiv(cfg.groupChannels(s)*s.Positions(), max(cfg.BK, 1))
}

// partsToTry are numbers of parts that give each unit as many programs as the next one, where there are fewer tiles than units.
func (cfg *Conv2DConfig) partsToTry(caps target.Caps, s Conv2DShape) (list []int) {
	tiles, units := s.tilesOf(MatMulConfig{BM: cfg.BO, BN: cfg.BP}), caps.Facts().Units
	if tiles == 0 || tiles >= units {
		return nil
	}
	for _, each := range []int{1, 2, 4} { // programs of a unit
		if parts := min(each*units/tiles, cfg.steps(s)/leastProducerSteps, MostConvParts); parts > 1 {
			list = appendNew(list, parts)
		}
	}
	return list
}

// sides are those that a tile of n elements may have, the longest first.
func sides(n int) (list []int) {
	for side := max(min(pow2.Ceil(n), unitSide), leastSide); side >= leastSide; side /= 2 {
		list = append(list, side)
	}
	return list
}

// repack says whether x is copied so that channels are neighbours in pieces of 16 bytes, where they are not.
func (cfg *Conv2DConfig) repack(s Conv2DShape, yes bool) {
	cfg.Repacked = yes && s.scattered(cfg.Elem)
	cfg.AlongK = s.ChannelsLast || cfg.Repacked || s.Patches() && s.Kernel[1] > 1
	cfg.fitChannels(s)
}

// fitChannels decides how the reduction is walked: by blocks of channels at each position where they fill the blocks, in
// which a kernel moves over x by scalars alone; else in the order of x in memory.
func (cfg *Conv2DConfig) fitChannels(s Conv2DShape) {
	cfg.ChannelBlocks, cfg.Channels = 0, 0
	channels, channelsLast := cfg.groupChannels(s), s.ChannelsLast || cfg.Repacked
	switch {
	case channelsLast && cfg.wastesSteps(channels):
		cfg.Channels = channels
	case channels >= cfg.BK || channelsLast && 2*channels > cfg.BK:
		cfg.ChannelBlocks = CeilDiv(channels, max(cfg.BK, 1))
	case channelsLast:
		cfg.Channels = channels
	}
	cfg.Whole = cfg.ChannelBlocks > 0 && channels%cfg.BK == 0
}

// wastesSteps reports whether blocks of BK channels at each position are far more steps than those that go on with the next position within a block, for which threads divide,
// and read channels one by one that come in no pieces of 16 bytes. (On an H100, channels last: BF16 13×96×92×92 by 384 filters of 3 × 3, 14 steps instead of 18 take 0.88 of
// the time; F32 12×18×42×42 by 935 of 3 × 3, 11 instead of 18, 0.75.)
func (cfg *Conv2DConfig) wastesSteps(channels int) bool {
	positions := positions(cfg.Kernel, cfg.Depth)
	worth := 9.0 / 8
	if channels*cfg.Elem.Size()%accessBytes != 0 {
		worth = 3.0 / 2
	}
	return float64(CeilDiv(channels, max(cfg.BK, 1))*positions) > worth*float64(CeilDiv(channels*positions, max(cfg.BK, 1)))
}

// groupChannels is how many channels of a group the implicit kernel sees, with the zeros of copies.
func (cfg *Conv2DConfig) groupChannels(s Conv2DShape) int {
	if cfg.Repacked {
		return s.PackedChannels(cfg.Elem)
	}
	return s.GroupChannels()
}

// repacks reports whether copying x so that channels are neighbours in pieces of 16 bytes is worth it: matrix instructions would wait for elements, which
// threads gather one by one. (F16 32×64×56×56 by 64 filters of 3 × 3 on an H200: 305 µs without, 38 with copies.) Where zeros have to be added, or
// only those, the model says whether they are worth it, and launches
// count twice, since programs that do not capture wait for them, too.
func (cfg *Conv2DConfig) repacks(caps target.Caps, s Conv2DShape) bool {
	if !s.scattered(cfg.Elem) || !newMatMulConfig(cfg.Elem, 0).IsMatrix(caps) {
		return false
	}
	if s.PackedChannels(cfg.Elem) == s.GroupChannels() {
		return true
	}
	with, without := *cfg, *cfg
	with.repack(s, true)
	without.repack(s, false)
	model, p := tune.ModelFor(caps), ConvProblem{Elem: cfg.Elem, Shape: s}
	copied, gathered := p.Work(caps, with), p.Work(caps, without)
	launches := float64(copied.Passes-max(gathered.Passes, 1)) * model.Machine.Launch
	return model.Seconds(copied)+launches < model.Seconds(gathered)
}
