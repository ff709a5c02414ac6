package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Im2ColConfig is what the kernel of Im2Col is built for.
type Im2ColConfig struct {
	Elem             weft.DType
	Kernel           [2]int     // rows and columns
	Stride, Dilation [2]int     // down and across
	Block            ImageBlock // of the columns: images (1), groups, channels, positions, pixels
	Threads          int        // of a workgroup; 0 lets the compiler choose
}

// Im2ColConfigFor chooses the config for columns whose dimensions [N,G,C/G,KH·KW,P·Q] lie in memory in an order of which the
// last one is in runs.
func Im2ColConfigFor(caps target.Caps, elem weft.DType, s Conv2DShape, memory [5]int) Im2ColConfig {
	area, threads := 1<<13, 0
	if !caps.WholeTiles {
		threads, area = 256, 2048
		if scarce(caps) {
			threads, area = 64, 256
		}
		threads = caps.FitThreads(threads)
	}
	return Im2colTiles(elem, s, memory, area, threads)
}

// Im2colTiles is a config with blocks of an area.
func Im2colTiles(elem weft.DType, s Conv2DShape, memory [5]int, area, threads int) Im2ColConfig {
	cfg := Im2ColConfig{Elem: elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Threads: threads}
	p, q := s.Result()
	sizes := [5]int{s.Images, s.Groups, s.GroupChannels(), s.Kernel[0] * s.Kernel[1], p * q}
	cfg.Block = newImageBlock(memory, sizes, [5]int{1, area, area, area, area}, area)
	return cfg
}

// Im2ColConfigs lists the configs to choose from, the one of Im2ColConfigFor first.
func Im2ColConfigs(caps target.Caps, elem weft.DType, s Conv2DShape, memory [5]int) []Im2ColConfig {
	list := []Im2ColConfig{Im2ColConfigFor(caps, elem, s, memory)}
	areas, threads := []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15}, []int{0}
	if !caps.WholeTiles {
		areas, threads = []int{256, 512, 1024, 2048, 4096}, []int{64, 128, 256}
	}
	for _, area := range areas {
		for _, t := range threads {
			cfg := Im2colTiles(elem, s, memory, area, t)
			if cfg.Legal(caps) == nil {
				list = appendNew(list, cfg)
			}
		}
	}
	return list
}

// Legal says why a config is refused.
func (cfg Im2ColConfig) Legal(caps target.Caps) error {
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	return cfg.Block.Legal(caps, cfg.Threads)
}
