package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var histogramTune = space[histogramTrials]("histogram")

type histogramTrials struct{}

// Trial runs all kernels of the op. Weights are all 1, so that sums do not depend on their order.
func (histogramTrials) Trial(p kernels.HistogramProblem, r *trialTensors, rule kernels.HistogramSizes) (*tune.Trial[kernels.HistogramSizes], error) {
	o := countOptions{given: given{op: "histogram"}, ranges: p.Ranges, lo: -1, hi: 1, bins: p.Bins, weight: p.Weight}
	views := []weft.TensorView{view(r.filled(p.Elem, p.X))}
	if p.Weight.Valid() {
		w := r.empty(p.Weight, p.X.With(p.Weights))
		if r.err == nil {
			r.err = w.Fill(1)
		}
		views = append(views, view(w))
	}
	out := r.dense(kernels.HistogramSum(p.Weight), p.Bins)
	return newTrial(r, rule, func(s kernels.HistogramSizes) error { return o.run(p, s, views, out) }, tolerance{}, out)
}
