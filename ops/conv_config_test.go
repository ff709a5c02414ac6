package ops

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
)

// layers are those of networks, and some at the edges.
func layers() (list []kernels.Conv2DShape) {
	one := [2]int{1, 1}
	for _, last := range []bool{false, true} {
		for _, s := range []kernels.Conv2DShape{
			{Images: 32, Channels: 3, Height: 224, Width: 224, Filters: 64, Kernel: [2]int{7, 7}, Stride: [2]int{2, 2}, Padding: [4]int{3, 3, 3, 3}, Groups: 1},
			{Images: 32, Channels: 256, Height: 14, Width: 14, Filters: 256, Kernel: [2]int{3, 3}, Stride: one, Padding: [4]int{1, 1, 1, 1}, Groups: 1},
			{Images: 1, Channels: 512, Height: 7, Width: 7, Filters: 512, Kernel: [2]int{3, 3}, Stride: one, Padding: [4]int{1, 1, 1, 1}, Groups: 1},
			{Images: 32, Channels: 512, Height: 7, Width: 7, Filters: 2048, Kernel: one, Stride: one, Groups: 1},
			{Images: 64, Channels: 3, Height: 224, Width: 224, Filters: 768, Kernel: [2]int{16, 16}, Stride: [2]int{16, 16}, Groups: 1},
			{Images: 32, Channels: 96, Height: 112, Width: 112, Filters: 96, Kernel: [2]int{3, 3}, Stride: one, Padding: [4]int{1, 1, 1, 1}, Groups: 96},
			{Images: 32, Channels: 128, Height: 28, Width: 28, Filters: 128, Kernel: [2]int{3, 3}, Stride: one, Groups: 32},
			{Images: 1, Channels: 1, Height: 1, Width: 1, Filters: 1, Kernel: one, Stride: one, Groups: 1},
			{Images: 1, Channels: 0, Height: 9, Width: 1, Filters: 100, Kernel: [2]int{5, 1}, Stride: one, Groups: 1},
		} {
			s.Dilation, s.ChannelsLast = one, last
			list = append(list, s)
		}
	}
	return list
}

// Whatever the shape, the launch rule's choice is among the configs to try, and all of them build within the
// device's limits.
func TestConvConfigsBuild(t *testing.T) {
	for name, caps := range testCaps {
		for _, elem := range []weft.DType{weft.F32, weft.BF16} {
			for _, s := range layers() {
				choice, all := kernels.Conv2DConfigFor(caps, elem, s), kernels.ConvProblem{Elem: elem, Shape: s}.List(caps)
				if !slices.Contains(all, choice) {
					t.Errorf("%s: %+v: %+v is not among the configs", name, s, choice)
				}
				step := max(1, len(all)/20)
				for i := 0; i < len(all); i += step {
					cfg, err := all[i], error(nil)
					switch cfg.Algorithm {
					case kernels.ConvDirect:
						_, err = kernels.Conv2DDirect.Build(cfg)
					case kernels.ConvImplicit:
						_, err = kernels.Conv2DImplicit.Build(cfg)
					}
					if err != nil || caps.MaxThreads > 0 && cfg.Threads > caps.MaxThreads {
						t.Errorf("%s: %+v: %+v: %v", name, s, cfg, err)
					}
				}
				if _, err := kernels.Im2Col.Build(kernels.Im2ColProblem{Elem: elem, Shape: s, Memory: [5]int{0, 4, 1, 3, 2}}.Rule(caps)); err != nil {
					t.Errorf("%s: %+v: %v", name, s, err)
				}
			}
		}
	}
}

// The rule's choices for layers that it is made for.
func TestConvAlgorithms(t *testing.T) {
	for i, want := range []kernels.ConvAlgorithm{kernels.ConvImplicit, kernels.ConvImplicit, kernels.ConvIm2Col, kernels.ConvIm2Col, kernels.ConvImplicit, kernels.ConvDirect, kernels.ConvDirect, kernels.ConvDirect} {
		s := layers()[i]
		if got := kernels.Conv2DConfigFor(testCaps["cuda"], weft.F32, s).Algorithm; got != want {
			t.Errorf("%+v: %v, want %v", s, got, want)
		}
	}
}

// Few filters of few products are computed directly, and so is each channel by itself; of many products only where the tile of a product that they leave
// empty costs more. 2×32×126×126 by 8 filters of 7×7 would take 0.5 ms.
func TestFewFilters(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	shape := func(images, channels, size, filters, kernel, groups int) kernels.Conv2DShape {
		pad := kernel / 2
		return kernels.Conv2DShape{Images: images, Channels: channels, Height: size, Width: size, Filters: filters, Kernel: [2]int{kernel, kernel},
			Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{pad, pad, pad, pad}, Groups: groups}
	}
	for _, c := range []struct {
		elem  weft.DType
		shape kernels.Conv2DShape
		want  kernels.ConvAlgorithm
	}{
		{weft.F16, shape(2, 32, 126, 8, 7, 1), kernels.ConvImplicit},
		{weft.BF16, shape(3, 128, 23, 8, 5, 1), kernels.ConvImplicit},
		{weft.F32, shape(3, 128, 23, 8, 5, 1), kernels.ConvImplicit},
		{weft.F16, shape(2, 3, 126, 3, 1, 1), kernels.ConvDirect},
		{weft.F16, shape(2, 3, 224, 4, 3, 1), kernels.ConvDirect},
		{weft.F16, shape(2, 64, 56, 64, 3, 64), kernels.ConvDirect},
	} {
		if got := kernels.Conv2DConfigFor(h200.Caps, c.elem, c.shape).Algorithm; got != c.want {
			t.Errorf("%v %+v: %v, want %v", c.elem, c.shape, got, c.want)
		}
	}
}

// Of configs with three stages or more for warpgroups, the list has those that say how many steps' products are outstanding.
func TestConvInFlightIsListed(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	p := kernels.ConvProblem{Elem: weft.F16, Shape: layers()[10]}
	flights := map[int][3]int{}
	for _, cfg := range p.List(h200.Caps) {
		if cfg.Algorithm == kernels.ConvImplicit {
			n := flights[min(cfg.Stages, 4)]
			n[cfg.InFlight]++
			flights[min(cfg.Stages, 4)] = n
		}
		if err := p.Legal(h200.Caps, cfg); cfg.InFlight == 2 && err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	if two, three := flights[2], flights[3]; two[0] == 0 || two[1]+two[2] > 0 || three[0] == 0 || three[1] != three[0] || three[2] != three[0] {
		t.Errorf("by stages: %v", flights)
	}
	cfg := p.Rule(h200.Caps)
	if cfg.InFlight = 3; p.Legal(h200.Caps, cfg) == nil {
		t.Error("three steps are legal")
	}
}

// Workgroups that gather through registers have as many threads as keep units busy, and as few pixels, unless threads then have few sums, and few elements to gather.
func TestGathersSpread(t *testing.T) {
	const busy, mostThreads, manySums, manyGathers = 1024, 256, 32, 16
	preset, _ := target.PresetNamed("vulkan-nvidia")
	for _, units := range []int{8, 32, 132, 400} {
		caps := *preset.SPIRV
		machine := *caps.Facts()
		machine.Units = units
		caps.Machine = &machine
		for _, s := range append(layers(), kernels.Conv2DShape{Images: 5, Channels: 160, Height: 52, Width: 52, Filters: 16, Kernel: [2]int{3, 3}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1},
			Padding: [4]int{1, 1, 1, 1}, Groups: 1}) {
			cfg := kernels.Conv2DConfigFor(caps, weft.F32, s)
			if cfg.Algorithm != kernels.ConvImplicit {
				continue
			}
			sums, gathers := cfg.BO*cfg.BP/cfg.Threads, cfg.BP*cfg.BK/cfg.Threads
			threads := s.Groups * kernels.CeilDiv(s.GroupFilters(), cfg.BO) * kernels.CeilDiv(s.Pixels(), cfg.BP) * cfg.Threads
			if threads < busy*units && (sums >= manySums && (cfg.BP > 16 || cfg.Threads < mostThreads) || gathers > manyGathers && sums >= manySums/2 && cfg.Threads < mostThreads) {
				t.Errorf("%d units, %+v: %d threads in all, of %d sums and %d gathers a step: %+v", units, s, threads, sums, gathers, cfg)
			}
		}
	}
}
