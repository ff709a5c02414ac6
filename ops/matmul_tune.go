package ops

import (
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
	return newTrial(r, rule, run, within(result, bounds.MatMulSum(rule.Precision, k, float64(k))), out)
}
