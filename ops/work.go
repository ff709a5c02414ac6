package ops

import (
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Work is what n numbers take: ten rounds of Philox for four, and the transform to normal ones, which is about 48
// operations on integers of a quarter of the rate of multiplications and additions, counted as two.
func (p randomProblem) Work(_ target.Caps, cfg kernels.RandomConfig) tune.Work {
	w := kernels.StreamWork(vector(p.N), p.Elem, float64(p.N), 1, kernels.CeilDiv(p.N, cfg.Block), cfg.Block, 4, cfg.Threads)
	switch p.Op {
	case "normal":
		w.Flops = (40 + 48*8/2) * float64(p.N)
	case "dropout":
		w.Memory *= 2
		fallthrough
	default:
		w.Flops = 40 * float64(p.N)
	}
	return w
}

// Work is what quantising a matrix, or the way back, takes.
func (p quantizeProblem) Work(_ target.Caps, cfg kernels.QuantizeConfig) tune.Work {
	down, across := kernels.CeilDiv(p.Shape[0], cfg.BM), kernels.CeilDiv(p.Shape[1], cfg.BN)
	run := [2]int{cfg.BM, cfg.BN}[p.Fastest]
	w := kernels.StreamWork(matrix(p.Shape[0], p.Shape[1], p.Fastest), p.Elem, float64(down*across*cfg.BM*cfg.BN), 1.5, down*across, cfg.BM*cfg.BN, run, cfg.Threads)
	w.Flops *= 2
	return w
}

// Work is what columns of images take.
func (p im2colProblem) Work(_ target.Caps, cfg kernels.Im2ColConfig) tune.Work {
	s := p.Shape
	rows, columns := s.Result()
	area, blocks := 1, 1
	for d, n := range [5]int{s.Images, s.Groups, s.GroupChannels(), s.Kernel[0] * s.Kernel[1], rows * columns} {
		area *= cfg.Block.Size[d]
		blocks *= kernels.CeilDiv(n, cfg.Block.Size[d])
	}
	w := kernels.StreamWork(tune.View{Unit: true, Align: 16}, p.Elem, float64(blocks*area), 1.5, blocks, area, cfg.Block.Size[p.Memory[4]], cfg.Threads)
	w.Flops *= 3
	return w
}
