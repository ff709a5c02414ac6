package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// Add is the largest error of one element of a + b, given the exact sum of
// the rounded operands: one rounding to the element type, and what is lost of results
// too small for it. Integers are exact.
func Add(elem weft.DType, sum float64) float64 {
	return elem.Epsilon()*math.Abs(sum) + Smallest(elem)
}

// Smallest is the absolute error of results that are too small for full precision:
// half the step between F16's subnormal numbers, which every backend keeps, and
// the least normal number of F32, BF16 and F64, below which backends may flush to 0.
func Smallest(elem weft.DType) float64 {
	switch elem {
	case weft.F16:
		return 0x1p-25
	case weft.F32, weft.BF16:
		return 0x1p-126
	case weft.F64:
		return 0x1p-1022
	}
	return 0
}
