package ops_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// anyConv draws a convolution whose kernel fits.
func anyConv(rng *rand.Rand) reference.Conv {
	for {
		groups := 1 + rng.IntN(3)
		if rng.IntN(3) > 0 {
			groups = 1
		}
		c := reference.Conv{Images: 1 + rng.IntN(3), Channels: groups * (1 + rng.IntN(20)), Height: 1 + rng.IntN(20), Width: 1 + rng.IntN(20),
			Filters: groups * (1 + rng.IntN(20)), Rows: 1 + rng.IntN(5), Columns: 1 + rng.IntN(5), Groups: groups,
			Stride: [2]int{1 + rng.IntN(3), 1 + rng.IntN(3)}, Dilation: [2]int{1 + rng.IntN(2), 1 + rng.IntN(2)}}
		for i := range c.Padding {
			c.Padding[i] = rng.IntN(3)
		}
		if rng.IntN(4) == 0 { // patches, or pixels for themselves
			c.Stride, c.Dilation, c.Padding = [2]int{c.Rows, c.Columns}, [2]int{1, 1}, [4]int{}
		}
		if p, q := c.Result(); p > 0 && q > 0 {
			return c
		}
	}
}

func convOptions(c reference.Conv) []ops.Conv2DOption {
	return []ops.Conv2DOption{
		ops.Stride(c.Stride[0], c.Stride[1]), ops.Dilation(c.Dilation[0], c.Dilation[1]), ops.Groups(c.Groups),
		ops.PaddingSides(c.Padding[0], c.Padding[1], c.Padding[2], c.Padding[3]),
	}
}

// All algorithms, in both orders of dimensions, give what the plain loops give.
func TestConv2DAgainstFloat64(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(7, 1))
	for i := range 120 {
		c, elem := anyConv(rng), floatTypes[rng.IntN(3)]
		x, xs := random(t, dev, rng, elem, c.Images, c.Channels, c.Height, c.Width)
		w, ws := random(t, dev, rng, elem, c.Filters, c.Channels/c.Groups, c.Rows, c.Columns)
		options := convOptions(c)
		var bias []float64
		if i%2 == 0 {
			var b *weft.Tensor
			b, bias = random(t, dev, rng, elem, c.Filters)
			options = append(options, ops.Bias(b))
		}
		want, magnitudes := reference.Conv2D(c, xs, ws, bias)
		for a := ops.ConvAuto; a <= ops.ConvImplicit; a++ {
			for _, last := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d %v %v", i, a, last), func(t *testing.T) {
					x, options := x, append(options[:len(options):len(options)], ops.Algorithm(a))
					if last {
						x = channelsLast(t, x)
						options = append(options, ops.ChannelsLast())
					}
					y, err := ops.Conv2D(x, w, options...)
					if err != nil {
						t.Fatalf("%+v %v", c, err)
					}
					if last {
						if y, err = y.Permute(0, 3, 1, 2); err != nil {
							t.Fatal(err)
						}
					}
					within(t, y, err, want, func(i int) float64 { return bounds.Conv2D(elem, c.Terms(), want[i], magnitudes[i]) })
					if t.Failed() {
						t.Logf("%v %+v", elem, c)
					}
				})
			}
		}
	}
}

// channelsLast is [N,C,H,W] as a dense tensor [N,H,W,C].
func channelsLast(t *testing.T, x *weft.Tensor) *weft.Tensor {
	t.Helper()
	y, err := x.Permute(0, 2, 3, 1)
	if err == nil {
		y, err = y.Contiguous()
	}
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// Images without pixels, channels or filters, and no images: sums over nothing are 0 and the bias remains, by every
// algorithm and in memory that held other numbers.
func TestConv2DOfNothing(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(12, 1))
	some := 0
	for i := range 60 {
		c := anyConv(rng)
		sizes := []*int{&c.Height, &c.Width, &c.Channels, &c.Images, &c.Filters}
		*sizes[i%len(sizes)] = 0
		for j := range c.Padding { // so that most kernels fit into the padding
			c.Padding[j] += rng.IntN(6)
		}
		p, q := c.Result()
		if p <= 0 || q <= 0 {
			continue
		}
		x, xs := random(t, dev, rng, weft.F32, c.Images, c.Channels, c.Height, c.Width)
		w, ws := random(t, dev, rng, weft.F32, c.Filters, c.Channels/c.Groups, c.Rows, c.Columns)
		b, bias := random(t, dev, rng, weft.F32, c.Filters)
		want, _ := reference.Conv2D(c, xs, ws, bias)
		some += len(want)
		for a := ops.ConvAuto; a <= ops.ConvImplicit; a++ {
			dirty(t, dev)
			y, err := ops.Conv2D(x, w, append(convOptions(c), ops.Algorithm(a), ops.Bias(b))...)
			within(t, y, err, want, func(int) float64 { return 0 })
			if t.Failed() {
				t.Fatalf("%v %+v", a, c)
			}
		}
		if c.Groups == 1 && x.Len() == 0 {
			dirty(t, dev)
			y, err := ops.Im2Col(x, c.Rows, c.Columns, convOptions(c)...)
			within(t, y, err, make([]float64, c.Images*c.Terms()*p*q), func(int) float64 { return 0 })
		}
	}
	if some == 0 {
		t.Error("no result has elements")
	}
}

// dirty fills the memory that new tensors may get.
func dirty(t *testing.T, dev *weft.Device) {
	t.Helper()
	for n := 64; n <= 1<<16; n *= 2 {
		x, err := weft.Full(dev, weft.F32, 123, n)
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
	}
}

// Im2Col's columns times the weights are the convolution.
func TestIm2ColTimesWeights(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(8, 1))
	for range 30 {
		c := anyConv(rng)
		if c.Groups > 1 {
			continue
		}
		x, xs := random(t, dev, rng, weft.F32, c.Images, c.Channels, c.Height, c.Width)
		w, ws := random(t, dev, rng, weft.F32, c.Filters, c.Terms())
		columns, err := ops.Im2Col(x, c.Rows, c.Columns, convOptions(c)...)
		if err != nil {
			t.Fatal(err)
		}
		y, err := ops.MatMul(w, columns)
		want, magnitudes := reference.Conv2D(c, xs, ws, nil)
		within(t, y, err, want, func(i int) float64 { return bounds.Conv2D(weft.F32, c.Terms(), want[i], magnitudes[i]) })
	}
}

// Images that do not fit into one workspace, or one launch, are taken in parts, of which the last one is smaller.
func TestConv2DInParts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(11, 1))
	for _, bytes := range []int{1, 20_000, 40_000} {
		defer ops.SmallParts(bytes, bytes/100)()
		c := reference.Conv{Images: 5, Channels: 6, Height: 9, Width: 8, Filters: 7, Rows: 3, Columns: 3, Groups: 1,
			Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}} // 15 552 bytes of columns, 72 pixels
		x, xs := random(t, dev, rng, weft.F32, c.Images, c.Channels, c.Height, c.Width)
		w, ws := random(t, dev, rng, weft.F32, c.Filters, c.Channels, c.Rows, c.Columns)
		want, magnitudes := reference.Conv2D(c, xs, ws, nil)
		for a := ops.ConvDirect; a <= ops.ConvImplicit; a++ {
			y, err := ops.Conv2D(x, w, append(convOptions(c), ops.Algorithm(a))...)
			within(t, y, err, want, func(i int) float64 { return bounds.Conv2D(weft.F32, c.Terms(), want[i], magnitudes[i]) })
		}
	}
}

var negateMap = weft.NewMap("negate", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Neg() })

// Maps are applied after the bias, in their order, whatever the algorithm.
func TestConv2DFuse(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(9, 1))
	for range 10 {
		c := anyConv(rng)
		x, xs := random(t, dev, rng, weft.F32, c.Images, c.Channels, c.Height, c.Width)
		w, ws := random(t, dev, rng, weft.F32, c.Filters, c.Channels/c.Groups, c.Rows, c.Columns)
		b, bs := random(t, dev, rng, weft.F32, c.Filters)
		want, magnitudes := reference.Conv2D(c, xs, ws, bs)
		limits := make([]float64, len(want))
		for i, v := range want {
			limits[i] = bounds.Conv2D(weft.F32, c.Terms(), v, magnitudes[i])
			want[i] = -max(v, 0) // which no error grows by
		}
		for a := ops.ConvDirect; a <= ops.ConvImplicit; a++ {
			y, err := ops.Conv2D(x, w, append(convOptions(c), ops.Bias(b), ops.Fuse(ops.ReLUMap), ops.Fuse(negateMap), ops.Algorithm(a))...)
			within(t, y, err, want, func(i int) float64 { return limits[i] })
		}
	}
}

// The bound is not so wide that a product which is missing would be within it.
func TestConv2DBoundIsTight(t *testing.T) {
	if got := bounds.Conv2D(weft.F32, 256*9, 0, 256*9*0.64); got > 0.64 {
		t.Errorf("the bound %v over 2304 products hides one", got)
	}
}

// Pixels that the kernel never covers do not matter, even if 0 times them is not a number: here the last row and column.
func TestConv2DReadsNoMore(t *testing.T) {
	dev := openCPU(t)
	for _, channels := range []int{1, 3, 10} {
		xs, count := make([]float64, channels*36), 9*channels
		for i := range xs {
			if xs[i] = 1; i%6 == 5 || i%36 >= 30 {
				xs[i] = math.Inf(1)
			}
		}
		x, err := weft.FromFloats(dev, weft.F32, xs, 1, channels, 6, 6)
		if err != nil {
			t.Fatal(err)
		}
		w, err := weft.FromFloats(dev, weft.F32, slices.Repeat([]float64{1}, 5*count), 5, channels, 3, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Repeat([]float64{float64(count)}, 5*4)
		for a := ops.ConvAuto; a <= ops.ConvImplicit; a++ {
			options := []ops.Conv2DOption{ops.Stride(2, 2), ops.Algorithm(a), ops.Tiles(ops.Conv2DConfig{BK: 16, BO: 16, BP: 16})}
			y, err := ops.Conv2D(x, w, options...)
			within(t, y, err, want, func(int) float64 { return 0 })
			y, err = ops.Conv2D(channelsLast(t, x), w, append(options, ops.ChannelsLast())...)
			within(t, y, err, want, func(int) float64 { return 0 })
		}
	}
}
