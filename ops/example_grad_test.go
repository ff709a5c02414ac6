package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// The gradient of a normalisation takes x, the gradient of the result, and the weight. Those of weight and bias are
// sums over the rows; that of x is 0 here, since any row of two different elements becomes -1 and 1, or 1 and -1.
func ExampleLayerNormGrad() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 2}, 0, 2, 5, 9)
	dy := f32(dev, []int{2, 2}, 1, 2, 3, 5)
	weight := f32(dev, []int{2}, 1, 1)
	dx, dweight, dbias, err := ops.LayerNormGrad(x, dy, weight, ops.Epsilon(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dx)
	fmt.Println(dweight, dbias)
	// Output:
	// [[0. 0.]
	//  [0. 0.]]
	// [-4.  7.] [4. 7.]
}
