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

// SortProblem is what the sizes of a sort depend on.
type SortProblem struct {
	Elem       weft.DType
	Descending bool
	Values     bool      // the sorted elements are wanted
	Indices    bool      // their indices are wanted
	Low, Bits  int       `json:",omitzero"` // of unsigned integers, which Bits of their bits, from Low on, are enough to order; all where Bits is 0
	X          tune.View // in merged dimensions, at least 2, rows last
}

// SortSizes are what is chosen for a device and rows.
type SortSizes struct {
	Tile    int  // elements of a program: of several rows, of one, or of a part of one
	Threads int  // of a workgroup
	Run     int  `json:",omitzero"` // elements among which equal digits are counted by the ranks of a warp; 0 where tiles are sorted by digits of 4 bits
	Ranks   bool // elements of rows that fit a tile are compared with all of their row, which is one step, not sorted by digits
}

const (
	sortEach     = 8       // elements of a tile that a thread of a GPU has
	fewEach      = 2       // the same where registers are few: the code of more elements is long, and such a device's driver, a compiler for CPUs, takes long for it
	sortLeast    = 64      // threads of a workgroup at least
	sortMost     = 1 << 13 // elements of a tile of a GPU at most
	sortCounts   = 1 << 15 // elements of a row that fields of 16 bits count
	sortWhole    = 1 << 13 // elements of a tile of the CPU
	sortRanked   = 128     // elements of a row of the CPU that are compared with each other
	sortCompared = 1 << 12 // comparisons of a tile of the CPU
	sortLanes    = 32      // threads of a warp
	sortPairs    = 4       // registers of a warp among which equal digits are counted by pairs
	sortRanks    = 16      // elements of a tile that a thread has where warps count: larger tiles write longer runs of memory and have fewer counts for an element, but room for fewer warps
	sortSpare    = 2048    // bytes of shared memory for what is not elements
	sortCounted  = 4       // bytes of shared memory for the counts of an element's digits
)

// Row is the length of a row.
func (p SortProblem) Row() int { return p.X.Size[p.X.Rank-1] }

func (p SortProblem) rows() int { return countOf(p.X.Shape()) / max(p.Row(), 1) }

// most is how many elements a tile may have: all change their places through shared memory at once. Their digits' counts were there before, in WGSL in an array of their own.
func (p SortProblem) most(caps target.Caps) int {
	if caps.WholeTiles || caps.SharedBytes == 0 {
		return sortCounts
	}
	bytes, each := caps.SharedBytes-sortSpare, max(p.Elem.Size(), 4)
	if caps.Language == target.WGSL {
		bytes, each = caps.SharedBytes, each+sortCounted
	}
	return max(min(sortCounts, pow2.Floor(max(bytes/each, 1))), 32)
}

// Rule is the launch rule. Rows that fit a tile are sorted in one launch, short ones several in a tile, by no more threads than needed: they wait for each other
// many times. A tile of one row is sorted by digits of 8 bits where warps can count them, which takes less work, for which a thread has more elements. The CPU compares the elements of
// short rows, many pairs at a time.
func (p SortProblem) Rule(caps target.Caps) SortSizes {
	row := pow2.Ceil(max(p.Row(), sortRun))
	if caps.WholeTiles {
		s := SortSizes{Tile: min(sortWhole, row*pow2.Ceil(max(p.rows(), 1))), Ranks: row <= sortRanked}
		if s.Ranks {
			s.Tile = max(min(s.Tile, sortCompared/row), row)
		} else if s.Tile = min(s.Tile, row); sortBits(p.Elem) >= SortBits {
			s.Run = s.Tile
		}
		return s
	}
	each := sortEach
	if scarce(caps) {
		each = fewEach
	}
	wide := max(p.Elem.Size()/4, 1) // registers of an element
	s := SortSizes{Threads: caps.FitThreads(256)}
	s.Tile = min(s.Threads*each, p.most(caps))
	if row <= max(s.Tile, min(p.most(caps), sortMost)) {
		s.Tile = max(row, min(sortLeast*sortEach, row*pow2.Ceil(max(p.rows(), 1)), p.most(caps)))
		ranked := SortSizes{Tile: s.Tile, Threads: min(caps.FitThreads(max(s.Tile*wide/sortRanks, 32)), caps.FitThreads(256*wide))}
		s.Threads = caps.FitThreads(max(s.Tile/each, 32))
		return p.ranked(caps, s, ranked)
	}
	return p.ranked(caps, s, SortSizes{Threads: s.Threads, Tile: min(s.Threads*sortRanks/wide, p.most(caps))})
}

// ranked are sizes whose tiles are sorted by ranks, where that can be, else those without.
func (p SortProblem) ranked(caps target.Caps, s, ranked SortSizes) SortSizes {
	for _, c := range []SortSizes{ranked, s} {
		if runs := p.runs(caps, c); len(runs) > 0 {
			c.Run = runs[0]
			return c
		}
	}
	return s
}

// runs are among how many elements equal digits may be counted, the best first, where a tile is of one row: among those of a tile by the CPU, one after the other, and among those of
// a warp where warps have ballots, all of its registers by counts in shared memory or a few of them by pairs.
func (p SortProblem) runs(caps target.Caps, s SortSizes) (list []int) {
	if sortBits(p.Elem) < SortBits || p.Tiles(s) == 1 && pow2.Ceil(max(p.Row(), sortRun)) < s.Tile {
		return nil
	}
	if caps.WholeTiles {
		return []int{s.Tile}
	}
	if caps.Language != target.CUDA || caps.SubgroupSize != sortLanes || s.Tile < s.Threads || s.Threads < sortLanes {
		return nil
	}
	each := perThread(s.Tile, s.Threads)
	for _, registers := range []int{each, min(sortPairs, each)} {
		if run := sortLanes * registers; p.fits(caps, s, run) {
			list = appendNew(list, run)
		}
	}
	return list
}

// fits reports whether the counts of runs fit shared memory, with elements and indices.
func (p SortProblem) fits(caps target.Caps, s SortSizes, run int) bool {
	return caps.SharedBytes == 0 || 3*4*SortRadix*(s.Tile/run)+2*s.Tile*max(p.Elem.Size(), 4) <= caps.SharedBytes
}

func (p SortProblem) List(caps target.Caps) []SortSizes {
	rule := p.Rule(caps)
	list := []SortSizes{rule}
	for c := range combinations([]int{rule.Threads / 2, rule.Threads, 2 * rule.Threads}, []int{rule.Tile / 4, rule.Tile / 2, rule.Tile, 2 * rule.Tile}) {
		for _, ranks := range []bool{rule.Ranks, !rule.Ranks} {
			s := SortSizes{Threads: c[0], Tile: c[1], Ranks: ranks}
			for _, run := range append(p.runs(caps, s), 0) {
				if s.Run = run; p.Legal(caps, s) == nil {
					list = appendNew(list, s)
				}
			}
		}
	}
	return list
}

func (p SortProblem) Legal(caps target.Caps, s SortSizes) error {
	if err := checkTile(caps, s.Threads, s.Tile); err != nil {
		return err
	}
	if most := p.most(caps); s.Tile < sortRun || s.Tile > most {
		return fmt.Errorf("tiles of %d elements, want %d to %d", s.Tile, sortRun, most)
	}
	if runs := p.runs(caps, s); s.Run != 0 && !slices.Contains(runs, s.Run) {
		return fmt.Errorf("runs of %d elements, want one of %v", s.Run, runs)
	}
	if row := pow2.Ceil(max(p.Row(), sortRun)); s.Ranks && (row > s.Tile || row > sortRanked) {
		return fmt.Errorf("rows of %d elements that are compared with each other, want at most %d, in a tile", row, sortRanked)
	} else if s.Ranks {
		return checkArea(caps, s.Tile*row, s.Threads)
	}
	return checkArea(caps, s.Tile, s.Threads)
}

// Tiles is the number of tiles of a row, 1 for rows that are sorted in a tile.
func (p SortProblem) Tiles(s SortSizes) int {
	if pow2.Ceil(max(p.Row(), sortRun)) <= s.Tile {
		return 1
	}
	return CeilDiv(p.Row(), s.Tile)
}

// Passes is how many times the elements of longer rows are sorted by a part of their keys.
func (p SortProblem) Passes() int { return CeilDiv(p.bits(), SortBits) }

// bits is by how many bits of their keys elements are sorted.
func (p SortProblem) bits() int {
	if p.Bits > 0 {
		return p.Bits
	}
	return sortBits(p.Elem)
}

// Scalars are those of SortRows, or of a pass.
func (p SortProblem) Scalars(s SortSizes, pass int) weft.Scalars {
	if p.Tiles(s) == 1 {
		return weft.Scalars{p.Low, p.bits()}
	}
	return weft.Scalars{p.Low + pass*SortBits}
}

// Config is the config of SortRows, or of the last pass of longer rows.
func (p SortProblem) Config(s SortSizes) SortConfig {
	cfg := SortConfig{Elem: p.Elem, Rank: int(p.X.Rank), Descending: p.Descending, Values: p.Values, Indices: p.Indices, Rows: 1, Tile: s.Tile, Threads: s.Threads, Run: s.Run}
	if p.Tiles(s) == 1 {
		cfg.Tile = pow2.Ceil(max(p.Row(), sortRun))
		cfg.Rows, cfg.Ranks = s.Tile/cfg.Tile, s.Ranks
	}
	return cfg
}

// Pass is the config of SortScatter for one of the passes.
func (p SortProblem) Pass(s SortSizes, pass int) SortConfig {
	cfg := p.Config(s)
	cfg.Indexed = p.Indices && pass > 0
	cfg.Values = p.Values || pass < p.Passes()-1
	return cfg
}

// Count is the config of SortCount.
func (p SortProblem) Count(s SortSizes) SortConfig {
	return SortConfig{Elem: p.Elem, Rank: int(p.X.Rank), Descending: p.Descending, Tile: s.Tile, Threads: s.Threads}
}

// Offsets is the config of SortOffsets.
func (p SortProblem) Offsets(caps target.Caps) SortConfig {
	cfg := SortConfig{Rank: int(p.X.Rank), Rows: 4}
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(128)
	}
	return cfg
}

func (p SortProblem) Work(_ target.Caps, s SortSizes) tune.Work {
	tiles, passes := p.Tiles(s), 1
	if tiles > 1 {
		passes = p.Passes()
	}
	elements := float64(CeilDiv(countOf(p.X.Shape()), s.Tile) * s.Tile)
	w := streamWork(p.X, p.Elem, elements, float64(4*passes), CeilDiv(countOf(p.X.Shape()), s.Tile), s.Tile, s.Tile, s.Threads)
	steps := CeilDiv(p.bits(), digitBits)
	if s.Run > 0 {
		steps = CeilDiv(p.bits(), SortBits)
	}
	w.Flops = 60 * elements * float64(steps)
	w.Registers += 3 * perThread(s.Tile, s.Threads)
	w.Chain = steps
	if s.Ranks {
		w.Flops, w.Chain = 5*elements*float64(pow2.Ceil(max(p.Row(), sortRun))), 1
		w.Registers += perThread(s.Tile*pow2.Ceil(max(p.Row(), sortRun)), s.Threads)
	}
	if tiles > 1 {
		w.Passes = 5 * passes
	}
	return w
}

// Needs are x once and the results.
func (p SortProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Read: bytesOf(p.Elem, p.X)}
	if p.Values {
		n.Written += float64(countOf(p.X.Shape()) * p.Elem.Size())
	}
	if p.Indices {
		n.Written += float64(countOf(p.X.Shape()) * 4)
	}
	return n
}

func (p SortProblem) Bucket() SortProblem {
	p.X = p.X.Bucket()
	p.Low, p.Bits = 0, CeilDiv(p.Bits, SortBits)*SortBits
	return p
}

func (p SortProblem) Kernel(s SortSizes) (*tile.Func, error) {
	if p.Tiles(s) == 1 {
		return SortRows.Build(p.Config(s))
	}
	return SortScatter.Build(p.Pass(s, 0))
}
