package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// quantizedProblem is what the config of a product with quantised weights [K,N] depends on: a [M,K], and along which
// dimension the integers lie in runs.
type quantizedProblem struct {
	Elem    weft.DType
	A       tune.View
	N       int
	Weights kernels.QuantView
	Fastest int
}

func (p quantizedProblem) sizes() (m, n, k int) { return p.A.Size[0], p.N, p.A.Size[1] }

var quantizedTune = space[quantizedProblem]("quantized_matmul")

func (p quantizedProblem) List(caps target.Caps) []kernels.MatMulConfig {
	m, n, k := p.sizes()
	return kernels.QuantizedMatMulConfigs(caps, p.Elem, p.Weights, p.Fastest, m, n, k)
}

func (p quantizedProblem) Legal(caps target.Caps, cfg kernels.MatMulConfig) error {
	m, _, _ := p.sizes()
	if cfg.Elem != p.Elem || cfg.Weights != p.Weights || cfg.Batch != 0 {
		return fmt.Errorf("the config is for %v with weights of %v", cfg.Elem, cfg.Weights)
	}
	fitted := cfg
	if fitted.FitBlocks(); fitted != cfg {
		return fmt.Errorf("steps of %d do not fit blocks of %v", cfg.BK, cfg.Weights.Block)
	}
	return cfg.Legal(caps, m)
}

func (p quantizedProblem) Work(caps target.Caps, cfg kernels.MatMulConfig) tune.Work {
	m, n, k := p.sizes()
	return cfg.Work(caps, p.A, matrix(k, n, p.Fastest), m, n, k, 1)
}

func (p quantizedProblem) Bucket() quantizedProblem {
	p.A, p.N = p.A.Bucket(), tune.Bucket(p.N)
	return p
}

func (quantizedProblem) Kernel(cfg kernels.MatMulConfig) (*tile.Func, error) {
	return kernels.MatMul.Build(cfg)
}

func (p quantizedProblem) Rule(caps target.Caps) kernels.MatMulConfig {
	m, n, k := p.sizes()
	return kernels.QuantizedMatMulConfigFor(caps, p.Elem, p.Weights, p.Fastest, m, n, k)
}

func (p quantizedProblem) Trial(r *trialTensors, rule kernels.MatMulConfig) (*tune.Trial[kernels.MatMulConfig], error) {
	m, n, k := p.sizes()
	a, q, out := r.filled(p.Elem, p.A), r.quantized(p.Weights, [2]int{k, n}, p.Fastest), r.dense(p.Elem, m, n)
	call := newProduct("quantized_matmul", q, nil, nil)
	call.result = p.Elem
	factors := []weft.TensorView{view(a)}
	for _, o := range q.operands() {
		factors = append(factors, view(o.tensor))
	}
	run := func(cfg kernels.MatMulConfig) error { return call.start(factors, []weft.TensorView{view(out)}, cfg) }
	bound := bounds.QuantizedMatMul(p.Elem, k, 0, 16*float64(k), float64(k)) // of integers up to 16, as they are drawn
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}

// quantized is a matrix of random integers, scales and zero points.
func (r *trialTensors) quantized(v kernels.QuantView, shape [2]int, fastest int) *Quantized {
	q := &Quantized{QuantScheme: v.QuantScheme, Shape: shape, Packed: v.Packed}
	data, scales := q.data(), q.ScalesShape(shape)
	q.Data = r.filled(v.Stored(), matrix(data[0], data[1], fastest))
	q.Scales = r.filled(v.Scale, matrix(scales[0], scales[1], 1))
	if v.Asymmetric {
		q.Zeros = r.filled(weft.U8, matrix(scales[0], scales[1], 1))
	}
	return q
}

// quantizeProblem is what the config of quantising a matrix, or of the way back, depends on: its shape, and along which dimension
// what is read lies in runs.
type quantizeProblem struct {
	Elem    weft.DType
	View    kernels.QuantView
	Shape   [2]int
	Fastest int
	Back    bool // Dequantize
}

var quantizeTune = space[quantizeProblem]("quantize")

func (p quantizeProblem) List(caps target.Caps) []kernels.QuantizeConfig {
	return kernels.QuantizeSpace(caps, p.Elem, p.View, p.Shape, p.Fastest)
}

func (p quantizeProblem) Legal(caps target.Caps, cfg kernels.QuantizeConfig) error {
	if cfg.Elem != p.Elem || cfg.View != p.View {
		return fmt.Errorf("the config is for %v as %v", cfg.Elem, cfg.View)
	}
	return cfg.Legal(caps)
}

func (p quantizeProblem) Bucket() quantizeProblem {
	p.Shape = [2]int{tune.Bucket(p.Shape[0]), tune.Bucket(p.Shape[1])}
	return p
}

func (p quantizeProblem) Kernel(cfg kernels.QuantizeConfig) (*tile.Func, error) {
	return quantizeKernels[p.Back].Build(cfg)
}

func (p quantizeProblem) Rule(caps target.Caps) kernels.QuantizeConfig {
	return kernels.QuantizeRule(caps, p.Elem, p.View, p.Shape, p.Fastest)
}

// quantizeKernels are the kernels, by whether it is the way back.
var quantizeKernels = map[bool]*weft.Kernel[kernels.QuantizeConfig]{false: kernels.Quantize, true: kernels.Dequantize}

func (p quantizeProblem) Trial(r *trialTensors, rule kernels.QuantizeConfig) (*tune.Trial[kernels.QuantizeConfig], error) {
	fastest := p.Fastest
	if !p.Back {
		fastest = 1
	}
	q := r.quantized(p.View, p.Shape, fastest)
	real := r.filled(p.Elem, matrix(p.Shape[0], p.Shape[1], p.Fastest))
	tensors, out := append(q.tensors(), real), real
	if !p.Back {
		tensors, out = append(append([]*weft.Tensor{real}, q.tensors()[1:]...), q.Data), q.Data
	}
	run := func(cfg kernels.QuantizeConfig) error { return quantizeKernels[p.Back].Launch(cfg, tensors...) }
	return newTrial(r, rule, run, within(out.DType(), 0), out)
}

// quantRangeProblem is what the sizes of finding the range of blocks depend on; see kernels.QuantRange.
type quantRangeProblem struct {
	Elem   weft.DType
	Blocks tune.View
}

var quantRangeTune = space[quantRangeProblem]("quant_range")

func (quantRangeProblem) List(caps target.Caps) []kernels.ReduceSizes {
	return kernels.QuantRangeSizes(caps).Around()
}

func (quantRangeProblem) Legal(caps target.Caps, s kernels.ReduceSizes) error { return s.Legal(caps) }

func (quantRangeProblem) Rule(caps target.Caps) kernels.ReduceSizes {
	return kernels.QuantRangeSizes(caps)
}

func (p quantRangeProblem) Work(_ target.Caps, s kernels.ReduceSizes) tune.Work {
	return s.Ranges(p.Elem, layoutOf(p.Blocks)).Work(p.Blocks)
}

func (p quantRangeProblem) Bucket() quantRangeProblem {
	p.Blocks = p.Blocks.Bucket()
	return p
}

func (p quantRangeProblem) Kernel(s kernels.ReduceSizes) (*tile.Func, error) {
	return kernels.QuantRange.Build(s.Ranges(p.Elem, layoutOf(p.Blocks)))
}

func (p quantRangeProblem) Trial(r *trialTensors, rule kernels.ReduceSizes) (*tune.Trial[kernels.ReduceSizes], error) {
	x := r.filled(p.Elem, p.Blocks)
	rows, columns := p.Blocks.Size[0], p.Blocks.Size[1]
	least, largest := r.dense(weft.F32, rows, columns), r.dense(weft.F32, rows, columns)
	run := func(s kernels.ReduceSizes) error {
		cfg := s.Ranges(p.Elem, x.Layout())
		parts := &trialTensors{dev: r.dev} // how many depends on the sizes
		defer parts.close()
		lo, hi := parts.dense(weft.F32, cfg.Parts, rows, columns), parts.dense(weft.F32, cfg.Parts, rows, columns)
		if parts.err != nil {
			return parts.err
		}
		if err := kernels.QuantRange.LaunchViews(cfg, nil, view(x), view(lo), view(hi)); err != nil {
			return err
		}
		if err := MinInto(least, lo, Axis(0)); err != nil {
			return err
		}
		return MaxInto(largest, hi, Axis(0))
	}
	return newTrial(r, rule, run, tolerance{}, least, largest)
}
