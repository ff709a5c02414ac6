package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var matMulTune = space[matMulTrials]("matmul")

type matMulTrials struct{}

func (matMulTrials) Trial(p kernels.MatMulProblem, r *trialTensors, rule MatMulConfig) (*tune.Trial[MatMulConfig], error) {
	m, n, k, batch := p.Sizes()
	a, b := r.filled(p.Elem, p.A), r.filled(p.Elem, p.B)
	result := rule.Out
	if p.Result.Valid() {
		result = p.Result
	}
	out := r.result(result, p.Out, append(batch, m, n)...)
	call := newProduct("matmul", nil, nil, nil)
	call.result, call.precision = result, p.Precision
	run := func(cfg MatMulConfig) error {
		return call.start([]weft.TensorView{view(a), view(b)}, []weft.TensorView{view(out)}, cfg)
	}
	x, y := r.valuesOf(a), r.valuesOf(b)
	r.exactly(k, func(at []int) float64 { return productAt(x, y, k, at) })
	return newTrial(r, rule, run, within(result, bounds.ProductSum(result, rule.Precision, k, float64(k))), out)
}

// productAt is an element of the product of matrices, or of batches of them.
func productAt(a, b func(at ...int) float64, k int, at []int) (sum float64) {
	last := len(at) - 1
	left, right := slices.Clone(at), slices.Clone(at)
	for i := range k {
		left[last], right[last-1] = i, i
		sum += a(left...) * b(right...)
	}
	return sum
}
