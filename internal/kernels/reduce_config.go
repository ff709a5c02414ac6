package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ReduceSizes are what is chosen for a device; the rest of a config follows from them.
type ReduceSizes struct {
	Area     int // elements of a tile
	Threads  int // of a workgroup
	Programs int // that fill the machine
	Widest   int `json:",omitzero"` // threads of the largest workgroup that a reduction may have alone; four of the usual ones, of which half of Programs run at a time
}

func reduceSizesFor(caps target.Caps) ReduceSizes {
	switch {
	case caps.WholeTiles:
		return ReduceSizes{Area: 1 << 15, Programs: 32} // whatever the cores, so that results do not depend on them
	case scarce(caps):
		return ReduceSizes{Area: 512, Threads: 64, Programs: 2 * caps.Facts().Room(64)}
	}
	// Twice the programs that run at a time: the last ones end together then.
	return ReduceSizes{Area: 4096, Threads: caps.FitThreads(256), Programs: 2 * caps.Facts().Room(256), Widest: caps.FitThreads(1024)}
}

// ReduceProblem is what the sizes of a reduction depend on: x in merged dimensions, and which
// of them are reduced.
type ReduceProblem struct {
	Op      ReduceOp
	Elem    weft.DType
	X       tune.View
	Reduced [MaxRank]bool
	Out     tune.Strides `json:",omitzero"` // of the result, where it is not dense
}

// Rule is the launch rule. Where many elements along the last dimension, in which x is contiguous, are results of
// their own, programs of a GPU have 4 KiB each: that is runs of 256 bytes, and fewer parts of each result to add in a second pass. Where few are, part of each
// subgroup has none, and workgroups are smaller, so that more of them are left when some wait to combine their states. So they are where tiles are so small that
// threads would load less than a vector. (On an H200: sum of 6748×278×17 along 1 51 µs by 256 threads, 40 by 128; maximum of 1.1 million 10.8 and 7.6.)
func (p ReduceProblem) Rule(caps target.Caps) ReduceSizes {
	s, last, size := reduceSizesFor(caps), p.X.Rank-1, p.Elem.Size()
	if caps.WholeTiles || scarce(caps) {
		return s
	}
	switch area := 1 << 12 / size; {
	case p.Reduced[last]:
	case p.X.Size[last] < leastColumns:
		s.Area, s.Threads = s.Area/2, caps.FitThreads(s.Threads/2)
	case s.Area > area:
		s.Area, s.Threads = area, caps.FitThreads(128)
	}
	if area := s.areaOf(countOf(p.X.Shape())); area >= s.Threads && area*size < loadBytes*s.Threads {
		s.Threads = caps.FitThreads(s.Threads / 2)
	}
	return s
}

const (
	leastColumns = 64 // so many neighbours are runs of memory
	loadBytes    = 16 // of a vector
)

// areaOf is how many of so many elements a tile has: no more than leave some for all programs.
func (s ReduceSizes) areaOf(elements int) int { return min(s.Area, pow2.Floor(elements/s.Programs)) }

func (p ReduceProblem) List(caps target.Caps) []ReduceSizes {
	list := p.Rule(caps).around()
	for _, s := range reduceSizesFor(caps).around() {
		list = appendNew(list, s)
	}
	return list
}

func (p ReduceProblem) Legal(caps target.Caps, s ReduceSizes) error { return s.legal(caps) }

func (p ReduceProblem) Work(_ target.Caps, s ReduceSizes) tune.Work {
	cfg, parts := p.Config(s)
	return reduceWork(cfg, p.X, parts, 1)
}

func (p ReduceProblem) Bucket() ReduceProblem {
	p.X = p.X.Bucket()
	return p
}

func (p ReduceProblem) Kernel(s ReduceSizes) (*tile.Func, error) {
	cfg, _ := p.Config(s)
	return Reduce.Build(cfg)
}

// Result is the shape of the result, which has size 1 where x is reduced, and how many elements each one is of.
func (p ReduceProblem) Result() (shape []int, count int) {
	shape, count = p.X.Shape(), 1
	for d, n := range shape {
		if p.Reduced[d] {
			shape[d], count = 1, count*n
		}
	}
	return shape, count
}

// around lists sizes near those chosen, which come first.
func (chosen ReduceSizes) around() []ReduceSizes {
	list := []ReduceSizes{chosen}
	for c := range combinations(
		[]int{chosen.Area / 4, chosen.Area / 2, chosen.Area, 2 * chosen.Area},
		slices.Compact([]int{chosen.Threads, chosen.Threads / 2, chosen.Threads / 4}),
		[]int{chosen.Programs / 2, chosen.Programs, 2 * chosen.Programs},
	) {
		if s := (ReduceSizes{c[0], c[1], c[2], chosen.Widest}); s != chosen {
			list = append(list, s)
		}
	}
	return list
}

// leastLoads is how many elements of a tile a thread has that is walked, where there are enough: they are loaded together, those of several tiles are not.
const leastLoads = 8

// Config is the config by sizes, and in how many parts programs share each result.
func (p ReduceProblem) Config(s ReduceSizes) (cfg ReduceConfig, parts int) {
	cfg = ReduceConfig{Op: p.Op, Elem: p.Elem, Out: p.Op.Result(p.Elem), Rank: int(p.X.Rank), Reduced: p.Reduced, Threads: s.Threads,
		AtOnce: s.Threads == 0}
	x := p.X.Shape()
	cfg.fillStates(max(s.areaOf(countOf(x)), s.Threads, 32), x) // nor fewer than a workgroup has threads
	shared := cfg
	if parts = shared.share(s.Programs/max(cfg.tiles(x), 1), x); parts == 1 {
		return cfg, 1
	}
	if cfg.Reduced[cfg.Rank-1] { // elsewhere, tiles have runs of results and few of what each is of
		if alone := cfg.alone(s, x); alone.steps(x) <= aloneSteps {
			return alone, 1
		}
	}
	return shared, parts
}

// aloneSteps is how many tiles a program walks in about the time of a second launch, which has to wait for the first one, start, and load the states.
const aloneSteps = 4

// alone is a config for programs that share nothing: with the fewest threads that walk few tiles, as long as all programs run at a time.
func (cfg ReduceConfig) alone(s ReduceSizes, x []int) ReduceConfig {
	extent := 1 // of a tile with all that is reduced
	for d, n := range x {
		if cfg.Reduced[d] {
			extent *= min(pow2.Ceil(n), 1<<20)
		} else {
			extent *= cfg.Block[d]
		}
		extent = min(extent, 1<<20)
	}
	for {
		cfg.fillStates(min(extent, max(aloneLoads*cfg.Threads, 32)), x)
		wider := 2 * cfg.Threads
		if cfg.steps(x) <= aloneSteps || wider == 0 || wider > s.Widest || wider*cfg.tiles(x) > s.Widest*s.Programs/8 {
			return cfg
		}
		cfg.Threads = wider
	}
}

// aloneLoads is how many elements of a tile such a thread has.
const aloneLoads = 16

// fillStates is fill for a tile of elements, each of which has a state if the tile is walked.
func (cfg *ReduceConfig) fillStates(area int, x []int) {
	cfg.fill(area, x)
	if states := len(Reducers[cfg.Op].States(cfg.Elem)); states > 1 && cfg.Walks() {
		cfg.fill(max(area/pow2.Ceil(states), min(area, leastLoads*cfg.Threads), 32), x) // of which each takes as many registers as a tile
	}
}

// steps is how many tiles a program walks that shares nothing.
func (cfg *ReduceConfig) steps(x []int) int {
	steps := 1
	for d, n := range x {
		if cfg.Reduced[d] {
			steps *= CeilDiv(n, cfg.Block[d])
		}
	}
	return steps
}

// tiles is the number of tiles that the result is cut into.
func (cfg *ReduceConfig) tiles(x []int) int {
	tiles := 1
	for d, n := range x {
		if !cfg.Reduced[d] {
			tiles *= CeilDiv(n, cfg.Block[d])
		}
	}
	return tiles
}

// ReduceStates is the layout of the states of several parts, of the results of shape: those of one result are next to each other, so that the second
// pass reads rows, whatever was reduced, and few kernels serve all.
func ReduceStates(cfg ReduceConfig, shape []int, parts int) (layout.Layout, error) {
	states, strides, stride := slices.Clone(shape), make([]int, len(shape)), parts
	for d := len(shape) - 1; d >= 0; d-- {
		if strides[d] = stride; d == cfg.Split {
			states[d], strides[d] = parts, 1
			continue
		}
		stride *= shape[d]
	}
	return layout.Strided(states, strides, 0)
}

// ReduceCombineConfigFor chooses the config for the second pass of a reduction from that of the first, and the shape of the states in merged dimensions,
// the last of which is reduced. States are few and in a cache, so that the time is that of loads that wait for each other: on a GPU a program loads all
// parts of a few results at once.
func ReduceCombineConfigFor(caps target.Caps, first ReduceConfig, states []int, reduced [MaxRank]bool) ReduceConfig {
	cfg := first
	cfg.Pass, cfg.Split, cfg.Rank, cfg.Reduced = ReduceCombine, 0, len(states), reduced
	if caps.WholeTiles || scarce(caps) {
		cfg.fill(reduceSizesFor(caps).Area/4, states)
		return cfg
	}
	cfg.Threads = caps.FitThreads(256)
	cfg.Block, cfg.Walk = [MaxRank]int{}, [MaxRank]bool{}
	for d := range states {
		cfg.Block[d] = 1
	}
	last, area := len(states)-1, 4*cfg.Threads
	cfg.Block[last] = 2 * area
	for _, n := range []int{area / 8, area / 64} {
		if states[last] <= n {
			cfg.Block[last] = n
		}
	}
	if last > 0 {
		cfg.Block[last-1] = max(area/cfg.Block[last], 1)
	}
	cfg.Walk[last] = states[last] > cfg.Block[last]
	return cfg
}

// fill spreads a tile over the dimensions of x. Along the last one, where x is in runs, it
// is at least as long as pays: 64 elements, or all of a warp's widest loads. The reduced dimensions
// follow, so that threads keep as many of a result's elements to themselves as can be.
func (cfg *ReduceConfig) fill(area int, x []int) {
	cfg.Block, cfg.Walk = [MaxRank]int{}, [MaxRank]bool{}
	room := area
	grow := func(d, most int) {
		had := cfg.Block[d]
		cfg.Block[d] = max(had, min(pow2.Ceil(x[d]), had*room, most))
		room /= cfg.Block[d] / had
	}
	last := cfg.Rank - 1
	for d := range cfg.Rank {
		cfg.Block[d] = 1
	}
	if !cfg.Reduced[last] {
		grow(last, max(64, pow2.Floor(area/16)))
	}
	for _, reduced := range []bool{true, false} {
		for d := last; d >= 0; d-- {
			if cfg.Reduced[d] == reduced {
				grow(d, area)
			}
		}
	}
	for d := range cfg.Rank {
		cfg.Walk[d] = cfg.Reduced[d] && x[d] > cfg.Block[d]
	}
}

// leastShare is how many programs there are for each result, at least, where they share it: fewer hide each other's waits as they are, without a second launch.
const leastShare = 3

// share splits the walked dimension of the most tiles among programs, two tiles each at least. Vectors divide the number of parts.
func (cfg *ReduceConfig) share(programs int, x []int) (parts int) {
	most := 0
	for d := range cfg.Rank {
		if n := CeilDiv(x[d], cfg.Block[d]); cfg.Walk[d] && n > most {
			cfg.Split, most = d, n
		}
	}
	if programs < leastShare || most < 2*vector {
		cfg.Split = 0
		return 1
	}
	cfg.Pass = ReduceParts
	parts = max(min(programs, most/2), vector)
	if power := pow2.Floor(parts); parts-power < power/8 {
		return power // which a tile of the second pass has without masks
	}
	return parts / vector * vector
}

// Result is the element type of a result: of sums and products of small integers I32, of indices I32, of truths Bool.
func (op ReduceOp) Result(elem weft.DType) weft.DType {
	switch op {
	case ReduceArgMax, ReduceArgMin:
		return weft.I32
	case ReduceAll, ReduceAny:
		return weft.Bool
	case ReduceSum, ReduceProd:
		if elem.IsInt() {
			return wide(elem)
		}
	}
	return elem
}

// legal says why sizes are refused.
func (s ReduceSizes) legal(caps target.Caps) error {
	if err := checkTile(caps, s.Threads, s.Area); err != nil {
		return err
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs, want 1 to 2^20", s.Programs)
	}
	return checkArea(caps, s.Area, s.Threads)
}
