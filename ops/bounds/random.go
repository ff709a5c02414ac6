package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// Normal is the largest error of a number of Normal, given the exact one and the radius
// from which it was made: half a step of 2^-21; that of root, sine and cosine; and that of the radius' square, of which the
// root makes much near 0. Numbers of F64 have the roundings of a logarithm, a root, sine and cosine, of 16 units at most, and as many are those of the exact one
// if it is computed in float64.
func Normal(elem weft.DType, exact, radius float64) float64 {
	if elem == weft.F64 {
		return 32 * elem.Epsilon() * radius
	}
	const square = 0x1p-28
	err := 0x1p-22 + radius*0x1p-25 + min(math.Sqrt(square), square/radius)
	return err + elem.Epsilon()*(math.Abs(exact)+err) + Smallest(elem)
}
