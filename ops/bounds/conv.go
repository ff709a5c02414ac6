package bounds

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Conv2D is the largest error of one element of a convolution, which is the sum of terms products, C/G·KH·KW, given the
// exact element of the rounded operands and the sum of its terms' magnitudes, that of the bias among
// them: it is a matrix product's with one term more, whatever the algorithm.
func Conv2D(elem weft.DType, terms int, element, magnitudes float64) float64 {
	return MatMul(elem, tile.IEEE, terms+1, element, magnitudes)
}
