package ops

import (
	"cmp"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/kernels"
)

// Dropout returns x with each element set to 0 with probability p, and divided by 1-p otherwise (Srivastava et
// al., Dropout: A Simple Way to Prevent Neural Networks from Overfitting, 2014), as a new tensor. x is of F32, F16 or BF16, of any
// layout, and 0 ≤ p < 1. mask, Bool of x's shape, gets which elements were kept, unless
// it is nil. Element i, in row-major order, goes by number s.Offset+i of the stream, so that every device and
// every call with one stream drop the same elements.
//
// Errors: ErrUnsupported for other element types, ErrArgument for another p, or an offset that is no multiple of 4;
// or a mask that is not of Bool, ErrShape for a mask of another shape, ErrDevice, ErrClosed.
func Dropout(x *weft.Tensor, p float64, s Stream, mask *weft.Tensor) (*weft.Tensor, error) {
	if err := checkOperands("dropout", dtype.Type.IsFloat, operand{"x", x}); err != nil {
		return nil, err
	}
	return into(x.Device(), x.DType(), x.Shape(), func(out *weft.Tensor) error { return DropoutInto(out, x, p, s, mask) })
}

// DropoutInto writes the dropout of x into out, which may be the same view as x.
//
// Errors: as for Dropout, and ErrUnsupported if out or mask repeats elements or overlaps another
// argument.
func DropoutInto(out, x *weft.Tensor, p float64, s Stream, mask *weft.Tensor) error {
	if !(p >= 0 && p < 1) {
		return fault.New(weft.ErrArgument, "dropout", "%v, want 0 or more and less than 1", p).For("p")
	}
	if err := checkStream("dropout", s); err != nil {
		return err
	}
	threshold := uint32(min(math.RoundToEven(p*0x1p32), math.MaxUint32))
	w := s.words()
	words := [6]uint32{w[0], w[1], w[2], w[3], threshold, math.Float32bits(float32(1 / (1 - p)))}
	return dropoutCalls.runWith(&struct{}{}, words[:], out, x, mask)
}

// dropoutCalls are calls with out, x and the mask, and the words of the kernel's scalars.
var dropoutCalls = newCallsWith(func(_ struct{}, words []uint32, t []*weft.Tensor) error {
	return dropoutInto(t[0], t[1], t[2], words)
})

// dropoutInto is DropoutInto by the words of the kernel's scalars.
func dropoutInto(out, x, mask *weft.Tensor, w []uint32) error {
	if err := checkDropout(out, x, mask); err != nil || x.Len() == 0 {
		return err
	}
	vector, err := x.Contiguous() // x itself where it is dense
	if err != nil {
		return err
	}
	defer vector.Close()
	if vector, err = vector.Reshape(x.Len()); err != nil {
		return err
	}
	defer vector.Close()
	cfg := pick(randomTune, x.Device(), kernels.RandomProblem{Op: "dropout", Elem: x.DType(), N: x.Len()})
	cfg.Mask = mask != nil
	scalars := weft.Scalars{w[0], w[1], w[2], w[3], w[4], math.Float32frombits(w[5])}
	return throughDense(out, func(flat *weft.Tensor) error {
		if mask == nil {
			return kernels.Dropout.LaunchWith(cfg, scalars, vector, flat)
		}
		return throughDense(mask, func(kept *weft.Tensor) error {
			return kernels.Dropout.LaunchWith(cfg, scalars, vector, flat, kept)
		})
	})
}

func checkDropout(out, x, mask *weft.Tensor) error {
	const op = "dropout"
	in, to, kept := operand{"x", x}, operand{"out", out}, operand{"mask", mask}
	if err := checkOperands(op, dtype.Type.IsFloat, in, to); err != nil {
		return err
	}
	err := cmp.Or(checkShape(op, to, x.Shape()), checkSameOrApart(op, out, in), checkOpen(op, in), checkWritable(op, to))
	if err != nil || mask == nil {
		return err
	}
	return cmp.Or(checkGiven(op, kept, in, weft.Bool), checkShape(op, kept, x.Shape()), checkWritable(op, kept), checkApart(op, mask, in, to))
}
