package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// Sum is the largest error of the sum of n elements, given the exact sum and the sum of their
// magnitudes: the roundings of a sum in F32, or of F64 in F64, in any order, and one to the element type. Integers are
// exact.
func Sum(elem weft.DType, n int, sum, magnitudes float64) float64 {
	if !elem.IsFloat() {
		return 0
	}
	sums := relativeSum(elem, n) * magnitudes
	return sums + elem.Epsilon()*(math.Abs(sum)+sums) + Smallest(elem)
}

// Mean is the largest error of the mean of n elements, given the exact mean and the mean of
// their magnitudes: that of the sum, of the number of elements in F32 and of the division, which
// GPUs may do in 2.5 units (CUDA and Vulkan both name that), and a rounding to the element type.
func Mean(elem weft.DType, n int, mean, magnitude float64) float64 {
	wide := relativeSum(elem, n)*magnitude + 8*elem.Accumulator().Epsilon()*math.Abs(mean)
	return wide + elem.Epsilon()*(math.Abs(mean)+wide) + Smallest(elem)
}

// Prod is the largest error of the product of n elements, given the exact one, if no product of
// some of them is too large or too small for a normal F32: a rounding for each.
func Prod(elem weft.DType, n int, product float64) float64 {
	if !elem.IsFloat() {
		return 0
	}
	wide := 2 * relativeSum(elem, n) * math.Abs(product)
	return wide + elem.Epsilon()*(math.Abs(product)+wide) + Smallest(elem)
}

// Norm2 is the largest error of the root of the sum of n squares, given the exact one: half of that of the sum, relative, a rounding for each square and
// that of the root, 4 units (WGSL).
func Norm2(elem weft.DType, n int, norm float64) float64 {
	wide := (relativeSum(elem, n) + 10*elem.Accumulator().Epsilon()) * norm
	return wide + elem.Epsilon()*(norm+wide) + Smallest(elem)
}

// LogSumExp is the largest error of ln(sum of e^x) of n elements, given the exact one and the largest magnitude of an element. Each exponential of -d is off
// by 3 + 2d units (WGSL) and has a part of the sum of e^-d, 4 units at most, and sums are scaled by such exponentials as often as a larger element
// comes; the logarithm is off by 3 units and 2^-20.
func LogSumExp(elem weft.DType, n int, result, magnitude float64) float64 {
	unit := 2 * elem.Accumulator().Epsilon()
	wide := relativeSum(elem, n) + 4*unit*(float64(max(n, 0))+1) + 4*unit*math.Abs(result) + unit*magnitude + 8*unit
	return wide + elem.Epsilon()*(math.Abs(result)+wide) + Smallest(elem)
}

// Var is the largest error of the variance of n elements, given the exact one and the mean of
// the elements. Updating methods have a relative error of about n κ units, with κ² = 1 +
// mean²/variance (Chan, Golub and LeVeque, Algorithms for Computing the Sample Variance: Analysis
// and Recommendations, 1983); for the factor n see RelativeSum. The mean's own error adds its square.
func Var(elem weft.DType, n int, variance, mean float64) float64 {
	unit := 4 * relativeSum(elem, n)
	magnitude := math.Hypot(math.Sqrt(variance), mean)
	wide := unit*math.Sqrt(variance)*magnitude + unit*unit*magnitude*magnitude + 8*elem.Accumulator().Epsilon()*variance
	return wide + elem.Epsilon()*(variance+wide) + Smallest(elem)
}
