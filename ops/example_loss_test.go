package ops_test

import (
	"fmt"
	"log"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// A step of training: the mean loss of rows of logits, and its gradient in place of them. The logarithms of the rows' sums are what the
// gradient needs of the first pass; a row whose target is -100 has no part in either.
func ExampleCrossEntropy() {
	dev := cpu()
	defer dev.Close()
	logits := f32(dev, []int{3, 4}, 1, 1, 1, 1, 0, 0, 90, 0, 5, 6, 7, 8)
	targets := must(weft.FromSlice(dev, []int64{0, 2, -100}))
	sums := must(weft.Empty(dev, weft.F32, 3))
	options := []ops.LossOption{ops.MeanLoss(), ops.LogSumExp(sums)}
	fmt.Println(must(ops.CrossEntropy(logits, targets, options...)))
	if err := ops.CrossEntropyGradInto(logits, logits, targets, nil, options...); err != nil {
		log.Fatal(err)
	}
	fmt.Println(logits)
	// Output:
	// 0.6931472
	// [[-0.375  0.125  0.125  0.125]
	//  [ 0.     0.     0.     0.   ]
	//  [ 0.     0.     0.     0.   ]]
}
