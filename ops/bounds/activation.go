package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Activation is the largest error of one element of an activation, given the exact
// element x before it, the error that x has already, and the exact element y after it,
// rounded to elem. None of the activations is steeper than 1.13 (GELU near √2). They are computed in
// F32 from functions as WGSL allows them ("Accuracy of Concrete Floating Point Expressions"): an
// exponential is off by 3 + 2|x| units in the last place, and a hyperbolic tangent by 1e-5, which x multiplies. F64 is computed in F64, whose
// errors are as many units.
func Activation(elem weft.DType, x, err, y float64) float64 {
	x = math.Abs(x)
	unit := elem.Accumulator().Epsilon()
	err = 1.13*err + 16*unit*(3+2*min(x, 88))*math.Abs(y) + 2e-5*unit/dtype.F32.Epsilon()*max(x, 1)
	return err + elem.Epsilon()*(math.Abs(y)+err) + Smallest(elem)
}

// LinearSwiGLU is the largest error of one element of LinearSwiGLU, given the exact sums of k products of the gate and of the other
// weights, and the sums of the products' magnitudes. The other sum may have been rounded to elem.
func LinearSwiGLU(elem weft.DType, k int, gate, gateMagnitudes, up, upMagnitudes float64) float64 {
	silu := gate / (1 + math.Exp(-gate))
	wide := elem.Accumulator()
	first := Activation(wide, gate, ProductSum(elem, tile.Float32Accumulate, k, gateMagnitudes), silu)
	second := MatMul(elem, tile.Float32Accumulate, k, up, upMagnitudes)
	err := first*(math.Abs(up)+second) + math.Abs(silu)*second + wide.Epsilon()*math.Abs(silu*up)
	return err + elem.Epsilon()*(math.Abs(silu*up)+err) + Smallest(elem)
}
