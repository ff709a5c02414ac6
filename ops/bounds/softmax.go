package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Softmax is the largest error of one element of a row of cols elements whose
// largest and smallest differ by spread, given the exact element: the difference
// to the largest is rounded and scales with the exponential, whose own error is
// that of GPUs' native ones, sums in F32 may go in any order, and the result is
// rounded to the element type, where it may be too small for a normal number. With a temperature, spread is
// that of the divided elements; above 1 also twice their largest magnitude, since they are rounded, too.
func Softmax(elem weft.DType, cols int, spread, element float64) float64 {
	relative := relativeSoftmax(elem, cols, spread)
	return element*(relative+elem.Epsilon()*(1+relative)) + Smallest(elem)
}

// RelativeSoftmax is the relative error of the softmax in F32.
func RelativeSoftmax(cols int, spread float64) float64 {
	return (16+4*spread)*dtype.F32.Epsilon() + RelativeSum(cols)
}

// relativeSoftmax is that of elements of a type, of which F64 is computed in F64. References in float64 have errors of that size, too.
func relativeSoftmax(elem weft.DType, cols int, spread float64) float64 {
	if elem == weft.F64 {
		return 2*(16+4*spread)*elem.Epsilon() + relativeSum(elem, cols)
	}
	return RelativeSoftmax(cols, spread)
}

// LogSoftmax is the largest error of one element of the logarithm of a softmax, given the exact
// one; for cols and spread see Softmax. The relative error of the sum becomes an absolute one
// of its logarithm, whose own error is 3 units, and 2^-21 absolute near 1 (WGSL specification,
// accuracy of log).
func LogSoftmax(elem weft.DType, cols int, spread, element float64) float64 {
	wide := relativeSoftmax(elem, cols, spread) + 8*elem.Accumulator().Epsilon()*(math.Abs(element)+1)
	if elem != weft.F64 {
		wide += 0x1p-20
	}
	return wide + elem.Epsilon()*(math.Abs(element)+wide) + Smallest(elem)
}
