package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// The remainder has the sign of the first operand, as Go's has, or of the second one, as Python's.
func ExampleMod() {
	dev := cpu()
	defer dev.Close()
	x := must(weft.FromSlice(dev, []int32{7, -7, 6}))
	fmt.Println(must(weft.ToSlice[int32](must(ops.Rem(x, 3)))), must(weft.ToSlice[int32](must(ops.Mod(x, 3)))))
	// Output: [1 -1 0] [1 2 0]
}
