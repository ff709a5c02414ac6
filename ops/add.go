package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tile"
)

// AddMap is the kernel of Add.
var AddMap = weft.NewMap("add", []string{"a", "b"}, func(in []*tile.Value) *tile.Value {
	return in[0].Add(in[1])
}).Takes(kernels.Numeric).Exact()

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
