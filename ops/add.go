package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// AddMap is the kernel of Add.
var AddMap = weft.NewTypedMap("add", []string{"a", "b"}, weft.MapTypes{Shared: numeric, Exact: true}, func(in []*tile.Value) *tile.Value {
	return in[0].Add(in[1])
})

func numeric(t weft.DType) bool { return t.IsFloat() || t.IsInt() }

// Add returns a + b, broadcast to one shape as in NumPy, for tensors of one
// numeric element type, one of which may be a number instead. Floats are rounded once, integers wrap.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil and element types that do not fit,
// ErrUnsupported for Bool, ErrDevice, ErrClosed.
func Add(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return AddMap.Apply(a, b) }

// AddInto writes a + b, broadcast to out's shape, into out, which may be the very
// view that is a or b.
//
// Errors: as for Add, and ErrUnsupported if out repeats elements or overlaps a or
// b without being the same view.
func AddInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return AddMap.Into(out, a, b) }

// AddBound is the largest error of one element of a + b, given the exact sum of
// the rounded operands: one rounding to the element type, and what is lost of results
// too small for it. Integers are exact.
func AddBound(elem weft.DType, sum float64) float64 {
	return elem.Epsilon()*math.Abs(sum) + smallest(elem)
}

// smallest is the absolute error of results that are too small for full precision:
// half the step between F16's subnormal numbers, which every backend keeps, and
// the least normal number of F32 and BF16, below which backends may flush to 0.
func smallest(elem weft.DType) float64 {
	switch elem {
	case weft.F16:
		return 0x1p-25
	case weft.F32, weft.BF16:
		return 0x1p-126
	}
	return 0
}
