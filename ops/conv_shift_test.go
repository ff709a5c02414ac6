package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// shifts are what the tests of configs draw.
type shifts struct {
	*testing.T
	dev *weft.Device
	rng *rand.Rand
}

func newShifts(t *testing.T) *shifts {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return &shifts{t, dev, rand.New(rand.NewPCG(4, 4))}
}

func (s *shifts) must(x *weft.Tensor, err error) *weft.Tensor {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	return x
}

func (s *shifts) filled(shape ...int) *weft.Tensor {
	n := 1
	for _, m := range shape {
		n *= m
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = s.rng.Float32() - 0.5
	}
	return s.must(weft.FromSlice(s.dev, data, shape...))
}

// convolution draws one of groups of so many channels and filters, with its x.
func (s *shifts) convolution(groups, channels, filters int, last bool) *convolution {
	r := func(least, n int) int { return least + s.rng.IntN(n) }
	shape := kernels.Conv2DShape{Images: r(1, 2), Channels: groups * channels, Height: r(5, 20), Width: r(5, 40), Filters: groups * filters, Groups: groups,
		Kernel: [2]int{r(1, 5), r(1, 5)}, Stride: [2]int{r(1, 3), r(1, 3)}, Dilation: [2]int{r(1, 2), r(1, 2)}, Padding: [4]int{r(2, 3), r(2, 3), r(2, 3), r(2, 3)}}
	if s.rng.IntN(4) == 0 { // patches
		shape.Stride, shape.Dilation, shape.Padding = shape.Kernel, [2]int{1, 1}, [4]int{}
	}
	c := &convolution{Conv2DShape: shape, nhwc: last}
	if last {
		c.x = s.filled(shape.Images, shape.Height, shape.Width, shape.Channels)
	} else {
		c.x = s.filled(shape.Images, shape.Channels, shape.Height, shape.Width)
	}
	s.must(nil, c.takeSizes(c.x, shape.Kernel[:]))
	return c
}

// agree fails unless a run leaves in out what the first one left in want.
func (s *shifts) agree(out *weft.Tensor, want *[]float32, what any, run func() error) {
	s.Helper()
	s.must(nil, out.Fill(float32(math.NaN())))
	s.must(nil, run())
	got, err := weft.ToSlice[float32](out)
	s.must(nil, err)
	if *want == nil {
		*want = got
	}
	for i, x := range *want {
		if d := got[i] - x; !(d < 1e-4 && d > -1e-4) {
			s.Fatalf("%+v: element %d is %v, of the first config %v", what, i, got[i], x)
		}
	}
}

// TestDirectConfigsAgree runs every direct config that tuning tries on the CPU: blocks of all sizes, by shifts and by gathers, of images in either order, give the sums
// of the first one.
func TestDirectConfigsAgree(t *testing.T) {
	s := newShifts(t)
	for i := range 24 {
		c := s.convolution(1+s.rng.IntN(40), 1, 1+s.rng.IntN(2), i%2 == 0)
		if i%4 == 0 {
			c = s.convolution(1+s.rng.IntN(3), 1+s.rng.IntN(12), 1+s.rng.IntN(9), i%8 == 0)
		}
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		out := s.filled(c.resultShape()...)
		p := kernels.ConvProblem{Elem: weft.F32, Shape: c.Conv2DShape}
		var want []float32
		for _, cfg := range p.List(s.dev.Caps()) {
			if cfg.Algorithm == kernels.ConvDirect {
				s.must(nil, p.Legal(s.dev.Caps(), cfg))
				s.agree(out, &want, cfg, func() error { return c.launchKernel(cfg, out) })
			}
		}
	}
}

// TestRepackedAgrees runs the implicit product on copies of x with its channels last in pieces of 16 bytes, of all images or of one at a time, and on x
// itself. What copies have more than x are zeros, whatever was in their memory.
func TestRepackedAgrees(t *testing.T) {
	s := newShifts(t)
	for i := range 24 {
		if i == 12 {
			defer SmallParts(1, 1<<20)()
		}
		channels := 1 + s.rng.IntN(12)
		if i%3 == 1 && channels%4 == 0 {
			channels++ // which are neighbours, but not in pieces of 16 bytes
		}
		c := s.convolution(1+s.rng.IntN(2), channels, 1+s.rng.IntN(9), i%3 < 2)
		if i%3 == 0 { // images whose rows are neighbours
			c.x = s.must(s.filled(c.Images, c.Width, c.Channels, c.Height).Permute(0, 3, 1, 2))
			s.must(nil, c.takeSizes(c.x, c.Kernel[:]))
		}
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		out := s.filled(c.resultShape()...)
		var want []float32
		for _, repacked := range []bool{false, true} {
			cfg := kernels.ConvProblem{Elem: weft.F32, Shape: c.Conv2DShape}.Rule(s.dev.Caps())
			cfg.Algorithm = kernels.ConvImplicit
			cfg.Size(s.dev.Caps(), c.Conv2DShape, c.AsProduct(s.dev.Caps(), weft.F32))
			cfg.Repacked = repacked
			if cfg.Fit(c.Conv2DShape); cfg.Repacked != repacked {
				t.Fatalf("%+v: %+v", c.Conv2DShape, cfg)
			}
			cfg.PixelsFirst = cfg.PixelsFirst && s.rng.IntN(2) == 0 // any result may have filters as rows of its tiles
			s.poison()
			s.agree(out, &want, cfg, func() error { return c.launchKernel(cfg, out) })
		}
	}
}

// poison fills the memory that new tensors may get with what is not a number, even 0 times.
func (s *shifts) poison() {
	var list []*weft.Tensor
	for n := 64; n <= 1<<18; n *= 2 {
		list = append(list, s.must(weft.Full(s.dev, weft.F32, math.NaN(), n)))
	}
	for _, x := range list {
		x.Close()
	}
}

// TestColumnConfigsAgree does so for columns, in all orders in memory.
func TestColumnConfigsAgree(t *testing.T) {
	s := newShifts(t)
	for i := range 24 {
		c := s.convolution(1+s.rng.IntN(3), 1+s.rng.IntN(9), 1, i%2 == 0)
		p := kernels.Im2ColProblem{Elem: weft.F32, Shape: c.Conv2DShape, Memory: [][5]int{{0, 1, 2, 3, 4}, {0, 4, 1, 3, 2}, {0, 4, 1, 2, 3}}[i%3]}
		sizes, back, shape := p.Sizes(), make([]int, 5), make([]int, 5)
		for j, d := range p.Memory {
			shape[j], back[d] = sizes[d], j
		}
		out := s.filled(shape...)
		view := s.must(out.Permute(back...))
		var want []float32
		for _, cfg := range p.List(s.dev.Caps()) {
			s.must(nil, p.Legal(s.dev.Caps(), cfg))
			s.agree(out, &want, cfg, func() error { return c.launchBlocks(p, cfg, c.x, weft.TensorView{Tensor: out, Layout: view.Layout()}) })
		}
	}
}
