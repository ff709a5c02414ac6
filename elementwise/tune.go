package elementwise

import (
	"fmt"
	"iter"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Problem is what the config of a map depends on: its function, by name, and its tensors in merged dimensions. Of the
// inputs the first that crosses the output counts (see Crossing), or the first of all.
type Problem struct {
	Map       string
	Elem, Out dtype.Type
	Inputs    int // that are tensors
	Repeats   int `json:",omitempty"` // of them, that repeat elements along a dimension
	In, To    tune.View
	Others    int8 `json:",omitempty"` // the least View.Align of the other inputs where that is less than In's, -1 if elements of one are not neighbours
}

// NewProblem is the problem of a map of a name, of element types and of merged layouts, the output last.
func NewProblem(name string, elem, out dtype.Type, layouts []layout.Layout) Problem {
	if len(layouts) == 0 {
		layouts = make([]layout.Layout, 1)
	}
	last := len(layouts) - 1
	p := Problem{Map: name, Elem: elem, Out: out, Inputs: last, In: tune.ViewOf(layouts[0]), To: tune.ViewOf(layouts[last])}
	for _, l := range layouts[:last] {
		if tune.ViewOf(l).Repeat != 0 {
			p.Repeats++
		}
	}
	for _, l := range layouts[:last] {
		if Crossing([]layout.Layout{l}) >= 0 {
			p.In = tune.ViewOf(l)
			break
		}
	}
	least := p.In.Align
	for _, l := range layouts[:last] {
		if v := tune.ViewOf(l); !v.Unit && p.In.Unit {
			least = -1
		} else {
			least = min(least, v.Align)
		}
	}
	if least < p.In.Align {
		p.Others = least
	}
	return p
}

// layouts are some of the input's and the output's kind.
func (p Problem) layouts() []layout.Layout {
	in, _, _ := p.In.Layout() // sizes of tensors that there are
	to, _, _ := p.To.Layout()
	return []layout.Layout{in, to}
}

// Tune is the search space of maps.
var Tune = &tune.Space[Problem, Config]{
	Op: "map",
	List: func(caps target.Caps, p Problem) iter.Seq[Config] {
		return Configs(caps, p.Elem, p.Out, p.layouts()...)
	},
	Legal: func(caps target.Caps, p Problem, cfg Config) error {
		if cfg.Elem != p.Elem || cfg.Out != p.Out || cfg.Rank != int(p.To.Rank) || cfg.Numbers != 0 {
			return fmt.Errorf("the config is for %v to %v in %s", cfg.Elem, cfg.Out, fault.Count(cfg.Rank, "dimension"))
		}
		return cfg.legal(caps, Crossing(p.layouts()) >= 0)
	},
	Rule: func(caps target.Caps, p Problem) Config {
		return ConfigFor(caps, p.Elem, p.Out, p.layouts()...)
	},
	Work: func(_ target.Caps, p Problem, cfg Config) tune.Work { return cfg.work(p) },
	Needs: func(_ target.Caps, p Problem) tune.Needs {
		elements := float64(p.To.Elements())
		return tune.Needs{Read: elements * float64((p.Inputs-p.Repeats)*p.Elem.Size()), Written: elements * float64(p.Out.Size())}
	},
	Bucket: func(p Problem) Problem {
		p.In, p.To = p.In.Bucket(), p.To.Bucket()
		return p
	},
}

// legal says why a config is refused.
func (cfg Config) legal(caps target.Caps, crossed bool) error {
	area := 1
	for d, n := range cfg.Block {
		switch {
		case d >= cfg.Rank && n != 0:
			return fmt.Errorf("a block %v, want %s", cfg.Block, fault.Count(cfg.Rank, "dimension"))
		case d < cfg.Rank && (n <= 0 || n&(n-1) != 0 || n > 1<<16):
			return fmt.Errorf("a side of %d, want a power of two up to 2^16", n)
		case d < cfg.Rank:
			area = min(area*n, 1<<20)
		}
	}
	n := cfg.Threads
	switch {
	case caps.WholeTiles && n != 0:
		return fmt.Errorf("%d threads, want 0 for the interpreter", n)
	case caps.WholeTiles && area > 1<<16, !caps.WholeTiles && area > 1<<15:
		return fmt.Errorf("a tile of %d elements is too large", area)
	case !caps.WholeTiles && (n <= 0 || caps.FitThreads(n) != n || n&(n-1) != 0):
		return fmt.Errorf("%d threads, want a power of two that the device allows", n)
	case crossed && caps.SharedBytes > 0 && area*plan.ExchangeElem(caps, cfg.Elem).Size() > caps.SharedBytes:
		return fmt.Errorf("a tile of %d elements does not fit %d bytes of shared memory", area, caps.SharedBytes)
	}
	return nil
}

// work is what a config makes a machine do.
func (cfg Config) work(p Problem) tune.Work {
	programs, area := 1, 1
	for d := range cfg.Rank {
		side := max(cfg.Block[d], 1)
		area *= side
		programs *= (p.To.Size[d] + side - 1) / side
	}
	elements := float64(programs * area)
	w := tune.Work{
		Programs: programs, Threads: cfg.Threads, Flops: 8 * elements,
		Memory: elements * float64((p.Inputs-p.Repeats)*cfg.Elem.Size()+cfg.Out.Size()),
		Cache:  elements * float64(p.Inputs*cfg.Elem.Size()+cfg.Out.Size()),
	}
	if cfg.Threads > 0 {
		each := max(area/cfg.Threads, 1)
		w.Registers, w.Flight = 16+each*max(p.Inputs, 1), each*cfg.Elem.Size()
		w.Access = min(vectorBytes, each*cfg.Elem.Size(), int(p.To.Align)*cfg.Elem.Size())
	}
	if Crossing(p.layouts()) >= 0 {
		w.Staged = 2 * elements * float64(plan.SharedElem(cfg.Elem).Size())
	}
	return w
}
