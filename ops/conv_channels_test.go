package ops

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
)

// TestChannelsConfigsAgree runs configs by channels that tuning tries for a GPU: any numbers of filters, pixels and channels of a thread give the
// sums of windows or loops, of images in either order, in groups or not, with a bias or without.
func TestChannelsConfigsAgree(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	s := newShifts(t)
	tried, copied := 0, 0
	for i := range 24 {
		c := s.convolution(1+s.rng.IntN(2), 4+s.rng.IntN(40), 1+s.rng.IntN(11), i%2 == 0)
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		c.hasBias, c.bias = i%3 == 0, s.filled(c.Filters)
		out := s.filled(c.resultShape()...)
		p := kernels.ConvProblem{Elem: weft.F32, Shape: c.Conv2DShape}
		var first, by []Conv2DConfig
		for _, cfg := range p.List(h200.Caps) {
			switch {
			case cfg.ByChannels:
				by = append(by, cfg)
			case cfg.Algorithm == kernels.ConvDirect && first == nil:
				first = append(first, cfg)
			}
		}
		s.rng.Shuffle(len(by), func(i, j int) { by[i], by[j] = by[j], by[i] })
		var want []float32
		for _, cfg := range append(first, by[:min(len(by), 5)]...) {
			s.must(nil, p.Legal(h200.Caps, cfg))
			cfg.Bias = c.hasBias
			s.agree(out, &want, cfg, func() error { return c.launchKernel(cfg, out) })
			if cfg.ByChannels {
				tried++
				if cfg.Repacked {
					copied++
				}
			}
		}
	}
	if tried < 100 || copied < 40 || copied > tried-20 {
		t.Errorf("%d configs by channels, %d of which on copies", tried, copied)
	}
}

// Kernels by channels compile for languages in which 16-bit elements are halves of words.
func TestChannelsCompileForWGSL(t *testing.T) {
	preset, _ := target.PresetNamed("webgpu")
	dev, record := offline.Open("channels", preset.Caps)
	defer dev.Close()
	for _, elem := range []weft.DType{weft.BF16, weft.F32} {
		c := &convolution{Conv2DShape: kernels.Conv2DShape{Images: 2, Channels: 37, Height: 9, Width: 9, Filters: 3, Groups: 1,
			Kernel: [2]int{3, 3}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}}}
		s := &shifts{T: t, dev: dev}
		c.x = s.must(weft.Empty(dev, elem, 2, 37, 9, 9))
		c.weight = s.must(weft.Empty(dev, elem, 3, 37, 3, 3))
		out := s.must(weft.Empty(dev, elem, 2, 3, 9, 9))
		compiled := 0
		for _, cfg := range (kernels.ConvProblem{Elem: elem, Shape: c.Conv2DShape}).List(preset.Caps) {
			if !cfg.ByChannels {
				continue
			}
			if err := c.launchKernel(cfg, out); err != nil || len(record.Take()) != 3 { // copies of x and of the weights
				t.Errorf("%+v: %v", cfg, err)
			}
			compiled++
		}
		if compiled < 4 {
			t.Errorf("%v: %d configs", elem, compiled)
		}
	}
}

// The rule has few filters of many channels computed by channels where instructions for matrices do not multiply them: with all filters in a thread, and blocks of channels that
// are filled; not channels by themselves, nor so few that their vectors are empty.
func TestChannelsRule(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	shape := func(images, channels, side, filters, kernel, groups int, last bool) kernels.Conv2DShape {
		pad := kernel / 2
		return kernels.Conv2DShape{Images: images, Channels: channels, Height: side, Width: side, Filters: filters, Kernel: [2]int{kernel, kernel},
			Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{pad, pad, pad, pad}, Groups: groups, ChannelsLast: last}
	}
	for _, c := range []struct {
		elem     weft.DType
		shape    kernels.Conv2DShape
		want     bool
		filters  int
		channels int
	}{
		{weft.F32, shape(24, 128, 97, 8, 5, 1, true), true, 8, 32},
		{weft.F32, shape(45, 64, 31, 7, 5, 1, false), true, 8, 32},
		{weft.F32, shape(17, 203, 41, 4, 5, 1, true), true, 4, 32},
		{weft.F32, shape(23, 35, 25, 3, 3, 1, false), true, 3, 8},
		{weft.F32, shape(24, 128, 97, 128, 5, 128, true), false, 0, 0},
		{weft.F32, shape(24, 3, 97, 8, 5, 1, false), false, 0, 0},
		{weft.F16, shape(24, 128, 97, 8, 5, 1, true), false, 0, 0},
	} {
		p := kernels.ConvProblem{Elem: c.elem, Shape: c.shape}
		cfg := p.Rule(h200.Caps)
		if cfg.ByChannels != c.want || c.want && (cfg.BO != c.filters || cfg.BK != c.channels || cfg.Algorithm != kernels.ConvDirect) {
			t.Errorf("%v %+v: %+v", c.elem, c.shape, cfg)
		}
		if !c.want {
			continue
		}
		for _, wrong := range []func(*Conv2DConfig){
			func(cfg *Conv2DConfig) { cfg.ThreadColumns = 3 },
			func(cfg *Conv2DConfig) { cfg.BK = 2 },
			func(cfg *Conv2DConfig) { cfg.BO = 1 << 20 },
			func(cfg *Conv2DConfig) { cfg.PixelsFirst = !cfg.PixelsFirst },
		} {
			other := cfg
			if wrong(&other); p.Legal(h200.Caps, other) == nil {
				t.Errorf("%+v is legal", other)
			}
		}
	}
}
