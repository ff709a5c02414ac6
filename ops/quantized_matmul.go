package ops

import (
	"cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/kernels"
)

// QuantizedMatMul returns the product of a [M,K], of F32, F16 or BF16, and a quantised matrix w [K,N] as a new tensor [M,N] of
// a's type. The weights of a layer x @ w.T, quantised as [N,K] with Block {1, G} for groups of G or {1, 0} per channel, go in as w.T(). They
// travel as they are stored and become real numbers in registers; sums are in F32. Options are those of MatMul: Bias, Fuse, Alpha, ResultType
// and the others. a may be any view.
//
// Integers less zero points are exact in every type of a. Where groups share scales, their product with the scale is
// rounded to the type of a, beyond whose largest number it is infinite; scales of whole columns multiply the sums.
//
// Errors: as for MatMul and NewQuantized.
func QuantizedMatMul(a *weft.Tensor, w *Quantized, options ...MatMulOption) (*weft.Tensor, error) {
	if w == nil {
		return nil, w.check("quantized_matmul")
	}
	return productKey{weights: w.key()}.new(options, a, w.Data, w.Scales, w.Zeros)
}

// QuantizedMatMulInto writes the product that QuantizedMatMul returns into out, whose element type may be any float type.
//
// Errors: as for QuantizedMatMul, and ErrUnsupported if out repeats elements or overlaps a, a tensor of w, or one of Bias or Fuse.
func QuantizedMatMulInto(out, a *weft.Tensor, w *Quantized, options ...MatMulOption) error {
	if w == nil {
		return w.check("quantized_matmul")
	}
	return productKey{weights: w.key()}.run(options, out, a, w.Data, w.Scales, w.Zeros)
}

func newQuantizedProduct(a *weft.Tensor, w *Quantized, options []MatMulOption) (*product, error) {
	const op = "quantized_matmul"
	if err := w.check(op); err != nil {
		return nil, err
	}
	left := operand{"a", a}
	if err := cmp.Or(checkOperands(op, dtype.Type.IsFloat, left), w.checkDevice(op, left)); err != nil {
		return nil, err
	}
	if a.Rank() != 2 || a.Dim(1) != w.Shape[0] {
		return nil, fault.New(weft.ErrShape, op, "shape %v, want [M %d] for weights %v", a.Shape(), w.Shape[0], w.Shape).For("a")
	}
	p := &product{given: given{op: op}, a: a, weights: w, operands: append([]operand{left}, w.operands()...), shape: []int{a.Dim(0), w.Shape[1]}}
	if err := checkOpen(op, p.operands...); err != nil {
		return nil, err
	}
	return p, p.apply(options)
}

// launchQuantized starts the kernels for the operands, the tensors of the steps, and the result.
func (p *product) launchQuantized(tensors []*weft.Tensor) error {
	m, n := p.shape[0], p.shape[1]
	if m == 0 || n == 0 {
		return nil
	}
	views := make([]weft.TensorView, len(tensors))
	for i, t := range tensors {
		views[i] = weft.TensorView{Tensor: t, Layout: t.Layout()}
		if i >= len(p.operands) {
			var err error
			if views[i].Layout, err = t.Layout().Broadcast(p.shape...); err != nil {
				return err
			}
		}
	}
	problem := quantizedProblem{p.a.DType(), viewOf(views[0].Layout), n, p.weights.view(), p.weights.fastest()}
	return p.start(views, pick(quantizedTune, p.a.Device(), problem))
}

// fastest is the dimension along which the integers lie in runs.
func (q *Quantized) fastest() int { return kernels.Fastest(q.Data.Layout()) }
