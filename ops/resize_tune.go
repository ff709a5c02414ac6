package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var resizeTune = space[resizeTrials]("resize")

type resizeTrials struct{}

// Trial resizes by the ratio of the sizes.
func (resizeTrials) Trial(p kernels.ResizeProblem, r *trialTensors, rule kernels.MoveSizes) (*tune.Trial[kernels.MoveSizes], error) {
	rank := int(p.Out.Rank)
	lines, reach, terms := make([]kernels.ResizeLine, rank), make([]int, rank), 1
	from := p.Out
	for d := range rank {
		from.Size[d] = p.From[d]
		n, m, mode := p.From[d], p.Out.Size[d], kernels.ResizeLinear
		if p.Grad {
			n, m = m, n
		}
		if p.Taps[d] == 1 {
			mode = kernels.ResizeNearest
		}
		lines[d], _ = kernels.ResizeLineOf(mode, false, n, m, n, m)
		reach[d] = 1 + m/n
		terms *= max(int(p.Taps[d]), 1) * max(reach[d], 1)
	}
	x, out := r.filled(p.Elem, from), r.empty(p.Elem, p.Out)
	scalars := p.Scalars(lines)
	if p.Grad {
		scalars = p.GradScalars(lines, reach)
	}
	run := func(s kernels.MoveSizes) error {
		return kernels.ResizeKernels[p.Grad].LaunchViews(p.Config(s), scalars, []weft.TensorView{view(x), view(out)}...)
	}
	if p.Elem.IsFloat() {
		return newTrial(r, rule, run, within(p.Elem, bounds.RelativeSum(terms)*float64(terms)), out)
	}
	return newTrial(r, rule, run, tolerance{}, out)
}
