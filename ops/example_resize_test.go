package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// Elements of the result are means of two, or one of the tensor. The gradient of each element is what the results have of it.
func ExampleResize() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{1, 3}, 0, 4, 8)
	fmt.Println(must(ops.Resize(x, ops.ResizeLinear, []int{6})))
	fmt.Println(must(ops.Resize(x, ops.ResizeLinear, []int{5}, ops.AlignCorners())))
	fmt.Println(must(ops.Resize(x, ops.ResizeNearest, nil, ops.ResizeScales(2))))
	fmt.Println(must(ops.ResizeGrad(f32(dev, []int{1, 6}, 1, 1, 1, 1, 1, 5), ops.ResizeLinear, []int{3})))
	// Output:
	// [[0. 1. 3. 5. 7. 8.]]
	// [[0. 2. 4. 6. 8.]]
	// [[0. 0. 4. 4. 8. 8.]]
	// [[2. 2. 6.]]
}
