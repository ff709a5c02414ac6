package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

func ExampleConcat() {
	dev := cpu()
	defer dev.Close()
	a, b := f32(dev, []int{2, 2}, 1, 2, 3, 4), f32(dev, []int{2, 1}, 5, 6)
	fmt.Println(must(ops.Concat(-1, a, b)))
	fmt.Println(must(ops.Stack(0, b, b)).Shape())
	// Output:
	// [[1. 2. 5.]
	//  [3. 4. 6.]]
	// [2 2 1]
}

// Elements are left out at one end, and come in between and after others.
func ExamplePad() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{4}, 1, 2, 3, 4)
	fmt.Println(must(ops.Pad(x, []ops.PadSize{{Low: -1, High: 2, Interior: 1}}, ops.PadValue(9))))
	fmt.Println(must(ops.Pad(x, []ops.PadSize{{Low: 2, High: 2}}, ops.PadWith(ops.PadReflect))))
	fmt.Println(must(ops.Roll(x, []int{1})))
	// Output:
	// [9. 2. 9. 3. 9. 4. 9. 9.]
	// [3. 2. 1. 2. 3. 4. 3. 2.]
	// [4. 1. 2. 3.]
}

// An index that x does not have gives zeros.
func ExampleIndexSelect() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{3, 2}, 1, 2, 3, 4, 5, 6)
	indices := must(weft.FromSlice(dev, []int32{2, 0, 3}))
	fmt.Println(must(ops.IndexSelect(x, 0, indices)))
	fmt.Println(must(ops.DynamicSlice(x, must(weft.FromSlice(dev, []int32{9, 1})), 2, 1))) // moved into x
	// Output:
	// [[5. 6.]
	//  [1. 2.]
	//  [0. 0.]]
	// [[4.]
	//  [6.]]
}

// Where the sum depends on the order, it is the same in every run: updates are added up first, and then to the element.
func ExampleDeterministic() {
	dev := cpu()
	defer dev.Close()
	x, updates := f32(dev, []int{1}, 1), f32(dev, []int{4}, 1e20, -1e20, 1e20, -1e20)
	indices := must(weft.FromSlice(dev, []int32{0, 0, 0, 0}))
	first := must(ops.IndexUpdate(x, 0, indices, updates, ops.ScatterAdd, ops.Deterministic()))
	second := must(ops.IndexUpdate(x, 0, indices, updates, ops.ScatterAdd, ops.Deterministic()))
	fmt.Println(first, second)
	// Output:
	// [1.] [1.]
}

// Rows are added to those that indices name, here twice to the first.
func ExampleIndexUpdate() {
	dev := cpu()
	defer dev.Close()
	x, updates := f32(dev, []int{2, 2}, 1, 2, 3, 4), f32(dev, []int{3, 2}, 10, 10, 20, 20, 30, 30)
	indices := must(weft.FromSlice(dev, []int32{0, 1, 0}))
	fmt.Println(must(ops.IndexUpdate(x, 0, indices, updates, ops.ScatterAdd)))
	fmt.Println(must(ops.IndexUpdate(x, 0, indices, updates, ops.ScatterSet, ops.LastWins())))
	// Output:
	// [[41. 42.]
	//  [23. 24.]]
	// [[30. 30.]
	//  [20. 20.]]
}
