package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Copies of any views go by weft.Tensor.CopyFrom. Dimensions are merged before a kernel is
// launched, so that NCHW to NHWC is a batch of transposed matrices and a copy of rows is one of
// two dimensions; elementwise.ConfigFor then chooses between a tile that passes through shared
// memory and strides alone, and elementwise.Configs is the search space. Narrow elements that cross have a
// kernel of their own, elementwise.DescribeCopySquares.

// Copy returns a dense copy of a tensor of any element type, shape and layout, in row-major order.
// Bits stay as they are; see weft.Tensor.CopyFrom for NaNs of 16 bits where lengths are odd.
//
// Errors: ErrArgument for nil, ErrClosed, ErrOutOfMemory, ErrLimit.
func Copy(src *weft.Tensor) (*weft.Tensor, error) {
	from := operand{"src", src}
	if err := cmp.Or(checkOperands("copy", anyType, from), checkOpen("copy", from)); err != nil {
		return nil, err
	}
	return into("copy", src.Device(), src.DType(), src.Shape(), func(out *weft.Tensor) error { return copyInto(out, src) })
}

// CopyInto copies src, broadcast to out's shape and converted to out's element type as by
// weft.Tensor.CopyFrom, into out on the same device.
//
// Errors: ErrShape for shapes that do not fit, ErrDevice, ErrClosed, ErrUnsupported if out
// repeats elements or overlaps src without being the same view.
func CopyInto(out, src *weft.Tensor) error { return copyInto(out, src) }

// copyInto is CopyFrom on one device.
func copyInto(out, src *weft.Tensor) error {
	if to, from := out.Device(), src.Device(); to != from && to != nil && from != nil {
		return out.CheckDevice("copy", "out", src, "src")
	}
	return out.CopyFrom(src)
}

// Transpose returns a dense copy of x with its last two dimensions swapped; x.T() is the same as a
// view, without moving anything. A tensor of fewer than two dimensions is copied as it is.
//
// Errors: as for Copy.
func Transpose(x *weft.Tensor) (*weft.Tensor, error) {
	return permuted("transpose", x, swapLast(x))
}

// TransposeInto is Transpose into a given tensor, of x's element type and the swapped shape.
//
// Errors: ErrShape, ErrDevice, ErrClosed, ErrUnsupported if out repeats elements or overlaps x.
func TransposeInto(out, x *weft.Tensor) error { return permuteInto("transpose", out, x, swapLast(x)) }

// Permute returns a dense copy of x with its dimensions reordered: dimension i of the result is
// dims[i] of x, as for NumPy's transpose; x.Permute(dims...) is the same as a view.
//
// Errors: ErrShape if the length of dims is not x's rank, ErrArgument if dims is not a permutation, and as for Copy.
func Permute(x *weft.Tensor, dims ...int) (*weft.Tensor, error) { return permuted("permute", x, dims) }

// PermuteInto is Permute into a given tensor, of x's element type and the permuted shape.
//
// Errors: ErrShape, ErrDevice, ErrClosed, ErrUnsupported if out repeats elements or overlaps x.
func PermuteInto(out, x *weft.Tensor, dims ...int) error { return permuteInto("permute", out, x, dims) }

// swapLast is the permutation that swaps the last two dimensions.
func swapLast(x *weft.Tensor) []int {
	if x == nil {
		return nil
	}
	dims := make([]int, x.Rank())
	for d := range dims {
		dims[d] = d
	}
	if n := len(dims); n >= 2 {
		dims[n-2], dims[n-1] = n-1, n-2
	}
	return dims
}

func permuted(op string, x *weft.Tensor, dims []int) (*weft.Tensor, error) {
	view, err := permutedView(op, x, dims)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return into(op, x.Device(), x.DType(), view.Shape(), func(out *weft.Tensor) error { return copyInto(out, view) })
}

func permuteInto(op string, out, x *weft.Tensor, dims []int) error {
	view, err := permutedView(op, x, dims)
	if err != nil {
		return err
	}
	defer view.Close()
	from, to := operand{"x", x}, operand{"out", out}
	if err := cmp.Or(checkOperands(op, anyType, from, to), checkOpen(op, to), checkLike(op, out, view)); err != nil {
		return err
	}
	return copyInto(out, view)
}

// permutedView is x with its dimensions reordered.
func permutedView(op string, x *weft.Tensor, dims []int) (*weft.Tensor, error) {
	from := operand{"x", x}
	if err := cmp.Or(checkOperands(op, anyType, from), checkOpen(op, from)); err != nil {
		return nil, err
	}
	view, err := x.Permute(slices.Clone(dims)...)
	if err != nil {
		kind := weft.ErrArgument
		if len(dims) != x.Rank() {
			kind = weft.ErrShape
		}
		return nil, fault.New(kind, op, "dimensions %v are not a permutation of those of shape %v", dims, x.Shape()).For("x")
	}
	return view, nil
}
