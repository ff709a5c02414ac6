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

// LossProblem is what the sizes of cross-entropies depend on: x in merged dimensions, one of which has the classes, and what is stored of rows.
type LossProblem struct {
	LossTerms
	Elem                        weft.DType
	X                           tune.View
	Row                         [MaxRank]bool
	Loss, LogSum, Counted, Mass bool
}

// LossPlan is how cross-entropies are computed.
type LossPlan struct {
	Config LossConfig
	Parts  int // of a row, if more than 1
}

// config is the config without sizes.
func (p LossProblem) config() LossConfig {
	return LossConfig{LossTerms: p.LossTerms, Loss: p.Loss, LogSum: p.LogSum, Counted: p.Counted, Mass: p.Mass}
}

// rows are the sizes of a reduction of such rows, which are walked and shared in the same way. Rows of which one element is read are of that one.
func (p LossProblem) rows() ReduceProblem {
	r := ReduceProblem{Op: ReduceLogSumExp, Elem: p.Elem, X: p.X, Reduced: p.Row}
	if !p.config().Walked() {
		r.X.Size[p.Class()] = 1
	}
	return r
}

// Class is the dimension of the classes.
func (p LossProblem) Class() int { return slices.Index(p.Row[:], true) }

// Rule is the launch rule. Programs share long rows where a kernel may have as many views.
func (p LossProblem) Rule(caps target.Caps) ReduceSizes {
	s := p.rows().Rule(caps)
	if p.checkViews(caps, s) != nil {
		s.Programs = 1
	}
	return s
}

// checkViews says why programs cannot share rows: the kernel that combines their parts has a view for each number of these.
func (p LossProblem) checkViews(caps target.Caps, s ReduceSizes) error {
	plan := p.Plan(s)
	if plan.Parts == 1 || caps.MaxBindings == 0 {
		return nil
	}
	cfg := plan.Config
	cfg.Rows.Pass = ReduceCombine
	views, in := len(cfg.States()), cfg.Inputs()
	for _, there := range []bool{in.X, in.Targets, in.Weights, in.Total, p.Loss, p.LogSum, p.Counted, p.Mass} {
		if there {
			views++
		}
	}
	if views > caps.MaxBindings {
		return fmt.Errorf("rows in %d parts take %d views, the device has %d", plan.Parts, views, caps.MaxBindings)
	}
	return nil
}

func (p LossProblem) List(caps target.Caps) []ReduceSizes { return p.rows().List(caps) }

func (p LossProblem) Legal(caps target.Caps, s ReduceSizes) error {
	if err := p.checkViews(caps, s); err != nil {
		return err
	}
	return s.legal(caps)
}

// Plan is the plan by sizes.
func (p LossProblem) Plan(s ReduceSizes) LossPlan {
	plan := LossPlan{Config: p.config()}
	plan.Config.Rows, plan.Parts = p.rows().Config(s)
	plan.Config.Rows.Op, plan.Config.Rows.Out = 0, 0
	return plan
}

// Combine is the config that combines the parts of rows: a program has those of one row, in one tile.
func (p LossPlan) Combine(caps target.Caps) LossConfig {
	cfg := p.Config
	r := &cfg.Rows
	for d := range r.Rank {
		r.Block[d] = 1
	}
	r.Pass, r.Walk, r.Block[r.Split], r.Split = ReduceCombine, [MaxRank]bool{}, partsTile(p.Parts, 64), 0
	if !caps.WholeTiles {
		r.Threads = caps.FitThreads(min(max(r.Block[slices.Index(r.Reduced[:], true)]/4, 32), 256))
	}
	return cfg
}

// shares is how many tensors of the size of x are read.
func (p LossProblem) shares() float64 {
	if !p.Index.Valid() {
		return 2
	}
	return 1
}

func (p LossProblem) Work(_ target.Caps, s ReduceSizes) tune.Work {
	rows := p.rows()
	cfg, parts := rows.Config(s)
	return reduceWork(cfg, rows.X, parts, p.shares())
}

// Needs are the tensors that are read once; of rows of which one element is read, no more than that.
func (p LossProblem) Needs(target.Caps) tune.Needs {
	rows := p.rows()
	count, _ := rows.Result()
	return tune.Needs{Read: p.shares() * bytesOf(p.Elem, rows.X), Written: float64(wide(p.Elem).Size() * countOf(count))}
}

func (p LossProblem) Bucket() LossProblem {
	p.X = p.X.Bucket()
	return p
}

func (p LossProblem) Kernel(s ReduceSizes) (*tile.Func, error) { return Loss.Build(p.Plan(s).Config) }

// LossGradProblem is what the sizes of gradients of cross-entropies depend on: the gradient in merged dimensions, one of which has the classes.
type LossGradProblem struct {
	LossTerms
	Elem weft.DType
	X    tune.View // as the result is in memory
	Row  [MaxRank]bool
	From tune.Strides `json:",omitzero"` // of x itself, where they are not those of X
}

// LossGradSizes are what is chosen for a device.
type LossGradSizes struct {
	Area    int // elements of a tile
	Threads int // of a workgroup; 0 lets the compiler choose
}

// Rule is the launch rule. A thread of a GPU has a few vectors, if there are elements for all threads that run at a time: what rows have in common is read
// once for all of them.
func (p LossGradProblem) Rule(caps target.Caps) LossGradSizes {
	if caps.WholeTiles {
		return LossGradSizes{Area: 1 << 15}
	}
	s := LossGradSizes{Threads: caps.FitThreads(256)}
	if scarce(caps) {
		s.Threads = caps.FitThreads(64)
	}
	s.Area = s.Threads * max(loadBytes/p.Elem.Size(), 1)
	room, elements := caps.Facts().Room(s.Threads), p.X.Elements()
	for each := 16; !scarce(caps) && s.Area < each*s.Threads && elements >= 4*s.Area*room; {
		s.Area *= 2
	}
	for s.Area > s.Threads && elements < s.Area*room {
		s.Area /= 2
	}
	return s
}

func (p LossGradProblem) List(caps target.Caps) []LossGradSizes {
	list := []LossGradSizes{p.Rule(caps)}
	for c := range combinations([]int{64, 128, 256, 512}, []int{4, 8, 16, 32}) {
		s := LossGradSizes{Area: c[0] * c[1], Threads: c[0]}
		if caps.WholeTiles {
			s = LossGradSizes{Area: s.Area * 8}
		}
		list = appendNew(list, s)
	}
	return list
}

func (p LossGradProblem) Legal(caps target.Caps, s LossGradSizes) error {
	if err := checkTile(caps, s.Threads, s.Area); err != nil {
		return err
	}
	return checkArea(caps, s.Area, s.Threads)
}

// Config is the config by sizes. Tiles have neighbours along the last dimension first, and then classes.
func (p LossGradProblem) Config(s LossGradSizes) LossGradConfig {
	shape := ReduceConfig{Rank: int(p.X.Rank), Reduced: p.Row}
	shape.fill(max(s.Area, s.Threads, 32), p.X.Shape())
	cfg := LossGradConfig{LossTerms: p.LossTerms, Elem: p.Elem, Rank: int(p.X.Rank), Class: slices.Index(p.Row[:], true), Block: shape.Block, Threads: s.Threads}
	if area := countOf(shape.Block[:cfg.Rank]); area < s.Threads { // that of a workgroup at least
		cfg.Block[0] *= pow2.Ceil(CeilDiv(s.Threads, area))
	}
	return cfg
}

func (p LossGradProblem) programs(cfg LossGradConfig) int {
	n := 1
	for d, size := range p.X.Shape() {
		n *= CeilDiv(size, cfg.Block[d])
	}
	return n
}

func (p LossGradProblem) Work(_ target.Caps, s LossGradSizes) tune.Work {
	cfg := p.Config(s)
	area, programs := countOf(cfg.Block[:cfg.Rank]), p.programs(cfg)
	w := streamWork(p.X, p.Elem, float64(programs)*float64(area), p.tensors(), programs, area, cfg.Block[cfg.Rank-1], s.Threads)
	w.Flops *= 2
	w.Chain = 2 // targets come before what depends on them
	return w
}

// tensors is how many tensors of the size of x are read and written.
func (p LossGradProblem) tensors() float64 {
	n := 1.0
	if !p.Log {
		n++
	}
	if !p.Index.Valid() {
		n++
	}
	return n
}

func (p LossGradProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: (p.tensors() - 1) * bytesOf(p.Elem, p.X), Written: bytesOf(p.Elem, p.X)}
}

func (p LossGradProblem) Bucket() LossGradProblem {
	p.X = p.X.Bucket()
	return p
}

func (p LossGradProblem) Kernel(s LossGradSizes) (*tile.Func, error) {
	return LossGrad.Build(p.Config(s))
}
