package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// matMulProblem is what the config of a product depends on: its operands […,M,K] and […,K,N]. What is fused
// after it does not count.
type matMulProblem struct {
	Elem      weft.DType
	Precision tile.Precision `json:",omitempty"` // of F32
	A, B      tune.View
}

// config is what of a config follows from the problem alone.
func (p matMulProblem) config() kernels.MatMulConfig {
	cfg := kernels.NewMatMulConfig(p.Elem, int(p.A.Rank)-2)
	if p.Elem == weft.F32 {
		cfg.Precision = p.Precision
	}
	return cfg
}

// capsFor are a device's capabilities as far as the operands can use them: instructions on elements that are not of 16 bits
// take what tensor maps copy only along K, but for a left operand whose words threads load.
func (p matMulProblem) capsFor(caps target.Caps) target.Caps {
	a, b := p.alongSums()
	fit := p.Elem.Size() == 2 || (a || p.config().LoadsWords()) && b
	caps.TensorMaps = caps.TensorMaps && fit && kernels.TakesMap(p.Elem, p.A) && kernels.TakesMap(p.Elem, p.B)
	return caps
}

// alongSums reports which operands are K-major.
func (p matMulProblem) alongSums() (a, b bool) {
	r := p.A.Rank
	return p.A.Order[r-1] == r-1, p.B.Order[r-1] == r-2
}

// Rule is the rule. Threads that load words are no ping-pong consumers, since no products are outstanding meanwhile, and have 64 rows each: they load
// a word for each row.
func (p matMulProblem) Rule(caps target.Caps) kernels.MatMulConfig {
	m, n, k, batch := p.sizes()
	caps = p.capsFor(caps)
	cfg := kernels.CompleteMatMul(caps, p.config(), m, n, k, batch...)
	if a, _ := p.alongSums(); !a && cfg.LoadsWords() && cfg.Producers > 0 {
		cfg.FitProducers(caps, kernels.GatheredTiles, kernels.CountOf(batch), m, n, k)
	}
	return cfg
}

// sizes are those of the product, and of its batch.
func (p matMulProblem) sizes() (m, n, k int, batch []int) {
	d := int(p.A.Rank) - 2
	return p.A.Size[d], p.B.Size[d+1], p.A.Size[d+1], p.A.Shape()[:d]
}

var matMulTune = space[matMulProblem]("matmul")

func (p matMulProblem) List(caps target.Caps) []kernels.MatMulConfig {
	m, n, k, batch := p.sizes()
	return kernels.CompleteMatMulAll(p.capsFor(caps), p.config(), m, n, k, batch...)
}

func (p matMulProblem) Legal(caps target.Caps, cfg kernels.MatMulConfig) error {
	m, _, _, batch := p.sizes()
	if cfg.Elem != p.Elem || cfg.Precision != p.config().Precision || cfg.Batch != len(batch) || cfg.Weights != (kernels.QuantView{}) {
		return fmt.Errorf("the config is for %v with %s", cfg.Elem, fault.Count(cfg.Batch, "batch dimension"))
	}
	return cfg.Legal(p.capsFor(caps), m)
}

func (p matMulProblem) Work(caps target.Caps, cfg kernels.MatMulConfig) tune.Work {
	m, n, k, batch := p.sizes()
	return cfg.Work(caps, p.A, p.B, m, n, k, kernels.CountOf(batch))
}

func (p matMulProblem) Bucket() matMulProblem {
	p.A, p.B = p.A.Bucket(), p.B.Bucket()
	return p
}

func (matMulProblem) Kernel(cfg kernels.MatMulConfig) (*tile.Func, error) {
	return kernels.MatMul.Build(cfg)
}

func (p matMulProblem) Trial(r *trialTensors, rule kernels.MatMulConfig) (*tune.Trial[kernels.MatMulConfig], error) {
	m, n, k, batch := p.sizes()
	a, b := r.filled(p.Elem, p.A), r.filled(p.Elem, p.B)
	out := r.dense(rule.Out, append(batch, m, n)...)
	call := newProduct("matmul", nil, nil, nil)
	call.result, call.precision = rule.Out, p.Precision
	run := func(cfg kernels.MatMulConfig) error {
		return call.start([]weft.TensorView{view(a), view(b)}, []weft.TensorView{view(out)}, cfg)
	}
	return newTrial(r, rule, run, within(rule.Out, bounds.MatMulSum(rule.Precision, k, float64(k))), out)
}
