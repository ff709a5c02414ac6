package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// layerNorm normalises rows, with a weight and a bias.
func layerNorm(elem weft.DType, rows, cols int) Work {
	w := norm("layernorm", elem, rows, cols)
	w.Inputs = append(w.Inputs, normal(elem, cols))
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LayerNormInto(out, in[0], in[1], in[2]) }
	var last cached[[2]float64]
	w.Want = func(in []Values, i int) (want, bound float64) {
		m := last.of(i/cols, func() [2]float64 {
			mean, variance := moments(in[0].slice(i/cols*cols, cols))
			return [2]float64{mean, variance}
		})
		mean, variance, weight, bias := m[0], m[1], in[1](i%cols), in[2](i%cols)
		root := math.Sqrt(variance + 1e-5)
		normalised := (in[0](i) - mean) / root
		want = normalised*weight + bias
		return want, bounds.Norm(elem, cols, want, normalised, weight, bias, math.Hypot(mean, math.Sqrt(variance))/root)
	}
	return w
}

// rmsNorm divides rows by their root mean square, with a weight.
func rmsNorm(elem weft.DType, rows, cols int) Work {
	w := norm("rmsnorm", elem, rows, cols)
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RMSNormInto(out, in[0], in[1]) }
	var last cached[float64]
	w.Want = func(in []Values, i int) (want, bound float64) {
		square := last.of(i/cols, func() (mean float64) {
			for _, v := range in[0].slice(i/cols*cols, cols) {
				mean += v * v / float64(cols)
			}
			return mean
		})
		normalised, weight := in[0](i)/math.Sqrt(square+1e-5), in[1](i%cols)
		return normalised * weight, bounds.Norm(elem, cols, normalised*weight, normalised, weight, 0, 0)
	}
	return w
}

func norm(op string, elem weft.DType, rows, cols int) Work {
	x := normal(elem, rows, cols)
	return Work{Name: name(op, elem, size(rows, cols)), Op: op, Inputs: []Operand{x, normal(elem, cols)}, Output: x, Terms: cols}
}
