package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// TopKConfig is what TopK is built for.
type TopKConfig struct {
	Elem    weft.DType
	Rank    int  // dimensions after merging; the last one holds a row
	Listed  bool // a row is a list of candidates
	Once    bool // a part of a row is one tile
	Tile    int  // elements, a power of two
	Threads int  // of a workgroup; 0 lets the compiler choose
}

// TopKOrderConfig is what TopKOrder is built for.
type TopKOrderConfig struct {
	Elem    weft.DType
	Rank    int
	Listed  bool
	Block   int // candidates of a program, a power of two
	Others  int // those that they are compared with at a time, a power of two; 0 where a program sorts all of a row's
	Run     int // elements among which equal digits are counted, where a program sorts; see SortConfig
	Threads int
}

// TopKMoveConfig is what TopKKeys and TopKTake are built for.
type TopKMoveConfig struct {
	Elem       weft.DType
	Rank       int
	Listed     bool // a row is a list of candidates
	Rows, Cols int  // of a tile, powers of two
	Threads    int
}

// TopKSizes is what of the configs is chosen.
type TopKSizes struct {
	Tile    int // elements of a part of a row
	Most    int // candidates of a row that are put in order
	Threads int
	Sorted  bool `json:",omitzero"` // candidates are sorted by digits, not compared with each other
}

// TopKProblem is what the sizes depend on.
type TopKProblem struct {
	Elem weft.DType
	K    int
	X    tune.View // in merged dimensions, rows last
}

// Row is the length of a row.
func (p TopKProblem) Row() int { return p.X.Size[p.X.Rank-1] }

func (p TopKProblem) rows() int { return countOf(p.X.Shape()) / max(p.Row(), 1) }

// What threads hold of a part of a row, and how many comparisons of candidates cost as much as a launch of TopK.
const (
	topKEach   = 16
	topKPairs  = 1 << 22
	topKLeast  = 512
	topKWhole  = 1 << 14 // elements of a tile of the CPU
	topKBlock  = 64
	topKOthers = 128
	topKSorted = 256 // candidates, at least, that are sorted: comparisons are less work for fewer

	topKLaunches = 16      // of TopK, which take as long as those that sort candidates of any number
	topKPrograms = 64      // of the CPU, likewise
	topKProgram  = 1 << 12 // comparisons that take as long as what else a program of the CPU does
)

func (p TopKProblem) Rule(caps target.Caps) TopKSizes {
	row := pow2.Ceil(max(p.Row(), 2))
	if caps.WholeTiles {
		return p.sorted(caps, TopKSizes{Tile: min(row, max(topKWhole, 4*pow2.Ceil(p.K))), Most: max(topKLeast, p.K)})
	}
	each := topKEach
	if scarce(caps) {
		each = 8
	}
	s := TopKSizes{Threads: caps.FitThreads(256), Most: max(topKLeast, p.K, min(2048, topKPairs/max(p.rows(), 1)/2048))}
	for s.Tile = s.Threads * each; s.Tile < 4*p.K && s.Threads < caps.FitThreads(1024); s.Tile *= 2 {
		s.Threads *= 2
	}
	s.Tile = min(s.Tile, row)
	return p.sorted(caps, s)
}

// sorted are sizes with which candidates are sorted, where all comparisons of them take longer than a launch of TopK and digits of 8 bits can be counted.
func (p TopKProblem) sorted(caps target.Caps, s TopKSizes) TopKSizes {
	n := p.candidates(s)
	if s.Sorted = n >= topKSorted && p.rows()*n*n > topKPairs && len(p.runs(caps, n)) > 0; s.Sorted {
		twice := s // which takes less than another launch of TopK
		if twice.Most = max(s.Most, 2*pow2.Ceil(p.K)); p.Legal(caps, twice) == nil {
			return twice
		}
	}
	return s
}

// SortsApart reports whether so many candidates of each row, which no tile sorts, are sorted by launches of their own: the time of comparisons grows with their
// square. A program of a row is as much work as some comparisons where programs run one after the other.
func (p TopKProblem) SortsApart(caps target.Caps, s TopKSizes, candidates int) bool {
	pairs, rows := float64(candidates)*float64(candidates), float64(p.rows())
	switch {
	case s.Sorted:
		return false
	case caps.WholeTiles:
		return rows*(pairs+topKProgram) > topKPrograms*topKProgram
	}
	return candidates >= topKSorted && rows*pairs > topKLaunches*topKPairs
}

// SortsAll reports whether n elements or candidates of each row are sorted, by launches of their own, instead of being searched by one program of each row, as Parts says:
// a program alone takes long for a long row.
func (p TopKProblem) SortsAll(caps target.Caps, s TopKSizes, n int) bool {
	if parts, once := p.Parts(s, n); parts == 0 || once || caps.WholeTiles {
		return false
	}
	model, rows := tune.ModelFor(caps), MatrixView(p.rows(), n, 1)
	search := TopKProblem{Elem: p.Elem, K: p.K, X: rows}
	order := SortProblem{Elem: weft.U32, Indices: true, X: rows}
	return model.Seconds(order.Work(caps, order.Rule(caps))) < model.Seconds(search.Work(caps, s))
}

// Move is the config of TopKKeys for rows of n candidates, and of TopKTake for n results.
func (p TopKProblem) Move(caps target.Caps, listed bool, n int) TopKMoveConfig {
	cfg, area := TopKMoveConfig{Elem: p.Elem, Rank: int(p.X.Rank), Listed: listed}, topKWhole
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(256)
		area = 4 * cfg.Threads
	}
	cfg.Cols = min(pow2.Ceil(max(n, 1)), area)
	cfg.Rows = min(pow2.Ceil(max(p.rows(), 1)), area/cfg.Cols)
	return cfg
}

// candidates are how many of a row are put in order.
func (p TopKProblem) candidates(s TopKSizes) int {
	n := p.Row()
	for {
		parts, _ := p.Parts(s, n)
		if parts == 0 {
			return n
		}
		n = parts * p.K
	}
}

// runs are among how many of a tile of so many keys equal digits may be counted.
func (p TopKProblem) runs(caps target.Caps, n int) []int {
	n = pow2.Ceil(max(n, sortRun))
	keys := SortProblem{Elem: weft.U32, Values: true, Indices: true, X: MatrixView(p.rows(), n, 1)}
	if s := (SortSizes{Tile: n, Threads: topKSorters(caps, n)}); n <= keys.most(caps) && checkArea(caps, n, s.Threads) == nil {
		return keys.runs(caps, s)
	}
	return nil
}

// topKSorters are the threads that sort so many keys.
func topKSorters(caps target.Caps, n int) int {
	if caps.WholeTiles {
		return 0
	}
	return caps.FitThreads(min(max(n/sortRanks, sortLanes), 256))
}

func (p TopKProblem) List(caps target.Caps) []TopKSizes {
	rule := p.Rule(caps)
	list := []TopKSizes{rule}
	for _, threads := range []int{128, 256, 512, 1024} {
		for _, each := range []int{4, 8, 16, 32} {
			for _, most := range []int{rule.Most, 2 * rule.Most} {
				for _, sorted := range []bool{rule.Sorted, !rule.Sorted} {
					s := TopKSizes{Tile: threads * each, Most: most, Threads: threads, Sorted: sorted}
					if caps.WholeTiles {
						s.Threads = 0
					}
					if s.Tile < 2*pow2.Ceil(max(p.Row(), 2)) && p.Legal(caps, s) == nil {
						list = appendNew(list, s)
					}
				}
			}
		}
	}
	return list
}

func (p TopKProblem) Legal(caps target.Caps, s TopKSizes) error {
	if err := checkTile(caps, s.Threads, s.Tile); err != nil {
		return err
	}
	if s.Tile < 2 || s.Most < p.K {
		return fmt.Errorf("tiles of %d and %d candidates, want 2 and %d at least", s.Tile, s.Most, p.K)
	}
	if n := p.candidates(s); s.Sorted && len(p.runs(caps, n)) == 0 {
		return fmt.Errorf("%d candidates are not sorted in a tile by digits of %d bits", n, SortBits)
	}
	return checkArea(caps, s.Tile, s.Threads)
}

// Parts is into how many parts a row of n elements or candidates is cut, and whether a part is one tile: those that leave less than half of a row.
// No part leaves the row as it is.
func (p TopKProblem) Parts(s TopKSizes, n int) (parts int, once bool) {
	if n <= s.Most {
		return 0, false
	}
	if parts = CeilDiv(n, s.Tile); parts*p.K <= n/2 || parts == 1 {
		return parts, true
	}
	return 1, false
}

func (p TopKProblem) Work(_ target.Caps, s TopKSizes) tune.Work {
	parts, once := p.Parts(s, p.Row())
	times := 1.0
	if !once {
		times = 34
	}
	w := streamWork(p.X, p.Elem, float64(p.rows()*CeilDiv(p.Row(), s.Tile)*s.Tile), times, p.rows()*max(parts, 1), s.Tile, s.Tile, s.Threads)
	w.Flops *= 8
	w.Chain = 34
	return w
}

func (p TopKProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.X), Written: float64(p.rows()*p.K) * float64(p.Elem.Size()+4)}
}

func (p TopKProblem) Bucket() TopKProblem {
	p.X = p.X.Bucket()
	return p
}

func (p TopKProblem) Kernel(s TopKSizes) (*tile.Func, error) {
	_, once := p.Parts(s, p.Row())
	return TopK.Build(p.Config(s, false, once))
}

// Config is the config of TopK by sizes.
func (p TopKProblem) Config(s TopKSizes, listed, once bool) TopKConfig {
	return TopKConfig{Elem: p.Elem, Rank: int(p.X.Rank), Listed: listed, Once: once, Tile: s.Tile, Threads: s.Threads}
}

// Order is the config of TopKOrder for so many candidates.
func (p TopKProblem) Order(caps target.Caps, s TopKSizes, listed bool, candidates int) TopKOrderConfig {
	cfg := TopKOrderConfig{Elem: p.Elem, Rank: int(p.X.Rank), Listed: listed}
	if s.Sorted {
		cfg.Block = pow2.Ceil(max(candidates, sortRun))
		cfg.Run, cfg.Threads = p.runs(caps, candidates)[0], topKSorters(caps, cfg.Block)
		return cfg
	}
	n := pow2.Ceil(max(candidates, 2))
	if caps.WholeTiles {
		cfg.Block, cfg.Others = min(n, 256), min(n, 1024)
		return cfg
	}
	cfg.Block, cfg.Others, cfg.Threads = min(n, topKBlock), min(n, topKOthers), caps.FitThreads(256)
	if scarce(caps) {
		cfg.Others = min(n, topKOthers/4)
	}
	return cfg
}
