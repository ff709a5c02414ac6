package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ConvAlgorithm is a way to compute a convolution. All give the same sums in another
// order.
type ConvAlgorithm uint8

// The algorithms.
const (
	// ConvAuto chooses by the shape: see Conv2DConfigFor.
	ConvAuto ConvAlgorithm = iota
	// ConvDirect adds products to a block of the result for one input channel and one position in the kernel
	// after the other. It is for few channels in a group, depthwise convolutions above all. On GPUs the positions of
	// small kernels are unrolled, and rows and columns of the result share what a thread loads.
	ConvDirect
	// ConvIm2Col writes the part of x under the kernel as columns of a matrix in a workspace (see
	// Im2Col), by which MatMul multiplies the weights (Chellapilla, Puri and Simard, "High Performance Convolutional
	// Neural Networks for Document Processing", 2006). Kernels of 1 × 1 need no columns.
	ConvIm2Col
	// ConvImplicit is the same product, whose columns are gathered tile by tile within the kernel and never stored
	// (Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014).
	//
	// Where matrix instructions multiply, and threads would gather element by element, x is copied before, some images at a time, so that channels are
	// neighbours and come in pieces of 16 bytes.
	ConvImplicit
)

// String is the algorithm's name.
func (a ConvAlgorithm) String() string {
	if names := []string{"auto", "direct", "im2col", "implicit"}; int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("ConvAlgorithm(%d)", uint8(a))
}

// Conv2DConfig is what the kernels of Conv2D are built for. Sizes of tiles are in elements and powers of two.
type Conv2DConfig struct {
	Elem             weft.DType
	Algorithm        ConvAlgorithm       // ConvIm2Col has no kernel of its own
	Kernel           [2]int              // rows and columns
	Stride, Dilation [2]int              // down and across
	Depth            ConvDepth           `json:",omitzero"` // of kernels of volumes
	Bias             bool                // whether there is one
	Steps            [MaxSteps]*weft.Map `json:"-"` // applied to the sums in order, nil after the last

	// of ConvImplicit
	BO, BP, BK    int  // filters and pixels of a program's tile of the result, step along the reduction
	ChannelBlocks int  // steps of BK channels at each position of the kernel; 0 steps through channels and positions together,
	Channels      int  // through so many channels at one position after the other, or 0, the positions of one channel after the other
	Whole         bool // channels fill their blocks: weights are walked as they are in memory
	AlongK        bool // x is contiguous along the reduction, not along the pixels
	PixelsFirst   bool // rows of the tile of sums are pixels and not filters, of results that are contiguous along the filters
	Repacked      bool // x is copied so that channels are neighbours, with zeros up to pieces of 16 bytes
	Parts         int  // programs that share the reduction of a tile, whose sums SumParts adds; 0 and 1 are one

	// of ConvDirect
	Block      ImageBlock // of the result: images (1), groups, filters, rows, columns
	Shifts     bool       // x is read in blocks, one for each position in the kernel; the products of as many channels as Channels, or of one, are added in one go
	Transposed bool       // by shifts: x and the result are copied so that channels are neighbours if pixels were, and the other way around

	ThreadRows    int // of ConvDirect: that a thread adds up below one another, by unrolled windows: 1, or those of Block; 0 loops over positions
	ThreadColumns int // with ThreadRows: that a thread adds up; neighbours in memory, which it loads as vectors, or, with channels last, one by one; 0 is 1
	Lead          int // elements between the begin of vectors and the kernel's first column, with ThreadColumns
	ChannelStep   int // with ThreadRows: channels of one step of the loop over them, unless Channels are all of them

	ByChannels bool // threads share the channels of sums: steps of BK of them, each thread with a vector of those of BO filters and ThreadColumns pixels, BP pixels a program

	Threads  int // of a workgroup; 0 lets the compiler choose
	Stages   int // of the pipeline, see tile.Schedule; 0 lets the compiler choose
	InFlight int // of ConvImplicit: steps with outstanding wgmma, 1 or 2, see tile.Schedule; 0 lets the compiler choose by the number of stages
}

// ConvProblem is what algorithm and config of a convolution depend on. Bias and activation do not count.
type ConvProblem struct {
	Elem  weft.DType
	Shape Conv2DShape

	X, Weight, Out tune.Strides `json:",omitzero"` // where they are not dense, channels first or last as Shape has them, filters by channels by the kernel
}

// AsProduct is the config of the product that a convolution is, whose threads gather it.
func (s Conv2DShape) AsProduct(caps target.Caps, elem weft.DType) MatMulConfig {
	pixels := s.Pixels()
	cfg := MatMulConfigFor(caps, elem, s.GroupFilters(), pixels, s.Terms(), s.Groups)
	cfg.SplitK = 0
	switch {
	case cfg.Producers > 0:
		cfg.fitProducers(caps, gatheredTiles, whole, s.Groups, s.GroupFilters(), pixels, s.Terms())
	case cfg.isGathered(caps):
		s.fitGathered(caps, elem, &cfg)
	case cfg.IsMatrix(caps) && !caps.AsyncCopy && !cfg.RowByRow: // places of pixels take registers, too
		cfg.fitLoaded(caps, 64, s.Groups, s.GroupFilters(), pixels, s.Terms())
	case cfg.IsMatrix(caps) && !cfg.RowByRow:
		cfg.widenGathers(caps, s.tilesOf(cfg))
	}
	return cfg
}

// isGathered reports whether fused multiply-adds add up what asynchronous copies gather.
func (cfg MatMulConfig) isGathered(caps target.Caps) bool {
	return !cfg.IsMatrix(caps) && !cfg.RowByRow && caps.AsyncCopy
}

// widenGathers gives workgroups of so many tiles more threads where these leave units idle: each gathers fewer elements in a step, and others of a unit gather
// while it waits. (BF16 1×3×224×224 by 96 filters of 4 × 4, stride 4, on an H200: 98 tiles of 64 × 64 take 21.6 µs in 64 threads each, 10.7 in 256.)
func (cfg *MatMulConfig) widenGathers(caps target.Caps, tiles int) {
	const most, leastSums, busy = 256, 16, 512 // threads of a workgroup, sums of a thread, and threads that keep a unit busy
	for 2*cfg.Threads <= most && cfg.BM*cfg.BN >= 2*leastSums*cfg.Threads && 2*tiles*cfg.Threads <= busy*caps.Facts().Units && caps.FitThreads(2*cfg.Threads) == 2*cfg.Threads {
		cfg.Threads *= 2
	}
}

// maxDirect is how many filters, or products, are few.
const maxDirect = 8

// Size chooses the tiles of an algorithm, those of the implicit one as for the product that it is.
func (cfg *Conv2DConfig) Size(caps target.Caps, s Conv2DShape, product MatMulConfig) {
	cfg.BO, cfg.BP, cfg.BK, cfg.Block, cfg.Threads = 0, 0, 0, ImageBlock{}, 0
	cfg.Shifts, cfg.Transposed, cfg.ThreadRows, cfg.ChannelStep = false, false, 0, 0
	cfg.ThreadColumns, cfg.Lead, cfg.ByChannels = 0, 0, false
	cfg.ChannelBlocks, cfg.Channels, cfg.Whole, cfg.AlongK, cfg.PixelsFirst, cfg.Repacked, cfg.Stages, cfg.InFlight, cfg.Parts = 0, 0, false, false, false, false, 0, 0, 0
	switch cfg.Algorithm {
	case ConvImplicit:
		gathered := product.isGathered(caps)
		if product.RowByRow { // whose tiles are no tiles of a Dot
			product = MatMulConfigFor(caps, cfg.Elem, MaxRowByRow+1, s.Images, s.Terms())
			product.BM, product.Producers, product.SplitK = 16, 0, 0
		}
		cfg.setTiles(product)
		cfg.PixelsFirst = s.ChannelsLast && !cfg.wideAcross(caps)
		cfg.repack(s, cfg.repacks(caps, s))
		if caps.WarpGroups && (cfg.Repacked || cfg.wideAcross(caps)) {
			cfg.InFlight = 1 // with two, ptxas reads sums of one while the other is outstanding, and serialises both (C7514)
		}
		if cfg.BO*cfg.BP >= 1<<13 && caps.Registers >= 255 && !product.IsMatrix(caps) && !caps.AsyncCopy {
			// More sums for each element that a thread gathers and reads from shared memory, unless it holds
			// where many pixels are, too.
			cfg.Threads = 128
			if cfg.AlongK {
				cfg.Threads = cfg.BO * cfg.BP / 64
			}
			cfg.Threads = caps.FitThreads(cfg.Threads)
			cfg.BK = min(cfg.BK, 16) // what is gathered goes through registers
		}
		if !product.IsMatrix(caps) && !caps.AsyncCopy && !caps.WholeTiles && cfg.Threads > 0 {
			cfg.spread(caps, s)
		}
		cfg.fitChannels(s)
		cfg.Parts = product.SplitK
		if product.Producers == 0 && !gathered && !caps.WholeTiles {
			cfg.shareSums(caps, s)
		}
	case ConvDirect:
		if s.Volume.Is() {
			cfg.sizeLoops(caps, s)
			return
		}
		if caps.WholeTiles && byShifts(s.Kernel, s.Stride, s.Dilation) {
			cfg.sizeShifts(caps, s)
			return
		}
		cfg.sizeDirect(caps, s)
		cfg.preferChannels(caps, s)
	}
}

// wideAcross reports whether filters are better rows of a tile of sums than pixels whatever the result's order: an instruction of a warpgroup multiplies 64 rows by all
// columns, and reads fewer operands for each product the more columns there are. Where these are as many, results are better stored as they are. (F16 20×256×14×14 by 256
// filters of 3 × 3 on an H100, tiles of 64 filters and 128 pixels: 26.5 µs with pixels in rows, 19.0 with filters; 44×512×28×28 by 1024 of 1 × 1, stride 2, 128 of both:
// 29.9 and 33.8.)
func (cfg Conv2DConfig) wideAcross(caps target.Caps) bool {
	product := MatMulConfig{Elem: cfg.Elem, Precision: cfg.precision()}
	return caps.WarpGroups && product.IsMatrix(caps) && cfg.BO >= warpgroup/2 && cfg.BP > cfg.BO
}

// setTiles takes over the tiles of a product.
func (cfg *Conv2DConfig) setTiles(t MatMulConfig) {
	cfg.BO, cfg.BP, cfg.BK, cfg.Threads, cfg.Stages = t.BM, t.BN, t.BK, t.Threads, t.Stages
}

// sizeDirect unrolls windows where that is possible.
func (cfg *Conv2DConfig) sizeDirect(caps target.Caps, s Conv2DShape) {
	if !cfg.sizeWindow(caps, s) {
		cfg.sizeLoops(caps, s)
	}
}

// sizeLoops gives each thread some elements, neighbours in memory first.
func (cfg *Conv2DConfig) sizeLoops(caps target.Caps, s Conv2DShape) {
	area := 1 << 12
	if !caps.WholeTiles {
		cfg.Threads, area = 128, 1024
		if scarce(caps) {
			cfg.Threads, area = 64, 256
		}
		cfg.Threads = caps.FitThreads(cfg.Threads)
	}
	p, q := s.Result()
	memory, most := [5]int{0, 1, 2, 3, 4}, [5]int{1, area, maxDirect, area, area}
	if s.ChannelsLast {
		memory, most[1] = [5]int{0, 3, 4, 1, 2}, 64
	}
	cfg.Block = newImageBlock(memory, [5]int{s.Images * s.Volume.Result(), s.Groups, s.GroupFilters(), p, q}, most, area, 2)
}

func (p ConvProblem) Bucket() ConvProblem {
	p.Shape.Images = tune.Bucket(p.Shape.Images)
	return p
}

func (p ConvProblem) Kernel(cfg Conv2DConfig) (*tile.Func, error) {
	switch cfg.Algorithm {
	case ConvDirect:
		return Conv2DDirect.Build(cfg)
	case ConvImplicit:
		return Conv2DImplicit.Build(cfg)
	}
	// The product has a kernel and a choice of its own.
	columns := Im2ColProblem{Elem: cfg.Elem, Shape: Conv2DShape{Images: 1, Channels: 1, Height: 1, Width: 1, Groups: 1, Filters: 1,
		Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation}, Memory: [5]int{0, 1, 2, 3, 4}}
	return columns.Kernel(columns.tiles(256, 0, false))
}

// precision is the least precision of the products.
func (cfg Conv2DConfig) precision() tile.Precision { return newMatMulConfig(cfg.Elem, 0).Precision }
