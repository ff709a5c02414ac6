package ops

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// reduceProblem is what the sizes of a reduction depend on: x in merged dimensions, and which
// of them are reduced.
type reduceProblem struct {
	Op      ReduceOp
	Elem    weft.DType
	X       tune.View
	Reduced [maxRank]bool
}

// layout is one of x, and result that of the result, which has size 1 where x is reduced.
func (p reduceProblem) layout() layout.Layout {
	l, _, _ := p.X.Layout() // sizes of a tensor that there is
	return l
}

func (p reduceProblem) rule(caps target.Caps) reduceSizes {
	return reduceRule(caps, p.Elem, p.layout(), p.Reduced)
}

func (p reduceProblem) result() []int {
	shape := p.X.Shape()
	for d := range shape {
		if p.Reduced[d] {
			shape[d] = 1
		}
	}
	return shape
}

var reduceTune = &tune.Space[reduceProblem, reduceSizes]{
	Op: "reduce",
	List: func(caps target.Caps, p reduceProblem) iter.Seq[reduceSizes] {
		return slices.Values(reduceSpace(caps, p.Elem, p.layout(), p.Reduced))
	},
	Legal: func(caps target.Caps, p reduceProblem, s reduceSizes) error { return s.legal(caps) },
	Rule:  func(caps target.Caps, p reduceProblem) reduceSizes { return p.rule(caps) },
	Work: func(_ target.Caps, p reduceProblem, s reduceSizes) tune.Work {
		cfg, parts := s.config(p.Op, p.Elem, p.layout(), p.Reduced)
		return reduceWork(cfg, p.X, parts, 1)
	},
	Bucket: func(p reduceProblem) reduceProblem {
		p.X = p.X.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p reduceProblem, s reduceSizes) (*tile.Func, error) {
		cfg, _ := s.config(p.Op, p.Elem, p.layout(), p.Reduced)
		return ReduceKernel.Build(cfg)
	},
}

func (p reduceProblem) trial(r *trialTensors) (*tune.Trial[reduceSizes], error) {
	x, out := r.filled(p.Elem, p.X), r.dense(p.Op.result(p.Elem), p.result()...)
	run := func(s reduceSizes) error {
		cfg, parts := s.config(p.Op, p.Elem, x.Layout(), p.Reduced)
		call := reduction{op: p.Op, divisor: float64(x.Len() / max(out.Len(), 1))}
		return call.launch(cfg, parts, []weft.TensorView{view(x)}, view(out))
	}
	return newTrial(r, p.rule(r.dev.Caps()), run, p.tolerance(), out)
}

// tolerance is that of sums of numbers up to 1 in magnitude.
func (p reduceProblem) tolerance() tolerance {
	count := 1
	for d, n := range p.X.Shape() {
		if p.Reduced[d] {
			count *= n
		}
	}
	sum := sumBound(count) * float64(count)
	if p.Op == ReduceMean || p.Op == ReduceVar {
		sum = 4 * sumBound(count)
	}
	return within(p.Op.result(p.Elem), sum)
}

// legal says why sizes are refused.
func (s reduceSizes) legal(caps target.Caps) error {
	if err := checkThreads(caps, s.Threads); err != nil {
		return err
	}
	if err := checkPowers(s.Area); err != nil {
		return err
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs", s.Programs)
	}
	return checkArea(caps, s.Area, s.Threads)
}
