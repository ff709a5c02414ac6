package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// Dropout returns x with each element set to 0 with probability p, and divided by 1-p otherwise (Srivastava et
// al., Dropout: A Simple Way to Prevent Neural Networks from Overfitting, 2014), as a new tensor. x is of floats, of any
// layout, and 0 ≤ p < 1. mask, which may be nil, is a Bool tensor of x's shape and is
// set where elements were kept. Number s.Offset+i of the stream decides on element i, in row-major order, so that
// every device and every call with one stream drops the same elements.
//
// Errors: ErrUnsupported for other element types, ErrArgument for another p, an offset that is not a multiple
// of 4 and a mask that is not Bool, ErrShape for a mask of another shape, ErrDevice, ErrClosed.
func Dropout(x *weft.Tensor, p float64, s Stream, mask *weft.Tensor) (*weft.Tensor, error) {
	var words [maxDropoutWords]uint32
	n, err := dropoutWords(&words, x, p, s)
	if err != nil {
		return nil, err
	}
	return dropouts.newWith(given{op: "dropout"}, words[:n], x, mask)
}

// DropoutInto writes the dropout of x into out, which may be the same view as x.
//
// Errors: as for Dropout, and ErrUnsupported if out or mask repeats elements or overlaps another
// argument.
func DropoutInto(out, x *weft.Tensor, p float64, s Stream, mask *weft.Tensor) error {
	var words [maxDropoutWords]uint32
	n, err := dropoutWords(&words, x, p, s)
	if err != nil {
		return err
	}
	return dropouts.intoWith(given{op: "dropout"}, words[:n], out, x, mask)
}

// maxDropoutWords is how many words the kernel's scalars have at most.
const maxDropoutWords = 7

// dropoutWords sets the words of the kernel's scalars and returns how many there are: the factor is one, or of F64 two.
func dropoutWords(words *[maxDropoutWords]uint32, x *weft.Tensor, p float64, s Stream) (int, error) {
	if !(p >= 0 && p < 1) {
		return 0, fault.New(weft.ErrArgument, "dropout", "%v, want 0 or more and less than 1", p).For("p")
	}
	w := s.words()
	copy(words[:], w[:])
	words[4] = uint32(min(math.RoundToEven(p*0x1p32), math.MaxUint32))
	if x != nil && x.DType() == weft.F64 {
		bits := math.Float64bits(1 / (1 - p))
		words[5], words[6] = uint32(bits), uint32(bits>>32)
		return 7, checkStream("dropout", s)
	}
	words[5] = math.Float32bits(float32(1 / (1 - p)))
	return 6, checkStream("dropout", s)
}

var dropouts = declare(declaration[given]{
	inputs: []string{"x"}, needed: 1, more: []string{"mask"}, inPlace: true, check: checkDropout,
	types: func(_ given, t weft.DType) bool { return t.IsFloat() }, launchWith: launchDropout,
})

func checkDropout(o *given, in []*weft.Tensor) ([]int, error) {
	shape, kept := in[0].Shape(), operand{"mask", in[1]}
	if kept.tensor == nil {
		return shape, nil
	}
	if err := checkGiven(o.op, kept, operand{"x", in[0]}, weft.Bool); err != nil {
		return nil, err
	}
	return shape, checkShape(o.op, kept, shape)
}

func launchDropout(o *given, w []uint32, out *weft.Tensor, in []*weft.Tensor) error {
	x, mask := in[0], in[1]
	vector, err := x.Contiguous() // x itself where it is dense
	if err != nil {
		return err
	}
	defer vector.Close()
	if vector, err = vector.Reshape(x.Len()); err != nil {
		return err
	}
	defer vector.Close()
	scalars := weft.Scalars{w[0], w[1], w[2], w[3], w[4]}
	if x.DType() == weft.F64 {
		scalars = append(scalars, w[5], w[6])
	} else {
		scalars = append(scalars, math.Float32frombits(w[5]))
	}
	return throughDense(out, func(flat *weft.Tensor) error {
		p := kernels.RandomProblem{Op: o.op, Elem: x.DType(), N: x.Len(), X: tune.StridesOf(vector.Layout()), Out: tune.StridesOf(flat.Layout())}
		cfg := pick(randomTune, x.Device(), p)
		cfg.Mask = mask != nil
		if mask == nil {
			return kernels.Dropout.LaunchWith(cfg, scalars, vector, flat)
		}
		return throughDense(mask, func(kept *weft.Tensor) error {
			return kernels.Dropout.LaunchWith(cfg, scalars, vector, flat, kept)
		})
	})
}
