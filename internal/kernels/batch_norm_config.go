package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// BatchNormProblem is what the sizes of a batch normalisation, or of its gradient, depend on: the result in merged dimensions, and which of them make up a
// channel. Weights, biases and running statistics do not count.
type BatchNormProblem struct {
	Elem  weft.DType
	Grad  bool      `json:",omitzero"`
	Given bool      `json:",omitzero"` // no gradient, and statistics are given
	X     tune.View // as the result is in memory
	Row   [MaxRank]bool
	From  tune.Strides `json:",omitzero"` // of x itself, where they are not those of X
	DY    tune.Strides `json:",omitzero"` // of dy
}

// BatchNormSizes are what is chosen for a device; the rest of a config follows from them.
type BatchNormSizes struct {
	Apart   bool // statistics, or sums, have launches of their own, which programs share; their sizes are those of ReduceProblem
	Area    int  // elements of a tile
	Columns int  // of a tile, at most, where the last dimension is that of channels
	Threads int  // of a workgroup
	Steps   int  `json:",omitzero"` // tiles of a program, if statistics have launches of their own
}

const (
	batchEach    = 16 // elements of a channel that a thread of a GPU keeps
	batchRun     = 32 // bytes of neighbouring channels that are read together, at least: a transaction of memory
	batchStepped = 8  // tiles of a program that applies statistics, at most
)

// length is the elements of a channel, rounded up in each dimension.
func (p BatchNormProblem) length() int {
	length := 1
	for d, n := range p.X.Shape() {
		if p.Row[d] {
			length *= pow2.Ceil(n)
		}
	}
	return length
}

// adjacent is how many channels are in runs of memory, rounded up: 1 if the last dimension is a channel's own.
func (p BatchNormProblem) adjacent() int {
	if last := int(p.X.Rank) - 1; !p.Row[last] {
		return pow2.Ceil(p.X.Size[last])
	}
	return 1
}

// Rule is the launch rule. Channels that fit the registers of a workgroup are read once. Longer ones are walked twice if there are about as many as fill the
// machine; if not, programs share the sums over them.
func (p BatchNormProblem) Rule(caps target.Caps) BatchNormSizes {
	if p.Given {
		return p.apart(caps)
	}
	if s, fits := p.kept(caps); fits {
		return s
	}
	s := p.walked(caps)
	cfg := p.Config(s)
	if sharing(reduceSizesFor(caps).Programs/2, cfg.Rows.tiles(p.X.Shape()), 4) == 1 {
		return s
	}
	return p.apart(caps)
}

// most is how many elements programs keep.
func (p BatchNormProblem) most(caps target.Caps) int {
	switch {
	case caps.WholeTiles:
		return softmaxWidest(caps)
	case scarce(caps):
		return batchEach / 2 * caps.FitThreads(256)
	}
	if p.Grad || p.adjacent() > 1 { // which take registers for two tensors, or for the sums of many channels
		return batchEach * caps.FitThreads(512)
	}
	return batchEach * caps.FitThreads(1024)
}

// kept are the sizes for channels that stay in registers, and whether they fit.
func (p BatchNormProblem) kept(caps target.Caps) (s BatchNormSizes, fits bool) {
	length, sizes := p.length(), reduceSizesFor(caps)
	usual := min(1024, sizes.Area)
	if caps.WholeTiles {
		usual = sizes.Area
	}
	usual = max(min(usual, pow2.Floor(countOf(p.X.Shape())/sizes.Programs)), 32)
	s.Columns = max(batchRun/max(p.Elem.Size(), 1), 1)
	if length < usual {
		s.Columns = max(s.Columns, usual/length)
	}
	s.Columns = min(s.Columns, p.adjacent())
	s.Area = max(length*s.Columns, usual)
	if !caps.WholeTiles {
		s.Threads = caps.FitThreads(min(max(s.Area/batchEach, 64), 1024))
	}
	return s, length <= p.most(caps) && s.Area <= p.most(caps)
}

// walked are the sizes for longer channels, each of which is a program's own.
func (p BatchNormProblem) walked(caps target.Caps) BatchNormSizes {
	sizes := reduceSizesFor(caps)
	return BatchNormSizes{Area: sizes.Area / 2, Columns: min(p.adjacent(), leastColumns), Threads: sizes.Threads}
}

// apart are the sizes of a pass that applies statistics.
func (p BatchNormProblem) apart(caps target.Caps) BatchNormSizes {
	sizes, count := reduceSizesFor(caps), countOf(p.X.Shape())
	s := BatchNormSizes{Apart: true, Area: sizes.Area / 2, Columns: min(p.adjacent(), 2*leastColumns), Threads: sizes.Threads}
	if caps.WholeTiles {
		s.Columns = min(p.adjacent(), s.Area)
	}
	s.Area = max(min(s.Area, pow2.Floor(2*count/sizes.Programs)), 32) // half of Programs run at a time
	if vector := loadBytes / max(p.Elem.Size(), 1); s.Area < vector*s.Threads {
		s.Threads = caps.FitThreads(s.Threads / 2)
		s.Area = max(s.Area, vector*s.Threads)
	}
	s.Steps = max(min(pow2.Floor(count/(s.Area*sizes.Programs)), batchStepped), 1)
	return s
}

func (p BatchNormProblem) List(caps target.Caps) []BatchNormSizes {
	kept, _ := p.kept(caps)
	list := []BatchNormSizes{p.Rule(caps)}
	for _, from := range []BatchNormSizes{kept, p.walked(caps), p.apart(caps)} {
		for c := range combinations(
			[]int{from.Threads, from.Threads / 2, 2 * from.Threads},
			[]int{from.Area, from.Area / 2, 2 * from.Area},
			[]int{from.Columns, from.Columns / 2, 2 * from.Columns},
			[]int{from.Steps, from.Steps / 2, 2 * from.Steps},
		) {
			if s := (BatchNormSizes{from.Apart, c[1], c[2], c[0], c[3]}); p.Legal(caps, s) == nil {
				list = appendNew(list, s)
			}
		}
	}
	return list
}

func (p BatchNormProblem) Legal(caps target.Caps, s BatchNormSizes) error {
	if err := checkTile(caps, s.Threads, s.Area, s.Columns); err != nil {
		return err
	}
	switch {
	case p.Given && !s.Apart:
		return fmt.Errorf("sums over channels whose statistics are given")
	case s.Apart && (s.Steps < 1 || s.Steps > 1<<10 || s.Steps&(s.Steps-1) != 0), !s.Apart && s.Steps != 0:
		return fmt.Errorf("%d tiles of a program", s.Steps)
	case s.Columns > p.adjacent():
		return fmt.Errorf("%d channels in a run, there are %d", s.Columns, p.adjacent())
	}
	if most := max(softmaxWidest(caps), 32*s.Threads); s.Area > most {
		return fmt.Errorf("a tile of %d elements, want at most %d", s.Area, most)
	}
	return checkArea(caps, s.Area, s.Threads)
}

// Config is the config by sizes, without weights, biases and running statistics.
func (p BatchNormProblem) Config(s BatchNormSizes) BatchNormConfig {
	rows, x := ReduceConfig{Elem: p.Elem, Rank: int(p.X.Rank), Reduced: p.Row, Threads: s.Threads}, p.X.Shape()
	rows.fillChannels(s, x)
	cfg := BatchNormConfig{Rows: rows, Steps: s.Steps}
	if !s.Apart {
		return cfg
	}
	cfg.Rows.Walk = [MaxRank]bool{}
	most := 0
	for d, n := range x {
		if tiles := CeilDiv(n, rows.Block[d]); rows.Reduced[d] && tiles > most {
			cfg.Rows.Split, most = d, tiles
		}
	}
	cfg.Steps = min(s.Steps, pow2.Floor(max(most, 1)))
	return cfg
}

// fillChannels spreads a tile over the dimensions of x: channels in runs of memory come first, as many as are read together. What applies statistics then takes
// what is next in memory, what adds up a channel as much of it as there is room for.
func (cfg *ReduceConfig) fillChannels(s BatchNormSizes, x []int) {
	last, room := len(x)-1, s.Area
	for d := range x {
		cfg.Block[d] = 1
	}
	grow := func(d, most int) {
		n := max(cfg.Block[d], min(pow2.Ceil(x[d]), cfg.Block[d]*room, most))
		room /= n / cfg.Block[d]
		cfg.Block[d] = n
	}
	if !cfg.Reduced[last] {
		grow(last, s.Columns)
	}
	for _, reduced := range []bool{true, false} {
		for d := last; d >= 0; d-- {
			if cfg.Reduced[d] == reduced || s.Apart && d < last {
				grow(d, s.Area)
			}
		}
	}
	for d := range x {
		cfg.Walk[d] = cfg.Reduced[d] && x[d] > cfg.Block[d]
	}
}

func (p BatchNormProblem) Work(_ target.Caps, s BatchNormSizes) tune.Work {
	cfg, tensors := p.Config(s), 1.0
	if p.Grad {
		tensors = 2
	}
	reads := tensors
	if cfg.Rows.Walks() || s.Apart && !p.Given {
		reads *= 2
	}
	x, area, programs := p.X.Shape(), 1, 1
	for d, n := range x {
		area *= cfg.Rows.Block[d]
		if !cfg.Rows.Walk[d] {
			programs *= CeilDiv(n, cfg.Rows.Block[d])
		}
	}
	w := streamWork(p.X, p.Elem, float64(countOf(x)), reads+1, max(programs/max(cfg.Steps, 1), 1), area, cfg.Rows.Block[cfg.Rows.Rank-1], s.Threads)
	w.Chain = 1 + max(cfg.Steps, 1)/2
	if cfg.Rows.Walks() {
		w.Chain = 1 + cfg.Rows.steps(x)/2
	}
	if s.Apart && !p.Given {
		w.Passes = 3
	}
	return w
}

// Needs are x, and dy of a gradient, once, and the result.
func (p BatchNormProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Read: bytesOf(p.Elem, p.X.With(p.From)), Written: bytesOf(p.Elem, p.X)}
	if p.Grad {
		n.Read += bytesOf(p.Elem, p.X.With(p.DY))
	}
	return n
}

func (p BatchNormProblem) Bucket() BatchNormProblem {
	p.X = p.X.Bucket()
	return p
}

func (p BatchNormProblem) Kernel(s BatchNormSizes) (*tile.Func, error) {
	cfg := p.Config(s)
	switch {
	case p.Grad && s.Apart:
		return BatchGradApply.Build(cfg)
	case p.Grad:
		return BatchGrad.Build(cfg)
	case s.Apart:
		return BatchApply.Build(cfg)
	}
	return BatchNorm.Build(cfg)
}
