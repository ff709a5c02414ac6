package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Rotary is the largest error of an element of a rotated row, given the exact one, and those of its
// pair before they are turned. Cosine and sine are within 2^-21: the angle, up to an eighth of a
// revolution from the nearest quarter, is within 2^-22, since it is converted from integers,
// perhaps by cutting it off, and multiplied once; the polynomials add an error in the last place of
// 1. Products and the sum are rounded.
func Rotary(elem weft.DType, element, first, second float64) float64 {
	f32 := (math.Abs(first) + math.Abs(second)) * (0x1p-21 + 2*dtype.F32.Epsilon())
	return f32 + elem.Epsilon()*(math.Abs(element)+f32) + Smallest(elem)
}
