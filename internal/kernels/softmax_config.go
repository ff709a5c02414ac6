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

// SoftmaxConfig is what the kernels of Softmax and LogSoftmax are built for. A row is what is exponentiated
// and summed together, along whichever dimension it is.
type SoftmaxConfig struct {
	Elem    weft.DType
	Rank    int            // dimensions after merging, 2 to 5; the last one holds a row
	Columns bool           // the dimension before the last one holds a row instead
	Log     bool           // the result's logarithm
	Scaled  SoftmaxScaling // what the scalar parameter "scale" multiplies, if there is one
	Rows    int            // rows of one program, a power of two
	Cols    int            // elements of a row in one tile, a power of two
	Rest    int            // elements of a row in a second tile, a power of two below Cols; 0 for none
	Parts   int            // for rows that programs share: a power of two that is at least the number of their parts
	Threads int            // of a workgroup; 0 lets the compiler choose
}

// SoftmaxScaling says what a softmax multiplies by a scale, so that nothing leaves the range of F32 that the result depends on.
type SoftmaxScaling uint8

// The scalings.
const (
	Unscaled         SoftmaxScaling = iota
	ScaleX                          // x, for a scale below 1: differences of it could overflow otherwise
	ScaleXTwice                     // x by 2^-64 and by a scale times 2^64, which would not be a normal number, and so may be 0 on a device
	ScaleDifferences                // differences to the largest element, for a scale above 1: x could overflow
)

// Axis is the dimension that holds a row.
func (cfg SoftmaxConfig) Axis() int {
	if cfg.Columns {
		return cfg.Rank - 2
	}
	return cfg.Rank - 1
}

// block is a tile with cols elements of each of a program's rows.
func (cfg SoftmaxConfig) block(cols int) []int {
	block := make([]int, cfg.Rank)
	for d := range block {
		block[d] = 1
	}
	block[2*cfg.Rank-3-cfg.Axis()] = cfg.Rows // the other one of the last two
	block[cfg.Axis()] = cols
	return block
}

// softmaxLongest is the longest row that the largest workgroup keeps in registers, 32 elements a thread, or 16 of F64.
func softmaxLongest(caps target.Caps, elem weft.DType, columns bool) int {
	if elem == weft.F64 && !caps.WholeTiles {
		return softmaxLongest(caps, weft.F32, columns) / 2
	}
	if caps.WholeTiles || scarce(caps) || columns {
		return softmaxWidest(caps)
	}
	return max(32*caps.FitThreads(1024), softmaxWidest(caps))
}

// softmaxWidest is the largest tile of a workgroup of the usual size.
func softmaxWidest(caps target.Caps) int {
	if caps.WholeTiles {
		return 1 << 16
	}
	return 8192
}

// SoftmaxProblem is what the sizes of a softmax depend on: merged rows of the result, which are along the last dimension or, as
// columns, before it.
type SoftmaxProblem struct {
	Elem    weft.DType
	Rows    tune.View // of the result
	Columns bool
	X       tune.Strides `json:",omitzero"` // where they are not those of Rows
}

// SoftmaxConfigFor chooses the config for merged rows, and whether they are so long
// that they take SoftmaxOnline.
func SoftmaxConfigFor(caps target.Caps, elem weft.DType, rows layout.Layout) (cfg SoftmaxConfig, online bool) {
	p := SoftmaxProblem{Elem: elem, Rows: tune.ViewOf(rows)}
	plan := p.Plan(p.Rule(caps))
	return plan.Config, plan.Online
}

// SoftmaxSizes are what is chosen for a device and rows; the rest of a plan follows from them.
type SoftmaxSizes struct {
	Cols     int // elements of a row in one tile: all of them, or as many as are walked at a time
	Rest     int `json:",omitzero"` // elements of a row in a second tile, which has those that are beyond the first one; 0 for none
	Rows     int // of one program
	Threads  int // of a workgroup
	Programs int // that fill the machine, so that rows are shared where there are fewer
}

// SoftmaxPlan is how a softmax is computed.
type SoftmaxPlan struct {
	Config SoftmaxConfig
	Online bool
	Parts  int // of a row, if more than 1
}

// Lines are the length of a row and the number of adjacent ones, whose elements memory interleaves.
func (p SoftmaxProblem) Lines() (length, adjacent int) {
	rank := int(p.Rows.Rank)
	axis := SoftmaxConfig{Rank: rank, Columns: p.Columns}.Axis()
	return p.Rows.Size[axis], p.Rows.Size[2*rank-3-axis]
}

// Rule is the launch rule. A row that fits the registers of a workgroup is read once; longer ones are walked by one program, and shared
// where they are few.
func (p SoftmaxProblem) Rule(caps target.Caps) SoftmaxSizes {
	length, adjacent := p.Lines()
	least := 1 // rows side by side: as columns, they fill transactions of memory
	if p.Columns {
		least = min(pow2.Ceil(adjacent), 32)
	}
	s := SoftmaxSizes{Cols: pow2.Ceil(length), Rows: least, Programs: reduceSizesFor(caps).Programs / 2}
	if s.Cols*least > softmaxLongest(caps, p.Elem, p.Columns) {
		s.Cols = softmaxWidest(caps) / 4 / least
		if s.Threads = softmaxThreads(caps, s.Cols*least); !p.Columns {
			s.widen(caps, p)
		}
		return s
	}
	if caps.WholeTiles || p.Columns {
		return p.whole(caps, wholeRow{cols: s.Cols}, least)
	}
	for _, t := range splitRow(caps, length) {
		if s = p.whole(caps, t, least); t.fills(s.Threads, rowVector(p.Elem, p.Rows)) {
			break
		}
	}
	return s
}

// whole are the sizes of programs that have rows whole, in tiles.
func (p SoftmaxProblem) whole(caps target.Caps, t wholeRow, least int) SoftmaxSizes {
	s := SoftmaxSizes{Cols: t.cols, Rest: t.rest, Programs: reduceSizesFor(caps).Programs / 2}
	length, adjacent := p.Lines()
	elements := s.Cols + s.Rest
	s.Threads = wholeRowThreads(caps, elements*least)
	area := 1024
	switch {
	case caps.WholeTiles:
		area = 1 << 15
	case !p.Columns && !scarce(caps) && s.Cols <= area:
		// Threads have 64 bytes of x each, in several loads at a time, if there are enough rows for all threads of the machine.
		s.Threads = caps.FitThreads(64)
		each := countOf(p.Rows.Shape()) / max(length, 1) * elements / caps.Facts().Room(s.Threads)
		area = s.Threads * min(max(pow2.Floor(each/s.Threads), 8), 64/max(p.Elem.Size(), 1))
	}
	s.Rows = max(least, min(pow2.Floor(max(area/elements, 1)), pow2.Ceil(adjacent)))
	return s
}

// softmaxSharing is sharing for rows of a softmax: workgroups of 1024 threads, which are four of the usual size, have one each before programs share them.
func softmaxSharing(programs, rows int) int { return sharing(programs, rows, 6) }

// widen gives long rows larger workgroups, up to 1024 threads, or 512 of F64: where all rows have one at a time, and where they have one after the other
// and the cache would not keep the rows of more workgroups until they are read again, unless most of the machine would be idle at the end.
// (Logarithm of a softmax of 621 rows of 78071 of F16 on an H100: 147 µs by 256 threads, 125 by 1024.)
func (s *SoftmaxSizes) widen(caps target.Caps, p SoftmaxProblem) {
	length, _ := p.Lines()
	rows, bytes := countOf(p.Rows.Shape())/max(length, 1), float64(length*p.Elem.Size())
	if caps.WholeTiles || scarce(caps) || softmaxSharing(s.Programs, rows) > 1 {
		return
	}
	machine, widest := caps.Facts(), 1024
	if p.Elem == weft.F64 { // a thread's elements take twice as many registers
		widest = 512
	}
	for threads := caps.FitThreads(widest); threads > s.Threads; threads /= 2 {
		room := machine.Room(threads)
		ends := 3*CeilDiv(rows, room)*room <= 4*rows // with a quarter of the machine idle at most, all in all
		if rows <= room || ends && float64(machine.Room(threads/2))*bytes >= machine.CacheBytes() {
			s.Cols *= threads / s.Threads
			s.Threads = threads
		}
	}
}

func (p SoftmaxProblem) List(caps target.Caps) []SoftmaxSizes {
	chosen := p.Rule(caps)
	length, _ := p.Lines()
	list := []SoftmaxSizes{chosen}
	for c := range combinations(
		slices.Compact([]int{chosen.Threads / 4, chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}),
		[]int{chosen.Cols, chosen.Cols / 4, chosen.Cols / 2, 2 * chosen.Cols},
		[]int{chosen.Rows / 2, chosen.Rows, 2 * chosen.Rows, 4 * chosen.Rows},
		[]int{chosen.Programs / 2, chosen.Programs, 2 * chosen.Programs},
	) {
		s := SoftmaxSizes{Cols: c[1], Rows: c[2], Threads: c[0], Programs: c[3]}
		if s.Cols == chosen.Cols {
			s.Rest = chosen.Rest
		}
		if s.Cols+s.Rest >= length {
			s.Programs = chosen.Programs // which changes nothing
		}
		if s != chosen && s.Cols < 2*pow2.Ceil(length) {
			list = append(list, s)
		}
	}
	return list
}

func (p SoftmaxProblem) Legal(caps target.Caps, s SoftmaxSizes) error {
	if err := checkTile(caps, s.Threads, s.Cols, s.Rows); err != nil {
		return err
	}
	length, _ := p.Lines()
	if s.Rest != 0 {
		if err := checkTile(caps, s.Threads, s.Rest, s.Rows); err != nil {
			return err
		}
		if s.Rest > s.Cols || s.Cols > length || s.Cols+s.Rest < length {
			return fmt.Errorf("tiles of %d and %d elements for rows of %d", s.Cols, s.Rest, length)
		}
	}
	widest := max(softmaxWidest(caps), 32*s.Threads)
	if s.Cols+s.Rest < length {
		widest /= 2 // the second pass has tiles of twice as many parts
	}
	if area := (s.Cols + s.Rest) * s.Rows; area > widest {
		return fmt.Errorf("a tile of %d elements, want at most %d", area, widest)
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs, want 1 to 2^20", s.Programs)
	}
	return checkArea(caps, (s.Cols+s.Rest)*s.Rows, s.Threads)
}

// Plan is the plan by sizes.
func (p SoftmaxProblem) Plan(s SoftmaxSizes) SoftmaxPlan {
	plan := SoftmaxPlan{Config: SoftmaxConfig{Elem: p.Elem, Rank: int(p.Rows.Rank), Columns: p.Columns, Cols: s.Cols, Rest: s.Rest, Rows: s.Rows, Threads: s.Threads}, Parts: 1}
	length, adjacent := p.Lines()
	if plan.Online = s.Cols+s.Rest < length; !plan.Online {
		return plan
	}
	tiles := countOf(p.Rows.Shape()) / length / adjacent * CeilDiv(adjacent, s.Rows)
	// Every program of the second pass reads all parts of its rows, into one tile: fewer than of a sum.
	steps := CeilDiv(length, s.Cols)
	if parts := min(softmaxSharing(s.Programs, tiles), steps/2, 2*s.Cols); parts > 1 {
		plan.Parts = parts
		plan.Config.Parts = partsTile(plan.Parts, 2*s.Cols)
	}
	return plan
}

func (p SoftmaxProblem) Bucket() SoftmaxProblem {
	p.Rows = p.Rows.Bucket()
	return p
}

func (p SoftmaxProblem) Kernel(s SoftmaxSizes) (*tile.Func, error) {
	plan := p.Plan(s)
	switch {
	case plan.Parts > 1:
		return SoftmaxParts.Build(plan.Config)
	case plan.Online:
		return SoftmaxOnline.Build(plan.Config)
	}
	return Softmax.Build(plan.Config)
}

// softmaxThreads are those of a workgroup that holds rows of cols elements.
func softmaxThreads(caps target.Caps, cols int) int {
	if caps.WholeTiles {
		return 0
	}
	return caps.FitThreads(max(min(max(cols/8, 128), 256), cols/32))
}
