package bounds

import "math"

import "github.com/weftgpu/weft"

// Resize is the largest error of one element of Resize of so many dimensions, given how many elements are weighted along each of them, 2 for linear and 4
// for cubic, the exact element, and the sum of the magnitudes of its terms. Places are exact, whatever the sizes. A weight is a
// distance times the reciprocal of a divisor: three roundings. Those of the cubic convolution are products of distances and a factor of 0.75 to 1.25, of which
// 16 units are the most. Then there are a product and a sum for each weighted element, and a rounding to the element type.
func Resize(elem weft.DType, taps, dims int, element, magnitudes float64) float64 {
	wide := resizeWeights(elem, taps, dims) * magnitudes
	return wide + elem.Epsilon()*(math.Abs(element)+wide) + Smallest(elem)
}

// ResizeGrad is the largest error of one element of ResizeGrad, given how many terms its sum has, the magnitudes of which are those of weights times
// gradients; for the others see Resize. At an edge a weight is a sum of up to three.
func ResizeGrad(elem weft.DType, taps, dims, terms int, element, magnitudes float64) float64 {
	wide := (resizeWeights(elem, taps, dims) + relativeSum(elem, terms)) * magnitudes
	return wide + elem.Epsilon()*(math.Abs(element)+wide) + Smallest(elem)
}

func resizeWeights(elem weft.DType, taps, dims int) float64 {
	units := 0
	switch {
	case taps > 2:
		units = 16 + taps + 2
	case taps > 1:
		units = 3 + taps
	}
	return 1.01 * float64(max(dims, 0)*units) * elem.Accumulator().Epsilon()
}
