package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ScanProblem is what the sizes of a cumulative op depend on: merged rows of the result, which are along the last dimension or, as
// columns, before it.
type ScanProblem struct {
	Op      ReduceOp
	Elem    weft.DType // of x
	Rows    tune.View  // of the result
	Columns bool
	X       tune.Strides `json:",omitzero"` // where they are not those of Rows
}

// ScanSizes are what is chosen for a device and rows; the rest of a plan follows from them.
type ScanSizes struct {
	Cols     int // elements of a row in one tile: all of them, or as many as are walked at a time
	Rows     int // of one program
	Threads  int // of a workgroup
	Programs int // that fill the machine, so that rows are shared where there are fewer
	Group    int // of parts of a shared row, if it is read once; see ScanConfig
}

// ScanPlan is how a cumulative op is computed.
type ScanPlan struct {
	Config ScanConfig
	Parts  int // of a row, if more than 1
	Words  int // by which programs wait for each other
}

// Lines are the length of a row and the number of adjacent ones, whose elements memory interleaves.
func (p ScanProblem) Lines() (length, adjacent int) {
	return SoftmaxProblem{Rows: p.Rows, Columns: p.Columns}.Lines()
}

// Axis is the dimension that holds a row.
func (p ScanProblem) Axis() int {
	return ScanConfig{Rank: int(p.Rows.Rank), Columns: p.Columns}.Axis()
}

const (
	scanEach    = 16      // elements of a tile that a thread of a GPU has
	scanColumns = 32      // adjacent rows of a program, which are runs of memory
	scanWhole   = 1 << 15 // elements of a tile of the CPU
	scanShare   = 3       // so many programs for each row, at least, where they share it and x is read twice
	scanOnce    = 2       // and where it is read once
	scanWaits   = 2       // so many launches take as long as programs wait for each other
	scanGroup   = 128     // parts, the states of which a program combines
	scanWords   = 1 << 30 // of 32 bits, at the most
)

// Rule is the launch rule. A row that fits a tile is read once, and short rows have a tile together; longer ones are walked by one
// program, and shared where they are few.
func (p ScanProblem) Rule(caps target.Caps) ScanSizes {
	length, adjacent := p.Lines()
	s := ScanSizes{Rows: 1, Threads: caps.FitThreads(256), Programs: max(reduceSizesFor(caps).Programs/2, 1)}
	area := scanEach * s.Threads
	switch {
	case caps.WholeTiles:
		s.Threads, area = 0, scanWhole
	case scarce(caps):
		s.Threads = caps.FitThreads(64)
		area = 8 * s.Threads
	}
	if p.Columns {
		s.Rows = min(pow2.Ceil(adjacent), scanColumns)
		if caps.WholeTiles {
			s.Rows = min(pow2.Ceil(adjacent), scanWhole/scanColumns)
		}
	}
	if p.once(caps, s) {
		if s.Group = scanGroup; !caps.WholeTiles && p.stateBytes() == 4 {
			area *= 2 // what programs do besides then takes a smaller part of their time
		}
	}
	s.Cols = min(pow2.Ceil(max(length, 1)), max(area/s.Rows, 1))
	if s.Cols < length {
		return s
	}
	// As many rows as leave programs for all of the machine.
	room := pow2.Floor(max(countOf(p.Rows.Shape())/s.Programs, 1))
	s.Rows = max(s.Rows, min(pow2.Floor(max(min(area, room)/s.Cols, 1)), pow2.Ceil(adjacent)))
	if area := s.Rows * s.Cols; !caps.WholeTiles && area < scanEach*s.Threads {
		s.Threads = caps.FitThreads(max(pow2.Ceil(area/scanEach*2), 32))
	}
	return s
}

// once reports whether rows that programs share are read once: where programs may wait for each other, if that takes no longer than a second reading of x.
// Adjacent rows of one tile have so many states to wait for that they are read twice.
func (p ScanProblem) once(caps target.Caps, s ScanSizes) bool {
	m := caps.Facts()
	return caps.SystemOrder && s.Rows == 1 && sharing(s.Programs, p.tiles(s), scanOnce) > 1 && bytesOf(p.Elem, p.Rows.With(p.X)) > scanWaits*m.Launch*m.Memory
}

// stateBytes is the size of a state.
func (p ScanProblem) stateBytes() (n int) {
	for _, slot := range Reducers[p.Op].States(p.Elem) {
		n += slot.Elem.Size()
	}
	return n
}

// tiles is into how many tiles rows are cut across.
func (p ScanProblem) tiles(s ScanSizes) int {
	length, adjacent := p.Lines()
	return countOf(p.Rows.Shape()) / max(length*adjacent, 1) * CeilDiv(adjacent, s.Rows)
}

func (p ScanProblem) List(caps target.Caps) []ScanSizes {
	chosen := p.Rule(caps)
	length, _ := p.Lines()
	list, group := []ScanSizes{chosen}, chosen.Group
	if group == 0 && caps.SystemOrder {
		group = max(scanGroup/chosen.Rows, 1)
	}
	for c := range combinations(
		[]int{chosen.Threads, chosen.Threads / 2, 2 * chosen.Threads},
		[]int{chosen.Cols, chosen.Cols / 2, chosen.Cols / 4, 2 * chosen.Cols},
		[]int{chosen.Rows, chosen.Rows / 2, 2 * chosen.Rows},
		[]int{chosen.Programs, chosen.Programs / 2, 2 * chosen.Programs},
		[]int{chosen.Group, group, group / 2, 0},
	) {
		s := ScanSizes{Threads: c[0], Cols: c[1], Rows: c[2], Programs: c[3], Group: c[4]}
		if s.Cols >= length {
			s.Programs, s.Group = chosen.Programs, chosen.Group // which change nothing
		}
		if s.Cols < 2*pow2.Ceil(max(length, 1)) && p.Legal(caps, s) == nil {
			list = appendNew(list, s)
		}
	}
	return list
}

func (p ScanProblem) Legal(caps target.Caps, s ScanSizes) error {
	if err := checkTile(caps, s.Threads, s.Cols, s.Rows); err != nil {
		return err
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs, want 1 to 2^20", s.Programs)
	}
	if s.Group != 0 && !caps.SystemOrder {
		return fmt.Errorf("groups of %d parts on a device whose programs do not wait for each other", s.Group)
	}
	if err := checkPowers(max(s.Group, 1)); err != nil {
		return err
	}
	area := s.Rows * max(s.Cols, s.Group)
	if caps.WholeTiles && area > 1<<20 {
		return fmt.Errorf("a tile of %d elements, want at most 2^20", area)
	}
	return checkArea(caps, area, s.Threads)
}

// Plan is the plan by sizes.
func (p ScanProblem) Plan(s ScanSizes) ScanPlan {
	plan := ScanPlan{Parts: 1, Config: ScanConfig{Op: p.Op, Elem: p.Elem, Rank: int(p.Rows.Rank), Columns: p.Columns, Rows: s.Rows, Cols: s.Cols, Threads: s.Threads}}
	length, _ := p.Lines()
	if plan.Config.Walk = s.Cols < length; !plan.Config.Walk {
		return plan
	}
	tiles := p.tiles(s)
	if parts := CeilDiv(length, s.Cols); s.Group > 0 && sharing(s.Programs, tiles, scanOnce) > 1 {
		once := plan.Config
		once.Walk, once.Group = false, s.Group
		if words := once.LookBackWords(tiles, parts); words <= scanWords {
			return ScanPlan{Parts: parts, Config: once, Words: words}
		}
	}
	// The states of all parts are one tile, of each of a program's rows.
	parts := min(sharing(s.Programs, tiles, scanShare), CeilDiv(length, s.Cols), s.Cols)
	if parts > 1 {
		plan.Parts, plan.Config.Parts = parts, partsTile(parts, s.Cols)
	}
	return plan
}

func (p ScanProblem) Work(_ target.Caps, s ScanSizes) tune.Work {
	length, adjacent := p.Lines()
	if length*adjacent == 0 {
		return tune.Work{}
	}
	plan := p.Plan(s)
	lines := countOf(p.Rows.Shape()) / length / adjacent * CeilDiv(adjacent, s.Rows)
	steps := CeilDiv(length, s.Cols)
	run, times := s.Cols, 2.0
	if p.Columns {
		run = s.Rows
	}
	if plan.Parts > 1 && plan.Words == 0 {
		times = 3
	}
	w := streamWork(p.Rows, p.Elem, float64(lines*s.Rows*steps*s.Cols), times, lines*plan.Parts, s.Rows*s.Cols, run, s.Threads)
	w.Chain = 1 + CeilDiv(steps, plan.Parts)
	if plan.Parts > 1 {
		w.Passes = 2
	}
	return w
}

// Needs are x once and the result.
func (p ScanProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.Rows.With(p.X)), Written: bytesOf(p.Op.Result(p.Elem), p.Rows)}
}

func (p ScanProblem) Bucket() ScanProblem {
	p.Rows = p.Rows.Bucket()
	return p
}

func (p ScanProblem) Kernel(s ScanSizes) (*tile.Func, error) { return Scan.Build(p.Plan(s).Config) }
