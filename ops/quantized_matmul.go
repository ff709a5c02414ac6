package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// QuantizedMatMul returns the product of a [M,K], of F32, F16 or BF16, and a quantised matrix w [K,N] as a new tensor [M,N] of
// a's type. The weights of a layer x @ w.T, quantised as [N,K] with Block {1, G} for groups of G or {1, 0} per channel, go in as w.T(). Sums are in F32.
// Options are those of MatMul: Bias, Fuse, Alpha, ResultType and the others. a may be any view.
//
// Integers less zero points are exact in every type of a, and so is FP4. Scales of whole columns that are no powers of two
// multiply the sums, and the numbers of a code book are then rounded to the type of a. Where groups share scales there are two cases. Matrix
// instructions may take the integers themselves, and their sums over a part of a group are multiplied by its scale in F32. Otherwise the product of an integer and
// its scale is rounded to the type of a, once or nearly so, and is infinite beyond its largest number, as it always is with codes in groups and with scales that are powers of two.
//
// For few rows the weights are loaded as they are stored and converted in registers. With rows of F16 or BF16, integers that are stored along K are
// the left operand of matrix instructions, in registers, where the device has such instructions; of more rows that tensor maps cannot copy, a copy in another order of K is made first.
// For many rows of a the weights are dequantised first, to a workspace of K·N elements of a's type, where that should cost less than it gains.
// bounds.QuantizedMatMul holds in each way. Pack(false) spares the workspace of the weights, and 'weft explain' says which way is taken.
//
// Errors: as for MatMul and NewQuantized.
func QuantizedMatMul(a *weft.Tensor, w *Quantized, options ...MatMulOption) (*weft.Tensor, error) {
	if w == nil {
		return nil, w.check("quantized_matmul")
	}
	c := newProduct("quantized_matmul", w, nil, options)
	return c.new(a, w.Data, w.Scales, w.Zeros)
}

// QuantizedMatMulInto writes the product that QuantizedMatMul returns into out, whose element type may be any float type.
//
// Errors: as for QuantizedMatMul, and ErrUnsupported if out repeats elements or overlaps a, a tensor of w, or one of Bias or Fuse.
func QuantizedMatMulInto(out, a *weft.Tensor, w *Quantized, options ...MatMulOption) error {
	if w == nil {
		return w.check("quantized_matmul")
	}
	c := newProduct("quantized_matmul", w, nil, options)
	return c.into(out, a, w.Data, w.Scales, w.Zeros)
}

// checkQuantizedProduct checks the operands and gives the shape of the result.
func checkQuantizedProduct(op string, a *weft.Tensor, w *Quantized) ([]int, error) {
	if err := w.check(op); err != nil {
		return nil, err
	}
	left := operand{"a", a}
	if err := cmp.Or(checkOperands(op, upToF32, left), w.checkDevice(op, left)); err != nil {
		return nil, err
	}
	if a.Rank() != 2 || a.Dim(1) != w.Shape[0] {
		return nil, fault.New(weft.ErrShape, op, "shape %v, want [M %d] for weights %v", a.Shape(), w.Shape[0], w.Shape).For("a")
	}
	return []int{a.Dim(0), w.Shape[1]}, nil
}

// launchQuantized starts the kernels for a product with quantised weights.
func (o *productOptions) launchQuantized(out *weft.Tensor, in []*weft.Tensor) error {
	w := o.weights.matrix(in[1:])
	if w.Interleaved > 0 && w.Packed == 1 { // along N, which is the result's order
		plain, err := w.interleave(0)
		if err != nil {
			return err
		}
		defer plain.Close()
		product := *o
		product.weights = plain.key()
		in = slices.Clone(in)
		in[1] = plain.Data
		return product.launchQuantized(out, in)
	}
	if form := o.chooseForm(in[0], w); form != asStored {
		if room, err := o.launchDequantized(form, out, in); room {
			return err
		}
	}
	var factors, views []weft.TensorView
	for _, f := range o.factors(in) {
		factors = append(factors, view(f.tensor))
	}
	for _, t := range append(in[productInputs:productInputs+o.inputs:productInputs+o.inputs], out) {
		l, err := t.Layout().Broadcast(out.Shape()...)
		if err != nil {
			return err
		}
		views = append(views, weft.TensorView{Tensor: t, Layout: l})
	}
	if !o.tiled {
		if cut := quantizedCutTune.Pick(out.Device().Caps(), o.quantizedProblem(factors, views)); cut.At > 0 {
			return launchCut(factors, views, cut, o.startQuantized)
		}
	}
	return o.startQuantized(factors, views)
}

// startQuantized starts the kernels of a product of a view of a matrix with views of quantised weights.
func (o *productOptions) startQuantized(factors, views []weft.TensorView) error {
	return o.start(factors, views, pick(quantizedTune, factors[0].Tensor.Device(), o.quantizedProblem(factors, views)))
}

// quantizedProblem is what the config of such a product depends on.
func (o *productOptions) quantizedProblem(factors, views []weft.TensorView) kernels.QuantizedProblem {
	a, data, out := factors[0], factors[1].Layout, views[len(views)-1].Layout
	w := &Quantized{QuantScheme: o.weights.QuantScheme, Shape: [2]int{a.Layout.Size(1), out.Size(1)}, Packed: o.weights.packed, Interleaved: o.weights.interleaved, Scales: factors[2].Tensor}
	p := w.problemOf(a.Tensor.DType(), a.Layout, data)
	p.Out = tune.StridesOf(out)
	if o.result != p.Elem {
		p.Result = o.result
	}
	return p
}

// fastest is the dimension along which the integers are contiguous.
func (q *Quantized) fastest() int { return kernels.Fastest(q.Data.Layout()) }
