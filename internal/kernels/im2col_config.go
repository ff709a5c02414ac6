package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// Im2ColConfig is what the kernel of Im2Col is built for.
type Im2ColConfig struct {
	Elem             weft.DType
	Kernel           [2]int     // rows and columns
	Stride, Dilation [2]int     // down and across
	Block            ImageBlock // of the columns: images (1), groups, channels, positions, pixels
	Threads          int        // of a workgroup; 0 lets the compiler choose
}

// Im2ColProblem is what the config of columns depends on, whose dimensions [N,G,C/G,KH·KW,P·Q] are in memory in an order of which
// the last one is in runs.
type Im2ColProblem struct {
	Elem   weft.DType
	Shape  Conv2DShape
	Memory [5]int
}

func (p Im2ColProblem) Rule(caps target.Caps) Im2ColConfig {
	area, threads := 1<<13, 0
	if !caps.WholeTiles {
		threads, area = 256, 2048
		if scarce(caps) {
			threads, area = 64, 256
		}
		threads = caps.FitThreads(threads)
	}
	return p.tiles(area, threads)
}

// Sizes are those of the columns' dimensions.
func (p Im2ColProblem) Sizes() [5]int {
	s := p.Shape
	rows, columns := s.Result()
	return [5]int{s.Images, s.Groups, s.GroupChannels(), s.Kernel[0] * s.Kernel[1], rows * columns}
}

// tiles is a config with blocks of an area.
func (p Im2ColProblem) tiles(area, threads int) Im2ColConfig {
	s := p.Shape
	cfg := Im2ColConfig{Elem: p.Elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Threads: threads}
	cfg.Block = newImageBlock(p.Memory, p.Sizes(), [5]int{1, area, area, area, area}, area)
	return cfg
}

func (p Im2ColProblem) List(caps target.Caps) []Im2ColConfig {
	list := []Im2ColConfig{p.Rule(caps)}
	areas, threads := []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15}, []int{0}
	if !caps.WholeTiles {
		areas, threads = []int{256, 512, 1024, 2048, 4096}, []int{64, 128, 256}
	}
	for c := range combinations(areas, threads) {
		if cfg := p.tiles(c[0], c[1]); p.Legal(caps, cfg) == nil {
			list = appendNew(list, cfg)
		}
	}
	return list
}

func (p Im2ColProblem) Legal(caps target.Caps, cfg Im2ColConfig) error {
	s := p.Shape
	if cfg.Elem != p.Elem || cfg.Kernel != s.Kernel || cfg.Stride != s.Stride || cfg.Dilation != s.Dilation || cfg.Block.Memory != p.Memory {
		return fmt.Errorf("the config is for %v, a kernel of %v, stride %v, dilation %v, order %v", cfg.Elem, cfg.Kernel, cfg.Stride, cfg.Dilation, cfg.Block.Memory)
	}
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	return cfg.Block.Legal(caps, cfg.Threads)
}

func (p Im2ColProblem) Bucket() Im2ColProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (p Im2ColProblem) Kernel(cfg Im2ColConfig) (*tile.Func, error) { return Im2Col.Build(cfg) }
