package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// The bounds of a type hide no rounding to the next smaller one, and every function is named once.
func TestElementwiseTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range ops.Elementwise() {
		if seen[o.Name] || o.Map == nil || o.Exact == nil && o.ExactAs == nil {
			t.Errorf("%s: twice, or not whole", o.Name)
		}
		seen[o.Name] = true
		if got := o.Bound(weft.F16, []float64{1, 1, 1}, 1); got > weft.BF16.Epsilon() {
			t.Errorf("%s: the bound %v of f16 allows the rounding of bf16", o.Name, got)
		}
	}
}
