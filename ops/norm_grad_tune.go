package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var rowGradTune = space[rowGradTrials]("row_grad")

type rowGradTrials struct{}

func (rowGradTrials) Trial(p kernels.RowGradProblem, r *trialTensors, rule kernels.NormSizes) (*tune.Trial[kernels.NormSizes], error) {
	x, dy, out := r.filled(p.Elem, p.X.With(p.From)), r.filled(p.Elem, p.X.With(p.DY)), r.empty(p.Elem, p.X)
	weights := p.X.Shape()
	terms := 1
	for d := range weights {
		if p.Row[d] {
			terms *= weights[d]
		}
		if !p.Along[d] {
			weights[d] = 1
		}
	}
	call := normGradCall{op: p.Op, epsilon: normEpsilon}
	var sums []weft.TensorView
	results := []*weft.Tensor{out}
	if p.Sums {
		call.dweight = r.dense(p.Elem, weights...)
		sums = []weft.TensorView{view(call.dweight)}
		results = append(results, call.dweight)
	}
	run := func(s kernels.NormSizes) error {
		if p.Op == kernels.GradSoftmax || p.Op == kernels.GradLogSoftmax {
			return launchRowGrad(p.Plan(s), nil, []weft.TensorView{view(x), view(dy)}, nil, nil, view(out))
		}
		g := normGradRun{call: &call, plan: p.Plan(s), shape: p.X.Shape(), row: p.Row, views: []weft.TensorView{view(x), view(dy), view(out)}, sums: sums}
		return g.run()
	}
	value, grad := r.valuesOf(x), r.valuesOf(dy)
	r.exactly(terms, func(at []int) float64 {
		rows := make([][2]float64, 0, terms)
		for line := range linesOf(p.X.Shape(), p.Row, at) {
			rows = append(rows, [2]float64{value(line...), grad(line...)})
		}
		return rowGradOf(p.Op, rows, [2]float64{value(at...), grad(at...)}, normEpsilon)
	})
	n := p.X.Elements()
	row := bounds.NormRow{N: p.Elements(), Gradient: 1, Product: 2, Scale: 4, Size: 1}
	bound := max(bounds.NormGrad(p.Elem, row, 4, 1, 4), bounds.NormWeightGrad(p.Elem, n/max(terms, 1), row, 1, 2*float64(n/max(terms, 1)), float64(n)))
	return newTrial(r, rule, run, within(p.Elem, bound), results...)
}

// rowGradOf is the gradient of one element of a row of elements and their gradients.
func rowGradOf(op kernels.RowGradOp, row [][2]float64, at [2]float64, epsilon float64) float64 {
	n, sum, squares, slope, product := float64(len(row)), 0.0, 0.0, 0.0, 0.0
	for _, e := range row {
		sum, squares, slope, product = sum+e[0], squares+e[0]*e[0], slope+e[1], product+e[0]*e[1]
	}
	switch op {
	case kernels.GradSoftmax:
		return at[0] * (at[1] - product)
	case kernels.GradLogSoftmax:
		return at[1] - math.Exp(at[0])*slope
	case kernels.GradRMS:
		sum, slope = 0, 0
	}
	mean, slope := sum/n, slope/n
	scale := 1 / math.Sqrt(squares/n-mean*mean+epsilon)
	normal := (at[0] - mean) * scale
	return scale * (at[1] - slope - normal*scale*(product/n-mean*slope))
}
