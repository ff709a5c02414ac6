package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// Uniform returns a new tensor of random numbers of F32, F16, BF16 or F64, uniform on [0,1): element i, in row-major order, is
// number s.Offset+i of the stream, a multiple of 2^-24, 2^-11 or 2^-8. An element of F64 is two of them, numbers s.Offset+2i and the one after it, and a
// multiple of 2^-53: skip twice as many for the next draw. Every device gives the same bits.
//
// Errors: ErrUnsupported for other element types, and for F64 where a device has none; ErrArgument for an offset that is not a multiple of 4, and those of
// weft.Empty.
func Uniform(dev *weft.Device, elem weft.DType, s Stream, shape ...int) (*weft.Tensor, error) {
	return into("uniform", dev, elem, shape, func(out *weft.Tensor) error { return UniformInto(out, s) })
}

// UniformInto fills out, of any layout, as Uniform does.
//
// Errors: as for Uniform, and ErrUnsupported if out repeats elements.
func UniformInto(out *weft.Tensor, s Stream) error { return fill("uniform", out, s) }

// Normal returns a new tensor of random numbers of F32, F16, BF16 or F64 with mean 0 and variance 1: multiples of 2^-21, below 6.7
// in magnitude, and then rounded to the type. Elements 2i and 2i+1 are computed from the stream's numbers of those indices. Those of F64 are computed
// from numbers 4i to 4i+3, in F64, and are below 8.6 in magnitude. Every device gives the same bits.
//
// Errors: as for Uniform.
func Normal(dev *weft.Device, elem weft.DType, s Stream, shape ...int) (*weft.Tensor, error) {
	return into("normal", dev, elem, shape, func(out *weft.Tensor) error { return NormalInto(out, s) })
}

// NormalInto fills out, of any layout, as Normal does.
//
// Errors: as for Normal, and ErrUnsupported if out repeats elements.
func NormalInto(out *weft.Tensor, s Stream) error { return fill("normal", out, s) }

// fill fills out with the numbers of an op.
func fill(op string, out *weft.Tensor, s Stream) error {
	w := s.words()
	if err := checkStream(op, s); err != nil {
		return err
	}
	return numbers.intoWith(given{op: op}, w[:], out)
}

var numbers = declare(declaration[given]{types: func(_ given, t weft.DType) bool { return t.IsFloat() }, launchWith: func(o *given, w []uint32, out *weft.Tensor, _ []*weft.Tensor) error {
	return throughDense(out, func(flat *weft.Tensor) error {
		cfg := pick(randomTune, out.Device(), kernels.RandomProblem{Op: o.op, Elem: out.DType(), N: out.Len(), Out: tune.StridesOf(flat.Layout())})
		return kernels.RandomKernels[o.op].LaunchWith(cfg, weft.Scalars{w[0], w[1], w[2], w[3]}, flat)
	})
}})

func checkStream(op string, s Stream) error {
	if s.Offset%4 != 0 {
		return fault.New(weft.ErrArgument, op, "offset %d, want a multiple of 4", s.Offset).For("stream")
	}
	return nil
}

// throughDense calls f with out as a vector, or where its elements are not one after the other with a
// dense vector that is copied to out afterwards.
func throughDense(out *weft.Tensor, f func(flat *weft.Tensor) error) error {
	if out.Len() == 0 {
		return nil
	}
	dense := out
	if !out.Layout().IsContiguous() {
		var err error
		if dense, err = weft.Empty(out.Device(), out.DType(), out.Shape()...); err != nil {
			return err
		}
		defer dense.Close()
	}
	flat, err := dense.Reshape(out.Len())
	if err != nil {
		return err
	}
	defer flat.Close()
	if err := f(flat); err != nil || dense == out {
		return err
	}
	return out.CopyFrom(dense)
}
