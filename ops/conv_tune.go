package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// convProblem is what algorithm and config of a convolution depend on. Bias and activation do not count.
type convProblem struct {
	Elem  weft.DType
	Shape kernels.Conv2DShape
}

var convTune = space[convProblem]("conv2d")

func (p convProblem) List(caps target.Caps) []kernels.Conv2DConfig {
	return kernels.Conv2DConfigs(caps, p.Elem, p.Shape)
}

func (p convProblem) Legal(caps target.Caps, cfg kernels.Conv2DConfig) error {
	if cfg.Elem != p.Elem {
		return fmt.Errorf("the config is for %v", cfg.Elem)
	}
	return cfg.Legal(caps, p.Shape)
}

func (p convProblem) Rule(caps target.Caps) kernels.Conv2DConfig {
	return kernels.Conv2DConfigFor(caps, p.Elem, p.Shape)
}

func (p convProblem) Work(caps target.Caps, cfg kernels.Conv2DConfig) tune.Work {
	return cfg.Work(caps, p.Shape)
}

func (p convProblem) Bucket() convProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (convProblem) Kernel(cfg kernels.Conv2DConfig) (*tile.Func, error) {
	switch cfg.Algorithm {
	case kernels.ConvDirect:
		return kernels.Conv2DDirect.Build(cfg)
	case kernels.ConvImplicit:
		return kernels.Conv2DImplicit.Build(cfg)
	}
	// The product has a kernel and a choice of its own.
	return kernels.Im2Col.Build(kernels.Im2colTiles(cfg.Elem, kernels.Conv2DShape{Images: 1, Channels: 1, Height: 1, Width: 1, Groups: 1, Filters: 1,
		Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation}, [5]int{0, 1, 2, 3, 4}, 256, 0))
}

func (p convProblem) Trial(r *trialTensors, rule kernels.Conv2DConfig) (*tune.Trial[kernels.Conv2DConfig], error) {
	s := p.Shape
	rows, columns := s.Result()
	weight := tune.View{Rank: 4, Unit: true, Align: 16, Order: [tune.MaxRank]int8{0, 1, 2, 3},
		Size: [tune.MaxRank]int{s.Filters, s.GroupChannels(), s.Kernel[0], s.Kernel[1]}}
	c := &convolution{Conv2DShape: s, x: r.filled(p.Elem, s.ImagesView(s.Images, s.Channels, s.Height, s.Width)), weight: r.filled(p.Elem, weight)}
	out := r.empty(p.Elem, s.ImagesView(s.Images, s.Filters, rows, columns))
	run := func(cfg kernels.Conv2DConfig) error {
		if cfg.Fit(s); cfg.Algorithm == kernels.ConvIm2Col {
			return c.launchColumns(out)
		}
		return c.launchKernel(cfg, out)
	}
	bound := bounds.MatMulSum(tile.IEEE, s.Terms(), float64(s.Terms()))
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}

// im2colProblem is what the config of columns depends on, whose dimensions [N,G,C/G,KH·KW,P·Q] lie in memory in an order.
type im2colProblem struct {
	Elem   weft.DType
	Shape  kernels.Conv2DShape
	Memory [5]int
}

var im2colTune = space[im2colProblem]("im2col")

func (p im2colProblem) List(caps target.Caps) []kernels.Im2ColConfig {
	return kernels.Im2ColConfigs(caps, p.Elem, p.Shape, p.Memory)
}

func (p im2colProblem) Legal(caps target.Caps, cfg kernels.Im2ColConfig) error {
	s := p.Shape
	if cfg.Elem != p.Elem || cfg.Kernel != s.Kernel || cfg.Stride != s.Stride || cfg.Dilation != s.Dilation || cfg.Block.Memory != p.Memory {
		return fmt.Errorf("the config is for %v, a kernel of %v, stride %v, dilation %v, order %v", cfg.Elem, cfg.Kernel, cfg.Stride, cfg.Dilation, cfg.Block.Memory)
	}
	return cfg.Legal(caps)
}

func (p im2colProblem) Rule(caps target.Caps) kernels.Im2ColConfig {
	return kernels.Im2ColConfigFor(caps, p.Elem, p.Shape, p.Memory)
}

func (p im2colProblem) Bucket() im2colProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (im2colProblem) Kernel(cfg kernels.Im2ColConfig) (*tile.Func, error) {
	return kernels.Im2Col.Build(cfg)
}

func (p im2colProblem) Trial(r *trialTensors, rule kernels.Im2ColConfig) (*tune.Trial[kernels.Im2ColConfig], error) {
	s := p.Shape
	rows, columns := s.Result()
	c := &convolution{Conv2DShape: s, x: r.filled(p.Elem, s.ImagesView(s.Images, s.Channels, s.Height, s.Width))}
	sizes := [5]int{s.Images, s.Groups, s.GroupChannels(), s.Kernel[0] * s.Kernel[1], rows * columns}
	v := tune.View{Rank: 5, Unit: true, Align: 16, Size: sizes}
	for i, d := range p.Memory {
		v.Order[i] = int8(d)
	}
	out := r.empty(p.Elem, v)
	run := func(cfg kernels.Im2ColConfig) error { return c.launchBlocks(cfg, c.x, view(out), p.Memory) }
	return newTrial(r, rule, run, tolerance{}, out)
}
