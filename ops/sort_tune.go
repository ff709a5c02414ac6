package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var sortTune = space[sortTrials]("sort")

type sortTrials struct{}

// Trial runs all kernels of the op, by all bits, since random elements differ in all. All sizes give the same elements.
func (sortTrials) Trial(p kernels.SortProblem, r *trialTensors, rule kernels.SortSizes) (*tune.Trial[kernels.SortSizes], error) {
	p.Low, p.Bits = 0, 0
	views, outs := []weft.TensorView{view(r.filled(p.Elem, p.X))}, []*weft.Tensor(nil)
	if p.Values {
		outs = append(outs, r.dense(p.Elem, p.X.Shape()...))
	}
	if p.Indices {
		outs = append(outs, r.dense(weft.I32, p.X.Shape()...))
	}
	for _, t := range outs {
		views = append(views, view(t))
	}
	return newTrial(r, rule, func(s kernels.SortSizes) error { return runSort(p, s, views) }, tolerance{}, outs...)
}
