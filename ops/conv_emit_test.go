package ops_test

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// layer is a layer of 3 × 3 as in ResNets; depthwise has as many groups as channels.
func layer(depthwise, last bool) kernels.Conv2DShape {
	s := kernels.Conv2DShape{Images: 32, Channels: 64, Height: 56, Width: 56, Filters: 64, Kernel: [2]int{3, 3},
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 1, ChannelsLast: last}
	if depthwise {
		s.Groups = 64
	}
	return s
}

// images is the layout [N,G,C/G,H,W] of dense images of a layer.
func images(s kernels.Conv2DShape) layout.Layout {
	l := dense([]int{s.Images, s.Groups, s.Channels / s.Groups, s.Height, s.Width})
	if s.ChannelsLast {
		l, _ = dense([]int{s.Images, s.Height, s.Width, s.Groups, s.Channels / s.Groups}).Permute(0, 3, 4, 1, 2)
	}
	return l
}

// convCase is a kernel of a convolution with its arguments' layouts.
type convCase struct {
	kernel  *tile.Func
	layouts []layout.Layout
}

// launched is the config of the implicit product that is launched for images of a layer, with the layout in which it reads them: that of copies, where
// images are copied before.
func launched(caps target.Caps, elem weft.DType, s kernels.Conv2DShape) (kernels.Conv2DConfig, layout.Layout) {
	cfg := kernels.Conv2DConfigFor(caps, elem, s)
	if cfg.Repacked {
		s.ChannelsLast, s.Channels = true, s.Groups*s.PackedChannels(elem)
	}
	cfg.Repacked = false
	return cfg, images(s)
}

// convCases are convolutions through all kernels.
func convCases(t *testing.T, caps target.Caps, elem weft.DType) map[string]convCase {
	t.Helper()
	must := func(k *tile.Func, err error) *tile.Func {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	list := map[string]convCase{}
	for name, s := range map[string]kernels.Conv2DShape{"conv2d": layer(false, false), "conv2d_nhwc": layer(false, true)} {
		cfg, x := launched(caps, elem, s)
		cfg.Bias, cfg.Steps[0] = true, ops.ReLUMap
		weights, _ := dense([]int{9, 64, 1, 64}).Permute(2, 3, 0, 1)
		if cfg.Whole {
			weights = dense([]int{1, 64, 1, 9 * 64})
		}
		list[name] = convCase{must(kernels.Conv2DImplicit.Build(cfg)), []layout.Layout{x, weights, dense([]int{1, 64}), images(s)}}
	}
	first := kernels.Conv2DShape{Images: 32, Channels: 3, Height: 224, Width: 224, Filters: 64, Kernel: [2]int{7, 7},
		Stride: [2]int{2, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{3, 3, 3, 3}, Groups: 1}
	firstConfig, firstImages := launched(caps, elem, first)
	list["conv2d_first"] = convCase{must(kernels.Conv2DImplicit.Build(firstConfig)),
		[]layout.Layout{firstImages, dense([]int{1, 64, 1, 49 * firstImages.Size(2)}), dense([]int{32, 1, 64, 112, 112})}}
	for name, s := range map[string]kernels.Conv2DShape{"conv2d_depthwise": layer(true, false), "conv2d_depthwise_nhwc": layer(true, true)} {
		cfg := kernels.Conv2DConfigFor(caps, elem, s)
		out, _ := images(s).Permute(cfg.Block.Memory[:]...)
		weights := dense([]int{64, 1, 9, 1})
		if s.ChannelsLast {
			weights, _ = dense([]int{9, 1, 64, 1}).Permute(2, 3, 0, 1)
		}
		list[name] = convCase{must(kernels.Conv2DDirect.Build(cfg)), []layout.Layout{images(s), weights, out}}
	}
	last := first
	last.ChannelsLast = true
	out, _ := dense([]int{32, 112, 112, 1, 64}).Permute(0, 3, 4, 1, 2)
	lastConfig, lastImages := launched(caps, elem, last)
	list["conv2d_first_nhwc"] = convCase{must(kernels.Conv2DImplicit.Build(lastConfig)),
		[]layout.Layout{lastImages, dense([]int{1, 64, 1, 49 * lastImages.Size(2)}), out}}
	wide := layer(false, false)
	wide.Channels, wide.Filters = 256, 256
	cfg, x := launched(caps, elem, wide)
	weights := dense([]int{1, 256, 9, 256})
	if cfg.Whole {
		weights = dense([]int{1, 256, 1, 9 * 256})
	}
	list["conv2d_wide"] = convCase{must(kernels.Conv2DImplicit.Build(cfg)), []layout.Layout{x, weights, images(wide)}}
	parts, few := wide, cfg
	parts.Images, few.Parts = 3*wide.Images, 3
	list["conv2d_parts"] = convCase{must(kernels.Conv2DImplicit.Build(few)), []layout.Layout{x, weights, images(parts)}}
	volumeCases(must, caps, elem, list)
	s := layer(false, false)
	list["im2col"] = convCase{must(kernels.Im2Col.Build(kernels.Im2ColProblem{Elem: elem, Shape: s, Memory: [5]int{0, 1, 2, 3, 4}}.Rule(caps))),
		[]layout.Layout{images(s), dense([]int{32, 1, 64, 9, 56 * 56})}}
	s.ChannelsLast = true
	list["im2col_nhwc"] = convCase{must(kernels.Im2Col.Build(kernels.Im2ColProblem{Elem: elem, Shape: s, Memory: [5]int{0, 4, 1, 3, 2}}.Rule(caps))),
		[]layout.Layout{images(s), dense([]int{32, 56 * 56, 1, 9, 64})}}
	return list
}

// volumeCases are kernels of volumes, and of the gradient of weights of images and of volumes in groups.
func volumeCases(must func(*tile.Func, error) *tile.Func, caps target.Caps, elem weft.DType, list map[string]convCase) {
	cube := layer(false, false)
	cube.Images, cube.Volume = 4, kernels.ConvVolume{ConvDepth: kernels.ConvDepth{Kernel: 3, Stride: 1, Dilation: 1}, Depth: 16, Padding: [2]int{1, 1}}
	cube.Height, cube.Width = 28, 28
	volumes := dense([]int{4, 64, 16, 28, 28})
	deepest, _ := dense([]int{4, 16, 28, 28, 64}).Permute(0, 4, 1, 2, 3)
	implicit := kernels.Conv2DConfigFor(caps, elem, cube)
	x, weights := volumes, dense([]int{1, 64, 27, 64})
	if implicit.Repacked {
		x = deepest
	}
	if implicit.ChannelBlocks == 0 || implicit.Whole {
		weights = dense([]int{1, 64, 1, 27 * 64})
	}
	implicit.Repacked = false
	list["conv3d"] = convCase{must(kernels.Conv2DImplicit.Build(implicit)), []layout.Layout{x, weights, volumes}}
	deep := cube
	deep.Groups = 64
	direct := kernels.Conv2DConfigFor(caps, elem, deep)
	direct.Depth = direct.Depth.InGroups(64, 1, 1)
	list["conv3d_depthwise"] = convCase{must(kernels.Conv2DDirect.Build(direct)), []layout.Layout{volumes, dense([]int{64, 1, 27, 1}), volumes}}
	cube.Groups = 2
	for name, s := range map[string]kernels.Conv2DShape{"conv_weight_grad": layer(false, true), "conv3d_weight_grad": cube} {
		cfg := kernels.ConvGradProblem{Elem: elem, Shape: s}.Rule(caps)
		x, pixels := images(s), s.Pixels()
		if s.Volume.Is() {
			if x = volumes; cfg.Packed {
				x = deepest
			}
		}
		list[name] = convCase{must(kernels.ConvWeightGrad.Build(cfg.ForKernel(s))), []layout.Layout{x, dense([]int{pixels, s.Groups, s.GroupFilters()}),
			dense([]int{4, s.Groups, s.GroupFilters(), cfg.Channels * s.Positions()})}}
	}
}

func (c convCase) emit(t *testing.T, caps target.Caps) *compile.Artifact {
	t.Helper()
	a, err := compile.Emit(c.kernel, axis.FactsOf(c.layouts, []int{0, 1, 2, 3}[:len(c.layouts)]), caps)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// InFlight decides with three stages, where the compiler alone lets the products of one step be outstanding.
func TestConvInFlight(t *testing.T) {
	for inFlight, want := range []string{"wait_group.sync.aligned 0", "wait_group.sync.aligned 0", "wait_group.sync.aligned 1"} {
		s := layer(false, true)
		cfg := kernels.Conv2DConfigFor(matrixCaps, weft.F16, s)
		cfg.Stages, cfg.InFlight = 3, inFlight
		kernel, err := kernels.Conv2DImplicit.Build(cfg)
		if err != nil {
			t.Fatal(err)
		}
		weights, _ := dense([]int{9, 64, 1, 64}).Permute(2, 3, 0, 1)
		text := convCase{kernel, []layout.Layout{images(s), weights, images(s)}}.emit(t, matrixCaps).Source.Text
		if outstanding := strings.Contains(text, "wait_group.sync.aligned 1"); !strings.Contains(text, want) || outstanding != (inFlight == 2) {
			t.Errorf("InFlight %d with %+v: outstanding over steps: %v", inFlight, cfg, outstanding)
		}
	}
}
