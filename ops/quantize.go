package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// Quantize stores a matrix x of F32, F16 or BF16 in the few bits of a scheme. Scales, and zero points if the scheme is
// asymmetric, come from the least and the largest element l and h of each block, in F32:
//
//	symmetric    scale = max(|l|, |h|) / most             q = round(x / scale)
//	asymmetric   scale = (max(h, 0) - min(l, 0)) / most   q = round(x / scale) + zero
//	                                                      zero = round(-min(l, 0) / scale)
//
//	code book    scale = max(|l|, |h|) / most             q = the code of the number next to x / scale
//
// where most is the largest integer of QuantScheme.Range, or the largest magnitude of a code book; 0 is exact where the scheme has it. Numbers
// round to the nearest integer, ties to even, or to the nearest number of a code book, ties to the even code (or the lesser one,
// if both are even or odd), which for FP4 is to an even mantissa; they saturate. Where the upper eight codes of a book stand for
// the numbers of the lower eight with the other sign, as FP4's do, a number keeps its sign, also as 0. The numbers of a block with a NaN or an infinity are not useful.
// bounds.Quantize and bounds.QuantizeCodes say how far Dequantize is from x.
//
// Scales that are powers of two are those of OCP's "Microscaling Formats (MX) Specification", version 1.0, section 6.3: the largest power of
// two in max(|l|, |h|) divided by that in most, from 2^-127 to 2^126. Quotients may then be beyond most, and saturate: with FP4, those from 6 to 8.
//
// Errors: ErrShape for a tensor that is not a matrix or that blocks do not divide, ErrUnsupported for other
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

// QuantizeInto is Quantize into the tensors of q, by q's scheme. Its scales must be F32, or U8 for powers of two.
//
// Errors: as for Quantize, and ErrUnsupported if a tensor of q repeats elements or overlaps x or another.
func QuantizeInto(q *Quantized, x *weft.Tensor) error { return q.into(quantizing, x) }

// QuantizeWith stores x in the integers of a scheme, by given scales and zero points, which the result then shares:
// static quantisation. All integers that the bits hold are used, including -128 and -8.
//
// Numbers round as by Quantize. Quotients by powers of two are exact, if they are normal numbers, so that the codes are the same on every device; but
// devices that take subnormal numbers for 0 do that to quotients by 2^127.
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
	if q.Data, err = newResult("quantize", "data", x.Device(), scheme.Stored(), data[:]...); err != nil {
		return nil, err
	}
	if err = q.into(rounding, x); err != nil {
		q.Data.Close()
		return nil, err
	}
	return q, nil
}

// Dequantize returns the real numbers (q - zero) · scale, or book[q] · scale, of a matrix as a new tensor of F32, F16 or BF16. A number
// beyond the type's largest one becomes the largest, so that an element that Quantize rounded up stays finite. A scale that is NaN
// makes its block NaN, an infinite one its zeros; 2^-127 is subnormal in F32, and devices may take it for 0.
//
// Errors: ErrUnsupported for other element types, ErrLimit, ErrOutOfMemory, and as for NewQuantized.
func Dequantize(q *Quantized, elem weft.DType) (*weft.Tensor, error) {
	o, t := q.call("dequantize")
	o.elem = elem
	return dequantizing.new(o, t[:]...)
}

// DequantizeInto writes the real numbers of a matrix into out, of F32, F16 or BF16.
//
// Errors: as for Dequantize, and ErrUnsupported if out repeats elements or overlaps a tensor of q.
func DequantizeInto(out *weft.Tensor, q *Quantized) error {
	o, t := q.call("dequantize")
	return dequantizing.into(o, out, t[:]...)
}

// quantOptions are the options of a call with a quantised matrix, without its tensors.
type quantOptions struct {
	given
	matrix quantKey
	elem   weft.DType // of Dequantize's result
}

// call are the options of a call with a matrix, which may be nil, and its tensors.
func (q *Quantized) call(op string) (o quantOptions, t [3]*weft.Tensor) {
	if q != nil {
		t = [3]*weft.Tensor{q.Data, q.Scales, q.Zeros}
	}
	return quantOptions{given: given{op: op}, matrix: q.key()}, t
}

// into writes the integers of a matrix x.
func (q *Quantized) into(d *declaration[quantOptions], x *weft.Tensor) error {
	o, t := q.call("quantize")
	return d.into(o, t[0], x, t[1], t[2])
}

// Scales and zero points are computed first, or given.
var (
	quantizing = declare(declaration[quantOptions]{
		inputs: []string{"x"}, needed: 1, output: "data", more: []string{"scales", "zeros"}, evenEmpty: true,
		check: (*quantOptions).checkReal, accepts: quantOptions.takesIntegers, launch: (*quantOptions).quantize,
	})
	rounding = declare(declaration[quantOptions]{
		inputs: []string{"x", "scales", "zeros"}, needed: 1, alike: 1, output: "data",
		check: (*quantOptions).checkReal, accepts: quantOptions.takesIntegers, launch: (*quantOptions).round,
	})
	dequantizing = declare(declaration[quantOptions]{
		operands: func(o quantOptions, in []*weft.Tensor) []operand { return o.matrix.matrix(in).operands() },
		check:    (*quantOptions).checkMatrix, launch: (*quantOptions).dequantize,
		result: func(o quantOptions, _ weft.DType) weft.DType { return o.elem }, accepts: quantOptions.takesReal,
	})
)

func (o *quantOptions) checkReal(in []*weft.Tensor) ([]int, error) {
	q := o.matrix.matrix(make([]*weft.Tensor, 3))
	if err := q.checkForm(o.op); err != nil {
		return nil, err
	}
	if q.Interleaved != 0 {
		return nil, fault.New(weft.ErrUnsupported, o.op, "integers that are interleaved in blocks of %d, want them in the order of the matrix; Pack interleaves them after", q.Interleaved).For("quantized")
	}
	data := q.data()
	return data[:], checkReal(o.op, q.QuantScheme, in[0])
}

// takesIntegers checks the integers, with the scales and zero points.
func (o quantOptions) takesIntegers(data operand, in []*weft.Tensor) error {
	q, x := o.matrix.matrix([]*weft.Tensor{data.tensor, in[1], in[2]}), operand{"x", in[0]}
	if err := q.check(o.op); err != nil {
		return err
	}
	return cmp.Or(q.checkDevice(o.op, x), checkShape(o.op, x, q.Shape[:]))
}

func (o *quantOptions) checkMatrix(in []*weft.Tensor) ([]int, error) {
	q := o.matrix.matrix(in)
	if err := q.check(o.op); err != nil {
		return nil, err
	}
	return q.Shape[:], nil
}

func (o quantOptions) takesReal(out operand, in []*weft.Tensor) error {
	if err := checkOperands(o.op, upToF32, out); err != nil {
		return err
	}
	return o.matrix.matrix(in).checkDevice(o.op, out)
}

func (o *quantOptions) quantize(data *weft.Tensor, in []*weft.Tensor) error {
	q := o.matrix.matrix([]*weft.Tensor{data, in[1], in[2]})
	if want := q.ComputedScales(); q.Scales.DType() != want {
		return fault.New(weft.ErrUnsupported, o.op, "the tensor holds %v, want %v for scales that are computed", q.Scales.DType(), want).For("scales")
	}
	if err := q.findScales(in[0]); err != nil {
		return err
	}
	return o.round(data, in)
}

// round computes the integers.
func (o *quantOptions) round(data *weft.Tensor, in []*weft.Tensor) error {
	x, q := in[0], o.matrix.matrix([]*weft.Tensor{data, in[1], in[2]})
	problem := kernels.QuantizeProblem{Elem: x.DType(), View: q.view(), Shape: q.Shape, Fastest: kernels.Fastest(x.Layout())}
	problem.Real, problem.Data = tune.StridesOf(x.Layout(), problem.RealOrder()...), tune.StridesOf(data.Layout(), problem.DataOrder()...)
	return kernels.Quantize.Launch(pick(quantizeTune, x.Device(), problem), slices.Concat([]*weft.Tensor{x}, q.tensors()[1:], []*weft.Tensor{data})...)
}

func (o *quantOptions) dequantize(out *weft.Tensor, in []*weft.Tensor) error {
	q := o.matrix.matrix(in)
	problem := kernels.QuantizeProblem{Elem: out.DType(), View: q.view(), Shape: q.Shape, Fastest: q.fastest(), Back: true}
	problem.Transposed = kernels.Fastest(out.Layout()) != problem.Fastest
	problem.Real, problem.Data = tune.StridesOf(out.Layout(), problem.RealOrder()...), tune.StridesOf(q.Data.Layout(), problem.DataOrder()...)
	cfg := pick(quantizeTune, out.Device(), problem)
	return kernels.Dequantize.Launch(cfg, append(q.tensors(), out)...)
}

// checkReal checks the matrix that is to be quantised.
func checkReal(op string, scheme QuantScheme, x *weft.Tensor) error {
	if err := checkOperands(op, upToF32, operand{"x", x}); err != nil {
		return err
	}
	if x.Rank() != 2 {
		return fault.New(weft.ErrShape, op, "shape %v, want a matrix", x.Shape()).For("x")
	}
	return scheme.Check(op, [2]int(x.Shape()))
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
