package catalog

import (
	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// countedBins are the bins of counts.
const countedBins = 256

// countOps count elements by bins.
func countOps() []*Op {
	counts := Operand{Name: "counts", Elem: weft.I32, Shape: []int{countedBins}}
	return []*Op{
		{Name: "bincount", Function: "Bincount", About: "how often each of the numbers 0 to 255 is among integers", Shape: "any shape", Example: "16777216",
			problem: func(o Options, _, sizes []int) Problem {
				return Problem{
					In: []Operand{{Name: "x", Elem: weft.I32, Shape: sizes, Below: countedBins}}, Out: []Operand{counts},
					Run: func(out, in []*weft.Tensor) error { return weftops.BincountInto(out[0], in[0], countedBins) },
				}
			}},
		{Name: "histogram", Function: "Histogram", About: "how many elements are in each of 256 ranges from -4 to 4", Shape: "any shape", Example: "16777216",
			problem: func(o Options, _, sizes []int) Problem {
				return Problem{
					In: []Operand{o.operand("x", sizes...)}, Out: []Operand{counts},
					Run: func(out, in []*weft.Tensor) error { return weftops.HistogramInto(out[0], in[0], -4, 4, countedBins) },
				}
			}},
	}
}
