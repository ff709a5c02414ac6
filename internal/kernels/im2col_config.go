package kernels

import (
	"fmt"
	"slices"

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
	Block            ImageBlock // of the columns: images (1), groups, channels, positions, pixels; with Shifts: images (1), channels, positions (1), rows, columns
	Shifts           bool       // x is read in blocks, one for each position in the kernel
	Permuted         bool       // x is copied with its dimensions in another order, by the kernel of copies
	Dense            bool       // by shifts: the phases of x are copied before, so that their columns are neighbours
	Threads          int        // of a workgroup; 0 lets the compiler choose
}

// Im2ColProblem is what the config of columns depends on, whose dimensions [N,G,C/G,KH·KW,P·Q] are in memory in an order of which
// the last one is in runs.
type Im2ColProblem struct {
	Elem   weft.DType
	Shape  Conv2DShape
	Memory [5]int

	X, Out tune.Strides `json:",omitzero"` // where they are not dense
}

func (p Im2ColProblem) Rule(caps target.Caps) Im2ColConfig {
	area, threads := 1<<13, 0
	if caps.WholeTiles && p.permutes() && !byShifts(p.Shape.Kernel, p.Shape.Stride, p.Shape.Dilation) {
		cfg := p.tiles(area, threads, false)
		cfg.Permuted = true
		return cfg
	}
	if caps.WholeTiles && byShifts(p.Shape.Kernel, p.Shape.Stride, p.Shape.Dilation) {
		return p.tiles(p.shiftArea(caps), threads, true)
	}
	if !caps.WholeTiles {
		threads, area = 256, 2048
		if scarce(caps) {
			threads, area = 64, 256
		}
		threads = caps.FitThreads(threads)
	}
	return p.tiles(area, threads, false)
}

// permutes reports whether columns are all of the pixels in another order: patches side by side, without padding, whose groups need not be counted.
func (p Im2ColProblem) permutes() bool {
	s := p.Shape
	return s.Patches() && s.Kernel == s.Stride && !s.padded() && p.ByImages()
}

// dense reports whether phases are worth copies, which copy what is strides apart once instead of for each position.
func (p Im2ColProblem) dense() bool {
	s := p.Shape
	along := Conv2DConfig{Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation}.Along(0, 0)
	return !s.ChannelsLast && s.Stride[1] > 1 && s.Kernel[0]*s.Kernel[1] >= 4*len(along[0].Phases())*len(along[1].Phases())
}

// shiftArea is the area of blocks that stay in a core's cache while all positions are copied, and of which each core has some.
func (p Im2ColProblem) shiftArea(caps target.Caps) int {
	elements, area := 1, 1<<13
	for d, n := range p.ShiftSizes() {
		if d != 2 {
			elements *= max(n, 1)
		}
	}
	for area > 1<<9 && CeilDiv(elements, area) < 4*caps.Facts().Units {
		area /= 2
	}
	return area
}

// Sizes are those of the columns' dimensions.
func (p Im2ColProblem) Sizes() [5]int {
	s := p.Shape
	rows, columns := s.Result()
	return [5]int{s.Images, s.Groups, s.GroupChannels(), s.Kernel[0] * s.Kernel[1], rows * columns}
}

// Workspace is how many bytes of columns there are at a time on a GPU: what a binding may have on every device.
const Workspace = 1 << 27

// leastRun is how many bytes are worth a copy of their own.
const leastRun = 128

// Planes reports whether images with the channels last are better copied to have them first, before they are copied as columns: where the channels of a
// group are short runs.
func (s Conv2DShape) Planes(caps target.Caps, elem weft.DType) bool {
	return caps.WholeTiles && s.ChannelsLast && s.Kernel != [2]int{1, 1} && s.GroupChannels()*elem.Size() < leastRun
}

// ByImages reports whether groups follow each other in memory as their channels do, so that channels need not be counted by group. Otherwise a kernel
// by shifts has groups in place of images, and is launched for each image.
func (p Im2ColProblem) ByImages() bool {
	return p.Shape.Groups == 1 || slices.Index(p.Memory[:], 2) == slices.Index(p.Memory[:], 1)+1
}

// ShiftSizes are those of the columns' dimensions [N,C,KH·KW,P,Q] for a kernel by shifts, or of [G,C/G,KH·KW,P,Q].
func (p Im2ColProblem) ShiftSizes() [5]int {
	s := p.Shape
	rows, columns := s.Result()
	sizes := [5]int{s.Images, s.Channels, s.Kernel[0] * s.Kernel[1], rows, columns}
	if !p.ByImages() {
		sizes[0], sizes[1] = s.Groups, s.GroupChannels()
	}
	return sizes
}

// ShiftMemory is the order of these dimensions.
func (p Im2ColProblem) ShiftMemory() (memory [5]int) {
	dims := [][]int{{0}, nil, {1}, {2}, {3, 4}} // of images, groups, channels, positions, pixels
	if !p.ByImages() {
		dims[0], dims[1] = nil, []int{0}
	}
	list := memory[:0]
	for _, d := range p.Memory {
		list = append(list, dims[d]...)
	}
	return memory
}

// tiles is a config with blocks of an area.
func (p Im2ColProblem) tiles(area, threads int, shifts bool) Im2ColConfig {
	s := p.Shape
	cfg := Im2ColConfig{Elem: p.Elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Threads: threads}
	if shifts {
		sizes := p.ShiftSizes()
		cfg.Shifts, cfg.Dense = true, p.dense()
		cfg.Block = newImageBlock(p.ShiftMemory(), sizes, [5]int{1, area, 1, area, area}, area, 0, 2)
		return cfg
	}
	cfg.Block = newImageBlock(p.Memory, p.Sizes(), [5]int{1, area, area, area, area}, area)
	return cfg
}

func (p Im2ColProblem) List(caps target.Caps) []Im2ColConfig {
	list := []Im2ColConfig{p.Rule(caps)}
	areas, threads := []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15}, []int{0}
	if !caps.WholeTiles {
		areas, threads = []int{256, 512, 1024, 2048, 4096}, []int{64, 128, 256}
	}
	if cfg := p.tiles(1<<13, 0, false); caps.WholeTiles && p.permutes() {
		cfg.Permuted = true
		list = appendNew(list, cfg)
	}
	for c := range combinations(areas, threads) {
		for _, shifts := range []bool{false, true} {
			if cfg := p.tiles(c[0], c[1], shifts); (!shifts || caps.WholeTiles) && p.Legal(caps, cfg) == nil {
				list = appendNew(list, cfg)
			}
		}
	}
	return list
}

func (p Im2ColProblem) Legal(caps target.Caps, cfg Im2ColConfig) error {
	s := p.Shape
	if cfg.Elem != p.Elem || cfg.Kernel != s.Kernel || cfg.Stride != s.Stride || cfg.Dilation != s.Dilation || !cfg.Shifts && cfg.Block.Memory != p.Memory {
		return fmt.Errorf("the config is for %v, a kernel of %v, stride %v, dilation %v, order %v", cfg.Elem, cfg.Kernel, cfg.Stride, cfg.Dilation, cfg.Block.Memory)
	}
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	if cfg.Permuted && (cfg.Shifts || !p.permutes()) {
		return fmt.Errorf("columns of a kernel of %v, stride %v, padding %v are no permutation of pixels", s.Kernel, s.Stride, s.Padding)
	}
	if cfg.Shifts {
		if err := checkShifts(s, cfg.Block, p.ShiftMemory(), 2); err != nil {
			return err
		}
	}
	return cfg.Block.Legal(caps, cfg.Threads)
}

func (p Im2ColProblem) Bucket() Im2ColProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (p Im2ColProblem) Kernel(cfg Im2ColConfig) (*tile.Func, error) { return Im2Col.Build(cfg) }
