package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// WindowSizes are what is chosen for a device.
type WindowSizes struct {
	Area    int // elements of a tile of the result
	Threads int // of a workgroup; 0 lets the compiler choose
}

// Results of a tile of the CPU: fewer where there would be too few tiles for all cores, down to some vectors of them.
const windowMost, windowLeast = 1 << 12, 64

// WindowProblem is what the sizes depend on: x and the result in merged dimensions.
type WindowProblem struct {
	Op      ReduceOp
	Elem    weft.DType
	Result  weft.DType
	Shape   WindowShape
	Chosen  bool
	Each    bool
	Places  bool `json:",omitzero"`
	X       tune.View
	Out     [MaxRank]int
	Strides tune.Strides `json:",omitzero"` // of the result, where it is not dense
}

func (p WindowProblem) outs() []int { return p.Out[:p.X.Rank] }

// Rule is the launch rule. A thread of a GPU has a few results, whose loads are outstanding together, as long as there are results for all threads that run at a time.
func (p WindowProblem) Rule(caps target.Caps) WindowSizes {
	if caps.WholeTiles {
		s := WindowSizes{Area: windowMost}
		for s.Area > windowLeast && countOf(p.outs()) < s.Area*caps.Facts().Units {
			s.Area /= 2
		}
		return s
	}
	s := WindowSizes{Threads: caps.FitThreads(128)}
	if scarce(caps) {
		s.Threads = caps.FitThreads(64)
	}
	s.Area = s.Threads
	for each := 2; each <= 4 && !scarce(caps) && countOf(p.outs()) >= each*s.Threads*caps.Facts().Room(s.Threads); each *= 2 {
		s.Area = each * s.Threads
	}
	return s
}

func (p WindowProblem) List(caps target.Caps) []WindowSizes {
	rule := p.Rule(caps)
	list := []WindowSizes{rule}
	for c := range combinations([]int{64, 128, 256}, []int{1, 2, 4, 8}) {
		s := WindowSizes{Area: c[0] * c[1], Threads: c[0]}
		if caps.WholeTiles {
			s = WindowSizes{Area: s.Area * 16}
		}
		list = appendNew(list, s)
	}
	return list
}

func (p WindowProblem) Legal(caps target.Caps, s WindowSizes) error {
	if err := checkTile(caps, s.Threads, s.Area); err != nil {
		return err
	}
	if s.Area < s.Threads {
		return fmt.Errorf("a tile of %d for %d threads", s.Area, s.Threads)
	}
	return checkArea(caps, s.Area, s.Threads)
}

// Config is the config by sizes: a tile has neighbours along the last dimension first.
func (p WindowProblem) Config(s WindowSizes) WindowConfig {
	cfg := WindowConfig{Op: p.Op, Elem: p.Elem, Out: p.Result, Rank: int(p.X.Rank), Shape: p.Shape, Chosen: p.Chosen, Each: p.Each, Places: p.Places, Thread: s.Threads}
	room := s.Area
	for d := cfg.Rank - 1; d >= 0; d-- {
		cfg.Block[d] = min(pow2.Ceil(max(p.Out[d], 1)), room)
		room /= cfg.Block[d]
	}
	if s.Threads > 0 {
		cfg.Block[0] *= room // the area is that of a workgroup at least
	}
	return cfg
}

// programs is how many tiles the result has, and how many elements they hold.
func (p WindowProblem) programs(cfg WindowConfig) (programs int, elements float64) {
	programs, area := 1, 1
	for d, n := range p.outs() {
		programs *= CeilDiv(n, cfg.Block[d])
		area *= cfg.Block[d]
	}
	return programs, float64(programs) * float64(area)
}

func (p WindowProblem) Work(_ target.Caps, s WindowSizes) tune.Work {
	cfg := p.Config(s)
	programs, elements := p.programs(cfg)
	w := streamWork(p.X, p.Elem, elements, 1, programs, s.Area, cfg.Block[cfg.Rank-1], s.Threads)
	places := float64(cfg.places())
	w.Flops, w.Cache = 8*places*elements, places*w.Cache
	w.Chain = 1 + cfg.places()/unrolledPlaces
	return w
}

func (p WindowProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Read: bytesOf(p.Elem, p.X), Written: float64(p.Result.Size()) * float64(countOf(p.outs()))}
	if p.Places {
		n.Written += 4 * float64(countOf(p.outs()))
	}
	if p.Chosen {
		n.Read += 4 * float64(p.X.Elements())
	}
	return n
}

func (p WindowProblem) Bucket() WindowProblem {
	p.X = p.X.Bucket()
	for d := range p.outs() {
		p.Out[d] = tune.Bucket(p.Out[d])
	}
	return p
}

func (p WindowProblem) Kernel(s WindowSizes) (*tile.Func, error) { return Window.Build(p.Config(s)) }
