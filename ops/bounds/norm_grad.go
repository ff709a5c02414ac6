package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// SoftmaxGrad is the largest error of one element of the gradient y · (dy - sum of y · dy) of a softmax of rows of n elements, given the exact element, y, dy,
// and the sum of the magnitudes of y · dy over the row: that of the sum, and a rounding for each operation.
func SoftmaxGrad(elem weft.DType, n int, element, y, dy, magnitudes float64) float64 {
	unit := elem.Accumulator().Epsilon()
	e := math.Abs(y) * (relativeSum(elem, n)*magnitudes + 4*unit*(math.Abs(dy)+magnitudes))
	return e + elem.Epsilon()*(math.Abs(element)+e) + Smallest(elem)
}

// LogSoftmaxGrad is the largest error of one element of the gradient dy - e^y · sum of dy of the logarithm of a softmax of rows of n elements, given the exact
// element, y, dy, and the sum of the magnitudes of dy over the row: that of the sum, that of GPUs' own exponentials, which grows with y, and a rounding for
// each operation.
func LogSoftmaxGrad(elem weft.DType, n int, element, y, dy, magnitudes float64) float64 {
	unit := elem.Accumulator().Epsilon()
	share := math.Exp(y) * magnitudes
	e := share*(relativeSum(elem, n)+(16+4*math.Abs(y))*unit) + 4*unit*(math.Abs(dy)+share)
	return e + elem.Epsilon()*(math.Abs(element)+e) + Smallest(elem)
}

// NormRow is what the error of a gradient of a normalisation depends on, of a row of N elements: the means of the magnitudes of g, the gradients times their
// weights, and of g · x̂, where x̂ is x normalised; what deviations of x are multiplied by; and for LayerNorm the row's root mean square in units of what it is
// divided by, 0 for RMSNorm.
type NormRow struct {
	N                        int
	Gradient, Product, Scale float64
	Size                     float64
}

// normal is the error of x normalised, relative and absolute: see Norm.
func (r NormRow) normal(elem weft.DType) (unit, relative, absolute float64) {
	unit = relativeSum(elem, r.N) + 8*elem.Accumulator().Epsilon()
	return unit, 2*unit*(1+r.Size) + unit*unit*r.Size*r.Size, 2 * unit * r.Size
}

// NormGrad is the largest error of one element of the gradient scale · (g - mean of g - x̂ · mean of g · x̂) of a normalisation, given the exact element, g and x̂.
// The mean of g has the error of a sum; that of products also those of x̂, whose scale has a relative one.
func NormGrad(elem weft.DType, r NormRow, element, g, normal float64) float64 {
	unit, relative, absolute := r.normal(elem)
	g, normal = math.Abs(g), math.Abs(normal)
	product := (relative+2*unit)*(r.Product+r.Gradient) + 2*absolute*r.Gradient
	e := math.Abs(r.Scale)*(2*unit*(g+r.Gradient)+normal*product+(normal*relative+absolute)*r.Product+4*unit*normal*r.Product) + relative*math.Abs(element)
	return e + elem.Epsilon()*(math.Abs(element)+e) + Smallest(elem)
}

// NormWeightGrad is the largest error of one element of the gradient of a weight, a sum of n products dy · x̂, given the exact sum, those of the
// magnitudes of the products and of dy, and the row whose N and Size are the largest.
func NormWeightGrad(elem weft.DType, n int, r NormRow, sum, products, gradients float64) float64 {
	unit, relative, absolute := r.normal(elem)
	e := (relative+2*unit+relativeSum(elem, n))*products + absolute*gradients
	return e + elem.Epsilon()*(math.Abs(sum)+e) + Smallest(elem)
}
