package ops

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
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
	Weights QuantView
	Fastest int
}

func (p quantizedProblem) sizes() (m, n, k int) { return p.A.Size[0], p.N, p.A.Size[1] }

var quantizedTune = &tune.Space[quantizedProblem, MatMulConfig]{
	Op: "quantized_matmul",
	List: func(caps target.Caps, p quantizedProblem) iter.Seq[MatMulConfig] {
		m, n, k := p.sizes()
		return slices.Values(QuantizedMatMulConfigs(caps, p.Elem, p.Weights, p.Fastest, m, n, k))
	},
	Legal: func(caps target.Caps, p quantizedProblem, cfg MatMulConfig) error {
		m, _, _ := p.sizes()
		if cfg.Elem != p.Elem || cfg.Weights != p.Weights || cfg.Batch != 0 {
			return fmt.Errorf("it is for %v with weights of %v", cfg.Elem, cfg.Weights)
		}
		fitted := cfg
		if fitted.fitBlocks(); fitted != cfg {
			return fmt.Errorf("steps of %d do not fit groups of %v", cfg.BK, cfg.Weights.Block)
		}
		return cfg.legal(caps, m)
	},
	Rule: func(caps target.Caps, p quantizedProblem) MatMulConfig { return p.rule(caps) },
	Work: func(caps target.Caps, p quantizedProblem, cfg MatMulConfig) tune.Work {
		m, n, k := p.sizes()
		return cfg.work(caps, p.A, matrix(k, n, p.Fastest), m, n, k, 1)
	},
	Bucket: func(p quantizedProblem) quantizedProblem {
		p.A, p.N = p.A.Bucket(), tune.Bucket(p.N)
		return p
	},
	Kernel: func(_ target.Caps, _ quantizedProblem, cfg MatMulConfig) (*tile.Func, error) {
		return MatMulKernel.Build(cfg)
	},
}

func (p quantizedProblem) rule(caps target.Caps) MatMulConfig {
	m, n, k := p.sizes()
	return QuantizedMatMulConfigFor(caps, p.Elem, p.Weights, p.Fastest, m, n, k)
}

func (p quantizedProblem) trial(r *trialTensors) (*tune.Trial[MatMulConfig], error) {
	m, n, k := p.sizes()
	a, q, out := r.filled(p.Elem, p.A), r.quantized(p.Weights, [2]int{k, n}, p.Fastest), r.dense(p.Elem, m, n)
	call := &product{op: "quantized_matmul", operands: append([]operand{{"a", a}}, q.operands()...), a: a, weights: q, result: p.Elem, alpha: 1}
	run := func(cfg MatMulConfig) error {
		var views []weft.TensorView
		for _, o := range append(call.operands, operand{"out", out}) {
			views = append(views, view(o.tensor))
		}
		return call.start(views, cfg)
	}
	bound := QuantizedMatMulBound(p.Elem, k, 0, 16*float64(k), float64(k)) // of integers up to 16, as they are drawn
	return newTrial(r, p.rule(r.dev.Caps()), run, within(p.Elem, bound), out)
}

// quantized is a matrix of random integers, scales and zero points.
func (r *trialTensors) quantized(v QuantView, shape [2]int, fastest int) *Quantized {
	q := &Quantized{QuantScheme: v.QuantScheme, Shape: shape, Packed: v.Packed}
	data, scales := q.data(), q.scales(shape)
	q.Data = r.filled(v.stored(), matrix(data[0], data[1], fastest))
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
	View    QuantView
	Shape   [2]int
	Fastest int
	Back    bool // Dequantize
}

var quantizeTune = &tune.Space[quantizeProblem, QuantizeConfig]{
	Op: "quantize",
	List: func(caps target.Caps, p quantizeProblem) iter.Seq[QuantizeConfig] {
		return slices.Values(quantizeSpace(caps, p.Elem, p.View, p.Shape, p.Fastest))
	},
	Legal: func(caps target.Caps, p quantizeProblem, cfg QuantizeConfig) error {
		if cfg.Elem != p.Elem || cfg.View != p.View {
			return fmt.Errorf("it is for %v as %v", cfg.Elem, cfg.View)
		}
		return cfg.legal(caps)
	},
	Rule: func(caps target.Caps, p quantizeProblem) QuantizeConfig { return p.rule(caps) },
	Work: func(_ target.Caps, p quantizeProblem, cfg QuantizeConfig) tune.Work { return p.work(cfg) },
	Bucket: func(p quantizeProblem) quantizeProblem {
		p.Shape = [2]int{tune.Bucket(p.Shape[0]), tune.Bucket(p.Shape[1])}
		return p
	},
	Kernel: func(_ target.Caps, p quantizeProblem, cfg QuantizeConfig) (*tile.Func, error) {
		return p.kernel().Build(cfg)
	},
}

func (p quantizeProblem) rule(caps target.Caps) QuantizeConfig {
	return quantizeConfigFor(caps, p.Elem, p.View, p.Shape, p.Fastest)
}

func (p quantizeProblem) kernel() *weft.Kernel[QuantizeConfig] {
	if p.Back {
		return DequantizeKernel
	}
	return QuantizeKernel
}

func (p quantizeProblem) trial(r *trialTensors) (*tune.Trial[QuantizeConfig], error) {
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
	run := func(cfg QuantizeConfig) error { return p.kernel().Launch(cfg, tensors...) }
	return newTrial(r, p.rule(r.dev.Caps()), run, within(out.DType(), 0), out)
}

// quantRangeProblem is what the sizes of finding the range of blocks depend on; see QuantRangeKernel.
type quantRangeProblem struct {
	Elem   weft.DType
	Blocks tune.View
}

func (p quantRangeProblem) layout() layout.Layout {
	l, _, _ := p.Blocks.Layout() // sizes of a tensor that there is
	return l
}

var quantRangeTune = &tune.Space[quantRangeProblem, reduceSizes]{
	Op: "quant_range",
	List: func(caps target.Caps, _ quantRangeProblem) iter.Seq[reduceSizes] {
		return slices.Values(quantRangeSizes(caps).around())
	},
	Legal: func(caps target.Caps, _ quantRangeProblem, s reduceSizes) error { return s.legal(caps) },
	Rule:  func(caps target.Caps, _ quantRangeProblem) reduceSizes { return quantRangeSizes(caps) },
	Work: func(_ target.Caps, p quantRangeProblem, s reduceSizes) tune.Work {
		return s.ranges(p.Elem, p.layout()).work(p.Blocks)
	},
	Bucket: func(p quantRangeProblem) quantRangeProblem {
		p.Blocks = p.Blocks.Bucket()
		return p
	},
	Kernel: func(_ target.Caps, p quantRangeProblem, s reduceSizes) (*tile.Func, error) {
		return QuantRangeKernel.Build(s.ranges(p.Elem, p.layout()))
	},
}

func (p quantRangeProblem) trial(r *trialTensors) (*tune.Trial[reduceSizes], error) {
	x := r.filled(p.Elem, p.Blocks)
	rows, columns := p.Blocks.Size[0], p.Blocks.Size[1]
	least, largest := r.dense(weft.F32, rows, columns), r.dense(weft.F32, rows, columns)
	run := func(s reduceSizes) error {
		cfg := s.ranges(p.Elem, x.Layout())
		parts := &trialTensors{dev: r.dev} // how many depends on the sizes
		defer parts.close()
		lo, hi := parts.dense(weft.F32, cfg.Parts, rows, columns), parts.dense(weft.F32, cfg.Parts, rows, columns)
		if parts.err != nil {
			return parts.err
		}
		if err := QuantRangeKernel.LaunchViews(cfg, nil, view(x), view(lo), view(hi)); err != nil {
			return err
		}
		if err := MinInto(least, lo, Axis(0)); err != nil {
			return err
		}
		return MaxInto(largest, hi, Axis(0))
	}
	return newTrial(r, quantRangeSizes(r.dev.Caps()), run, tolerance{}, least, largest)
}
