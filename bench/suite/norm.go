package suite

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// norm is a normalisation of rows, with a weight, and a bias if the op has one.
func norm(op string, elem weft.DType, rows, cols int) Work {
	w := listed(op, elem, size(rows, cols), nil)
	w.Name, w.Terms = name(op, elem, size(rows, cols)), cols
	w.Want = rowWant(cols, func(in []Values, row []float64) ([]float64, func(int) float64) {
		n := catalog.Norm{RMS: len(in) == 2, Weight: in[1].slice(0, cols), Epsilon: 1e-5}
		if !n.RMS {
			n.Bias = in[2].slice(0, cols)
		}
		return n.Exact(elem, row, cols)
	})
	return w
}

// residualNorm is one that adds a residual before and stores the sum, which is one more input.
func residualNorm(op string, elem weft.DType, rows, cols int) Work {
	w, x := norm(op, elem, rows, cols), normal(elem, rows, cols)
	sum := len(w.Inputs) + 1
	w.Name, w.Params, w.Inputs = w.Name+" residual", map[string]any{"residual": true}, append(w.Inputs, x, x)
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		residual := ops.Residual(in[sum-1], in[sum])
		if op == "rmsnorm" {
			return ops.RMSNormInto(out, in[0], in[1], residual)
		}
		return ops.LayerNormInto(out, in[0], in[1], in[2], residual)
	}
	want := w.Want
	w.Want = func(in []Values, i int) (float64, float64) {
		x, r := in[0], in[sum-1]
		added := slices.Clone(in[:sum-1])
		added[0] = func(i int) float64 { return float64(dtype.Round(elem, x(i)+r(i))) }
		return want(added, i)
	}
	return w
}

// rowWant is what elements should be whose rows are computed at once, from rows of the first input.
func rowWant(cols int, of func(in []Values, row []float64) (want []float64, bound func(i int) float64)) Want {
	type result struct {
		want  []float64
		bound func(i int) float64
	}
	var last cached[result]
	return func(in []Values, i int) (want, bound float64) {
		r := last.of(i/cols, func() result {
			want, bound := of(in, in[0].slice(i/cols*cols, cols))
			return result{want, bound}
		})
		return r.want[i%cols], r.bound(i % cols)
	}
}
