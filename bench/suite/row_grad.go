package suite

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// rowGrads are gradients of softmax and of normalisations of rows.
func rowGrads(s Size) (list []Work) {
	n, cols := s.vector(), of(s, 4096, 4096, 512)
	for _, g := range catalog.SoftmaxGrads {
		list = append(list, softmaxGrad(g, weft.F32, n/cols, cols))
	}
	for _, op := range []string{"layernorm_grad", "rmsnorm_grad"} {
		list = append(list, normGrad(op, weft.F32, n/cols, cols), normGrad(op, weft.BF16, 2*n/cols, cols))
	}
	return append(list, normGrad("layernorm_grad", weft.F16, 2*n/cols*4, cols/4), normGrad("layernorm_grad", weft.F32, n/64, 64), normGrad("layernorm_grad", weft.F32, max(n/longRow, 1), min(n, longRow)))
}

// longRow is the length of rows that no workgroup keeps in registers.
const longRow = 1 << 16

// pairWant is what elements should be whose rows are computed at once, from rows of the first two inputs.
func pairWant(cols int, of func(in []Values, x, dy []float64) (want, bound []float64)) Want {
	type result struct{ want, bound []float64 }
	var last cached[result]
	return func(in []Values, i int) (want, bound float64) {
		r := last.of(i/cols, func() result {
			want, bound := of(in, in[0].slice(i/cols*cols, cols), in[1].slice(i/cols*cols, cols))
			return result{want, bound}
		})
		return r.want[i%cols], r.bound[i%cols]
	}
}

// softmaxGrad is the gradient of a softmax of rows, of a result between 0 and 1 or its logarithm.
func softmaxGrad(g catalog.SoftmaxGrad, elem weft.DType, rows, cols int) Work {
	y, dy := uniform(0, 2/float64(cols), elem, rows, cols), normal(elem, rows, cols)
	if g.Name == "log_softmax_grad" {
		y = uniform(-12, -6, elem, rows, cols)
	}
	return Work{
		Name: name(g.Name, elem, size(rows, cols)), Op: g.Name, Inputs: []Operand{y, dy}, Output: dy, Terms: cols,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return g.Into(out, in[0], in[1]) },
		Want: pairWant(cols, func(_ []Values, y, dy []float64) (want, bound []float64) {
			return g.Exact(elem, y, dy, 1)
		}),
	}
}

// normGrad is the gradient of a normalisation of rows, its weight and its bias if it has one.
func normGrad(op string, elem weft.DType, rows, cols int) Work {
	x, row, rms := normal(elem, rows, cols), normal(elem, cols), op == "rmsnorm_grad"
	w := Work{
		Name: name(op, elem, size(rows, cols)), Op: op, Inputs: []Operand{x, x, row, row}, Output: x, Terms: cols, Bytes: 3*x.Bytes() + 2*row.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.RMSNormGradInto(out, in[3], in[0], in[1], in[2])
		},
		Want: pairWant(cols, func(in []Values, x, dy []float64) (want, bound []float64) {
			want, bound = make([]float64, cols), make([]float64, cols)
			for i, w := range in[2].slice(0, cols) {
				dy[i] *= w
			}
			r := catalog.NewNormGradRow(rms, 1e-5, x, dy)
			for i := range x {
				want[i], bound[i] = r.At(elem, x[i], dy[i])
			}
			return want, bound
		}),
	}
	if !rms {
		w.Inputs, w.Bytes = append(w.Inputs, row), w.Bytes+row.Bytes()
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.LayerNormGradInto(out, in[3], in[4], in[0], in[1], in[2])
		}
	}
	return w
}
