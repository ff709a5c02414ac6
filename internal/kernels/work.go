package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// What configs make a machine do, for the model of package tune.

// access is how many bytes a thread reads at a time where a tile has adjacent runs of elements.
func access(elem weft.DType, v tune.View, run int) int {
	if !v.Unit {
		return elem.Size()
	}
	return min(16, elem.Size()*min(run, int(v.Align)))
}

// perThread is how many elements of a tile a thread has.
func perThread(area, threads int) int {
	if threads == 0 {
		threads = 128
	}
	return max(1, area/threads)
}

// dotWork is what products of tiles [bm,bk] and [bk,bn] do in steps of a program, on ordinary units: arithmetic, and what
// goes through shared memory. A thread has a nearly square part of the sums, and the 32 of a subgroup 4 × 8 such parts, so
// that what one reads another needs, too.
func dotWork(caps target.Caps, bm, bn, depth, threads int) tune.Work {
	w := tune.Work{Threads: threads}
	flops := 2 * float64(bm) * float64(bn) * float64(depth)
	if caps.WholeTiles {
		w.Matrix = flops
		return w
	}
	w.Flops = flops
	sums := float64(perThread(bm*bn, threads))
	high := math.Sqrt(sums)
	w.Staged = 4 * float64(depth) * (subgroupsOf(threads)*12*high + 2*float64(bm+bn))
	w.Registers = 40 + int(sums+2*high)
	return w
}

// subgroupsOf is how many subgroups of 32 a workgroup has.
func subgroupsOf(threads int) float64 {
	if threads == 0 {
		threads = warpgroup
	}
	return max(1, float64(threads)/32)
}

// matrixDotWork is dotWork by matrix instructions. They read operands from shared memory in their own type: those of a
// warpgroup (PTX ISA, "wgmma") its rows of the left one and all of the right one, those of a warp ("mma") what its nearly
// square part of the sums needs.
func matrixDotWork(caps target.Caps, elem weft.DType, precision tile.Precision, bm, bn, depth, threads int) tune.Work {
	w := tune.Work{Threads: threads, Matrix: MatrixCost(caps, elem, precision) * 2 * float64(bm) * float64(bn) * float64(depth)}
	warps := subgroupsOf(threads)
	read := float64(bm) + max(warps/4, 1)*float64(bn)
	if !caps.WarpGroups || threads%warpgroup != 0 {
		down := min(max(math.Round(math.Sqrt(warps*float64(bm)/float64(bn))), 1), warps)
		read = float64(bm)*warps/down + float64(bn)*down
		w.Matrix /= caps.Facts().Matrix.WarpShare()
	}
	w.Staged = float64(elem.Size()) * float64(depth) * (float64(bm+bn) + read)
	w.Registers = 40 + perThread(bm*bn, threads)
	return w
}

// MatrixCost is how many operations of F16 take as long as one of a type by a machine's matrix instructions. TF32x3 takes three products of TF32.
func MatrixCost(caps target.Caps, elem weft.DType, precision tile.Precision) float64 {
	rates := caps.Facts().Matrix
	cost := func(rate, usual float64) float64 {
		if rate == 0 { // as on most machines
			return usual
		}
		return rates.F16 / rate
	}
	switch {
	case elem.Size() == 1:
		return cost(rates.I8, 0.5)
	case elem == weft.F32 && precision == tile.TF32x3:
		return 3 * cost(rates.TF32, 2)
	case elem == weft.F32 && caps.MatrixTypes().Has(weft.BF16) && !caps.MatrixTypes().Has(weft.F32): // three products of parts
		return 3
	case elem == weft.F32:
		return cost(rates.TF32, 2)
	}
	return 1
}

// What some instructions take, in operations of ordinary units, of which a unit does two for each of its lanes in a clock, and a fraction as many of these
// (CUDA C++ programming guide, throughput of native arithmetic instructions).
const (
	convertCost = 16 // of numbers to and from 8 bits
	integerCost = 4
	loadCost    = 8 // of a word of each thread, from the first-level cache
	// unpackCost is what a weight of few bits takes until it is a factor: unpacking, conversion and scale.
	unpackCost = convertCost + 2*integerCost
)

// work is what a product [m,k] by [k,n], or count of them, does.
func (cfg MatMulConfig) work(caps target.Caps, a, b tune.View, m, n, k, count int) tune.Work {
	cfg = cfg.fitted(m)
	cfg.BN, cfg.Strips = cfg.width(), 0
	split := cfg.partsOfK()
	across, down := CeilDiv(n, cfg.BN), CeilDiv(m, cfg.BM)
	tiles := across * down * count
	steps := max(CeilDiv(CeilDiv(k, cfg.BK), split), 1)
	depth := steps * cfg.BK
	size := float64(cfg.Elem.Size())
	bits := 8 * size // of an element of b
	if cfg.Weights.Bits != 0 {
		bits = float64(cfg.Weights.Bits)
	}

	w := dotWork(caps, cfg.BM, cfg.BN, depth, cfg.Threads)
	if cfg.KMajor {
		w.Registers += cfg.fragments() * (vector - 1) / vector
	}
	w.Chain = 1 + steps/3 // loads are outstanding while the steps before compute
	w.Flight = cfg.Elem.Size() * perThread((cfg.BM+cfg.BN)*cfg.BK, cfg.Threads)
	w.Shared = plan.DefaultStages * cfg.stageBytes(caps)
	if cfg.IsMatrix(caps) && !cfg.RowByRow {
		stages := max(cfg.Stages, 1)
		w = matrixDotWork(caps, cfg.Elem, cfg.Precision, cfg.BM, cfg.BN, depth, cfg.Threads)
		w.Threads *= max(cfg.Consumers, 1)
		if w.Chain = 1 + steps/2; caps.AsyncCopy && stages > 1 {
			w.Async, w.Chain = true, 1
		}
		w.Shared = stages * cfg.stageBytes(caps)
		w.Flight = w.Shared / max(cfg.Threads, warpgroup)
		if cfg.SliceK > 1 { // operands go from memory to registers
			w.Staged = 0
		}
	}
	if cfg.RowByRow {
		w.Matrix, w.Flops = 0, 2*float64(cfg.BM*cfg.BN*depth)
		each, blocks := perThread(cfg.BN*cfg.BK, cfg.Threads), max(cfg.Stages, 1)
		w.Staged, w.Shared, w.Registers = 0, 0, 24+(cfg.BM+1)*each
		w.Chain, w.Flight = CeilDiv(steps, blocks), cfg.Elem.Size()*each*blocks
	}
	if cfg.Weights.Bits != 0 {
		cost := unpackCost + cfg.Weights.Codes.decodeCost(caps)
		if cfg.Interleave > 0 { // two numbers at once, by the bits of a word
			cost = 2 * cfg.conversionCost()
		}
		w.Extra = cost * float64(depth*cfg.BN)
	}
	scale := float64(tiles * split)
	w.Flops, w.Extra, w.Matrix, w.Staged = scale*w.Flops, scale*w.Extra, scale*w.Matrix, scale*w.Staged
	w.Programs = tiles * split
	whole := float64(count) * (size*float64(m*k) + bits/8*float64(k*n))
	w.Cache = scale * float64(depth) * (size*float64(cfg.BM) + bits/8*float64(cfg.BN))
	w.Memory = min(max(whole, cfg.fetched(caps.Facts(), k, tiles, across, down, size, bits/8)), w.Cache) + size*float64(count)*float64(m*n)
	run := cfg.BN
	if b.Rank > 0 && b.Order[b.Rank-1] != b.Rank-1 {
		run = cfg.BK
	}
	w.Access = access(cfg.Elem, b, run)
	if b.Rank == 0 {
		w.Access = 16
	}
	if cfg.SplitK > 1 {
		w.Passes = 2
		addParts(caps, &w, split, count*m*n)
	}
	return w
}

// addParts adds to the work of sums in parts that they are stored and loaded, which takes memory where a cache has no room for them.
func addParts(caps target.Caps, w *tune.Work, parts, elements int) {
	bytes := 8 * float64(parts) * float64(elements)
	w.Cache += bytes
	if bytes > caps.Facts().CacheBytes() {
		w.Memory += bytes
	}
}

// fetched is what the programs that run at a time fetch from memory, summed over all of them: the rows and columns of a
// block of tiles as the order makes it, where the operands do not stay in the cache. An element of the left operand has leftBytes, one of the right one rightBytes.
func (cfg MatMulConfig) fetched(machine *target.Machine, k, tiles, across, down int, leftBytes, rightBytes float64) float64 {
	atOnce := 2 * machine.Units
	rows := min(down, 1) // of tiles, along a row
	if cfg.Order.Kind == tile.GroupedRows {
		rows = min(cfg.Order.Group, down)
	}
	columns := min(max(atOnce/max(rows, 1), 1), across)
	rows = min(max(rows, atOnce/max(columns, 1)), down) // groups are next to each other where there are few columns
	block := float64(k) * (leftBytes*float64(rows*cfg.BM) + rightBytes*float64(columns*cfg.BN))
	if cache := machine.CacheBytes(); block*2 < cache && leftBytes*float64(k*down*cfg.BM) < cache/2 {
		return 0
	}
	return block * float64(tiles) / float64(max(rows*columns, 1))
}

// streamWork is what an op does that reads and writes elements in tiles of an area, each element times.
func streamWork(v tune.View, elem weft.DType, elements, times float64, programs, area, run, threads int) tune.Work {
	return tune.Work{
		Programs: programs, Threads: threads, Registers: 20 + perThread(area, threads),
		Memory: times * elements * float64(elem.Size()), Cache: times * elements * float64(elem.Size()),
		Flops: 8 * elements, Flight: elem.Size() * perThread(area, threads), Access: access(elem, v, min(run, perThread(area, threads))),
	}
}

// reduceWork is what walking over x by tiles of a config does, parts of which programs share.
func reduceWork(cfg ReduceConfig, x tune.View, parts int, times float64) tune.Work {
	programs, steps, area, elements := parts, 1, 1, 1.0
	for d := range cfg.Rank {
		area *= cfg.Block[d]
		n := CeilDiv(x.Size[d], max(cfg.Block[d], 1))
		elements *= float64(n * cfg.Block[d]) // those that fill the last tile are computed, too
		if cfg.Reduced[d] {
			steps *= n
		} else {
			programs *= n
		}
	}
	w := streamWork(x, cfg.Elem, elements, times, programs, area, cfg.Block[cfg.Rank-1], cfg.Threads)
	w.Chain = 1 + CeilDiv(steps, max(parts, 1))/2
	if parts > 1 {
		w.Passes = 2
	}
	return w
}

func (p SoftmaxProblem) Work(_ target.Caps, s SoftmaxSizes) tune.Work {
	length, adjacent := p.Lines()
	if length*adjacent == 0 {
		return tune.Work{}
	}
	plan := p.Plan(s)
	lines := countOf(p.Rows.Shape()) / length / adjacent * CeilDiv(adjacent, s.Rows)
	steps := CeilDiv(length, s.Cols+s.Rest)
	elements := float64(lines * s.Rows * steps * (s.Cols + s.Rest))
	run := s.Cols
	if p.Columns {
		run = s.Rows
	}
	times := 2.0
	if plan.Online {
		times = 3
	}
	w := streamWork(p.Rows, p.Elem, elements, times, lines*plan.Parts, s.Rows*(s.Cols+s.Rest), run, s.Threads)
	w.Flops *= 3
	w.Chain = 2 * CeilDiv(steps, plan.Parts)
	if plan.Parts > 1 {
		w.Passes = 2
	}
	return w
}

func (p AttentionProblem) Work(caps target.Caps, cfg AttentionConfig) tune.Work {
	elem, q, k, lower := p.Elem, p.Q, p.K, p.Last && !p.First
	queries, keys, head := p.Sizes()
	parts := max(cfg.Parts, 1)
	blocks := CeilDiv(queries, cfg.BM) * q.Size[0] * q.Size[1] * parts
	steps := max(CeilDiv(CeilDiv(keys, cfg.BN), parts), 1)
	if lower {
		steps = (steps + 1) / 2
	}
	scores := dotWork(caps, cfg.BM, cfg.BN, cfg.Head, cfg.Threads)
	values := dotWork(caps, cfg.BM, cfg.Head, cfg.BN, cfg.Threads)
	if cfg.isMatrix(caps) {
		scores = matrixDotWork(caps, elem, cfg.Precision, cfg.BM, cfg.BN, cfg.Head, cfg.Threads)
		values = matrixDotWork(caps, elem, cfg.Precision, cfg.BM, cfg.Head, cfg.BN, cfg.Threads)
	}
	scale := float64(blocks * steps)
	size := float64(elem.Size())
	w := tune.Work{
		Programs: blocks, Threads: cfg.Threads, Chain: steps,
		Flops:  scale * (scores.Flops + values.Flops + 20*float64(cfg.BM*cfg.BN)),
		Matrix: scale * (scores.Matrix + values.Matrix), Staged: scale * (scores.Staged + values.Staged),
		Cache:  size * scale * float64(2*cfg.BN*head),
		Memory: size * float64(q.Size[0]*head) * float64(2*q.Size[1]*queries+2*k.Size[1]*keys),
		Access: access(elem, k, head), Flight: elem.Size() * perThread(cfg.BN*cfg.BD, cfg.Threads),
	}
	if cfg.Threads > 0 {
		w.Registers, w.Shared = 48+cfg.sums(), cfg.plan(caps).SharedBytes
	}
	if parts > 1 {
		w.Passes = 2
		w.Memory += 8 * float64(q.Size[0]*q.Size[1]*queries*head*parts)
	}
	if cfg.isMatrix(caps) && caps.AsyncCopy && cfg.Stages > 1 {
		w.Async, w.Chain = true, 1
		w.Flight = cfg.Stages * cfg.BN * (cfg.BD + cfg.BV) * elem.Size() / max(cfg.Threads, warpgroup)
	}
	return w
}

func (p ConvProblem) Work(caps target.Caps, cfg Conv2DConfig) tune.Work {
	s := p.Shape
	rows, columns := s.Result()
	pixels, size := s.Pixels(), float64(cfg.Elem.Size())
	io := size * float64(s.imageElements()+pixels*s.Filters)
	none := tune.View{Unit: true, Align: 16}
	switch cfg.Algorithm {
	case ConvDirect:
		if cfg.ByChannels {
			return p.channelsWork(caps, cfg, io)
		}
		area := 1
		blocks := 1
		for d, n := range [5]int{s.Images * s.Volume.Result(), s.Groups, s.GroupFilters(), rows, columns} {
			area *= cfg.Block.Size[d]
			blocks *= CeilDiv(n, cfg.Block.Size[d])
		}
		w := streamWork(none, cfg.Elem, float64(blocks*area), 1, blocks, area, 2, cfg.Threads)
		products := float64(blocks*area) * float64(s.Terms())
		// Every product takes two loads, most of which are in the caches, with addresses of about three operations.
		w.Memory, w.Cache, w.Flops, w.Chain = io, size*products/8, 2*products, s.Terms()/4
		w.Extra = 2 * (loadCost + 3*integerCost) * products
		if cfg.ThreadRows > 0 {
			cfg.windowWork(s, &w, float64(blocks*area))
		}
		return w
	case ConvImplicit:
		return p.implicitWork(caps, cfg, pixels, io)
	}
	w := s.columnsProduct(caps, cfg.Elem)
	if !s.Pointwise() {
		elements := float64(pixels) * float64(s.Terms()*s.Groups)
		w.Memory += 2*size*elements + io
		w.Extra += gatherCost * elements
		w.Passes = (max(w.Passes, 1) + 1) * max(CeilDiv(int(size*elements), Workspace), 1)
	}
	return w
}

// columnsProduct is the work of the product of weights and columns.
func (s Conv2DShape) columnsProduct(caps target.Caps, elem weft.DType) tune.Work {
	caps.TensorMaps = false
	pixels, none := s.Pixels(), tune.View{Unit: true, Align: 16}
	product := MatMulConfigFor(caps, elem, s.GroupFilters(), pixels, s.Terms(), s.Groups)
	return product.work(caps, none, none, s.GroupFilters(), pixels, s.Terms(), s.Groups)
}

// gatherCost is what a thread's gather takes beyond the product: the place of a pixel and a channel, and whether that is within the image.
const gatherCost = loadCost + 12*integerCost

// weightCopyCost is how many times as long as copies of runs those of weights take, which read channels apart. (18.9 MB of F16 on an H200 take some 15 µs.)
const weightCopyCost = 2

// implicitWork is the work of an implicit product, whose images and result are io bytes. What does not come by asynchronous copies of 4 bytes at
// least is gathered into registers and stored to shared memory from there, which takes a thread about four times as long.
func (p ConvProblem) implicitWork(caps target.Caps, cfg Conv2DConfig, pixels int, io float64) tune.Work {
	s, none, size := p.Shape, tune.View{Unit: true, Align: 16}, cfg.Elem.Size()
	channels, positions := cfg.groupChannels(s), s.Positions()
	terms := channels * positions
	if cfg.ChannelBlocks > 0 { // the last block of a position is a whole one, too
		terms = cfg.ChannelBlocks * cfg.BK * positions
	}
	piece := size
	if s.ChannelsLast || cfg.Repacked {
		piece = max(runOf(cfg.Elem, channels), size)
	}
	product := MatMulConfig{Elem: cfg.Elem, Precision: cfg.precision(), BM: cfg.BO, BN: cfg.BP, BK: cfg.BK, Threads: cfg.Threads, Stages: cfg.Stages}
	async := caps.AsyncCopy && piece >= 4 && (!cfg.AlongK || product.IsMatrix(caps)) // fused multiply-adds read runs across K
	if !async {
		product.Stages = 0
	}
	parts := max(cfg.Parts, 1)
	steps := CeilDiv(CeilDiv(terms, max(cfg.BK, 1)), parts)
	w := product.work(caps, none, none, s.GroupFilters(), pixels, min(terms, steps*cfg.BK), s.Groups*parts)
	w.Memory = io
	if caps.WholeTiles {
		w.Penalty = 1.2 // gathering takes more addresses than loads
		return w
	}
	cost := float64(gatherCost)
	if !async {
		cost *= 4
	}
	w.Extra += cost * float64(size*steps*cfg.BK*cfg.BP/piece) * float64(w.Programs)
	if cfg.Partial() {
		w.Passes = max(w.Passes, 1) + 1
		addParts(caps, &w, parts, pixels*s.Filters)
	}
	if cfg.Repacked {
		w.Memory += s.packedBytes(cfg.Elem)
		w.Passes = max(w.Passes, 1) + 1
	}
	if p.copiesWeights(cfg) {
		w.Memory += weightCopyCost * 2 * float64(size) * float64(s.Filters*s.Terms())
		w.Passes = max(w.Passes, 1) + 1
	}
	return w
}

func (p QuantRangeProblem) Work(_ target.Caps, s ReduceSizes) tune.Work {
	cfg := p.Config(s)
	whole := ReduceConfig{Elem: p.Elem, Rank: 4, Reduced: [MaxRank]bool{2: true, 3: true}, Threads: cfg.Threads}
	copy(whole.Block[:], cfg.Block[:])
	return reduceWork(whole, p.Blocks, cfg.Parts, 1)
}

// Work is what n numbers take: ten rounds of Philox for four, and the transform to normal ones, which is about 48
// operations on integers of a quarter of the rate of multiplications and additions, counted as two.
func (p RandomProblem) Work(_ target.Caps, cfg RandomConfig) tune.Work {
	w := streamWork(VectorView(p.N), p.Elem, float64(p.N), 1, CeilDiv(p.N, cfg.Block), cfg.Block, 4, cfg.Threads)
	switch p.Op {
	case "normal":
		w.Flops = (40 + 48*8/2) * float64(p.N)
	case "dropout":
		w.Memory *= 2
		fallthrough
	default:
		w.Flops = 40 * float64(p.N)
	}
	return w
}

func (p QuantizeProblem) Work(caps target.Caps, cfg QuantizeConfig) tune.Work {
	down, across := CeilDiv(p.Shape[0], cfg.BM), CeilDiv(p.Shape[1], cfg.BN)
	run := [2]int{cfg.BM, cfg.BN}[p.Fastest]
	times := 1 + float64(p.View.Bits)/8/float64(p.Elem.Size())
	w := streamWork(MatrixView(p.Shape[0], p.Shape[1], p.Fastest), p.Elem, float64(down*across*cfg.BM*cfg.BN), times, down*across, cfg.BM*cfg.BN, run, cfg.Threads)
	w.Flops *= 2
	cost := p.View.Codes.encodeCost()
	if p.Back {
		cost = p.View.Codes.decodeCost(caps)
	}
	w.Flops += cost * float64(down*across*cfg.BM*cfg.BN)
	if p.Transposed {
		w.Staged = 2 * float64(p.Elem.Size()*down*across*cfg.BM*cfg.BN)
	}
	return w
}

func (p Im2ColProblem) Work(_ target.Caps, cfg Im2ColConfig) tune.Work {
	area, blocks := 1, 1
	for d, n := range p.Sizes() {
		area *= cfg.Block.Size[d]
		blocks *= CeilDiv(n, cfg.Block.Size[d])
	}
	w := streamWork(tune.View{Unit: true, Align: 16}, p.Elem, float64(blocks*area), 1.5, blocks, area, cfg.Block.Size[p.Memory[4]], cfg.Threads)
	w.Flops *= 3
	return w
}

// VectorView is the view of a dense vector.
func VectorView(n int) tune.View {
	return tune.View{Rank: 1, Unit: true, Align: 16, Size: [tune.MaxRank]int{n}}
}

// MatrixView is the view of a dense matrix whose elements along dimension fastest are neighbours.
func MatrixView(rows, cols, fastest int) tune.View {
	v := tune.View{Rank: 2, Unit: true, Size: [tune.MaxRank]int{rows, cols}, Order: [tune.MaxRank]int8{int8(1 - fastest), int8(fastest)}}
	v.Align = 1
	for n := v.Size[fastest]; v.Align < 16 && n%int(2*v.Align) == 0; {
		v.Align *= 2
	}
	return v
}
