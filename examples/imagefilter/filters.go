package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// filter makes a picture of another.
type filter struct {
	name   string
	radius int // how many neighbours on each side a pixel depends on
	// device computes [1,H,W,C] from x [1,H+2·radius,W+2·radius,3], for C of 1 or 3.
	device func(x *weft.Tensor) (*weft.Tensor, error)
	// host computes a channel of one pixel; near is a neighbour's channel.
	host func(near func(dx, dy, channel int) float64, channel int) float64
}

var filters = []filter{
	{"sharpen", 1, sharpen, func(near func(dx, dy, channel int) float64, c int) float64 {
		return 5*near(0, 0, c) - near(-1, 0, c) - near(1, 0, c) - near(0, -1, c) - near(0, 1, c)
	}},
	{"blur", blurRadius, blur, hostBlur},
	{"edges", 1, edges, hostEdges},
}

// sharpen adds to each pixel what it differs by from its four neighbours.
func sharpen(x *weft.Tensor) (*weft.Tensor, error) {
	return eachChannel(x, 3, 3, 0, -1, 0, -1, 5, -1, 0, -1, 0)
}

const (
	blurRadius = 6
	sigma      = 2.5
)

// bell is the Gaussian curve at the distances from -blurRadius to blurRadius, with a sum of 1.
func bell() (values []float64) {
	sum := 0.0
	for d := -blurRadius; d <= blurRadius; d++ {
		v := math.Exp(-float64(d*d) / (2 * sigma * sigma))
		values, sum = append(values, v), sum+v
	}
	for i := range values {
		values[i] /= sum
	}
	return values
}

// blur weights neighbours by a Gaussian bell: first those above and below, then those to the left and right,
// which is 26 products for a pixel instead of 169.
func blur(x *weft.Tensor) (*weft.Tensor, error) {
	values := bell()
	columns, err := eachChannel(x, len(values), 1, values...)
	if err != nil {
		return nil, err
	}
	defer columns.Close()
	return eachChannel(columns, 1, len(values), values...)
}

func hostBlur(near func(dx, dy, channel int) float64, c int) (sum float64) {
	values := bell()
	for i, v := range values {
		for j, w := range values {
			sum += v * w * near(j-blurRadius, i-blurRadius, c)
		}
	}
	return sum
}

// eachChannel filters red, green and blue alike: a convolution in three groups with one kernel for all.
func eachChannel(x *weft.Tensor, rows, columns int, kernel ...float64) (*weft.Tensor, error) {
	one, err := weft.FromFloats(x.Device(), weft.F32, kernel, 1, 1, rows, columns)
	if err != nil {
		return nil, err
	}
	defer one.Close()
	three, err := one.Broadcast(3, 1, rows, columns) // a view: nothing is copied
	if err != nil {
		return nil, err
	}
	defer three.Close()
	return ops.Conv2D(x, three, ops.Groups(3), ops.ChannelsLast())
}

var (
	luminance = [3]float64{0.299, 0.587, 0.114} // ITU-R BT.601
	slope     = [9]float64{-1, 0, 1, -2, 0, 2, -1, 0, 1}
	length    = weft.NewMap("length", []string{"x", "y"}, func(in []*tile.Value) *tile.Value {
		return in[0].Mul(in[0]).Add(in[1].Mul(in[1])).Sqrt()
	})
)

// edges is how steep the luminance is (Sobel and Feldman, "A 3x3 Isotropic Gradient Operator for Image
// Processing", 1968). One convolution with two filters finds both slopes: the luminance is part of their weights.
func edges(x *weft.Tensor) (*weft.Tensor, error) {
	var weights []float64
	for direction := range 2 {
		for _, l := range luminance {
			for i := range slope {
				if direction == 1 {
					i = i%3*3 + i/3
				}
				weights = append(weights, l*slope[i])
			}
		}
	}
	w, err := weft.FromFloats(x.Device(), weft.F32, weights, 2, 3, 3, 3)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	slopes, err := ops.Conv2D(x, w, ops.ChannelsLast())
	if err != nil {
		return nil, err
	}
	defer slopes.Close()
	across, err := slopes.Slice(3, 0, 1)
	if err != nil {
		return nil, err
	}
	defer across.Close()
	down, err := slopes.Slice(3, 1, 2)
	if err != nil {
		return nil, err
	}
	defer down.Close()
	return length.Apply(across, down)
}

func hostEdges(near func(dx, dy, channel int) float64, _ int) float64 {
	light := func(dx, dy int) (sum float64) {
		for c, l := range luminance {
			sum += l * near(dx, dy, c)
		}
		return sum
	}
	across := light(1, -1) + 2*light(1, 0) + light(1, 1) - light(-1, -1) - 2*light(-1, 0) - light(-1, 1)
	down := light(-1, 1) + 2*light(0, 1) + light(1, 1) - light(-1, -1) - 2*light(0, -1) - light(1, -1)
	return math.Hypot(across, down)
}

// apply filters a picture on a device and returns it with the largest difference from float64.
func (f filter) apply(dev *weft.Device, p pixels) (y pixels, worst float64, err error) {
	wide := p.extended(f.radius)
	x, err := weft.FromSlice(dev, wide.rgb, 1, wide.height, wide.width, 3)
	if err != nil {
		return y, 0, err
	}
	defer x.Close()
	out, err := f.device(x)
	if err != nil {
		return y, 0, err
	}
	defer out.Close()
	colours, err := out.Broadcast(1, p.height, p.width, 3) // grey has one channel
	if err != nil {
		return y, 0, err
	}
	defer colours.Close()
	y = pixels{width: p.width, height: p.height}
	if y.rgb, err = weft.ToSlice[float32](colours); err != nil {
		return y, 0, err
	}
	for i, got := range y.rgb {
		row, column, c := i/3/p.width, i/3%p.width, i%3
		want := f.host(func(dx, dy, channel int) float64 { return float64(p.at(column+dx, row+dy, channel)) }, c)
		worst = max(worst, math.Abs(float64(got)-want))
	}
	if !(worst < 1e-4) { // a hundredth of a level of 8 bits
		return y, worst, fmt.Errorf("the largest error is %v", worst)
	}
	return y, worst, nil
}
