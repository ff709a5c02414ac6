package ops

// The descriptions, for benchmarks that build a kernel anew each time.
var (
	DescribeMatMul  = describeMatMul
	DescribeSoftmax = describeSoftmax
)

// SmallParts makes convolutions take few images at a time until restore is called.
func SmallParts(bytes, pixels int) (restore func()) {
	workspace, atOnce := maxWorkspace, pixelsAtOnce
	maxWorkspace, pixelsAtOnce = bytes, pixels
	return func() { maxWorkspace, pixelsAtOnce = workspace, atOnce }
}
