package bounds

import (
	"math"

	"github.com/weftgpu/weft"
)

// Normal is the largest error of a number of Normal, given the exact one and the radius
// from which it was made: half a step of 2^-21; that of root, sine and cosine; and that of the radius' square, of which the
// root makes much near 0.
func Normal(elem weft.DType, exact, radius float64) float64 {
	const square = 0x1p-28
	err := 0x1p-22 + radius*0x1p-25 + min(math.Sqrt(square), square/radius)
	return err + elem.Epsilon()*(math.Abs(exact)+err) + Smallest(elem)
}
