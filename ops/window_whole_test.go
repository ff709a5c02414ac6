package ops_test

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
)

// Pools of whole images are reductions, whose threads share the elements of one result, on any device; others are windows.
func TestPoolsOfWholeImages(t *testing.T) {
	for _, name := range []string{"cpu", "webgpu", "h200"} {
		dev, record := offline.Open("window", preset(t, name))
		x, err := weft.Empty(dev, weft.F32, 2, 30, 56, 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what  string
			pool  func() (*weft.Tensor, error)
			whole bool
		}{
			{"mean of all", func() (*weft.Tensor, error) { return ops.AvgPool(x, ops.Window{Size: []int{56, 50}}) }, true},
			{"largest of columns", func() (*weft.Tensor, error) { return ops.MaxPool(x, ops.Window{Size: []int{56, 1}}) }, true},
			{"one part", func() (*weft.Tensor, error) { return ops.AdaptivePool(x, ops.WindowMean, 1, 1) }, true},
			{"two parts", func() (*weft.Tensor, error) { return ops.AdaptivePool(x, ops.WindowMean, 1, 2) }, false},
			{"padded", func() (*weft.Tensor, error) {
				return ops.AvgPool(x, ops.Window{Size: []int{56, 50}, Stride: []int{2, 1}, Padding: [][2]int{{1, 0}, {0, 0}}})
			}, false},
			{"no windows", func() (*weft.Tensor, error) { return ops.MaxPool(x, ops.Window{Size: []int{1, 1}}) }, false},
		} {
			if _, err := c.pool(); err != nil {
				t.Fatal(err)
			}
			if names := offline.Kernels(record.Take()); slices.Contains(names, "window") == c.whole {
				t.Errorf("%s: %s is computed by %v", name, c.what, names)
			}
		}
		dev.Close()
	}
}
