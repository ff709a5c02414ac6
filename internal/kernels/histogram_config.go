package kernels

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// HistogramProblem is what the sizes of a histogram depend on.
type HistogramProblem struct {
	Elem    weft.DType
	Weight  weft.DType // Invalid for none
	Ranges  bool       // bins are ranges of numbers
	Bins    int
	X       tune.View    // in merged dimensions, at least 2
	Weights tune.Strides `json:",omitzero"` // where they are not those of X
}

// HistogramSizes are what is chosen for a device and a histogram.
type HistogramSizes struct {
	Rows     int // of a tile, a power of two
	Cols     int // elements of a row of a tile, a power of two
	Run      int // adjacent elements of which those in the bin of the first one are added up before; 0 for none
	Parts    int // rows of counts
	Threads  int // of a workgroup
	Local    int `json:",omitzero"` // bins that a program counts by itself, all of them, a power of two; 0 where each element is added to memory
	Programs int `json:",omitzero"` // at most, with Local: each takes several tiles
}

const (
	histogramEach  = 16      // elements of a tile that a thread of a GPU has
	histogramWhole = 1 << 14 // elements of a tile of the CPU
	histogramRun   = 64      // elements of a run
	histogramShare = 8       // so many elements, at least, for each count that is added up at the end
	histogramLocal = 1 << 14 // bins that a program counts by itself at most
	histogramSums  = 16      // of these bins, those of a thread of a GPU
	histogramLong  = 32      // elements of a tile that a thread of such a program has: all threads wait for each other twice in each tile
	histogramShort = 8       // the same of tiles with weights, whose code takes more registers, and of few elements
	histogramFlush = 16      // counts that are added to memory in the time in which a program counts an element
)

// Rule is the launch rule. Programs count by themselves, as many as there is room for, where their counts fit shared memory. Where they do not, programs add each element
// to counts in memory, of which there are several as far as adding these up costs little.
func (p HistogramProblem) Rule(caps target.Caps) HistogramSizes {
	sides := p.X.Shape()
	rows, cols := sides[len(sides)-2], sides[len(sides)-1]
	s := HistogramSizes{Threads: caps.FitThreads(256), Local: p.local(caps)}
	area := histogramEach * s.Threads
	switch {
	case caps.WholeTiles: // atomic ops that meet there wait for a core, not for memory
		s.Threads, area = 0, histogramWhole
	case scarce(caps):
		area = fewEach * s.Threads
	case s.Local > 0:
		s.Threads = caps.FitThreads(max(s.Threads, s.Local/histogramSums))
		area = p.each(caps, s.Threads) * s.Threads
	}
	s.Cols = min(pow2.Ceil(max(cols, 1)), area)
	s.Rows = min(pow2.Ceil(max(rows, 1)), area/s.Cols)
	if !caps.WholeTiles {
		s.Run = min(histogramRun, s.Rows*s.Cols)
	}
	if s.Local > 0 {
		return p.ruleLocal(caps, s)
	}
	most := countOf(sides) / histogramShare / max(p.Bins, 1)
	s.Parts = max(min(most, p.programs(s), reduceSizesFor(caps).Programs), 1)
	return s
}

// local is how many bins a program counts by itself: all, or 0 where they are too many for shared memory or for the elements.
func (p HistogramProblem) local(caps target.Caps) int {
	bins, room := pow2.Ceil(max(p.Bins, 1)), min(caps.SharedBytes/2/4, 2*histogramSums*caps.FitThreads(histogramLocal/histogramSums))
	if caps.WholeTiles {
		room = histogramLocal
	}
	if bins > min(room, histogramLocal, countOf(p.X.Shape())) {
		return 0
	}
	return bins
}

// each is how many elements of a tile a thread has of programs that count by themselves: fewer where there would be less than a tile for each.
func (p HistogramProblem) each(caps target.Caps, threads int) int {
	if p.Weight.Valid() {
		return histogramShort
	}
	each := histogramLong
	for each > histogramShort && countOf(p.X.Shape()) < each*threads*caps.Facts().Room(threads) {
		each /= 2
	}
	return each
}

// ruleLocal is the rest of the rule for programs that count by themselves. Elements that are counted meet in shared memory, where that costs little. More programs count faster, and
// add more counts to memory, which takes as long with the number of them that is chosen.
func (p HistogramProblem) ruleLocal(caps target.Caps, s HistogramSizes) HistogramSizes {
	most := reduceSizesFor(caps).Programs
	if !caps.WholeTiles {
		most = caps.Facts().Room(s.Threads)
	}
	if !p.Weight.Valid() {
		s.Run = 0
	}
	s.Parts = 1
	balanced := int(math.Sqrt(float64(histogramFlush) * float64(countOf(p.X.Shape())/s.Local)))
	s.Programs = max(min(balanced, p.programs(s), most), 1)
	return s
}

// programs is how many tiles there are.
func (p HistogramProblem) programs(s HistogramSizes) int {
	sides := p.X.Shape()
	last := len(sides) - 1
	return countOf(sides[:last-1]) * CeilDiv(sides[last-1], s.Rows) * CeilDiv(sides[last], s.Cols)
}

func (p HistogramProblem) List(caps target.Caps) []HistogramSizes {
	rule := p.Rule(caps)
	list := []HistogramSizes{rule}
	run, parts := max(rule.Run, min(histogramRun, rule.Rows*rule.Cols)), max(rule.Programs, rule.Parts)
	for c := range combinations([]int{0, rule.Local}, []int{rule.Threads / 2, rule.Threads, 2 * rule.Threads}, []int{rule.Cols / 4, rule.Cols / 2, rule.Cols, 2 * rule.Cols},
		[]int{0, run / 4, run, 4 * run}, []int{parts / 4, parts / 2, parts, 4 * parts}) {
		s := HistogramSizes{Rows: rule.Rows, Local: c[0], Threads: c[1], Cols: c[2], Run: c[3], Parts: c[4]}
		if s.Local > 0 {
			s.Programs, s.Parts = s.Parts, 1
		}
		if p.Legal(caps, s) == nil {
			list = appendNew(list, s)
		}
	}
	return list
}

func (p HistogramProblem) Legal(caps target.Caps, s HistogramSizes) error {
	if err := checkTile(caps, s.Threads, s.Rows, s.Cols, max(s.Run, 1)); err != nil {
		return err
	}
	if s.Run > s.Rows*s.Cols {
		return fmt.Errorf("runs of %d elements of a tile of %d", s.Run, s.Rows*s.Cols)
	}
	if s.Parts < 1 || s.Parts > 1<<20 {
		return fmt.Errorf("%d parts, want 1 to 2^20", s.Parts)
	}
	if s.Local > 0 {
		if err := p.legalLocal(caps, s); err != nil {
			return err
		}
	}
	return checkArea(caps, s.Rows*s.Cols, s.Threads)
}

func (p HistogramProblem) legalLocal(caps target.Caps, s HistogramSizes) error {
	switch {
	case s.Local != pow2.Ceil(max(p.Bins, 1)):
		return fmt.Errorf("%d bins that a program counts, want %d", s.Local, pow2.Ceil(max(p.Bins, 1)))
	case s.Programs < 1 || s.Programs > 1<<20 || s.Parts != 1:
		return fmt.Errorf("%d programs that count by themselves for %d parts, want 1 to 2^20 for one", s.Programs, s.Parts)
	case !caps.WholeTiles && caps.SharedBytes > 0 && 4*s.Local > caps.SharedBytes/2:
		return fmt.Errorf("%d bins in %d bytes of shared memory", s.Local, caps.SharedBytes)
	}
	return checkArea(caps, s.Local, s.Threads)
}

// Config is the config by sizes.
func (p HistogramProblem) Config(s HistogramSizes) HistogramConfig {
	return HistogramConfig{Elem: p.Elem, Weight: p.Weight, Ranges: p.Ranges, Rank: int(p.X.Rank), HistogramSizes: s}
}

// Work has two passes where counts are added up.
func (p HistogramProblem) Work(_ target.Caps, s HistogramSizes) tune.Work {
	programs, area := p.programs(s), s.Rows*s.Cols
	w := streamWork(p.X, p.Elem, float64(programs*area), 1, programs, area, s.Cols, s.Threads)
	if s.Local > 0 {
		steps := CeilDiv(programs, s.Programs)
		w.Programs, w.Chain, w.Shared = CeilDiv(programs, steps), 1+steps/2, 4*s.Local
		w.Registers += perThread(s.Local, s.Threads)
		w.Cache += 4 * float64(s.Local*w.Programs)
		w.Flops += float64(s.Local * programs)
		return w
	}
	w.Memory += float64(4 * p.Bins * s.Parts)
	w.Cache += 4 * float64(programs*area) // the counts
	if s.Run > 0 {
		w.Flops += 16 * float64(programs*area)
	}
	if s.Parts > 1 {
		w.Passes = 2
	}
	return w
}

// Needs are x and the weights once, and the counts.
func (p HistogramProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Read: bytesOf(p.Elem, p.X), Written: 4 * float64(p.Bins)}
	if p.Weight.Valid() {
		n.Read += bytesOf(p.Weight, p.X.With(p.Weights))
	}
	return n
}

func (p HistogramProblem) Bucket() HistogramProblem {
	p.X, p.Bins = p.X.Bucket(), tune.Bucket(p.Bins)
	return p
}

func (p HistogramProblem) Kernel(s HistogramSizes) (*tile.Func, error) {
	return Histogram.Build(p.Config(s))
}
