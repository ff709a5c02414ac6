package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Ids are on the device; one that the table does not have gives zeros.
func ExampleEmbedding() {
	dev, err := weft.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	table, err := weft.FromSlice(dev, []float32{0, 1, 10, 11, 20, 21}, 3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, err := weft.FromSlice(dev, []int32{2, 0, 3, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ops.Embedding(table, ids))
	// Output:
	// [[20. 21.]
	//  [ 0.  1.]
	//  [ 0.  0.]
	//  [20. 21.]] <nil>
}
