package bounds

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// QuantizedMatMul is the largest error of one element of a product over k terms with weights (q - zero) · scale, given the exact element
// of rounded activations and real weights, the sum of its terms' magnitudes, and that of the activations alone. To MatMul's
// error it adds that of the weights: a rounding of F32 and one to the activations' type, in which small ones may be subnormal, and what multiplication by
// scales in two parts of that type adds, a part of it. Weights that are
// dequantised before the product are rounded in the same way.
func QuantizedMatMul(elem weft.DType, k int, element, magnitudes, activations float64) float64 {
	weights := (dtype.F32.Epsilon()+elem.Epsilon()*(1+4*elem.Epsilon()))*magnitudes + (2*Smallest(elem)+Smallest(dtype.F32))*activations
	return weights*(1+elem.Epsilon()) + MatMul(elem, tile.IEEE, k, element, magnitudes*(1+2*elem.Epsilon()))
}
