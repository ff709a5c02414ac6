package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var concatTune = space[concatTrials]("concat")

type concatTrials struct{}

// Trial joins equal parts of a result, whose sizes along the dimension are what is left.
func (concatTrials) Trial(p kernels.ConcatProblem, r *trialTensors, rule kernels.MoveSizes) (*tune.Trial[kernels.MoveSizes], error) {
	out := r.empty(p.Elem, p.Out)
	var views []weft.TensorView
	left, inputs := p.Out.Size[p.Dim], int(p.Inputs)
	for i := range inputs {
		part := p.Out
		part.Size[p.Dim] = left / (inputs - i)
		if left -= part.Size[p.Dim]; part.Size[p.Dim] == 0 {
			part.Size[p.Dim] = 1
			out = nil
		}
		views = append(views, view(r.filled(p.Elem, part)))
	}
	if out == nil {
		return nil, tune.ErrNotNow
	}
	run := func(s kernels.MoveSizes) error {
		return kernels.Concat.LaunchViews(p.Config(s), nil, append(views[:inputs:inputs], view(out))...)
	}
	return newTrial(r, rule, run, tolerance{}, out)
}
