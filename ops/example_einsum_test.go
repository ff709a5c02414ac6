package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Letters that the result lacks are added up.
func ExampleEinsum() {
	dev := cpu()
	defer dev.Close()
	a, b := f32(dev, []int{2, 2}, 1, 2, 3, 4), f32(dev, []int{2, 2}, 10, 20, 30, 40)
	fmt.Println(must(ops.Einsum("ij,jk->ik", []*weft.Tensor{a, b})))
	fmt.Println(must(ops.Einsum("ii", []*weft.Tensor{a})))
	fmt.Println(must(ops.DotGeneral(a, b, ops.DotDims{Contract: [2][]int{{0}, {1}}})))
	// Output:
	// [[ 70. 100.]
	//  [150. 220.]]
	// 5.0
	// [[ 70. 150.]
	//  [100. 220.]]
}
