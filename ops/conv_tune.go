package ops

import (
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

var convTune = space[convTrials]("conv2d")

type convTrials struct{}

func (convTrials) Trial(p kernels.ConvProblem, r *trialTensors, rule Conv2DConfig) (*tune.Trial[Conv2DConfig], error) {
	s := p.Shape
	rows, columns := s.Result()
	weight := tune.View{Rank: 4, Unit: true, Align: 16, Order: [tune.MaxRank]int8{0, 1, 2, 3},
		Size: [tune.MaxRank]int{s.Filters, s.GroupChannels(), s.Positions() / s.Kernel[1], s.Kernel[1]}}
	c := &convolution{Conv2DShape: s, x: r.filled(p.Elem, s.ImagesView(s.Images, s.Channels, s.Volume.Depth, s.Height, s.Width).With(p.X)), weight: r.filled(p.Elem, weight.With(p.Weight))}
	out := r.empty(p.Elem, s.ImagesView(s.Images, s.Filters, s.Volume.Result(), rows, columns).With(p.Out))
	run := func(cfg Conv2DConfig) error {
		if cfg.Fit(s); cfg.Algorithm == kernels.ConvIm2Col {
			return c.launchColumns(out)
		}
		return c.launchKernel(cfg, out)
	}
	x, w := r.valuesOf(c.x), r.valuesOf(c.weight)
	r.exactly(s.Terms(), func(at []int) (sum float64) {
		group := at[1] / s.GroupFilters() * s.GroupChannels()
		last := at[len(at)-2:]
		for ch := range s.GroupChannels() {
			for i := range s.Positions() / s.Kernel[1] { // rows of all planes of the kernel
				for j := range s.Kernel[1] {
					row, column := last[0]*s.Stride[0]+i%s.Kernel[0]*s.Dilation[0]-s.Padding[0], last[1]*s.Stride[1]+j*s.Dilation[1]-s.Padding[2]
					if row < 0 || row >= s.Height || column < 0 || column >= s.Width {
						continue
					}
					from := []int{at[0], group + ch, row, column}
					if v := s.Volume; v.Is() {
						depth := at[2]*v.Stride + i/s.Kernel[0]*v.Dilation - v.Padding[0]
						if depth < 0 || depth >= v.Depth {
							continue
						}
						from = []int{at[0], group + ch, depth, row, column}
					}
					sum += x(from...) * w(at[1], ch, i, j)
				}
			}
		}
		return sum
	})
	bound := bounds.MatMulSum(tile.IEEE, s.Terms(), float64(s.Terms()))
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}

var im2colTune = space[im2colTrials]("im2col")

type im2colTrials struct{}

func (im2colTrials) Trial(p kernels.Im2ColProblem, r *trialTensors, rule kernels.Im2ColConfig) (*tune.Trial[kernels.Im2ColConfig], error) {
	s := p.Shape
	c := &convolution{Conv2DShape: s, x: r.filled(p.Elem, s.ImagesView(s.Images, s.Channels, 0, s.Height, s.Width).With(p.X))}
	v := tune.View{Rank: 5, Unit: true, Align: 16, Size: p.Sizes()}
	for i, d := range p.Memory {
		v.Order[i] = int8(d)
	}
	out := r.empty(p.Elem, v.With(p.Out))
	run := func(cfg kernels.Im2ColConfig) error { return c.launchBlocks(p, cfg, c.x, view(out)) }
	return newTrial(r, rule, run, tolerance{}, out)
}
