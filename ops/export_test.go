package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/recent"
)

// The descriptions, for benchmarks that build a kernel anew each time.
var (
	DescribeMatMul  = kernels.DescribeMatMul
	DescribeSoftmax = kernels.DescribeSoftmax
)

// SmallParts makes convolutions take few images at a time until restore is called.
func SmallParts(bytes, pixels int) (restore func()) {
	workspace, atOnce := maxWorkspace, pixelsAtOnce
	set := func(bytes, pixels int) {
		maxWorkspace, pixelsAtOnce = bytes, pixels
		recent.Forget()
	}
	set(bytes, pixels)
	return func() { set(workspace, atOnce) }
}

// Swap makes a product compute its transpose.
var Swap MatMulOption = matMulOption(func(c *productCall) { c.swap = true })

// PackConfig is the config of a copy of rows to longer ones.
var PackConfig = packConfig
