package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// A direct kernel by channels is for few filters of many channels, which are neighbours in memory. Neighbouring threads have a vector of
// channels each of the same pixels, and add up their parts of the sums at the end. A thread has all filters of some
// pixels that are neighbours in a row of the result: it reads what one row of the convolution's kernel needs of x once, for all filters and all
// columns of the kernel, and a weight once for all of its pixels. (F32 24×128×97×97 by 8 filters of 5 × 5, channels last, on an H100: 475 µs, 1065 as an implicit
// product; 45×64×31×31 by 7 of 5 × 5: 112 µs with a copy of x, 293 by windows.)

// byChannels is a kernel by channels that is being described.
type byChannels struct {
	*conv
	places, sharing, vector int // groups of pixels of a program, threads that share one, and channels of each
	image, h, w             *tile.Value
	row                     *tile.Value // of the kernel
	channel                 *tile.Value
}

// vectorOf is how many channels of a pixel a thread reads at a time.
func vectorOf(elem weft.DType) int { return accessBytes / elem.Size() }

func describeConvChannels(k *tile.Builder, cfg Conv2DConfig) {
	c := &byChannels{conv: cfg.declare(k), vector: vectorOf(cfg.Elem)}
	c.places, c.sharing = cfg.BP/cfg.ThreadColumns, cfg.BK/c.vector
	tiles := k.CDiv(c.out.Dim(2), cfg.BO)
	outer, run := k.TileID(tiles.Mul(c.out.Dim(1)), k.CDiv(c.runs().Mul(c.out.Dim(3)).Mul(c.out.Dim(0)), c.places))
	group, first := outer.Div(tiles), outer.Rem(tiles).Mul(cfg.BO)
	image, row, column := c.pixels(run, 1)
	c.image = image
	c.h, c.w = c.corner(row, column)

	sums := make([][]*tile.Var, cfg.BO) // by filter and pixel of a thread
	for f := range sums {
		for range cfg.ThreadColumns {
			sums[f] = append(sums[f], k.Var(k.Zeros(c.wide(), c.places, c.sharing)))
		}
	}
	for i := range k.Range(k.CDiv(c.weight.Dim(3), cfg.BK).Mul(cfg.Kernel[0])) {
		c.row = i.Rem(cfg.Kernel[0])
		c.channel = k.Arange(cfg.BK).Add(i.Div(cfg.Kernel[0]).Mul(cfg.BK)).Expand(0)
		c.add(group, first, sums)
	}
	c.storeSums(run, group, first, sums)
}

// runs is how many groups of a thread's pixels a row of the result has.
func (c *byChannels) runs() *tile.Value { return c.k.CDiv(c.out.Dim(4), c.ThreadColumns) }

// pixels are the first ones of a program's groups, as tiles with another dimension of size 1.
func (c *byChannels) pixels(run *tile.Value, expand int) (image, row, column *tile.Value) {
	rows, runs := c.out.Dim(3), c.runs()
	at := c.k.Arange(c.places).Add(run.Mul(c.places)).Expand(expand)
	row = at.Div(runs)
	return row.Div(rows), row.Rem(rows), at.Rem(runs).Mul(c.ThreadColumns)
}

// add adds the products of a row of the kernel.
func (c *byChannels) add(group, first *tile.Value, sums [][]*tile.Var) {
	row := c.h.Add(c.row.Mul(c.Dilation[0]))
	columns := map[int][]*tile.Value{} // of x, by how far they are right of the corner
	load := func(right int) []*tile.Value {
		if columns[right] == nil {
			columns[right] = c.elements(c.x.At(c.image, group, c.channel, row, c.w.Add(right)).Gather())
		}
		return columns[right]
	}
	for j := range c.Kernel[1] {
		position := c.row.Mul(c.Kernel[1]).Add(j)
		for f := range sums {
			weights := c.elements(c.weight.At(group, first.Add(f), position, c.channel).Gather())
			for e, weight := range weights {
				for i, sum := range sums[f] {
					sum.Set(weight.FMA(load(i*c.Stride[1] + j*c.Dilation[1])[e], sum.Get()))
				}
			}
		}
	}
}

// elements are the channels of each thread's vector.
func (c *byChannels) elements(x *tile.Value) []*tile.Value {
	shape := []int{c.places, c.sharing}
	for n := c.vector; n > 1; n /= 2 {
		shape = append(shape, 2)
	}
	return apart(x.Broadcast(c.places, c.BK).Cast(c.wide()).Reshape(shape...), c.vector)
}

// storeSums adds up the parts of threads, and stores them as vectors of filters or of pixels, whichever are neighbours.
func (c *byChannels) storeSums(run, group, first *tile.Value, sums [][]*tile.Var) {
	image, row, column := c.pixels(run, 1)
	part := func(f, i int) *tile.Value { return sums[f][i].Get().Sum(1) }
	if c.PixelsFirst {
		for i := range c.ThreadColumns {
			var parts []*tile.Value
			for f := range sums {
				parts = append(parts, part(f, i))
			}
			for len(parts) < pow2.Ceil(len(sums)) {
				parts = append(parts, parts[0]) // masked
			}
			n := c.k.Arange(len(parts)).Expand(0)
			filter := n.Add(first)
			result := c.finish(interleaved(parts).Reshape(c.places, len(parts)), group, filter)
			c.out.At(image, group, filter, row, column.Add(i)).Mask(n.Lt(len(sums)).Broadcast(c.places, len(parts))).Scatter(result)
		}
		return
	}
	for f := range sums {
		var parts []*tile.Value
		for i := range sums[f] {
			parts = append(parts, part(f, i))
		}
		result := c.finish(interleaved(parts).Reshape(c.places, len(parts)), group, first.Add(f))
		c.out.At(image, group, first.Add(f), row, column.Add(c.k.Arange(len(parts)).Expand(0))).Scatter(result)
	}
}

// suitsChannels reports whether a kernel by channels may compute a convolution: channels fill vectors.
func (s Conv2DShape) suitsChannels(elem weft.DType) bool {
	return s.GroupChannels() >= vectorOf(elem)
}

// preferChannels replaces windows or loops by a kernel by channels, where the model expects it to be faster by more than it may be wrong.
func (cfg *Conv2DConfig) preferChannels(caps target.Caps, s Conv2DShape) {
	const worth = 0.75
	if caps.WholeTiles || !s.suitsChannels(cfg.Elem) {
		return
	}
	other, p, model := *cfg, ConvProblem{Elem: cfg.Elem, Shape: s}, tune.ModelFor(caps)
	other.sizeChannels(caps, s)
	if model.Seconds(p.Work(caps, other)) < worth*model.Seconds(p.Work(caps, *cfg)) {
		*cfg = other
	}
}

// sizeChannels gives a thread all filters of as many pixels as registers hold and leave threads for all units, and as many threads
// a share in the channels as there are vectors of them, up to a line of memory.
func (cfg *Conv2DConfig) sizeChannels(caps target.Caps, s Conv2DShape) {
	const most, line, least = 8, 128, 2 // pixels of a thread, bytes, and pixels below which weights are read too often
	cfg.Block, cfg.ThreadRows, cfg.Lead, cfg.Channels, cfg.ChannelStep = ImageBlock{}, 0, 0, 0, 0
	cfg.ByChannels, cfg.PixelsFirst = true, s.ChannelsLast
	cfg.Repacked = s.scattered(cfg.Elem)
	blocks := CeilDiv(s.GroupFilters(), maxDirect)
	cfg.BO = CeilDiv(s.GroupFilters(), blocks)
	if cfg.BO > 4 && cfg.BO%2 == 1 { // or there would be a kernel for each number
		cfg.BO++
	}
	rows, columns := s.Result()
	vector, channels := vectorOf(cfg.Elem), cfg.groupChannels(s)
	padded := func(n int) int { return CeilDiv(channels, n) * n }
	cfg.BK = vector
	for n := vector; n <= max(line/cfg.Elem.Size(), vector); n *= 2 {
		if 7*padded(n) <= 8*channels {
			cfg.BK = n
		}
	}
	room, threads := 2*registersFor(caps)/3, 128
	if scarce(caps) {
		threads = 64
	}
	cfg.Threads = caps.FitThreads(threads)
	enough := func(n int) bool {
		runs := s.Images * s.Groups * rows * CeilDiv(columns, n) * blocks
		return runs*(cfg.BK/vector) >= fewThreads/2*caps.Facts().Units
	}
	cfg.ThreadColumns = 1
	for n := most; n > 1; n /= 2 {
		if n*cfg.BO <= room && (n <= least || enough(n)) && 6*CeilDiv(columns, n)*n <= 7*columns {
			cfg.ThreadColumns = n
			break
		}
	}
	cfg.BP = max(cfg.Threads/(cfg.BK/vector), 1) * cfg.ThreadColumns
}

// channelsConfigs are those that tuning tries: other numbers of pixels, filters and channels.
func (cfg Conv2DConfig) channelsConfigs(caps target.Caps, s Conv2DShape) (list []Conv2DConfig) {
	if !s.suitsChannels(cfg.Elem) {
		return nil
	}
	cfg.sizeChannels(caps, s)
	vector, filters := vectorOf(cfg.Elem), cfg.BO
	for _, cfg.BO = range []int{filters, CeilDiv(filters, 2)} {
		for _, sharing := range []int{1, 2, 4, 8, 16} {
			for _, cfg.ThreadColumns = range []int{1, 2, 4, 8} {
				cfg.BK, cfg.BP = sharing*vector, max(cfg.Threads/sharing, 1)*cfg.ThreadColumns
				if sharing*vector < 2*cfg.groupChannels(s) && cfg.legalChannels(s) == nil {
					list = append(list, cfg)
				}
			}
		}
	}
	return list
}

// legalChannels says why a kernel by channels is refused.
func (cfg Conv2DConfig) legalChannels(s Conv2DShape) error {
	vector, columns := vectorOf(cfg.Elem), cfg.ThreadColumns
	switch {
	case columns < 1 || columns&(columns-1) != 0 || cfg.BP < columns || cfg.BP&(cfg.BP-1) != 0:
		return fmt.Errorf("%d pixels of a thread and %d of a program, want powers of two", columns, cfg.BP)
	case cfg.BK < vector || cfg.BK&(cfg.BK-1) != 0:
		return fmt.Errorf("steps of %d channels, want a power of two from %d on", cfg.BK, vector)
	case cfg.BO < 1 || cfg.BO*columns*cfg.Kernel[1]*vector > 4*maxWindow:
		return fmt.Errorf("%d filters and %d pixels of a thread, want at most %d products in a step", cfg.BO, columns, 4*maxWindow)
	case cfg.PixelsFirst != s.ChannelsLast:
		return fmt.Errorf("the config is for another order of the dimensions")
	}
	return nil
}

// weightsAtOnce is how many vectors of weights a thread loads in the time that one takes from memory: they come from a nearer cache, but one after the other. (F32 7×580×13×13 by 8
// filters of 5 × 5 on an H100, 40 programs of 95 steps with 40 such vectors each: 722 µs.)
const weightsAtOnce = 5

// channelsWork is the work of a kernel by channels.
func (p ConvProblem) channelsWork(caps target.Caps, cfg Conv2DConfig, io float64) tune.Work {
	s := p.Shape
	rows, columns := s.Result()
	vector, size := vectorOf(cfg.Elem), float64(cfg.Elem.Size())
	places := max(cfg.BP/max(cfg.ThreadColumns, 1), 1)
	sharing := max(cfg.BK/vector, 1)
	programs := s.Groups * CeilDiv(s.GroupFilters(), max(cfg.BO, 1)) * CeilDiv(s.Images*rows*CeilDiv(columns, cfg.ThreadColumns), places)
	steps := CeilDiv(cfg.groupChannels(s), max(cfg.BK, 1)) * s.Kernel[0]
	each := float64(programs*places*sharing) * float64(steps) // steps of threads
	products := float64(cfg.BO*cfg.ThreadColumns*s.Kernel[1]*vector) * each
	window := (cfg.ThreadColumns-1)*s.Stride[1] + (s.Kernel[1]-1)*s.Dilation[1] + 1
	loads := float64(min(window, cfg.ThreadColumns*s.Kernel[1])) * each
	weights := float64(cfg.BO*s.Kernel[1]) * each
	w := tune.Work{
		Programs: programs, Threads: cfg.Threads, Registers: min(addressRegisters+cfg.BO*cfg.ThreadColumns+vector*(window+1), max(caps.Registers, 1)),
		Memory: io, Cache: size * float64(vector) * loads / 2, Flops: 2 * products,
		Extra:  (loadCost*float64(vector)/2+2*integerCost)*loads + (loadCost*float64(vector)/4+integerCost)*weights,
		Access: accessBytes, Flight: accessBytes * (window + cfg.BO), Chain: steps * max(cfg.BO*s.Kernel[1]/weightsAtOnce, 1), Passes: 2, // weights are copied
	}
	if cfg.Repacked {
		w.Memory += s.packedBytes(cfg.Elem)
		w.Passes++
	}
	return w
}
