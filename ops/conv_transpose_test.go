package ops

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
)

// Phases share copies of x and of the weights, and are moved where storing them in place takes longer.
func TestTransposedLaunches(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	dev, record := offline.Open("transposed", h200.Caps)
	defer dev.Close()
	const conv, moved, joined = "conv2d_implicit", "copy_squares", "concat"
	four := []string{conv, conv, conv, conv}
	for _, c := range []struct {
		images, from, to, side, kernel, padding int
		last                                    bool
		want                                    []string
	}{
		{32, 64, 64, 28, 3, 1, false, slices.Concat([]string{moved, joined}, four, []string{moved})},
		{32, 64, 64, 28, 3, 1, true, slices.Concat([]string{joined}, four)},
		{8, 512, 256, 32, 4, 1, false, slices.Concat([]string{moved, joined, joined}, four, []string{moved})}, // neighbouring threads have neighbouring channels
		{64, 64, 64, 64, 4, 1, false, slices.Concat([]string{moved, joined, joined}, four)},                   // small tiles, and more than a cache holds
		{4, 128, 64, 128, 2, 0, true, slices.Concat([]string{joined}, four)},                                  // products of matrices but for their results
	} {
		shape, order := []int{c.images, c.from, c.side, c.side}, []int{0, 1, 2, 3}
		options := []Conv2DOption{Stride(2), Padding(c.padding, c.padding)}
		if c.last {
			order, options = []int{0, 2, 3, 1}, append(options, ChannelsLast())
		}
		x, err := weft.Empty(dev, weft.F16, shape[order[0]], shape[order[1]], shape[order[2]], shape[order[3]])
		if err != nil {
			t.Fatal(err)
		}
		weight, err := weft.Empty(dev, weft.F16, c.from, c.to, c.kernel, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		record.Take()
		if _, err := ConvTranspose2D(x, weight, 2*c.side, 2*c.side, options...); err != nil {
			t.Fatal(err)
		}
		if got := offline.Kernels(record.Take()); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
