package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var padTune = space[padTrials]("pad")

type padTrials struct{}

// Trial pads by half of each dimension, or shifts by it.
func (padTrials) Trial(p kernels.PadProblem, r *trialTensors, rule kernels.MoveSizes) (*tune.Trial[kernels.MoveSizes], error) {
	from := p.Out
	starts, steps := make([]int, p.Out.Rank), make([]int, p.Out.Rank)
	for d := range starts {
		if !p.Padded[d] {
			continue
		}
		steps[d] = 2
		if p.Mode != kernels.PadWrap {
			from.Size[d] = max(from.Size[d]/2, 1)
		}
		starts[d] = from.Size[d] / 2
	}
	x, out := r.filled(p.Elem, from), r.empty(p.Elem, p.Out)
	views := []weft.TensorView{view(x), view(out)}
	if p.Tensor {
		words := 1
		if p.Halves {
			words = 2
		}
		views = []weft.TensorView{view(x), view(r.filled(p.Elem, tune.View{Rank: 1, Unit: true, Align: 16, Size: [5]int{words}})), view(out)}
	}
	value := weft.Scalars{3}
	if p.Halves {
		value = weft.Scalars{3, 0}
	}
	run := func(s kernels.MoveSizes) error {
		return kernels.Pad.LaunchViews(p.Config(s), p.Scalars(value, from.Shape(), starts, steps), views...)
	}
	return newTrial(r, rule, run, tolerance{}, out)
}
