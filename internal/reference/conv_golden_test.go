package reference

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft/internal/reference/golden"
)

// convOf is the convolution of a golden case of NCHW.
func convOf(c golden.Case) Conv {
	x, w := c.Get("x").Shape, c.Get("w").Shape
	stride, padding, dilation := c.Get("stride").Ints(), c.Get("padding").Ints(), c.Get("dilation").Ints()
	return Conv{
		Images: x[0], Channels: x[1], Height: x[2], Width: x[3], Filters: w[0], Rows: w[2], Columns: w[3],
		Stride: [2]int(stride), Dilation: [2]int(dilation),
		Padding: [4]int{padding[0], padding[0], padding[1], padding[1]}, Groups: c.Get("groups").Int(),
	}
}

func TestConv2DGolden(t *testing.T) {
	for _, c := range cases(t, "conv2d") {
		if c.Has("nhwc") {
			continue // the reference has one order of dimensions; these are cases of the other
		}
		conv, y := convOf(c), c.Get("y")
		if p, q := conv.Result(); !slices.Equal(y.Shape, []int{conv.Images, conv.Filters, p, q}) {
			t.Errorf("%s: %d rows and %d columns, want shape %v", c.Name, p, q, y.Shape)
		}
		got, _ := Conv2D(conv, c.Get("x").X, c.Get("w").X, c.Get("bias").X)
		equal(t, c.Name, got, y.X)
	}
}
