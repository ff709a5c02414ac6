package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ConvGradConfig is what the kernel ConvWeightGrad is built for.
type ConvGradConfig struct {
	Elem             weft.DType
	Kernel           [2]int // rows and columns
	Stride, Dilation [2]int // down and across
	Depth            ConvDepth
	Channels         int  // of a group, with the zeros of copies
	Packed           bool // x is copied so that channels are neighbours, with zeros up to pieces of 16 bytes
	AlongPixels      bool // x is contiguous along the pixels, not along the channels
	BM, BN, BK       int  // filters and terms of a program's tile of the result, pixels of a step
	Threads          int  // of a workgroup; 0 lets the compiler choose
	Stages           int  // of the pipeline, see tile.Schedule
	Parts            int  // programs that share the pixels of a tile, 0 in the kernel's config: the view tells
	Adds             bool // the parts hold sums, to which the program's own are added
}

// precision is the least precision of the products.
func (cfg ConvGradConfig) precision() tile.Precision { return newMatMulConfig(cfg.Elem, 0).Precision }

// product are the tiles as those of a product.
func (cfg ConvGradConfig) product() MatMulConfig {
	return MatMulConfig{Elem: cfg.Elem, Precision: cfg.precision(), BM: cfg.BM, BN: cfg.BN, BK: cfg.BK, Threads: cfg.Threads, Stages: cfg.Stages, SplitK: cfg.Parts}
}

// ForKernel is the config that the kernel is built for.
func (cfg ConvGradConfig) ForKernel(s Conv2DShape) ConvGradConfig {
	cfg.Packed, cfg.Parts, cfg.Depth = false, 0, cfg.Depth.InGroups(s.Groups, cfg.Channels, s.GroupFilters())
	return cfg
}

// ConvGradProblem is what the config of a gradient of weights depends on.
type ConvGradProblem struct {
	Elem  weft.DType
	Shape Conv2DShape

	X tune.Strides `json:",omitzero"` // where it is not dense
}

// mostPacked is how many times as many channels copies may have. Few channels are gathered one by one.
const mostPacked = 2

func (p ConvGradProblem) Rule(caps target.Caps) ConvGradConfig {
	s := p.Shape
	cfg := ConvGradConfig{Elem: p.Elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Depth: s.Volume.ConvDepth}
	matrix := newMatMulConfig(p.Elem, 0).IsMatrix(caps)
	cfg.pack(s, matrix && s.PackedChannels(p.Elem) <= mostPacked*s.GroupChannels())
	m, n, pixels := s.GroupFilters(), cfg.terms(s), s.Pixels()
	t := MatMulConfigFor(withoutMaps(caps), p.Elem, max(m, MaxRowByRow+1), n, pixels, s.Groups)
	if matrix && caps.AsyncCopy { // the reduction is shared: tiles need not be many
		t.fitShared(caps, m, n)
	}
	cfg.setTiles(t)
	cfg.Parts = cfg.partsFor(caps, s)
	return cfg
}

// withoutMaps are the facts of a machine for kernels that gather.
func withoutMaps(caps target.Caps) target.Caps {
	caps.TensorMaps = false
	return caps
}

// fitShared gives a product by matrix instructions the largest tiles that its sides fill.
func (cfg *MatMulConfig) fitShared(caps target.Caps, m, n int) {
	const least, most, sums = 16, 128, 128 // sides, and sums of a thread
	side := func(n int) int { return min(max(pow2.Ceil(n), least), most) }
	cfg.BM, cfg.BN, cfg.BK, cfg.Stages = side(m), side(n), 32, 4
	if CeilDiv(n, cfg.BN)*cfg.BN*8 > n*9 { // more than a ninth of it would be empty
		cfg.BN = max(cfg.BN/2, least)
	}
	cfg.Threads = caps.FitThreads(min(max(cfg.BM*cfg.BN/sums, 64), 256))
	if caps.WarpGroups && cfg.Elem.Size() == 2 && cfg.BM >= 64 {
		cfg.BK, cfg.Threads, cfg.Stages = 64, 2*cfg.BM, 3
	}
	for cfg.Stages > 1 && !cfg.FitsShared(caps) {
		cfg.Stages--
	}
}

// pack says whether x is copied.
func (cfg *ConvGradConfig) pack(s Conv2DShape, yes bool) {
	cfg.Packed, cfg.Channels = yes && s.scattered(cfg.Elem), max(s.GroupChannels(), 1)
	if cfg.Packed {
		cfg.Channels = s.PackedChannels(cfg.Elem)
	}
	cfg.AlongPixels = !s.ChannelsLast && !cfg.Packed
}

// terms are how many elements each filter has.
func (cfg *ConvGradConfig) terms(s Conv2DShape) int { return cfg.Channels * s.Positions() }

// setTiles takes over the tiles of a product.
func (cfg *ConvGradConfig) setTiles(t MatMulConfig) {
	cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages = t.BM, t.BN, t.BK, t.Threads, t.Stages
}

// partsFor is how many programs share the pixels of each tile: as many as fill the machine twice, with some steps for each.
func (cfg ConvGradConfig) partsFor(caps target.Caps, s Conv2DShape) int {
	const leastSteps, waves = 8, 2
	tiles := s.Groups * CeilDiv(s.GroupFilters(), cfg.BM) * CeilDiv(cfg.terms(s), cfg.BN)
	return max(min(waves*caps.Facts().Units/max(tiles, 1), s.Pixels()/(leastSteps*cfg.BK)), 1)
}

func (p ConvGradProblem) List(caps target.Caps) []ConvGradConfig {
	rule := p.Rule(caps)
	list, threads, stages := []ConvGradConfig{rule}, []int{64, 128, 256}, []int{2, 3, 4}
	if caps.WholeTiles {
		threads, stages = []int{0}, []int{0}
	}
	for _, yes := range []bool{true, false} {
		cfg := rule
		cfg.pack(p.Shape, yes)
		for c := range combinations([]int{16, 32, 64, 128}, []int{32, 64, 128, 256}, []int{32, 64}, threads, stages, []int{1, 2, 4}) {
			cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages = c[0], c[1], c[2], c[3], c[4]
			cfg.Parts = max(cfg.partsFor(caps, p.Shape)*c[5]/2, 1)
			if cfg.BM < 2*p.Shape.GroupFilters() && cfg.BN < 2*cfg.terms(p.Shape) && p.Legal(caps, cfg) == nil {
				list = appendNew(list, cfg)
			}
		}
	}
	return list
}

func (p ConvGradProblem) Legal(caps target.Caps, cfg ConvGradConfig) error {
	s := p.Shape
	if cfg.Elem != p.Elem || cfg.Kernel != s.Kernel || cfg.Stride != s.Stride || cfg.Dilation != s.Dilation || cfg.Depth != s.Volume.ConvDepth || cfg.Adds {
		return fmt.Errorf("the config is for %v, a kernel of %v, stride %v, dilation %v", cfg.Elem, cfg.Kernel, cfg.Stride, cfg.Dilation)
	}
	same := cfg
	if same.pack(s, cfg.Packed); same != cfg {
		return fmt.Errorf("the config is for another order of the channels")
	}
	if cfg.Parts < 1 || cfg.Parts > 1<<12 {
		return fmt.Errorf("%d parts, want 1 to 4096", cfg.Parts)
	}
	return cfg.product().Legal(caps, cfg.BM)
}

func (p ConvGradProblem) Work(caps target.Caps, cfg ConvGradConfig) tune.Work {
	s, none, size := p.Shape, tune.View{Unit: true, Align: 16}, cfg.Elem.Size()
	m, n, pixels := s.GroupFilters(), cfg.terms(s), s.Pixels()
	w := cfg.product().work(caps, none, none, m, n, pixels, s.Groups)
	w.Memory = float64(size) * float64(s.imageElements()+s.Filters*pixels)
	if caps.WholeTiles {
		return w
	}
	piece := size
	if !cfg.AlongPixels {
		piece = max(runOf(cfg.Elem, cfg.Channels), size)
	}
	w.Extra += gatherCost * float64(size/max(piece, 1)+1) * float64(s.Groups*CeilDiv(m, cfg.BM)*CeilDiv(n, cfg.BN)*cfg.BN) * float64(pixels)
	w.Passes = max(w.Passes, 1) + 1 // dy is copied, and the parts are added
	w.Memory += 2*float64(size*s.Filters*pixels) + 8*float64(cfg.Parts*s.Filters*n)
	if cfg.Packed {
		w.Passes++
		w.Memory += s.packedBytes(cfg.Elem)
	}
	return w
}

func (p ConvGradProblem) Needs(caps target.Caps) tune.Needs {
	s, size := p.Shape, float64(p.Elem.Size())
	read, products := s.pixels(p.Elem)
	n := tune.Needs{Read: read + size*float64(s.Filters)*float64(s.Pixels()), Written: size * float64(s.Filters*s.Terms())}
	multiply(&n, caps, p.Elem, newMatMulConfig(p.Elem, 0).Precision, 2*products*float64(s.Filters)*float64(s.GroupChannels()))
	return n
}

func (p ConvGradProblem) Bucket() ConvGradProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (p ConvGradProblem) Kernel(cfg ConvGradConfig) (*tile.Func, error) {
	return ConvWeightGrad.Build(cfg.ForKernel(p.Shape))
}
