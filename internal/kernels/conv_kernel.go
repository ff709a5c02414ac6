package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// The kernels of Conv2D. Their views are x [N,G,C/G,H,W], the weights [G,O/G,KH·KW,C/G], the bias [G,O/G] if
// there is one, and out [N,G,O/G,P,Q], with any strides: the order of the dimensions in memory is one of
// them. The scalars are the rows of padding above and the columns on the left; where the kernel
// reaches into it, indices are outside of x's sizes and what is gathered is zero.
//
// Of volumes x is [N,C,D,H,W] and out [N,O,E,P,Q], since views have no more dimensions: the kernels compute channels and filters from those of a
// group, and images from planes of the result, which count through all images. Positions count through the depth, too, and the padding in front is a scalar after the others.
//
// Of ConvImplicit in Parts out has the images, or volumes, of one part after those of another, and there is no bias.
//
// For ConvImplicit without ChannelBlocks the weights are [G,O/G,1,C/G·KH·KW], or [G,O/G,1,KH·KW·C/G] with Channels or Whole. ConvDirect has the dimensions of out
// in the order of Block.Memory, also with ThreadRows; with Shifts it has other views, see describeConvShifts.
var (
	Conv2DImplicit = weft.NewKernel("conv2d_implicit", describeConvImplicit)
	Conv2DDirect   = weft.NewKernel("conv2d_direct", describeConvDirect)
)

// conv is a kernel that is being described.
type conv struct {
	Conv2DConfig
	k                    *tile.Builder
	x, weight, bias, out *tile.View
	top, left, front     *tile.Value
	planes               *tile.Value // of the result of one volume
}

func (cfg Conv2DConfig) declare(k *tile.Builder) *conv {
	c := &conv{Conv2DConfig: cfg, k: k, x: k.In("x", cfg.Elem, 5), weight: k.In("weight", cfg.Elem, 4)}
	if cfg.Bias && !cfg.Partial() {
		c.bias = k.In("bias", cfg.Elem, 2)
	}
	c.out = k.Out("out", cfg.result(), 5)
	c.top, c.left = k.Scalar("top", dtype.I32), k.Scalar("left", dtype.I32)
	if cfg.Depth.Is() {
		c.front = k.Scalar("front", dtype.I32)
		c.planes = c.out.Dim(2)
	}
	schedule := tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages, InFlight: cfg.InFlight}
	if cfg.Algorithm == ConvImplicit { // programs of one run of pixels follow one another: caches hold the weights anyway
		schedule.Order.Kind = tile.ColumnMajor
	}
	k.Schedule(schedule)
	return c
}

// MostConvParts is how many programs share the reduction of a tile, at most.
const MostConvParts = 1 << 12

// Partial reports whether programs store parts of sums.
func (cfg Conv2DConfig) Partial() bool { return cfg.Parts > 1 }

// result is the type of what programs store.
func (cfg Conv2DConfig) result() weft.DType {
	if cfg.Partial() {
		return cfg.wide()
	}
	return cfg.Elem
}

// wide is the type of sums.
func (cfg Conv2DConfig) wide() weft.DType { return cfg.Elem.Accumulator() }

// corner is where in x the kernel's first element is for pixels of the result.
func (c *conv) corner(row, column *tile.Value) (h, w *tile.Value) {
	return row.Mul(c.Stride[0]).Sub(c.top), column.Mul(c.Stride[1]).Sub(c.left)
}

// reach moves from corners to an element of the kernel, whose position counts row by row.
func (c *conv) reach(h, w, position *tile.Value) (row, column *tile.Value) {
	if c.Kernel == [2]int{1, 1} {
		return h, w
	}
	if c.Depth.Kernel > 1 {
		position = position.Rem(c.Kernel[0] * c.Kernel[1])
	}
	i, j := position.Div(c.Kernel[1]), position.Rem(c.Kernel[1])
	return plus(i.Mul(c.Dilation[0]), h), plus(j.Mul(c.Dilation[1]), w)
}

// plus is x + y of tiles or scalars; a scalar cannot begin a sum with a tile.
func plus(x, y *tile.Value) *tile.Value {
	if x.Type().IsScalar() {
		return y.Add(x)
	}
	return x.Add(y)
}

// finish is the result of sums for filters of groups, or their part.
func (c *conv) finish(sums, group, filter *tile.Value) *tile.Value {
	if c.Partial() {
		return sums
	}
	if c.Bias {
		sums = sums.Add(c.bias.At(group, filter).Gather().Cast(c.wide()))
	}
	for _, step := range c.Steps {
		if step == nil {
			break
		}
		sums = step.Tiles(sums).Cast(c.wide())
	}
	return sums.Cast(c.Elem)
}

func describeConvImplicit(k *tile.Builder, cfg Conv2DConfig) {
	c := cfg.declare(k)
	if cfg.Partial() {
		k.SplitInto(c.out.Dim(0).Div(c.x.Dim(0)))
	}
	plane := c.out.Dim(3).Mul(c.out.Dim(4))
	tiles := k.CDiv(c.filtersOfGroup(), cfg.BO)
	row, run := k.TileID(tiles.Mul(c.countGroups()), k.CDiv(plane.Mul(c.allPlanes()), cfg.BP))
	group, filters := row.Div(tiles), row.Rem(tiles)
	sums := c.implicitSums(group, filters, run)

	along, across := 0, 1 // where the dimension of the other goes next to pixels and next to filters
	if cfg.PixelsFirst {
		along, across = 1, 0
	}
	image, p, q := c.pixels(run, along)
	filter := k.Arange(cfg.BO).Add(filters.Mul(cfg.BO)).Expand(across)
	c.results(image, group, filter, p, q).Scatter(c.finish(sums, group, filter))
}

// pixels are those of a run of the result's, as tiles with another dimension of size 1, images being planes of volumes. They are computed anew where x is read
// and where the result is written, since those are other threads.
func (c *conv) pixels(run *tile.Value, expand int) (image, p, q *tile.Value) {
	rows, columns := c.out.Dim(3), c.out.Dim(4)
	plane := rows.Mul(columns)
	pixel := c.k.Arange(c.BP).Add(run.Mul(c.BP)).Expand(expand)
	at := pixel.Rem(plane)
	return pixel.Div(plane), at.Div(columns), at.Rem(columns)
}

// implicitSums is the tile [BO,BP] of sums, or [BP,BO].
func (c *conv) implicitSums(group, filters, run *tile.Value) *tile.Value {
	k := c.k
	pixel, reduced := 0, 1 // where the dimension of the other kind goes in a tile of x
	if c.AlongK {
		pixel, reduced = 1, 0
	}
	image, p, q := c.pixels(run, pixel)
	at := c.cornersOf(image, p, q)
	shape := []int{c.BO, c.BP}
	if c.PixelsFirst {
		shape = []int{c.BP, c.BO}
	}
	sum := k.Var(k.Zeros(c.wide(), shape...))
	steps := k.CDiv(c.weight.Dim(3), c.BK)
	if c.ChannelBlocks > 0 && !c.Whole {
		steps = k.Int(c.ChannelBlocks * positions(c.Kernel, c.Depth))
	}
	for i := range k.SplitRange(steps) {
		outer, inner := k.Int(0), i
		if c.ChannelBlocks > 0 {
			outer, inner = i.Div(c.ChannelBlocks), i.Rem(c.ChannelBlocks)
		}
		channel, position := k.Arange(c.BK).Add(inner.Mul(c.BK)).Expand(reduced), outer
		summed := channel
		switch positions := positions(c.Kernel, c.Depth); {
		case c.Channels > 0:
			channel, position = summed.Rem(c.Channels), summed.Div(c.Channels)
		case c.ChannelBlocks == 0:
			channel, position = summed.Div(positions), summed.Rem(positions)
		}
		points := c.elements(at, group, channel, position)
		if c.Channels > 0 { // rows below the kernel's are rows of x
			points = points.Mask(summed.Lt(c.weight.Dim(3)))
		}
		x := points.Gather()
		if c.Whole {
			outer, inner = k.Int(0), i
		}
		weight := c.weight.Block(1, c.BO, 1, c.BK).Squeeze(0, 2).Load(group, filters, outer, inner)
		sum.Set(c.multiply(weight, x, sum.Get()))
	}
	return sum.Get()
}

// multiply adds a step's products: the weights are [BO,BK], x is [BK,BP] or [BP,BK].
func (c *conv) multiply(weight, x, sum *tile.Value) *tile.Value {
	if c.AlongK != c.PixelsFirst {
		x = x.Transpose()
	}
	if c.PixelsFirst {
		return tile.Dot(x, weight.Transpose(), sum, c.precision())
	}
	return tile.Dot(weight, x, sum, c.precision())
}

func describeConvDirect(k *tile.Builder, cfg Conv2DConfig) {
	switch {
	case cfg.Shifts:
		describeConvShifts(k, cfg)
		return
	case cfg.ByChannels:
		describeConvChannels(k, cfg)
		return
	case cfg.ThreadRows > 0:
		describeConvWindow(k, cfg)
		return
	}
	c := cfg.declare(k)
	if cfg.Depth.Is() {
		c.directVolumes()
		return
	}
	block := cfg.Block.shape()
	at := k.ProgramTile(c.out, block...)
	index := func(d int) *tile.Value { return cfg.Block.index(k, at, d) }
	image, group, filter := index(0), index(1), index(2)
	sums := c.directSums(block, image, group, filter, index(3), index(4))
	c.out.Block(block...).Store(c.finish(sums, group, filter), at...)
}

// directSums adds one product after the other to a block of the result.
func (c *conv) directSums(block []int, image, group, filter, p, q *tile.Value) *tile.Value {
	k := c.k
	at := c.cornersOf(image, p, q)
	sum := k.Var(k.Zeros(c.wide(), block...))
	for channel := range k.Range(c.weight.Dim(3)) {
		for position := range k.Range(positions(c.Kernel, c.Depth)) {
			x := c.elements(at, group, channel, position).Gather().Cast(c.wide())
			weight := c.weight.At(group, filter, position, channel).Gather().Cast(c.wide())
			sum.Set(weight.FMA(x, sum.Get()))
		}
	}
	return sum.Get()
}
