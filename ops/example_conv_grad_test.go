package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Sums of three neighbours, and of cubes of eight; gradients go the other way.
func ExampleConv() {
	dev := cpu()
	defer dev.Close()
	line := f32(dev, []int{1, 1, 5}, 1, 2, 3, 4, 5)
	fmt.Println(must(ops.Conv(line, f32(dev, []int{1, 1, 3}, 1, 1, 1), ops.Padding(1), ops.Stride(2))))
	cubes := must(weft.Full(dev, weft.F32, 1, 1, 1, 4, 2, 2))
	fmt.Println(must(ops.Conv(cubes, must(weft.Full(dev, weft.F32, 1, 1, 1, 2, 2, 2)))))
	fmt.Println(must(ops.ConvTranspose(line, f32(dev, []int{1, 1, 2}, 1, -1), []int{6})))
	fmt.Println(must(ops.ConvWeightGrad(line, line, []int{3}, ops.Padding(1))))
	// Output:
	// [[[3. 9. 9.]]]
	// [[[[[8.]]
	//
	//    [[8.]]
	//
	//    [[8.]]]]]
	// [[[ 1.  1.  1.  1.  1. -5.]]]
	// [[[40. 55. 40.]]]
}

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
