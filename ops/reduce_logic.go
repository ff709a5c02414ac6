package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// All is true where all elements of x are; elements of other types than Bool are true if they are not 0, as NaN is. All of no
// elements are. The result is of Bool. For the rest see Sum.
func All(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceAll, options), x)
}

// AllInto is All into out; see SumInto.
func AllInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceAll, options), out, x)
}

// Any is true where an element of x is, and false of no elements; see All.
func Any(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceAny, options), x)
}

// AnyInto is Any into out; see SumInto.
func AnyInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceAny, options), out, x)
}

// ReduceAnd is the conjunction of elements of x, of Bool, or of the bits of integers: of no elements all bits, or true. For the rest see Sum.
func ReduceAnd(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceAnd, options), x)
}

// ReduceAndInto is ReduceAnd into out; see SumInto.
func ReduceAndInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceAnd, options), out, x)
}

// ReduceOr is the disjunction of elements of x, of Bool, or of the bits of integers. For the rest see Sum.
func ReduceOr(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceOr, options), x)
}

// ReduceOrInto is ReduceOr into out; see SumInto.
func ReduceOrInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceOr, options), out, x)
}

// ReduceXor is the exclusive disjunction of elements of x, of Bool, or of the bits of integers: the parity. For the rest see Sum.
func ReduceXor(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceXor, options), x)
}

// ReduceXorInto is ReduceXor into out; see SumInto.
func ReduceXorInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceXor, options), out, x)
}

// Norm1 is the sum of the magnitudes of the elements of x, F32, F16 or BF16; see Sum.
func Norm1(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceNorm1, options), x)
}

// Norm1Into is Norm1 into out; see SumInto.
func Norm1Into(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceNorm1, options), out, x)
}

// Norm2 is the Euclidean norm of the elements of x, F32, F16 or BF16: the root of the sum of their squares, which is of F32 and may overflow. For the rest see
// Sum.
func Norm2(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceNorm2, options), x)
}

// Norm2Into is Norm2 into out; see SumInto.
func Norm2Into(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceNorm2, options), out, x)
}

// ReduceLogSumExp is the logarithm of the sum of e^x of the elements of x, F32, F16 or BF16, without overflow on the way. For the rest see Max.
func ReduceLogSumExp(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceLogSumExp, options), x)
}

// ReduceLogSumExpInto is ReduceLogSumExp into out; see SumInto.
func ReduceLogSumExpInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceLogSumExp, options), out, x)
}
