package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Reductions are over all dimensions, or those that are named; negative ones count from the end.
func ExampleSum() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(y *weft.Tensor, err error) {
		if err == nil {
			var values []float64
			if values, err = weft.ToFloats(y); err == nil {
				fmt.Println(y.Shape(), values)
				return
			}
		}
		fmt.Println(err)
	}
	show(ops.Sum(x))
	show(ops.Sum(x, ops.Axis(0)))
	show(ops.Mean(x, ops.Axis(-1), ops.KeepDims()))
	show(ops.ArgMax(x, ops.Axis(1)))
	show(ops.Var(x, ops.Correction(1)))
	show(ops.Max(x, ops.Axis(2)))
	// Output:
	// [] [21]
	// [3] [5 7 9]
	// [2 1] [2 5]
	// [2] [2 2]
	// [] [3.5]
	// weft: max: x: axis 2 of a tensor of 2 dimensions does not exist: invalid argument
}

// What is true of all rows, of one, and of an odd number of them.
func ExampleAll() {
	dev := cpu()
	defer dev.Close()
	x := must(ops.Gt(f32(dev, []int{2, 3}, 1, 2, -3, 4, -5, 6), 0))
	fmt.Println(must(ops.All(x, ops.Axis(0))), must(ops.Any(x, ops.Axis(0))), must(ops.ReduceXor(x, ops.Axis(0))))
	// Output: [ True False False] [ True  True  True] [False  True  True]
}

// Cumulative ops go along a dimension, from either end, with or without the element itself.
func ExampleCumsum() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 4}, 1, 2, 3, 4, 5, 6, 7, 8)
	for _, options := range [][]ops.ScanOption{nil, {ops.Exclusive()}, {ops.Reverse()}} {
		y, err := ops.Cumsum(x, -1, options...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(y)
	}
	// Output:
	// [[ 1.  3.  6. 10.]
	//  [ 5. 11. 18. 26.]]
	// [[ 0.  1.  3.  6.]
	//  [ 0.  5. 11. 18.]]
	// [[10.  9.  7.  4.]
	//  [26. 21. 15.  8.]]
}
