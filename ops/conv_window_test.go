package ops

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
)

// TestWindowConfigsAgree runs every direct config that tuning tries for a GPU: windows for any number of rows, with
// channels in steps or all in one go, give the sums of loops, of images in either order.
func TestWindowConfigsAgree(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	s := newShifts(t)
	windows := 0
	for i := range 16 {
		c := s.convolution(1+s.rng.IntN(20), 1, 1+s.rng.IntN(2), i%2 == 0)
		if i%4 == 0 {
			c = s.convolution(1+s.rng.IntN(3), 1+s.rng.IntN(20), 1+s.rng.IntN(9), i%8 == 0)
		}
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		out := s.filled(c.resultShape()...)
		p := kernels.ConvProblem{Elem: weft.F32, Shape: c.Conv2DShape}
		choice := p.Rule(h200.Caps)
		choice.Algorithm = kernels.ConvDirect
		choice.Size(h200.Caps, c.Conv2DShape, c.AsProduct(h200.Caps, weft.F32))
		loop := choice
		loop.ThreadRows = 0
		var want []float32
		for _, cfg := range append([]Conv2DConfig{loop}, p.List(h200.Caps)...) {
			if cfg.Algorithm != kernels.ConvDirect {
				continue
			}
			s.must(nil, p.Legal(h200.Caps, cfg))
			s.agree(out, &want, cfg, func() error { return c.launchKernel(cfg, out) })
			if cfg.ThreadRows > 0 {
				windows++
			}
		}
	}
	if windows < 32 {
		t.Errorf("%d configs with windows", windows)
	}
}

// TestWindowsOfSeveralImages gives windows blocks of several images, as Tiles may, of images in either order.
func TestWindowsOfSeveralImages(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	s := newShifts(t)
	for i := range 8 {
		c := s.convolution(1+s.rng.IntN(20), 1, 1+s.rng.IntN(3), i%2 == 0)
		c.weight = s.filled(c.Filters, c.GroupChannels(), c.Kernel[0], c.Kernel[1])
		out := s.filled(c.resultShape()...)
		cfg := kernels.ConvProblem{Elem: weft.F32, Shape: c.Conv2DShape}.Rule(h200.Caps)
		cfg.Algorithm = kernels.ConvDirect
		cfg.Size(h200.Caps, c.Conv2DShape, c.AsProduct(h200.Caps, weft.F32))
		if cfg.ThreadRows == 0 {
			t.Fatalf("%+v: no windows", c.Conv2DShape)
		}
		var want []float32
		for _, images := range []int{1, 2, 4} {
			cfg.Block.Size[0] = images
			s.agree(out, &want, cfg, func() error { return c.launchKernel(cfg, out) })
		}
	}
}

// The rule's windows share loads between rows where there are threads enough without, have no more filters and
// columns than a little more than the result, and leave large kernels to loops.
func TestWindowRule(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	depthwise := func(images, channels, side, kernel int, last bool) kernels.Conv2DShape {
		return kernels.Conv2DShape{Images: images, Channels: channels, Height: side, Width: side, Filters: channels, Groups: channels,
			Kernel: [2]int{kernel, kernel}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1},
			Padding: [4]int{kernel / 2, kernel / 2, kernel / 2, kernel / 2}, ChannelsLast: last}
	}
	for _, c := range []struct {
		shape         kernels.Conv2DShape
		rows, columns int
		block         [5]int
	}{
		{depthwise(12, 32, 112, 3, false), 8, 4, [5]int{1, 4, 1, 8, 128}},
		{depthwise(58, 32, 31, 5, true), 4, 2, [5]int{1, 32, 1, 4, 16}},
		{depthwise(17, 128, 121, 5, true), 4, 4, [5]int{1, 64, 1, 4, 16}},
		{depthwise(32, 96, 56, 7, true), 4, 4, [5]int{1, 32, 1, 4, 16}},
		{depthwise(4, 384, 14, 7, false), 2, 2, [5]int{1, 16, 1, 2, 16}},
		{depthwise(1, 3, 7, 7, false), 1, 0, [5]int{1, 1, 1, 8, 8}},
		{depthwise(1, 3, 64, 15, false), 0, 0, [5]int{1, 1, 1, 8, 64}},
	} {
		cfg := kernels.Conv2DConfigFor(h200.Caps, weft.F16, c.shape)
		if cfg.Algorithm != kernels.ConvDirect || cfg.ThreadRows != c.rows || cfg.ThreadColumns != c.columns || c.rows > 0 && cfg.Block.Size != c.block {
			t.Errorf("%+v: %+v, want %d rows and %d columns in blocks of %v", c.shape, cfg, c.rows, c.columns, c.block)
		}
		cfg.ThreadRows, cfg.Block.Size[3] = 2, 4
		if (kernels.ConvProblem{Elem: weft.F16, Shape: c.shape}).Legal(h200.Caps, cfg) == nil {
			t.Errorf("%+v: 2 rows of a thread in blocks of 4 are legal", c.shape)
		}
		cfg.ThreadRows, cfg.ThreadColumns, cfg.Lead = 1, 4, 2
		if (kernels.ConvProblem{Elem: weft.F16, Shape: c.shape}).Legal(h200.Caps, cfg) == nil {
			t.Errorf("%+v: vectors that begin 2 elements before the kernel are legal", c.shape)
		}
	}
}

// Windows of several filters in a group need no barriers: each thread has all filters of what it loads, and no two of
// its stores reach an element that another thread stores.
func TestWindowsHaveNoBarriers(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	for _, last := range []bool{false, true} {
		dev, record := offline.Open("windows", h200.Caps)
		defer dev.Close()
		shape := []int{16, 128, 56, 56}
		if last {
			shape = []int{16, 56, 56, 128}
		}
		x, err := weft.Empty(dev, weft.F16, shape...)
		if err != nil {
			t.Fatal(err)
		}
		w, err := weft.Empty(dev, weft.F16, 128, 4, 3, 3)
		if err != nil {
			t.Fatal(err)
		}
		options := []Conv2DOption{Groups(32), Padding(1, 1)}
		if last {
			options = append(options, ChannelsLast())
		}
		if _, err := Conv2D(x, w, options...); err != nil {
			t.Fatal(err)
		}
		launches := record.Take()
		l := launches[len(launches)-1]
		if cfg, ok := l.Kernel.Config.(Conv2DConfig); !ok || cfg.ThreadRows < 2 {
			t.Errorf("channels last %v: %+v", last, l.Kernel.Config)
		}
		if s := l.Artifact.Source; s.Shared > 0 || strings.Contains(s.Text, "__syncthreads") {
			t.Errorf("channels last %v: %d bytes of shared memory, or barriers", last, s.Shared)
		}
	}
}

// Windows compile for languages whose stores of 16-bit elements go to words of two.
func TestWindowsCompileForWGSL(t *testing.T) {
	preset, _ := target.PresetNamed("webgpu")
	dev, record := offline.Open("windows", preset.Caps)
	defer dev.Close()
	x, err := weft.Empty(dev, weft.BF16, 1, 8, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	w, err := weft.Empty(dev, weft.BF16, 8, 1, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Empty(dev, weft.BF16, 1, 8, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := newConvolution("conv2d", []Conv2DOption{Groups(8), Padding(1, 1)})
	if _, err := c.prepare([]*weft.Tensor{x, w, nil}); err != nil {
		t.Fatal(err)
	}
	for _, cfg := range (kernels.ConvProblem{Elem: weft.BF16, Shape: c.Conv2DShape}).List(preset.Caps) {
		if cfg.Algorithm != kernels.ConvDirect {
			continue
		}
		if err := c.launchKernel(cfg, out); err != nil || len(record.Take()) != 1 {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
