package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ScatterKind is what Scatter makes of an element and an update of it.
type ScatterKind uint8

// The kinds.
const (
	ScatterSet ScatterKind = iota
	ScatterAdd
	ScatterMul
	ScatterMin
	ScatterMax
	numScatterKinds

	// Kinds of kernels alone, which choose the last update of each element: the first notes the largest number of an update, the
	// second writes those whose number was noted.
	scatterNote
	scatterNoted
)

// Note and Noted are the two launches that let the last update win.
const (
	ScatterNote  = scatterNote
	ScatterNoted = scatterNoted
)

// Valid reports whether there is such a kind for users.
func (s ScatterKind) Valid() bool { return s < numScatterKinds }

// String is the kind's name.
func (s ScatterKind) String() string {
	if s > scatterNoted || s == numScatterKinds {
		return "invalid"
	}
	return [...]string{"set", "add", "mul", "min", "max", "", "note", "noted"}[s]
}

// IndexedConfig is what Gather and Scatter are built for.
type IndexedConfig struct {
	Elem     weft.DType
	From     weft.DType // of updates, which become Elem
	Index    weft.DType // I32 or U32, or I64 as words of U32
	Rows     int        // dimensions of the rows, 1 at least
	Window   int        // dimensions of a window, 1 at least
	Coords   int        // indices of a window
	Clamp    bool       // windows are moved into x; otherwise those that are not within x are left out
	Kind     ScatterKind
	RowsLast bool // of a tile's dimensions the rows are the last one
	XRun     int  // elements of the last dimension of a tile that are neighbours in x, and aligned, a power of two; 0 if strides are not 1
	YRun     int  // the same of the other tensor
	IndexedSizes
}

// IndexedSizes are what is chosen: the sides of a tile.
type IndexedSizes struct {
	RowTile, OuterTile, InnerTile int // of rows, of the dimensions of a window but the last one, and of that
	Threads                       int
}

// IndexedProblem is what the sizes of a gather or a scatter depend on.
type IndexedProblem struct {
	Elem, From, Index        weft.DType
	Rows, Window, Coords     int8
	Clamp, Scatter, RowsLast bool
	Kind                     ScatterKind
	XRun, YRun               int8
	Sizes                    [3]int // rows, elements of a window but for its last dimension, and that
	Known                    int    // windows that there are in x
}

// sides are the sizes in the order in which a tile takes them.
func (s *IndexedSizes) sides(rowsFirst bool) [3]*int {
	if rowsFirst {
		return [3]*int{&s.RowTile, &s.InnerTile, &s.OuterTile}
	}
	return [3]*int{&s.InnerTile, &s.OuterTile, &s.RowTile}
}

func (p IndexedProblem) Rule(caps target.Caps) IndexedSizes {
	vector, each := loadBytes/max(p.Elem.Size(), 1), 4
	if !caps.WholeTiles && max(p.XRun, p.YRun) <= 1 {
		vector = 1 // elements by themselves
	}
	s := IndexedSizes{RowTile: 1, OuterTile: 1, InnerTile: 1, Threads: caps.FitThreads(128)}
	if !p.Scatter && min(p.XRun, p.YRun) == 1 && p.YRun > 1 {
		// Elements that are read one by one, each under a mask, are a load each. (F16 8192×4096 of 16384×8192 on an H100: 138 µs
		// by 32 elements a thread, 69 by 8.)
		each, s.Threads = 1, caps.FitThreads(256)
	}
	most := vector * each * s.Threads
	total := countOf(p.Sizes[:])
	switch {
	case caps.WholeTiles:
		s.Threads, most = 0, 1<<14
	case scarce(caps):
		most = s.Threads * max(vector, 2)
	}
	if !caps.WholeTiles {
		for room := caps.Facts().Room(s.Threads); most > s.Threads*vector && total/most < room; {
			most /= 2
		}
	}
	sizes := [3]int{p.Sizes[2], p.Sizes[1], p.Sizes[0]}
	if p.RowsLast {
		sizes = [3]int{p.Sizes[0], p.Sizes[2], p.Sizes[1]}
	}
	for i, side := range s.sides(p.RowsLast) {
		*side = min(pow2.Ceil(max(sizes[i], 1)), most)
		most /= *side
	}
	return s
}

func (p IndexedProblem) List(caps target.Caps) []IndexedSizes {
	rule := p.Rule(caps)
	list := []IndexedSizes{rule}
	for c := range combinations([]int{rule.Threads / 2, rule.Threads, 2 * rule.Threads}, []int{rule.RowTile / 2, rule.RowTile, 2 * rule.RowTile}, []int{rule.InnerTile / 2, rule.InnerTile, 2 * rule.InnerTile}) {
		list = appendNew(list, IndexedSizes{RowTile: c[1], OuterTile: rule.OuterTile, InnerTile: c[2], Threads: c[0]})
	}
	return list
}

func (p IndexedProblem) Legal(caps target.Caps, s IndexedSizes) error {
	if err := checkTile(caps, s.Threads, s.RowTile, s.OuterTile, s.InnerTile); err != nil {
		return err
	}
	return checkArea(caps, s.RowTile*s.OuterTile*s.InnerTile, s.Threads)
}

func (p IndexedProblem) Work(_ target.Caps, s IndexedSizes) tune.Work {
	area := s.RowTile * s.OuterTile * s.InnerTile
	programs := CeilDiv(p.Sizes[0], s.RowTile) * CeilDiv(p.Sizes[1], s.OuterTile) * CeilDiv(p.Sizes[2], s.InnerTile)
	v := tune.View{Rank: 1, Unit: true, Align: max(min(p.XRun, p.YRun), 1), Size: [MaxRank]int{countOf(p.Sizes[:])}}
	w := streamWork(v, p.Elem, float64(programs*area), 2, programs, area, p.Config(s).lastSide(), s.Threads)
	w.Chain = 2 // an index comes before its window
	return w
}

// Needs are the indices, and the tensor of windows, once: all indices may be one.
func (p IndexedProblem) Needs(target.Caps) tune.Needs {
	indices, windows := 4*float64(p.Sizes[0])*float64(p.Coords), float64(p.Elem.Size())*float64(countOf(p.Sizes[:]))
	if p.Scatter {
		return tune.Needs{Read: indices + windows}
	}
	return tune.Needs{Read: indices, Written: windows}
}

func (p IndexedProblem) Bucket() IndexedProblem {
	for i, n := range p.Sizes {
		p.Sizes[i] = tune.Bucket(n)
	}
	p.Known = tune.Bucket(p.Known)
	return p
}

func (p IndexedProblem) Kernel(s IndexedSizes) (*tile.Func, error) {
	if p.Scatter {
		return Scatter.Build(p.Config(s))
	}
	return Gather.Build(p.Config(s))
}

// Config is the config by sizes.
func (p IndexedProblem) Config(s IndexedSizes) IndexedConfig {
	cfg := IndexedConfig{
		Elem: p.Elem, From: p.From, Index: p.Index, Rows: int(p.Rows), Window: int(p.Window), Coords: int(p.Coords), Clamp: p.Clamp, Kind: p.Kind,
		RowsLast: p.RowsLast, XRun: int(p.XRun), YRun: int(p.YRun), IndexedSizes: s,
	}
	last := cfg.lastSide() // a tile shorter than a run has runs of its own length
	cfg.XRun, cfg.YRun = min(cfg.XRun, last), min(cfg.YRun, last)
	return cfg
}

// lastSide is the size of a tile's last dimension.
func (cfg IndexedConfig) lastSide() int {
	if cfg.RowsLast {
		return cfg.RowTile
	}
	return cfg.InnerTile
}
