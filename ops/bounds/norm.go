package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// Norm is the largest error of one element of a layer or RMS normalisation of rows of n
// elements, given the exact element, the element without weight and bias, the weight, the bias, and
// for LayerNorm the row's root mean square in units of what it is divided by, 0 for RMSNorm. The
// sums have the errors of Sum and Var: those of the squares, the root and the division
// come out as a relative error of the normalised element, that of the mean as an absolute one.
func Norm(elem weft.DType, n int, element, normal, weight, bias, size float64) float64 {
	unit := relativeSum(elem, n) + 8*elem.Accumulator().Epsilon()
	relative := 2*unit*(1+size) + unit*unit*size*size
	f32 := math.Abs(weight)*(math.Abs(normal)*relative+2*unit*size) + 4*elem.Accumulator().Epsilon()*(math.Abs(weight*normal)+math.Abs(bias))
	return f32 + elem.Epsilon()*(math.Abs(element)+f32) + Smallest(elem)
}
