package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// Parts of five elements overlap; each element gets its share of the gradients of its parts.
func ExampleAdaptivePool() {
	dev := cpu()
	defer dev.Close()
	fmt.Println(must(ops.AdaptivePool(f32(dev, []int{1, 5}, 1, 2, 3, 4, 5), ops.WindowMean, 2)))
	fmt.Println(must(ops.AdaptivePoolGrad(f32(dev, []int{1, 2}, 3, 6), ops.WindowMean, 5)))
	// Output:
	// [[2. 4.]]
	// [[1. 1. 3. 2. 2.]]
}

// An index counts the elements of a plane row by row.
func ExampleMaxPoolIndices() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{1, 1, 2, 6}, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8)
	values, indices, err := ops.MaxPoolIndices(x, ops.Window{Size: []int{2, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(values, indices)
	fmt.Println(must(ops.MaxUnpool(values, indices, 2, 6)))
	// Output:
	// [[[[6. 5. 9.]]]] [[[[7 8 5]]]]
	// [[[[0. 0. 0. 0. 0. 9.]
	//    [0. 6. 5. 0. 0. 0.]]]]
}

// Windows are side by side if no stride is given. The gradient goes to the largest element of each window.
func ExampleMaxPool() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{1, 1, 2, 6}, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8)
	w := ops.Window{Size: []int{2, 2}}
	fmt.Println(must(ops.MaxPool(x, w)))
	fmt.Println(must(ops.AvgPool(x, w)))
	fmt.Println(must(ops.ReduceWindowGrad(x, f32(dev, []int{1, 1, 1, 3}, 10, 20, 30), ops.WindowMax, w)))
	// Output:
	// [[[[6. 5. 9.]]]]
	// [[[[3.   3.25 6.75]]]]
	// [[[[ 0.  0.  0.  0.  0. 30.]
	//    [ 0. 10. 20.  0.  0.  0.]]]]
}
