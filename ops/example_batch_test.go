package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// A step of training normalises channels by the statistics of its batch and updates running ones, by which inference normalises.
func ExampleBatchNorm() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 2}, 1, 10, 3, 20)
	mean, variance := f32(dev, []int{2}, 0, 0), f32(dev, []int{2}, 1, 1)
	y, _, _, err := ops.BatchNorm(x, nil, nil, 1, ops.Epsilon(0), ops.Running(mean, variance, 0.5))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y)
	fmt.Println(mean, variance)
	fmt.Println(must(ops.BatchNormInference(f32(dev, []int{1, 2}, 1, 7.5), nil, nil, mean, variance, 1)))
	// Output:
	// [[-1. -1.]
	//  [ 1.  1.]]
	// [1.  7.5] [ 1.5 25.5]
	// [[0. 0.]]
}
