package ops

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// A product of few rows waits for its weights, which are best read in few bits. Of many rows, every tile of the result converts the
// weights again, and matrix instructions whose operands threads compute are slower than those whose operands are copied. From some
// number of rows on it is faster to dequantise the weights once, to a workspace, and to multiply by that.

// weightForm is how a product reads quantised weights.
type weightForm string

const (
	asStored weightForm = "as stored"             // converted in registers by each program
	kMajor   weightForm = "dequantised, K-major"  // to a workspace first
	mnMajor  weightForm = "dequantised, MN-major" // the same, in the other order
)

// weightProblem is what the choice depends on.
type weightProblem struct {
	kernels.QuantizedProblem
	Precision tile.Precision `json:",omitempty"` // of F32, 0 for other types
	Left      packOperand    // how a comes to shared memory
}

// weightTune chooses. What it refuses are forms that gain nothing, with the reason.
var weightTune = &tune.Space[weightProblem, weightForm]{
	Op: "quantized_matmul weights",
	List: func(target.Caps, weightProblem) iter.Seq[weightForm] {
		return slices.Values([]weightForm{asStored, kMajor, mnMajor})
	},
	Legal: func(caps target.Caps, p weightProblem, f weightForm) error { return p.Legal(caps, f) },
	Rule: func(caps target.Caps, p weightProblem) weightForm {
		if f := p.best(caps); p.Legal(caps, f) == nil {
			return f
		}
		return asStored
	},
}

// Legal says why a form gains nothing.
func (p weightProblem) Legal(caps target.Caps, f weightForm) error {
	if f == asStored {
		return nil
	}
	product := p.product(caps, f)
	switch m, n, _ := p.sizes(); {
	case !p.scalesFit():
		return fmt.Errorf("the scales are neither of groups of rows nor of single columns")
	case !product.config().IsMatrix(caps) || min(m, n) <= kernels.MaxRowByRow:
		return fmt.Errorf("the product is not computed by matrix instructions")
	case m <= kernels.FewRows && product.config().IsCooperative(caps): // in one launch
		return fmt.Errorf("products of %d rows wait for the weights, which are fewer bytes as they are", m)
	}
	if with, without := p.seconds(caps, f), p.seconds(caps, asStored); with >= without {
		return fmt.Errorf("%v expected with it, %v without", duration(with), duration(without))
	}
	return nil
}

// best is the better one of the forms that are dequantised: the order that the integers have, but where the product is slower by that.
func (p weightProblem) best(caps target.Caps) weightForm {
	natural, other := kMajor, mnMajor
	if p.Fastest == 1 {
		natural, other = other, natural
	}
	if p.slowdown(caps, other) < p.slowdown(caps, natural) && p.seconds(caps, other) < p.seconds(caps, natural) {
		return other
	}
	return natural
}

// slowdown is what the order of dequantised weights costs a product.
func (p weightProblem) slowdown(caps target.Caps, f weightForm) float64 {
	q := p.product(caps, f)
	return q.slowdown(caps, 1, q.B)
}

// scalesFit reports whether scales are part of the numbers that are multiplied, or broadcast to the sums.
func (p weightProblem) scalesFit() bool { return p.Weights.Scaled() || p.Weights.Block[1] <= 1 }

func (p weightProblem) sizes() (m, n, k int) { return p.A.Size[0], p.N, p.A.Size[1] }

// product is the product of a and dequantised weights.
func (p weightProblem) product(caps target.Caps, f weightForm) packProblem {
	m, n, k := p.sizes()
	right := packOperand{Bytes: k * n * p.Elem.Size(), Access: fits}
	if f == mnMajor {
		right.Access = crossed
	}
	q := packProblem{Elem: p.Elem, Precision: p.Precision, M: m, N: n, K: k, Batch: 1, A: p.Left, B: right}
	anyLength := q.config().TakesProducers(caps)
	if l, _, err := factorLayout(p.Elem, k, n, f); err == nil {
		q.B.Access = packOperandOf(p.Elem, l, 0, anyLength).Access
	}
	return q
}

// pass is the kernel that dequantises.
func (p weightProblem) pass(f weightForm) kernels.QuantizeProblem {
	_, n, k := p.sizes()
	return kernels.QuantizeProblem{
		Elem: p.Elem, View: p.Weights, Shape: [2]int{k, n}, Fastest: p.Fastest, Back: true, Factor: true, Transposed: (p.Fastest == 0) != (f == kMajor),
		Data: p.Data,
	}
}

// seconds is what a form takes by the model of the machine. Weights that are converted again and again are the work of the kernel that the launch rule
// chooses.
func (p weightProblem) seconds(caps target.Caps, f weightForm) float64 {
	model := tune.ModelFor(caps)
	starts := 0.0 // of two launches, where the model of the other form has them
	if stored, ok := p.QuantizedProblem.Seconds(caps); ok {
		if f == asStored {
			return stored
		}
		starts = 2 * kernels.StartSeconds(model.Machine)
	}
	if f == asStored {
		q := p.product(caps, kMajor)
		return model.Seconds(p.Work(caps, p.Rule(caps))) * q.slowdown(caps, 0, p.Left) / q.slowdown(caps, 0, packOperand{Access: fits})
	}
	pass := p.pass(f)
	return starts + model.Seconds(pass.Work(caps, pass.Rule(caps))) + p.plainSeconds(caps, model, f)
}

// plainSeconds is what a product of dequantised weights takes, with the copies before it. Where a producer copies its operands it comes near to the machine's
// rate with few programs. Others wait for what they load: they take no less than the work of the kernel that the launch rule chooses.
func (p weightProblem) plainSeconds(caps target.Caps, model tune.Model, f weightForm) float64 {
	product := p.product(caps, f)
	packs := packTune.Rule(caps, product)
	least := product.seconds(caps, packs)
	if product.config().TakesProducers(caps) {
		return model.Machine.Launch + least
	}
	packed := product
	a, b := packs.of()
	if a {
		packed.A.Access = product.best(caps)
	}
	if b {
		packed.B.Access = product.best(caps)
	}
	copies := least - packed.seconds(caps, packNone)
	m, n, k := p.sizes()
	fastest := 1
	if f == kMajor {
		fastest = 0
	}
	q := kernels.MatMulProblem{Elem: p.Elem, Precision: p.Precision, A: p.A, B: kernels.MatrixView(k, n, fastest)}
	work := q.Work(caps, kernels.MatMulConfigFor(caps, p.Elem, m, n, k))
	return max(model.Machine.Launch+least, model.Seconds(work)*packed.slowdowns(caps, packed.A, packed.B)+copies)
}

// factorLayout is the layout of dequantised weights [k,n], and how many elements it has room for. Longer rows begin at multiples of 128 bytes, see packed.
func factorLayout(elem weft.DType, k, n int, f weightForm) (l layout.Layout, room int, err error) {
	shape, along := []int{k, n}, 1
	if f == kMajor {
		along = 0
	}
	align := copyBytes
	if up(shape[along]*elem.Size(), copyBytes) > kernels.ProducerStep {
		align = kernels.ProducerStep
	}
	return layoutAlong(elem, shape, along, align)
}

// chooseForm says how to read the weights: as they are stored if tiles are given, which say what is to be launched.
func (o *productOptions) chooseForm(a *weft.Tensor, w *Quantized) weightForm {
	caps := a.Device().Caps()
	p := weightProblem{QuantizedProblem: w.problem(a)}
	if p.Elem == weft.F32 {
		p.Precision = o.precision
	}
	m, n, k := p.sizes()
	p.Left = packOperandOf(p.Elem, a.Layout(), 1, kernels.MatMulOf(p.Elem, p.Precision, 0).TakesProducers(caps))
	switch {
	case o.packs == packNever || o.packs == packByRule && o.tiled || m*n*k == 0:
		return asStored
	case !p.scalesFit() || o.tiles.Atomic && !p.Weights.Scaled(): // atomic sums cannot be scaled
		return asStored
	case o.packs == packAlways && p.slowdown(caps, mnMajor) < p.slowdown(caps, kMajor):
		return mnMajor
	case o.packs == packAlways:
		return kMajor // the order in which operands are packed, too
	}
	return weightTune.Pick(caps, p)
}

// problem is the product of a matrix and the weights as they are stored.
func (q *Quantized) problem(a *weft.Tensor) kernels.QuantizedProblem {
	return q.problemOf(a.DType(), a.Layout(), q.Data.Layout())
}

// problemOf is problem for a matrix and integers of given layouts.
func (q *Quantized) problemOf(elem weft.DType, a, data layout.Layout) kernels.QuantizedProblem {
	f := kernels.Fastest(data)
	return kernels.QuantizedProblem{Elem: elem, A: viewOf(a), N: q.Shape[1], Weights: q.view(), Fastest: f, Data: tune.StridesOf(data, 1-f, f)}
}

// dequantized is what a product multiplies by, of an element type, in a workspace that is the caller's to close: not the scales of whole columns.
func (q *Quantized) dequantized(workspace *scratch, elem weft.DType, f weightForm) (*weft.Tensor, error) {
	k, n := q.Shape[0], q.Shape[1]
	l, room, err := factorLayout(elem, k, n, f)
	if err != nil {
		return nil, err
	}
	return workspace.try(emptyStrided(q.Data.Device(), elem, l, room))
}

// launchDequantized dequantises the weights and starts the kernels for a product with them. There may be no room for it.
func (o *productOptions) launchDequantized(f weightForm, out *weft.Tensor, in []*weft.Tensor) (room bool, err error) {
	w, a := o.weights.matrix(in[1:]), in[0]
	var workspace scratch
	defer workspace.close()
	b, err := w.dequantized(&workspace, a.DType(), f)
	switch {
	case errors.Is(err, weft.ErrOutOfMemory) || errors.Is(err, weft.ErrLimit):
		return false, nil
	case err != nil:
		return true, err
	}
	p := weightProblem{QuantizedProblem: w.problem(a)}
	tensors, product := []*weft.Tensor{a, b}, *o
	list := w.tensors()
	if product.scaled = !p.Weights.Scaled(); product.scaled {
		tensors = append(tensors, w.Scales)
		list = slices.Delete(list, 1, 2)
	}
	pass := p.pass(f)
	pass.Real = tune.StridesOf(b.Layout(), pass.RealOrder()...)
	if err := kernels.Dequantize.Launch(pick(quantizeTune, out.Device(), pass), append(list, b)...); err != nil {
		return true, err
	}
	tensors = append(append(tensors, in[productInputs:productInputs+o.inputs]...), out)
	layouts, err := matrices(tensors)
	if err != nil {
		return true, err
	}
	return true, product.launchBatch(tensors, layouts)
}
