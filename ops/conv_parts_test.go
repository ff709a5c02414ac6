package ops_test

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
)

// Programs share the reductions of tiles that would leave most of a GPU idle, and no others. Weights whose channels are last in memory are not copied.
func TestConvParts(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	dev, record := offline.Open("parts", h200.Caps)
	defer dev.Close()
	for _, c := range []struct {
		elem                                    weft.DType
		images, channels, side, filters, kernel int
		last                                    bool
		want                                    []string
	}{
		{weft.F16, 9, 800, 14, 128, 3, true, []string{"conv2d_implicit", "sum_parts"}},
		{weft.BF16, 2, 704, 42, 64, 7, false, []string{"copy_squares", "copy", "conv2d_implicit", "sum_parts"}},
		{weft.F32, 2, 256, 14, 256, 3, true, []string{"conv2d_implicit", "sum_parts"}},
		{weft.F16, 2, 512, 24, 2, 7, true, []string{"conv2d_implicit", "sum_parts"}}, // a product of few rows
		{weft.F16, 32, 64, 56, 64, 3, true, []string{"conv2d_implicit"}},
		{weft.F16, 1, 16, 14, 64, 3, true, []string{"conv2d_implicit"}}, // too short
	} {
		shape, weights := []int{c.images, c.channels, c.side, c.side}, []int{c.filters, c.channels, c.kernel, c.kernel}
		options := []ops.Conv2DOption{ops.Padding(c.kernel / 2)}
		if c.last {
			shape, weights = []int{c.images, c.side, c.side, c.channels}, []int{c.filters, c.kernel, c.kernel, c.channels}
			options = append(options, ops.ChannelsLast())
		}
		x, err := weft.Empty(dev, c.elem, shape...)
		if err != nil {
			t.Fatal(err)
		}
		w, err := weft.Empty(dev, c.elem, weights...)
		if err == nil && c.last {
			w, err = w.Permute(0, 3, 1, 2)
		}
		if err == nil {
			_, err = ops.Conv2D(x, w, options...)
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range record.Take() {
			got = append(got, l.Kernel.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: launched %v", c, got)
		}
	}
}

// The bias and the maps come after all parts, those of implicit products and those of the product of columns.
func TestConvPartsFuse(t *testing.T) {
	dev := openCPU(t)
	c := reference.Conv{Images: 2, Channels: 7, Height: 6, Width: 5, Filters: 6, Rows: 3, Columns: 3,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 1}
	xs, ws, bs := make([]float64, 2*7*6*5), make([]float64, 6*7*9), []float64{1, -2, 3, -4, 5, -6}
	for i := range xs {
		xs[i] = float64(i%7 - 3)
	}
	for i := range ws {
		ws[i] = float64(i%5 - 2)
	}
	tensor := func(values []float64, shape ...int) *weft.Tensor {
		x, err := weft.FromFloats(dev, weft.F32, values, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, w, b := tensor(xs, 2, 7, 6, 5), tensor(ws, 6, 7, 3, 3), tensor(bs, 6)
	for maps := range kernels.MaxSteps {
		for i, a := range []ops.ConvAlgorithm{ops.ConvImplicit, ops.ConvIm2Col, ops.ConvImplicit, ops.ConvIm2Col} {
			options := append(convOptions(c), ops.Algorithm(a), ops.Tiles(ops.Conv2DConfig{BO: 16, BP: 16, BK: 8, Parts: 3}))
			var given []float64
			if i < 2 {
				given, options = bs, append(options, ops.Bias(b))
			}
			want, _ := reference.Conv2D(c, xs, ws, given)
			for range maps {
				options = append(options, ops.Fuse(negateMap))
			}
			for j := range want {
				if maps%2 == 1 {
					want[j] = -want[j]
				}
			}
			y, err := ops.Conv2D(x, w, options...)
			within(t, y, err, want, func(i int) float64 { return bounds.Conv2D(weft.F32, 63, want[i], 63*6) })
		}
	}
}
