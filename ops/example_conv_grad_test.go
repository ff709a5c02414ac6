package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// Each element of x times the kernel, at every second place.
func ExampleConvTranspose2D() {
	dev := cpu()
	defer dev.Close()
	x, kernel := f32(dev, []int{1, 1, 1, 3}, 1, 2, 3), f32(dev, []int{1, 1, 1, 3}, 1, 10, 100)
	fmt.Println(must(ops.ConvTranspose2D(x, kernel, 1, 7, ops.Stride(1, 2))))
	fmt.Println(must(ops.Conv2DWeightGrad(f32(dev, []int{1, 1, 1, 5}, 1, 2, 3, 4, 5), x, 1, 3)))
	// Output:
	// [[[[  1.  10. 102.  20. 203.  30. 300.]]]]
	// [[[[14. 20. 26.]]]]
}
