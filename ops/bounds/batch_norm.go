package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// givenNormal is the relative error of x normalised by a given mean and variance: the roundings of the difference, of the variance with epsilon, of the product, and
// the root, 2 units (WGSL).
func givenNormal(elem weft.DType) float64 { return 8 * elem.Accumulator().Epsilon() }

// BatchNormInference is the largest error of one element of a normalisation by a given mean and variance, given the exact element, the element without weight and bias, the
// weight and the bias.
func BatchNormInference(elem weft.DType, element, normal, weight, bias float64) float64 {
	product := math.Abs(weight * normal)
	wide := givenNormal(elem)*product + 4*elem.Accumulator().Epsilon()*(product+math.Abs(bias))
	return wide + elem.Epsilon()*(math.Abs(element)+wide) + Smallest(elem)
}

// BatchNormGrad is the largest error of one element of the gradient weight · scale · (dy - mean of dy - x̂ · mean of dy · x̂) of a batch normalisation whose mean and
// variance are given, given the exact element, dy, x̂, and the channel as a row: its Gradient is the mean of the magnitudes of dy, its Scale is times the weight, and its Size does not count.
func BatchNormGrad(elem weft.DType, r NormRow, element, dy, normal float64) float64 {
	unit, given := elem.Accumulator().Epsilon(), givenNormal(elem)
	dy, normal = math.Abs(dy), math.Abs(normal)
	sums := relativeSum(elem, r.N) + 2*unit
	part := normal * r.Product
	e := math.Abs(r.Scale)*(sums*r.Gradient+(sums+2*given+2*unit)*part+4*unit*(dy+r.Gradient+part)) + (given+2*unit)*math.Abs(element)
	return e + elem.Epsilon()*(math.Abs(element)+e) + Smallest(elem)
}

// BatchNormWeightGrad is the largest error of one element of the gradient of a weight, a sum of n products dy · x̂ by a mean and a variance that are given, given the exact sum and
// that of the magnitudes.
func BatchNormWeightGrad(elem weft.DType, n int, sum, magnitudes float64) float64 {
	e := (relativeSum(elem, n) + givenNormal(elem) + elem.Accumulator().Epsilon()) * magnitudes
	return e + elem.Epsilon()*(math.Abs(sum)+e) + Smallest(elem)
}
