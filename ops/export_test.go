package ops

// The descriptions, for benchmarks that build a kernel anew each time.
var (
	DescribeMatMul  = describeMatMul
	DescribeSoftmax = describeSoftmax
)
