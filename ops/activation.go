package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
)

// The activation functions of neural networks as maps: for tensors by Apply and Into,
// and within a matrix product by Fuse.
var (
	ReLUMap     = elementwiseMaps["relu"]      // max(x, 0); integers too
	GELUMap     = elementwiseMaps["gelu"]      // x·Φ(x), Φ being the normal distribution
	GELUTanhMap = elementwiseMaps["gelu_tanh"] // its approximation by tanh
	SiLUMap     = elementwiseMaps["silu"]      // x·sigmoid(x), also called swish
	SigmoidMap  = elementwiseMaps["sigmoid"]
	TanhMap     = elementwiseMaps["tanh"]
)

// ActivationBound is the largest error of one element of an activation, given the exact
// element x before it, the error that x has already, and the exact element y after it,
// rounded to elem. None of the activations is steeper than 1.13 (GELU near √2). They are computed in
// F32 from functions as WGSL allows them ("Accuracy of Concrete Floating Point Expressions"): an
// exponential is off by 3 + 2|x| units in the last place, and a hyperbolic tangent by 1e-5, which x multiplies.
func ActivationBound(elem weft.DType, x, err, y float64) float64 {
	x = math.Abs(x)
	err = 1.13*err + 16*dtype.F32.Epsilon()*(3+2*min(x, 88))*math.Abs(y) + 2e-5*max(x, 1)
	return err + elem.Epsilon()*(math.Abs(y)+err) + smallest(elem)
}
