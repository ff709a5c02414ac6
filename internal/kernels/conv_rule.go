package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Conv2DConfigFor chooses the algorithm and its config for a convolution.
func Conv2DConfigFor(caps target.Caps, elem weft.DType, s Conv2DShape) Conv2DConfig {
	return ConvProblem{Elem: elem, Shape: s}.Rule(caps)
}

// Rule is the launch rule. Few filters, or elements that are sums of few products,
// would leave most of a matrix product's tile empty: they are computed directly, by shifts on the CPU, unless that takes far longer all the same. Where
// the products are so long and the tiles so few that MatMul shares the reductions, since half of the units would have none, or no columns are needed, it
// is left to it, unless launches take most of the time, or an implicit product, which shares them, too, takes less; so it is on the CPU, whose fast products are worth
// columns for a few filters already.
func (p ConvProblem) Rule(caps target.Caps) Conv2DConfig {
	s := p.Shape
	cfg := Conv2DConfig{Elem: p.Elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Depth: s.Volume.ConvDepth}
	product := s.AsProduct(caps, p.Elem)
	few, onCPU := maxDirect, caps.WholeTiles
	if onCPU {
		few = 2
	}
	switch {
	case onCPU && s.suitsShifts() && !s.Volume.Is():
		cfg.Algorithm = ConvDirect
	case s.Pointwise() && s.GroupFilters() > few && s.GroupChannels() > 1:
		cfg.Algorithm = ConvIm2Col
	case s.GroupFilters() <= few || s.Terms() <= maxDirect && !onCPU:
		cfg.Algorithm = ConvDirect
		if s.Terms() > maxDirect && !onCPU && !scarce(caps) && p.isProduct(caps, cfg, product) {
			cfg.Algorithm = ConvImplicit
		}
	case !s.Volume.Is() && (onCPU || p.sharesSums(caps) && p.outlastsLaunches(caps, cfg, product) && p.prefersColumns(caps, cfg, product)):
		cfg.Algorithm = ConvIm2Col
	default:
		cfg.Algorithm = ConvImplicit
	}
	cfg.Size(caps, s, product)
	return cfg
}

// sharesSums reports whether MatMul shares the reductions of a product whose tiles leave half of the units idle.
func (p ConvProblem) sharesSums(caps target.Caps) bool {
	s := p.Shape
	product := MatMulConfigFor(caps, p.Elem, s.GroupFilters(), s.Pixels(), s.Terms(), s.Groups)
	return product.partsOfK() > 1 && 2*s.tilesOf(product) <= caps.Facts().Units
}

// prefersColumns reports whether the model does not expect an implicit product to take much less than columns and their product.
func (p ConvProblem) prefersColumns(caps target.Caps, cfg Conv2DConfig, product MatMulConfig) bool {
	const much = 0.95
	return p.seconds(caps, cfg, ConvImplicit, product) > much*p.seconds(caps, cfg, ConvIm2Col, product)
}

// outlastsLaunches reports whether an implicit product takes more than twice as long as the launches of columns, of their product and of its partial sums.
func (p ConvProblem) outlastsLaunches(caps target.Caps, cfg Conv2DConfig, product MatMulConfig) bool {
	const launches = 3
	return p.seconds(caps, cfg, ConvImplicit, product) > 2*launches*caps.Facts().Launch
}

// isProduct reports whether few filters of many products are an implicit product nevertheless, most of whose tile is empty: where the model expects less
// time than of a kernel by channels, or a third of that of windows and loops, which it takes for up to twice as long as they are.
func (p ConvProblem) isProduct(caps target.Caps, cfg Conv2DConfig, product MatMulConfig) bool {
	cfg.Algorithm = ConvDirect
	cfg.Size(caps, p.Shape, product)
	times := 3.0
	if cfg.ByChannels {
		times = 1
	}
	return (cfg.ByChannels || p.Shape.Groups == 1) && times*p.seconds(caps, cfg, ConvImplicit, product) < p.seconds(caps, cfg, ConvDirect, product)
}

// seconds is what the model expects an algorithm to take.
func (p ConvProblem) seconds(caps target.Caps, cfg Conv2DConfig, algorithm ConvAlgorithm, product MatMulConfig) float64 {
	cfg.Algorithm = algorithm
	cfg.Size(caps, p.Shape, product)
	model := tune.ModelFor(caps)
	if s := p.Shape; algorithm == ConvIm2Col && !s.Pointwise() { // launches of their own
		columns := Im2ColProblem{Elem: p.Elem, Shape: s, Memory: [5]int{0, 1, 2, 3, 4}}
		seconds := s.columnsSeconds(caps, p.Elem) + model.Seconds(columns.Work(caps, columns.Rule(caps)))
		if s.LengthensChannels(caps, p.Elem) {
			seconds += model.Machine.Launch + s.packedBytes(p.Elem)/model.Memory
		}
		return seconds
	}
	seconds := model.Seconds(p.Work(caps, cfg))
	if algorithm == ConvImplicit { // programs that do not capture wait for launches, too
		seconds += model.Machine.Launch * float64(p.otherLaunches(cfg))
	}
	return seconds
}

// columnsSeconds is how long the product of weights and columns should take. Rows of columns that do not begin at multiples of 16 bytes are not copied by tensor maps. (Of 13 layers
// of F16 on an H200 convolutions by such columns took 1.5 to 2.1 of what the model expects.)
func (s Conv2DShape) columnsSeconds(caps target.Caps, elem weft.DType) float64 {
	const unaligned = 1.5
	machine, cfg := caps.Facts(), newMatMulConfig(elem, 0)
	seconds := tune.ModelFor(caps).Seconds(s.columnsProduct(caps, elem))
	switch {
	case !caps.TensorMaps || !cfg.TakesProducers(caps):
		return seconds
	case s.columnRuns(caps, elem)*elem.Size()%accessBytes != 0:
		return unaligned * seconds
	}
	return cfg.fitProducers(caps, producerTiles, whole, s.Groups, s.GroupFilters(), s.Pixels(), s.Terms()) + machine.Launch + machine.Latency
}

// columnRuns is how many elements of columns are a row in memory.
func (s Conv2DShape) columnRuns(caps target.Caps, elem weft.DType) int {
	switch {
	case s.ByPosition(caps) && s.LengthensChannels(caps, elem):
		return s.PackedChannels(elem)
	case s.ByPosition(caps):
		return s.GroupChannels()
	case s.Patches() || s.ChannelsLast:
		return s.Terms()
	}
	rows, columns := s.Result()
	return rows * columns
}

// otherLaunches is how many launches there are besides that of an implicit product: copies of operands, and what adds parts.
func (p ConvProblem) otherLaunches(cfg Conv2DConfig) (n int) {
	for _, is := range []bool{cfg.Repacked, p.copiesWeights(cfg), cfg.Partial()} {
		if is {
			n++
		}
	}
	return n
}

// copiesWeights reports whether weights are copied for an implicit product of a config, since they have the channels at one position after the other, or zeros for some.
func (p ConvProblem) copiesWeights(cfg Conv2DConfig) bool {
	s, order := p.Shape, p.Weight
	if cfg.Repacked && s.PackedChannels(cfg.Elem) != s.GroupChannels() {
		return true
	}
	last := order.Rank > 0 && order.Unit && order.Order[order.Rank-1] == 1
	return (cfg.Channels > 0 || cfg.ChannelBlocks > 0) && s.Positions() > 1 && s.GroupChannels() > 1 && !last
}

// tilesOf is how many tiles of the result a product has.
func (s Conv2DShape) tilesOf(cfg MatMulConfig) int {
	return s.Groups * CeilDiv(s.GroupFilters(), max(cfg.BM, 1)) * CeilDiv(s.Pixels(), max(cfg.BN, 1))
}

// suitsShifts reports whether blocks of x are added up faster than columns are multiplied: for depthwise convolutions, of whose products no element is
// in many.
func (s Conv2DShape) suitsShifts() bool {
	return s.GroupChannels() == 1 && s.GroupFilters() <= 2 && byShifts(s.Kernel, s.Stride, s.Dilation)
}
