package ops

import (
	"cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/kernels"
)

// Quantize holds a matrix x of F32, F16 or BF16 in the few bits of a scheme. Scales, and zero points if the scheme is
// asymmetric, come from the least and the largest element l and h of each block, in F32:
//
//	symmetric    scale = max(|l|, |h|) / most             q = round(x / scale)
//	asymmetric   scale = (max(h, 0) - min(l, 0)) / most   q = round(x / scale) + zero
//	                                                      zero = round(-min(l, 0) / scale)
//
// where most is the largest integer of QuantScheme.Range; 0 is always exact. Numbers round to the nearest
// integer, ties to even, and saturate. A block with a NaN or an infinity has no useful
// numbers. bounds.Quantize says how far Dequantize is from x.
//
// Errors: ErrShape for a tensor that is no matrix or that blocks do not divide, ErrUnsupported for other
// element types, ErrArgument for other numbers of bits, ErrClosed, ErrLimit, ErrOutOfMemory.
func Quantize(x *weft.Tensor, scheme QuantScheme) (*Quantized, error) {
	if err := checkReal("quantize", scheme, x); err != nil {
		return nil, err
	}
	q, err := emptyQuantized(x.Device(), scheme, [2]int(x.Shape()))
	if err != nil {
		return nil, err
	}
	if err := QuantizeInto(q, x); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

// QuantizeInto is Quantize into the tensors of q, by q's scheme. Its scales must be F32.
//
// Errors: as for Quantize, and ErrUnsupported if a tensor of q repeats elements or overlaps x or another.
func QuantizeInto(q *Quantized, x *weft.Tensor) error { return q.run(quantizeCalls, x) }

func quantizeInto(q *Quantized, x *weft.Tensor) error {
	const op = "quantize"
	if err := q.check(op); err != nil {
		return err
	}
	if err := checkQuantize(op, q, x, q.operands()); err != nil {
		return err
	}
	if q.Scales.DType() != weft.F32 {
		return fault.New(weft.ErrUnsupported, op, "the tensor holds %v, want f32 for scales that are computed", q.Scales.DType()).For("scales")
	}
	if err := q.findScales(x); err != nil {
		return err
	}
	return q.round(x)
}

// QuantizeWith holds x in the integers of a scheme by given scales and zero points, which the result then shares:
// static quantisation. All integers that the bits hold are used, -128 and -8, too.
//
// Errors: as for Quantize and NewQuantized.
func QuantizeWith(x *weft.Tensor, scheme QuantScheme, scales, zeros *weft.Tensor) (*Quantized, error) {
	if err := checkReal("quantize", scheme, x); err != nil {
		return nil, err
	}
	shape := [2]int(x.Shape())
	q := &Quantized{QuantScheme: scheme, Shape: shape, Scales: scales, Zeros: zeros, Packed: 1}
	data := q.data()
	var err error
	if q.Data, err = weft.Empty(x.Device(), scheme.Stored(), data[:]...); err != nil {
		return nil, err
	}
	if err = q.run(roundCalls, x); err != nil {
		q.Data.Close()
		return nil, err
	}
	return q, nil
}

// roundInto is QuantizeInto by the scales that q has.
func roundInto(q *Quantized, x *weft.Tensor) error {
	const op = "quantize"
	if err := q.check(op); err != nil {
		return err
	}
	if err := checkQuantize(op, q, x, []operand{{"data", q.Data}}); err != nil {
		return err
	}
	return q.round(x)
}

// Dequantize returns the real numbers (q - zero) · scale of a matrix as a new tensor of F32, F16 or BF16. A number beyond
// the type's largest one becomes that: half a step above a matrix's largest element, which Quantize may round to, is still finite.
//
// Errors: ErrUnsupported for other element types, ErrLimit, ErrOutOfMemory, and as for NewQuantized.
func Dequantize(q *Quantized, elem weft.DType) (*weft.Tensor, error) {
	const op = "dequantize"
	if err := q.check(op); err != nil {
		return nil, err
	}
	if !elem.IsFloat() {
		return nil, fault.New(weft.ErrUnsupported, op, "element type %v, want %s", elem, dtype.OneOf(dtype.Type.IsFloat)).For("out")
	}
	return into(q.Data.Device(), elem, q.Shape[:], func(out *weft.Tensor) error { return DequantizeInto(out, q) })
}

// DequantizeInto writes the real numbers of a matrix into out, of F32, F16 or BF16.
//
// Errors: as for Dequantize, and ErrUnsupported if out repeats elements or overlaps a tensor of q.
func DequantizeInto(out *weft.Tensor, q *Quantized) error { return q.run(dequantizeCalls, out) }

func dequantizeInto(q *Quantized, out *weft.Tensor) error {
	const op = "dequantize"
	if err := q.check(op); err != nil {
		return err
	}
	to := operand{"out", out}
	if err := cmp.Or(checkOperands(op, dtype.Type.IsFloat, to), q.checkDevice(op, to), checkShape(op, to, q.Shape[:]), checkApart(op, out, q.operands()...)); err != nil {
		return err
	}
	cfg := pick(quantizeTune, out.Device(), kernels.QuantizeProblem{Elem: out.DType(), View: q.view(), Shape: q.Shape, Fastest: q.fastest(), Back: true})
	return kernels.Dequantize.Launch(cfg, append(q.tensors(), out)...)
}

// checkReal checks the matrix that is to be quantised.
func checkReal(op string, scheme QuantScheme, x *weft.Tensor) error {
	if err := checkOperands(op, dtype.Type.IsFloat, operand{"x", x}); err != nil {
		return err
	}
	if x.Rank() != 2 {
		return fault.New(weft.ErrShape, op, "shape %v, want a matrix", x.Shape()).For("x")
	}
	return scheme.Check(op, [2]int(x.Shape()))
}

// checkQuantize checks everything else before the first of several launches.
func checkQuantize(op string, q *Quantized, x *weft.Tensor, outputs []operand) error {
	in := operand{"x", x}
	if err := checkReal(op, q.QuantScheme, x); err != nil {
		return err
	}
	if err := cmp.Or(q.checkDevice(op, in), checkShape(op, in, q.Shape[:]), checkOpen(op, append(q.operands(), in)...)); err != nil {
		return err
	}
	for i, out := range outputs {
		if err := checkWritable(op, out); err != nil {
			return err
		}
		for _, other := range append([]operand{in}, outputs[:i]...) {
			if out.tensor.Overlaps(other.tensor) {
				return fault.New(weft.ErrUnsupported, op, "it overlaps %s, want separate memory", other.name).For(out.name)
			}
		}
	}
	return nil
}

// tensors are the tensors in the order of the kernels' views.
func (q *Quantized) tensors() (list []*weft.Tensor) {
	for _, o := range q.operands() {
		list = append(list, o.tensor)
	}
	return list
}

// findScales computes scales and zero points.
func (q *Quantized) findScales(x *weft.Tensor) error {
	dev, scales := x.Device(), q.Scales.Shape()
	if q.Scales.Len() == 0 {
		return nil
	}
	blocks, err := q.Blocks(x.Layout())
	if err != nil {
		return err
	}
	p := kernels.QuantRangeProblem{Elem: x.DType(), Blocks: viewOf(blocks)}
	cfg := p.Config(pick(quantRangeTune, dev, p))
	var temporary scratch
	defer temporary.close()
	least := temporary.keep(weft.Empty(dev, weft.F32, cfg.Parts, scales[0], scales[1]))
	largest := temporary.keep(weft.Empty(dev, weft.F32, cfg.Parts, scales[0], scales[1]))
	if temporary.err != nil {
		return temporary.err
	}
	if err := kernels.QuantRange.LaunchViews(cfg, nil, weft.TensorView{Tensor: x, Layout: blocks}, view(least), view(largest)); err != nil {
		return err
	}
	return kernels.QuantScales.Launch(kernels.QuantScalesConfigFor(dev.Caps(), q.QuantScheme, scales[0], scales[1]),
		append([]*weft.Tensor{least, largest}, q.tensors()[1:]...)...)
}

// round computes the integers.
func (q *Quantized) round(x *weft.Tensor) error {
	tensors := append(append([]*weft.Tensor{x}, q.tensors()[1:]...), q.Data)
	problem := kernels.QuantizeProblem{Elem: x.DType(), View: q.view(), Shape: q.Shape, Fastest: kernels.Fastest(x.Layout())}
	return kernels.Quantize.Launch(pick(quantizeTune, x.Device(), problem), tensors...)
}
