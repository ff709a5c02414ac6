package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// Quantize is how far Dequantize, to elem, of what Quantize made of a finite x is from it at most, given the scale: half
// a step, and with scale and quotient computed in F32 a few roundings of the largest quotient; then
// one rounding of the result. GPUs divide to 2.5 units in the last place (WGSL, "Accuracy of Concrete Floating Point Expressions").
func Quantize(elem weft.DType, bits int, scale, x float64) float64 {
	err := scale * (0.5 + 16*dtype.F32.Epsilon()*math.Ldexp(1, min(bits, 64)))
	return err + Dequantize(elem, math.Abs(x)+err) + 0x1p-126
}

// QuantizeCodes is Quantize for a code book or scales that are powers of two, given QuantScheme.Reach. A scale of 2^-127, for numbers
// below 2^-124, may count as 0.
func QuantizeCodes(elem weft.DType, reach, scale, x float64) float64 {
	if scale < 0x1p-126 {
		return math.Abs(x) + Smallest(elem)
	}
	err := scale*reach + 16*dtype.F32.Epsilon()*math.Abs(x)
	return err + Dequantize(elem, math.Abs(x)+err) + 0x1p-126
}

// Dequantize is the largest error of one element of Dequantize, given the exact one: a product in F32, rounded to elem.
func Dequantize(elem weft.DType, element float64) float64 {
	product := dtype.F32.Epsilon()*math.Abs(element) + Smallest(weft.F32)
	return product + elem.Epsilon()*(math.Abs(element)+product) + Smallest(elem)
}
