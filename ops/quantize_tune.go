package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var quantizedTune = space[quantizedTrials]("quantized_matmul")

type quantizedTrials struct{}

func (quantizedTrials) Trial(p kernels.QuantizedProblem, r *trialTensors, rule MatMulConfig) (*tune.Trial[MatMulConfig], error) {
	m, n, k := p.A.Size[0], p.N, p.A.Size[1]
	a, q, out := r.filled(p.Elem, p.A), r.quantized(p.Weights, [2]int{k, n}, p.Fastest, p.Data), (*weft.Tensor)(nil)
	result := p.Elem
	if p.Result.Valid() {
		result = p.Result
	}
	out = r.result(result, p.Out, m, n)
	call := newProduct("quantized_matmul", q, nil, nil)
	call.result = result
	factors := []weft.TensorView{view(a)}
	for _, o := range q.operands() {
		factors = append(factors, view(o.tensor))
	}
	run := func(cfg MatMulConfig) error { return call.start(factors, []weft.TensorView{view(out)}, cfg) }
	largest := max(16, p.Weights.Codes.Largest()) // of integers, as they are drawn, or of codes
	bound := bounds.QuantizedMatMul(p.Elem, k, 0, largest*float64(k), float64(k))
	return newTrial(r, rule, run, within(result, bound), out)
}

// quantized is a matrix of random integers, scales and zero points.
func (r *trialTensors) quantized(v kernels.QuantView, shape [2]int, fastest int, data tune.Strides) *Quantized {
	q := &Quantized{QuantScheme: v.QuantScheme, Shape: shape, Packed: v.Packed, Interleaved: v.Interleaved}
	stored, scales := q.data(), q.ScalesShape(shape)
	q.Data = r.filled(v.Stored(), kernels.MatrixView(stored[0], stored[1], fastest).With(data))
	least := 0
	if v.PowersOfTwo {
		least = 112 // from 2^-15 to 1
	}
	q.Scales = r.filledFrom(v.Scale, kernels.MatrixView(scales[0], scales[1], 1), least)
	if v.Asymmetric {
		q.Zeros = r.filled(weft.U8, kernels.MatrixView(scales[0], scales[1], 1))
	}
	return q
}

var quantizeTune = space[quantizeTrials]("quantize")

type quantizeTrials struct{}

func (quantizeTrials) Trial(p kernels.QuantizeProblem, r *trialTensors, rule kernels.QuantizeConfig) (*tune.Trial[kernels.QuantizeConfig], error) {
	q := r.quantized(p.View, p.Shape, p.DataOrder()[1], p.Data)
	real := r.filled(p.Elem, kernels.MatrixView(p.Shape[0], p.Shape[1], p.RealOrder()[1]).With(p.Real))
	tensors, out := append(q.tensors(), real), real
	if p.Factor && !p.View.Scaled() {
		tensors = slices.Delete(tensors, 1, 2)
	}
	if !p.Back {
		tensors, out = append(append([]*weft.Tensor{real}, q.tensors()[1:]...), q.Data), q.Data
	}
	run := func(cfg kernels.QuantizeConfig) error { return kernels.QuantizeKernels[p.Back].Launch(cfg, tensors...) }
	return newTrial(r, rule, run, within(out.DType(), 0), out)
}

var quantRangeTune = space[quantRangeTrials]("quant_range")

type quantRangeTrials struct{}

func (quantRangeTrials) Trial(p kernels.QuantRangeProblem, r *trialTensors, rule kernels.ReduceSizes) (*tune.Trial[kernels.ReduceSizes], error) {
	x := r.filled(p.Elem, p.Blocks)
	rows, columns := p.Blocks.Size[0], p.Blocks.Size[1]
	least, largest := r.dense(weft.F32, rows, columns), r.dense(weft.F32, rows, columns)
	run := func(s kernels.ReduceSizes) error {
		cfg := p.Config(s)
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
