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

// NormConfig is what Norm is built for.
type NormConfig struct {
	Rows         ReduceConfig  // how rows, its reduced dimensions, are walked; Op and Out are left at 0
	RMS          bool          // of RMSNorm, not LayerNorm
	Weight, Bias bool          // are there
	Along        [MaxRank]bool // the dimensions in which they differ, which are the row's or others
	Residual     bool          // is there, and added to x
	Sum          bool          // of x and the residual is stored
	Rest         int           // elements of a row in a second tile, a power of two; 0 for none
	Parts        int           // for rows that programs share: a power of two that is at least the number of their parts
}

// NormSizes are what is chosen for a device; the rest of a config follows from them.
type NormSizes struct {
	Area     int // elements of a tile
	Rest     int `json:",omitzero"` // elements of a row in a second tile, half of the first tile's or less; 0 for none
	Threads  int // of a workgroup
	Programs int // that fill the machine, so that rows are shared where there are fewer
}

// NormProblem is what the sizes of a normalisation depend on: the result in merged dimensions, and
// which of them make up a row. Weight and bias do not count.
type NormProblem struct {
	Elem weft.DType
	RMS  bool
	X    tune.View // as the result is in memory
	Row  [MaxRank]bool
	From tune.Strides `json:",omitzero"` // of x itself, where they are not those of X

	Residual bool `json:",omitzero"` // is added to x
	Sum      bool `json:",omitzero"` // of both is stored
}

// Length is the number of elements of a row, rounded up in each dimension.
func (p NormProblem) Length() int {
	length := 1
	for d, n := range p.X.Shape() {
		if p.Row[d] {
			length *= pow2.Ceil(n)
		}
	}
	return length
}

// Rule is the launch rule. Programs share few long rows where a kernel may have as many views.
func (p NormProblem) Rule(caps target.Caps) NormSizes {
	s := p.sizes(caps)
	if p.checkViews(caps, s) != nil {
		s.Programs = 1
	}
	return s
}

// checkViews says why programs cannot share rows: the kernel that combines their parts has a view for each number of these.
func (p NormProblem) checkViews(caps target.Caps, s NormSizes) error {
	cfg, parts := p.Config(s)
	views := 4 + len(cfg.reducer().States(p.Elem)) // x, weight, bias and the result
	for _, more := range []bool{p.Residual, p.Sum} {
		if more {
			views++
		}
	}
	return checkPartViews(caps, parts, views)
}

// checkPartViews says why a kernel that combines parts cannot have so many views.
func checkPartViews(caps target.Caps, parts, views int) error {
	if parts > 1 && caps.MaxBindings > 0 && views > caps.MaxBindings {
		return fmt.Errorf("rows in %d parts take %d views, the device has %d", parts, views, caps.MaxBindings)
	}
	return nil
}

func (p NormProblem) sizes(caps target.Caps) NormSizes {
	length := p.Length()
	area, sizes := 2048, reduceSizesFor(caps)
	if caps.WholeTiles || sizes.Area < area {
		area = sizes.Area
	}
	area = min(area, pow2.Floor(countOf(p.X.Shape())/sizes.Programs))
	if length <= softmaxWidest(caps) {
		area = max(area, length)
	} else {
		area = sizes.Area / 2 // of which the statistics take three times as many registers
	}
	s := NormSizes{Area: max(area, 32), Programs: sizes.Programs / 2}
	s.Threads = normThreads(caps, length, countOf(p.X.Shape())/max(length, 1))
	if row := p.lastOnly(); row > 0 && length <= s.Area && !caps.WholeTiles {
		for _, t := range splitRow(caps, row) {
			if s.Rest = t.rest; t.fills(s.Threads, rowVector(p.Elem, p.X)) {
				break
			}
		}
	}
	return s
}

// lastOnly is the size of the last dimension where rows are along it alone; 0 elsewhere.
func (p NormProblem) lastOnly() int {
	last := int(p.X.Rank) - 1
	for d, reduced := range p.Row {
		if reduced != (d == last) {
			return 0
		}
	}
	return p.X.Size[last]
}

// sharing is how many programs share a row, or several next to each other, where so many programs fill the machine: 1 where
// one in so many of them, as given, has a row of its own. A second launch costs more than the rest of the machine gives.
func sharing(programs, rows, oneIn int) int {
	if n := programs / max(rows, 1); n >= oneIn {
		return n
	}
	return 1
}

// normThreads gives each thread up to 32 elements of a row, if there are enough rows for all threads of the machine: they stay in
// registers, and the two sums over a row meet in fewer warps.
func normThreads(caps target.Caps, length, rows int) int {
	if caps.WholeTiles {
		return 0
	}
	threads := min(max(length/32, 128), 256)
	if rows < caps.Facts().Room(threads) && length >= 16*threads {
		threads = 256
	}
	return caps.FitThreads(threads)
}

func (p NormProblem) List(caps target.Caps) []NormSizes {
	chosen := p.Rule(caps)
	list := []NormSizes{chosen}
	for _, threads := range slices.Compact([]int{chosen.Threads / 4, chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}) {
		for _, area := range []int{512, 1024, 2048, 4096, 8192, chosen.Area / 2, chosen.Area, 2 * chosen.Area} {
			s := NormSizes{Area: area, Threads: threads, Programs: chosen.Programs}
			if cfg, _ := p.Config(s); !cfg.Rows.Walks() {
				list = appendNew(list, NormSizes{Area: area, Rest: chosen.Rest, Threads: threads, Programs: chosen.Programs})
			}
			list = appendNew(list, s)
			if cfg, _ := p.Config(s); cfg.Rows.Walks() {
				list = appendNew(list, NormSizes{Area: area, Threads: threads, Programs: chosen.Programs / 2})
				list = appendNew(list, NormSizes{Area: area, Threads: threads, Programs: 2 * chosen.Programs})
			}
		}
	}
	return list
}

func (p NormProblem) Legal(caps target.Caps, s NormSizes) error {
	if err := checkTile(caps, s.Threads, s.Area); err != nil {
		return err
	}
	if s.Rest != 0 {
		row := p.lastOnly()
		if err := checkPowers(s.Rest); err != nil {
			return err
		}
		if cols := pow2.Ceil(row) / 2; s.Area < 2*cols || s.Rest > cols || cols+s.Rest < row {
			return fmt.Errorf("tiles of %d and %d elements for rows of %d", cols, s.Rest, row)
		}
	}
	if most := max(softmaxWidest(caps), 32*s.Threads); s.Area > most {
		return fmt.Errorf("a tile of %d elements, want at most %d", s.Area, most)
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs, want 1 to 2^20", s.Programs)
	}
	if err := p.checkViews(caps, s); err != nil {
		return err
	}
	return checkArea(caps, s.Area, s.Threads)
}

func (p NormProblem) Work(_ target.Caps, s NormSizes) tune.Work {
	cfg, parts := p.Config(s)
	reads, writes := 1.0, 1.0
	if cfg.Rows.Walks() {
		reads = 2
	}
	if p.Residual {
		reads *= 2
	}
	if p.Sum {
		writes = 2
	}
	return reduceWork(cfg.Rows, p.X, parts, reads+writes)
}

func (p NormProblem) Bucket() NormProblem {
	p.X = p.X.Bucket()
	return p
}

func (p NormProblem) Kernel(s NormSizes) (*tile.Func, error) {
	cfg, parts := p.Config(s)
	if parts > 1 {
		return NormParts.Build(cfg)
	}
	return Norm.Build(cfg)
}

// Config is the config by sizes, without weight and bias, and in how many parts programs share each row.
func (p NormProblem) Config(s NormSizes) (cfg NormConfig, parts int) {
	rows, x := ReduceConfig{Elem: p.Elem, Rank: int(p.X.Rank), Reduced: p.Row, Threads: s.Threads}, p.X.Shape()
	rows.fill(s.Area, x)
	if s.Rest > 0 {
		rows.Block[rows.Rank-1] /= 2
	}
	lines := 1 // of a tile, whose parts are in one tile of the second pass
	for d, n := range rows.Block[:rows.Rank] {
		if !rows.Reduced[d] {
			lines *= n
		}
	}
	if parts = rows.share(min(sharing(s.Programs, rows.tiles(x), 4), s.Area/lines), x); parts > 1 {
		return NormConfig{Rows: rows, RMS: p.RMS, Along: p.Row, Residual: p.Residual, Sum: p.Sum, Parts: partsTile(parts, s.Area/lines)}, parts
	}
	return NormConfig{Rows: rows, RMS: p.RMS, Along: p.Row, Residual: p.Residual, Sum: p.Sum, Rest: s.Rest}, 1
}
