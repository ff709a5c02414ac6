package weft_test

import (
	"fmt"
	"log"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// What a launch checks, chooses and compiles is done once; launching it again costs next to nothing.
func ExampleKernel_Bind() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 1}, 2, 1))
	w := need(weft.FromSlice(dev, []float32{2, 3}, 2, 1))
	double := need(rowScale.Bind(1, nil, x, w, x)) // in place
	defer double.Close()
	for range 3 {
		if err := double.Launch(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(weft.ToSlice[float32](x))
	// Output: [8 27] <nil>
}

// A sequence of ops as one launch: a graph in CUDA, a command buffer in Vulkan. Between replays the contents
// of its tensors may change.
func ExampleDevice_Capture() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x, y := need(weft.Full(dev, weft.F32, 1, 3)), need(weft.Empty(dev, weft.F32, 3))
	step := need(dev.Capture(func(rec *weft.Recorder) error {
		x := rec.Use(x) // what is done with it is recorded
		if err := ops.AddInto(x, x, 1); err != nil {
			return err
		}
		return ops.MulInto(y, x, x)
	}))
	defer step.Close()
	for range 2 {
		if err := step.Replay(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(y, step.Launches())
	// Output: [9. 9. 9.] 2
}
