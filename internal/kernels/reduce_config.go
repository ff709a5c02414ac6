package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ReduceSizes are what is chosen for a device; the rest of a config follows from them.
type ReduceSizes struct {
	Area     int // elements of a tile
	Threads  int // of a workgroup
	Programs int // that fill the machine
}

func reduceSizesFor(caps target.Caps) ReduceSizes {
	switch {
	case caps.WholeTiles:
		return ReduceSizes{Area: 1 << 15, Programs: 32} // whatever the cores, so that results do not depend on them
	case scarce(caps):
		return ReduceSizes{Area: 512, Threads: 64, Programs: 2 * caps.Facts().Room(64)}
	}
	// Twice the programs that run at a time: the last ones end together then.
	return ReduceSizes{Area: 4096, Threads: caps.FitThreads(256), Programs: 2 * caps.Facts().Room(256)}
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
		if s := (ReduceSizes{c[0], c[1], c[2]}); s != chosen {
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
	area := max(s.areaOf(countOf(x)), s.Threads, 32) // nor fewer than a workgroup has threads
	cfg.fill(area, x)
	if states := len(Reducers[p.Op].States(p.Elem)); states > 1 && cfg.Walks() {
		cfg.fill(max(area/pow2.Ceil(states), min(area, leastLoads*s.Threads), 32), x) // of which each takes as many registers as a tile
	}
	return cfg, cfg.share(s.Programs/max(cfg.tiles(x), 1), x)
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

// ReduceCombineConfigFor chooses the config for the second pass of a reduction from that of the
// first, and the shape of the states.
func ReduceCombineConfigFor(caps target.Caps, first ReduceConfig, states []int) ReduceConfig {
	cfg := first
	cfg.Pass, cfg.Split = ReduceCombine, 0
	cfg.fill(reduceSizesFor(caps).Area/4, states) // which are few
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

// share splits the walked dimension of the most tiles among programs, two tiles each at least.
func (cfg *ReduceConfig) share(programs int, x []int) (parts int) {
	most := 0
	for d := range cfg.Rank {
		if n := CeilDiv(x[d], cfg.Block[d]); cfg.Walk[d] && n > most {
			cfg.Split, most = d, n
		}
	}
	parts = min(programs, most/2)
	if parts < 2 {
		cfg.Split = 0
		return 1
	}
	cfg.Pass = ReduceParts
	return CeilDiv(most, CeilDiv(most, parts)) // none of them without a tile
}

// Result is the element type of a result: of sums and products of small integers I32, of indices I32.
func (op ReduceOp) Result(elem weft.DType) weft.DType {
	switch op {
	case ReduceArgMax, ReduceArgMin:
		return weft.I32
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
