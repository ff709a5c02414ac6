package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var normTune = space[normTrials]("norm")

type normTrials struct{}

// normEpsilon is that of races.
const normEpsilon = 1e-5

func (normTrials) Trial(p kernels.NormProblem, r *trialTensors, rule kernels.NormSizes) (*tune.Trial[kernels.NormSizes], error) {
	x, out := r.filled(p.Elem, p.X.With(p.From)), r.empty(p.Elem, p.X)
	views, results := []weft.TensorView{view(x)}, []*weft.Tensor{out}
	value, terms := r.valuesOf(x), 1
	if p.Residual {
		residual := r.filled(p.Elem, p.X)
		views = append(views, view(residual))
		value = sumOf(p.Elem, value, r.valuesOf(residual))
	}
	if p.Sum {
		sum := r.empty(p.Elem, p.X)
		views, results = append(views, view(sum)), append(results, sum)
	}
	views = append(views, view(out))
	run := func(s kernels.NormSizes) error {
		cfg, parts := p.Config(s)
		return launchNorm(cfg, parts, normEpsilon, views)
	}
	for d, n := range p.X.Shape() {
		if p.Row[d] {
			terms *= n
		}
	}
	r.exactly(terms, func(at []int) float64 {
		sum, squares := 0.0, 0.0
		for line := range linesOf(p.X.Shape(), p.Row, at) {
			v := value(line...)
			sum, squares = sum+v, squares+v*v
		}
		mean, n := sum/float64(terms), float64(terms)
		if p.RMS {
			mean = 0
		}
		return (value(at...) - mean) / math.Sqrt(squares/n-mean*mean+normEpsilon)
	})
	bound := bounds.Norm(p.Elem, p.Length(), 4, 4, 1, 0, 2)
	return newTrial(r, rule, run, within(p.Elem, bound), results...)
}

// sumOf is the sum of two tensors' numbers as their type has it.
func sumOf(elem weft.DType, x, y func(at ...int) float64) func(at ...int) float64 {
	return func(at ...int) float64 { return float64(dtype.Round(elem, x(at...)+y(at...))) }
}
