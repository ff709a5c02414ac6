package weft_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// gram is the first code of the README: the products of a matrix's rows with one another.
func gram(x []float32, rows, columns int) ([]float32, error) {
	dev, err := weft.Open("") // the best device here; WEFT_DEVICE=vulkan overrides
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	a, err := weft.FromSlice(dev, x, rows, columns)
	if err != nil {
		return nil, err
	}
	c, err := ops.MatMul(a, a.T()) // a view: nothing is copied
	if err != nil {
		return nil, err
	}
	return weft.ToSlice[float32](c)
}

// Upload, compute on the best device, download.
func Example_gram() {
	fmt.Println(gram([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	// Output: [14 32 32 77] <nil>
}
