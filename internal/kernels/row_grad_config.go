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

// RowGradProblem is what the sizes of a gradient of rows depend on: the result in merged dimensions, which of them make up a row, and in which
// weights differ. Whether there are weights does not count, but whether their gradients are wanted does.
type RowGradProblem struct {
	Op    RowGradOp
	Elem  weft.DType
	X     tune.View // as the result is in memory
	Row   [MaxRank]bool
	Along [MaxRank]bool `json:",omitzero"`
	Sums  bool          `json:",omitzero"` // gradients of weights or biases are wanted
	From  tune.Strides  `json:",omitzero"` // of x itself, where they are not those of X
	DY    tune.Strides  `json:",omitzero"` // of dy
}

// RowGradPlan is how gradients of rows are computed.
type RowGradPlan struct {
	Config RowGradConfig
	Parts  int // of a row, if more than 1
	Folds  int // programs along the dimension in which sums are folded
}

const (
	gradEach  = 16 // elements of a row that a thread of a GPU keeps, of x and of the gradient and of two sums
	leastFold = 8  // tiles of rows whose sums a program adds up, at least, where there are enough: each program's sums are stored and read again
)

// rows are the sizes of a normalisation of such rows, which are shared in the same way.
func (p RowGradProblem) rows() NormProblem {
	return NormProblem{Elem: p.Elem, X: p.X, Row: p.Row, From: p.From}
}

// Rule is the launch rule. Rows that fit the registers of a workgroup are read once, and programs share long ones where a kernel may have as many views.
func (p RowGradProblem) Rule(caps target.Caps) NormSizes {
	s := p.sizes(caps)
	if p.checkViews(caps, s) != nil {
		s.Programs = 1
	}
	return s
}

// checkViews says why programs cannot share rows: the kernel that combines their parts has a view for each number of these.
func (p RowGradProblem) checkViews(caps target.Caps, s NormSizes) error {
	plan := p.Plan(s)
	views := 4 + len(plan.Config.States()) // x, dy, weight and the result
	if p.Sums {
		views += 2
	}
	return checkPartViews(caps, plan.Parts, views)
}

func (p RowGradProblem) sizes(caps target.Caps) NormSizes {
	s := p.rows().Rule(caps)
	s.Rest = 0
	if caps.WholeTiles {
		return s
	}
	length := p.rows().Length()
	if most := gradEach * caps.FitThreads(512); length > most {
		s.Threads = caps.FitThreads(256)
		s.Area = min(s.Area, gradEach/4*s.Threads) // each element has five numbers
		return s
	}
	s.Area = max(length, min(s.Area, 1024))
	s.Threads = caps.FitThreads(min(max(s.Area/gradEach, 64), 512))
	return s
}

func (p RowGradProblem) List(caps target.Caps) []NormSizes {
	chosen := p.Rule(caps)
	list := []NormSizes{chosen}
	for c := range combinations(
		[]int{chosen.Threads, chosen.Threads / 2, 2 * chosen.Threads},
		[]int{chosen.Area, chosen.Area / 2, chosen.Area / 4, 2 * chosen.Area, 4 * chosen.Area},
		[]int{chosen.Programs, chosen.Programs / 2, 2 * chosen.Programs},
	) {
		if s := (NormSizes{Threads: c[0], Area: c[1], Programs: c[2]}); p.Legal(caps, s) == nil {
			list = appendNew(list, s)
		}
	}
	return list
}

func (p RowGradProblem) Legal(caps target.Caps, s NormSizes) error {
	if s.Rest != 0 {
		return fmt.Errorf("a second tile of %d elements", s.Rest)
	}
	if err := p.checkViews(caps, s); err != nil {
		return err
	}
	return p.rows().Legal(caps, s)
}

// Plan is the plan by sizes, without weight and bias.
func (p RowGradProblem) Plan(s NormSizes) RowGradPlan {
	norm, parts := p.rows().Config(s)
	cfg := RowGradConfig{Op: p.Op, Rows: norm.Rows, Along: p.Along, Parts: norm.Parts}
	plan := RowGradPlan{Parts: parts}
	switch {
	case !p.Sums:
	case !cfg.WithinRows():
		cfg.Sums = SumsOfRows
	case cfg.Rows.Walks():
		cfg.Sums = SumsApart
	default:
		cfg.Sums = SumsFolded
		plan.Folds = cfg.foldFor(s, p.X.Shape())
	}
	plan.Config = cfg
	return plan
}

// foldFor chooses the dimension in which sums are folded, that of the most tiles, and how many programs there are along it: as many as fill the machine, if each
// has several tiles.
func (cfg *RowGradConfig) foldFor(s NormSizes, x []int) int {
	most, all := 0, 1
	for d, n := range x {
		if cfg.Rows.Reduced[d] {
			continue
		}
		tiles := CeilDiv(n, cfg.Rows.Block[d])
		all *= tiles
		if !cfg.Along[d] && tiles > most {
			cfg.Fold, most = d, tiles
		}
	}
	if most == 0 { // there is nothing to add up
		return 0
	}
	others, fill := all/most, s.Programs
	if s.Threads > 0 { // of Programs of 256 threads, a quarter run at a time by the registers that they take
		fill = max(s.Programs*64/s.Threads, 1)
	}
	return max(min(max(most/leastFold, min(CeilDiv(most, 2), CeilDiv(fill/2, others))), fill/others), 1)
}

// Elements is the number of elements of a row, rounded up in each dimension.
func (p RowGradProblem) Elements() int { return p.rows().Length() }

// FoldShape is the shape of folded sums.
func (p RowGradPlan) FoldShape(x []int) []int {
	shape := make([]int, len(x))
	for d, n := range x {
		switch {
		case p.Config.Along[d]:
			shape[d] = n
		case p.Config.Rows.Reduced[d]:
			shape[d] = 1
		case d == p.Config.Fold:
			shape[d] = p.Folds
		default:
			shape[d] = CeilDiv(n, p.Config.Rows.Block[d])
		}
	}
	return shape
}

func (p RowGradProblem) Work(_ target.Caps, s NormSizes) tune.Work {
	plan, times := p.Plan(s), 3.0
	if plan.Config.Rows.Walks() {
		times += 2
	}
	if plan.Config.Sums == SumsApart {
		times += 2
	}
	return reduceWork(plan.Config.Rows, p.X, plan.Parts, times)
}

// Needs are x and dy once, and the result.
func (p RowGradProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.X.With(p.From)) + bytesOf(p.Elem, p.X.With(p.DY)), Written: bytesOf(p.Elem, p.X)}
}

func (p RowGradProblem) Bucket() RowGradProblem {
	p.X = p.X.Bucket()
	return p
}

func (p RowGradProblem) Kernel(s NormSizes) (*tile.Func, error) {
	plan := p.Plan(s)
	if plan.Parts > 1 {
		return RowGradParts.Build(plan.Config)
	}
	return RowGrad.Build(plan.Config)
}

// NormSumsConfigFor chooses the config of sums of what shares a weight, for views of a shape in merged dimensions, and how many parts there are: of
// ReduceParts for the views of a normalisation, of ReduceCombine for parts.
func NormSumsConfigFor(caps target.Caps, elem weft.DType, pass ReducePass, x []int, along, row [MaxRank]bool) (cfg NormSumsConfig, parts int) {
	rows := ReduceConfig{Pass: pass, Elem: elem, Out: elem, Rank: len(x)}
	for d := range x {
		rows.Reduced[d] = !along[d]
	}
	s := reduceSizesFor(caps)
	rows.Threads = s.Threads
	area := s.Area / 2
	if pass == ReduceCombine {
		rows.fillColumns(caps, area, x)
		return NormSumsConfig{Rows: rows, Of: row}, 1
	}
	rows.fill(area, x)
	if rows.Walks() {
		parts = rows.share(s.Programs/max(rows.tiles(x), 1), x)
	}
	if parts <= 1 {
		parts, rows.Pass, rows.Split = 1, pass, slices.Index(rows.Reduced[:], true)
	}
	return NormSumsConfig{Rows: rows, Of: row}, parts
}

// fillColumns is fill for sums of few rows of many columns, which programs share: those of one read a transaction of memory of each row.
func (cfg *ReduceConfig) fillColumns(caps target.Caps, area int, x []int) {
	last, results := -1, 1
	for d, n := range x {
		if cfg.Block[d] = 1; !cfg.Reduced[d] {
			last, results = d, results*n
		}
	}
	room := area
	if last >= 0 {
		columns := area / 16
		if !caps.WholeTiles {
			columns = min(max(pow2.Floor(max(results/caps.Facts().Units, 1)), 8), 64)
		}
		cfg.Block[last] = min(columns, pow2.Ceil(x[last]))
		room /= cfg.Block[last]
	}
	for d := len(x) - 1; d >= 0; d-- {
		if cfg.Reduced[d] {
			cfg.Block[d] = min(pow2.Ceil(x[d]), room)
			room /= cfg.Block[d]
			cfg.Walk[d] = x[d] > cfg.Block[d]
		}
	}
}
