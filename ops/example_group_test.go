package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft/ops"
)

// Channels are in any dimension but the first. As many groups as channels normalise each channel of each image by itself.
func ExampleGroupNorm() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{1, 2, 2}, 1, 1, 5, 5)
	fmt.Println(must(ops.GroupNorm(x, nil, nil, 1, 1, ops.Epsilon(0))))
	fmt.Println(must(ops.GroupNorm(x, nil, nil, 2, 1)))
	// Output:
	// [[[-1. -1.]
	//   [ 1.  1.]]]
	// [[[0. 0.]
	//   [0. 0.]]]
}
