package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var batchNormTune = space[batchNormTrials]("batch_norm")

type batchNormTrials struct{}

// The statistics that are given in races of gradients.
const (
	trialMean     = 0.25
	trialVariance = 0.5
)

func (batchNormTrials) Trial(p kernels.BatchNormProblem, r *trialTensors, rule kernels.BatchNormSizes) (*tune.Trial[kernels.BatchNormSizes], error) {
	x, out := r.filled(p.Elem, p.X.With(p.From)), r.empty(p.Elem, p.X)
	value, gradient := r.valuesOf(x), func(at ...int) float64 { return 0 }
	like, results := []weft.TensorView{view(x)}, []*weft.Tensor{out}
	if p.Grad {
		dy := r.filled(p.Elem, p.X.With(p.DY))
		like, gradient = append(like, view(dy)), r.valuesOf(dy)
	}
	sums, n, terms := p.Elem.Accumulator(), 1, 1
	for d, size := range p.X.Shape() {
		if p.Row[d] {
			terms *= size
		} else {
			n *= size
		}
	}
	run := &batchRun{problem: p, epsilon: normEpsilon, mean: r.dense(sums, n), variance: r.dense(sums, n), views: batchViews{append(like, view(out)), p.Row}}
	run.byX = func() (batchViews, error) { return batchViews{like, p.Row}, nil }
	switch {
	case p.Grad:
		run.dweight, run.dbias = r.dense(p.Elem, n), r.dense(p.Elem, n)
		results = append(results, run.dweight, run.dbias)
	case !p.Given:
		results = append(results, run.mean, run.variance)
	}
	if r.err == nil && (p.Grad || p.Given) {
		if r.err = run.mean.Fill(trialMean); r.err == nil {
			r.err = run.variance.Fill(trialVariance)
		}
	}
	r.exactly(terms, func(at []int) float64 {
		row := make([][2]float64, 0, terms)
		for line := range linesOf(p.X.Shape(), p.Row, at) {
			row = append(row, [2]float64{value(line...), gradient(line...)})
		}
		return batchNormOf(p, row, [2]float64{value(at...), gradient(at...)})
	})
	bound := bounds.Norm(p.Elem, terms, 4, 4, 1, 0, 2)
	if p.Grad {
		row := bounds.NormRow{N: terms, Gradient: 1, Product: 2, Scale: 2}
		bound = max(bounds.BatchNormGrad(p.Elem, row, 8, 1, 2), bounds.BatchNormWeightGrad(p.Elem, terms, float64(terms), 2*float64(terms)))
	}
	launch := func(s kernels.BatchNormSizes) error {
		call := *run // which keeps tensors of its own
		defer func() { call.close() }()
		return call.run(s)
	}
	return newTrial(r, rule, launch, within(p.Elem, bound), results...)
}

// batchNormOf is one element of the result, of those of its channel and their gradients.
func batchNormOf(p kernels.BatchNormProblem, row [][2]float64, at [2]float64) float64 {
	n, mean, variance := float64(len(row)), trialMean, trialVariance
	if !p.Grad && !p.Given {
		sum, squares := 0.0, 0.0
		for _, e := range row {
			sum, squares = sum+e[0], squares+e[0]*e[0]
		}
		mean = sum / n
		variance = squares/n - mean*mean
	}
	scale := 1 / math.Sqrt(variance+normEpsilon)
	normal := func(x float64) float64 { return (x - mean) * scale }
	if !p.Grad {
		return normal(at[0])
	}
	total, dot := 0.0, 0.0
	for _, e := range row {
		total, dot = total+e[1], dot+e[1]*normal(e[0])
	}
	return scale * (at[1] - total/n - normal(at[0])*dot/n)
}
