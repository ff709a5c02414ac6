package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Im2ColConfig is what the kernel of Im2Col is built for.
type Im2ColConfig struct {
	Elem             weft.DType
	Kernel           [2]int     // rows and columns
	Stride, Dilation [2]int     // down and across
	Block            ImageBlock // of the columns: images (1), groups, channels, positions, pixels
	Threads          int        // of a workgroup; 0 lets the compiler choose
}

// Im2ColKernel copies what a kernel lies over. Its views are x [N,G,C/G,H,W] and out [N,G,C/G,KH·KW,P·Q]; its
// scalars the rows of padding above, the columns on the left, and Q. out's dimensions are in the order of cfg.Block.Memory.
var Im2ColKernel = weft.NewKernel("im2col", describeIm2Col)

func describeIm2Col(k *tile.Builder, cfg Im2ColConfig) {
	c := &conv{k: k, Conv2DConfig: Conv2DConfig{Elem: cfg.Elem, Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation}}
	x, out := k.In("x", cfg.Elem, 5), k.Out("out", cfg.Elem, 5)
	c.top, c.left = k.Scalar("top", dtype.I32), k.Scalar("left", dtype.I32)
	columns := k.Scalar("columns", dtype.I32)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	block := cfg.Block.shape()
	at := k.ProgramTile(out, block...)
	index := func(d int) *tile.Value { return cfg.Block.index(k, at, d) }
	pixel := index(4)
	h, w := c.corner(pixel.Div(columns), pixel.Rem(columns))
	row, column := c.reach(h, w, index(3))
	points := x.At(index(0), index(1), index(2), row, column)
	out.Block(block...).Store(points.Gather(), at...)
}

// Im2ColConfigFor chooses the config for columns whose dimensions [N,G,C/G,KH·KW,P·Q] lie in memory in an order of which the
// last one is in runs.
func Im2ColConfigFor(caps target.Caps, elem weft.DType, s Conv2DShape, memory [5]int) Im2ColConfig {
	area, threads := 1<<13, 0
	if caps.Language != target.TileIR {
		threads, area = 256, 2048
		if scarce(caps) {
			threads, area = 64, 256
		}
		threads = caps.FitThreads(threads)
	}
	return im2colTiles(elem, s, memory, area, threads)
}

// im2colTiles is a config with blocks of an area.
func im2colTiles(elem weft.DType, s Conv2DShape, memory [5]int, area, threads int) Im2ColConfig {
	cfg := Im2ColConfig{Elem: elem, Kernel: s.Kernel, Stride: s.Stride, Dilation: s.Dilation, Threads: threads}
	p, q := s.Result()
	sizes := [5]int{s.Images, s.Groups, s.channels(), s.Kernel[0] * s.Kernel[1], p * q}
	cfg.Block = newImageBlock(memory, sizes, [5]int{1, area, area, area, area}, area)
	return cfg
}

// Im2ColConfigs lists the configs to choose from, the one of Im2ColConfigFor first.
func Im2ColConfigs(caps target.Caps, elem weft.DType, s Conv2DShape, memory [5]int) []Im2ColConfig {
	list := []Im2ColConfig{Im2ColConfigFor(caps, elem, s, memory)}
	areas, threads := []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15}, []int{0}
	if caps.Language != target.TileIR {
		areas, threads = []int{256, 512, 1024, 2048, 4096}, []int{64, 128, 256}
	}
	for _, area := range areas {
		for _, t := range threads {
			cfg := im2colTiles(elem, s, memory, area, t)
			if cfg.legal(caps) == nil && !slices.Contains(list, cfg) {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// legal says why a config is refused.
func (cfg Im2ColConfig) legal(caps target.Caps) error {
	if err := checkThreads(caps, cfg.Threads); err != nil {
		return err
	}
	return cfg.Block.legal(caps, cfg.Threads)
}

// Im2Col returns the parts of x under a kernel of rows × columns elements as columns of matrices: a new tensor
// [N,C·KH·KW,P·Q], whose product with weights [O,C·KH·KW] is a convolution. PyTorch calls it unfold. The
// options Stride, Padding, PaddingSides, Dilation and ChannelsLast (of x alone) are as for Conv2D; others are refused.
//
// Errors: as for Conv2D.
func Im2Col(x *weft.Tensor, rows, columns int, options ...Conv2DOption) (*weft.Tensor, error) {
	c := newConvolution(x, nil, options)
	if err := c.prepareColumns(rows, columns); err != nil {
		return nil, err
	}
	return into(x.Device(), x.DType(), c.columnsShape(), func(out *weft.Tensor) error { return Im2ColInto(out, x, rows, columns, options...) })
}

// Im2ColInto writes what Im2Col returns into out, of a dense layout or one whose last two dimensions can be divided
// into [C,KH·KW,P·Q].
//
// Errors: as for Im2Col, and ErrUnsupported if out repeats elements or overlaps x.
func Im2ColInto(out, x *weft.Tensor, rows, columns int, options ...Conv2DOption) error {
	c := newConvolution(x, nil, options)
	if err := c.checkOptions("im2col"); err != nil {
		return err
	}
	return c.runColumns(out, rows, columns)
}

// prepareColumns is prepare for the columns alone, under a kernel of rows × columns.
func (c *convolution) prepareColumns(rows, columns int) error {
	if err := c.checkOptions("im2col"); err != nil {
		return err
	}
	if c.Groups != 1 || c.hasBias || c.fused > 0 || c.algorithm != ConvAuto || c.tiles != (Conv2DConfig{}) || c.wrong != (wrongTiles{}) {
		return fault.New(weft.ErrArgument, "im2col", "groups, a bias, an activation, an algorithm or tiles, which are for products")
	}
	if err := checkOperands("im2col", dtype.Type.IsFloat, operand{"x", c.x}); err != nil {
		return err
	}
	if err := checkOpen("im2col", operand{"x", c.x}); err != nil {
		return err
	}
	if c.x.Rank() != 4 {
		return fault.New(weft.ErrShape, "im2col", "shape %v has %d dimensions, want 4", c.x.Shape(), c.x.Rank()).For("x")
	}
	c.takeSizes(rows, columns)
	if err := c.check("im2col"); err != nil {
		return err
	}
	return c.checkTerms("im2col")
}

func (c *convolution) columnsShape() []int {
	p, q := c.Result()
	return []int{c.Images, c.terms(), p * q}
}

// launchIm2Col writes columns into a tensor.
func (c *convolution) launchIm2Col(out *weft.Tensor) error {
	if err := checkOperands("im2col", dtype.Type.IsFloat, operand{"x", c.x}, operand{"out", out}); err != nil {
		return err
	}
	if err := checkOpen("im2col", operand{"out", out}); err != nil {
		return err
	}
	want := c.columnsShape()
	if !slices.Equal(out.Shape(), want) {
		return fault.New(weft.ErrShape, "im2col", "shape %v, want %v", out.Shape(), want).For("out")
	}
	if err := checkApart("im2col", out, operand{"x", c.x}); err != nil {
		return err
	}
	if out.Len() == 0 {
		return nil
	}
	l, err := out.Layout().Reshape(c.Images, 1, c.Channels, c.Kernel[0]*c.Kernel[1], want[2])
	if err != nil {
		return err
	}
	return c.columns(c.x, weft.TensorView{Tensor: out, Layout: l}, [5]int{0, 1, 2, 3, 4})
}

// columns writes the columns of images, as many as there are, whose dimensions lie in memory in an order.
func (c *convolution) columns(x *weft.Tensor, out weft.TensorView, memory [5]int) error {
	return c.launchBlocks(pick(im2colTune, x.Device(), im2colProblem{x.DType(), c.Conv2DShape, memory}), x, out, memory)
}

// launchBlocks is columns by a config.
func (c *convolution) launchBlocks(cfg Im2ColConfig, x *weft.Tensor, out weft.TensorView, memory [5]int) error {
	l, err := split(c.nchw(x), 1, c.Groups)
	if err != nil {
		return err
	}
	if out.Layout, err = out.Layout.Permute(memory[:]...); err != nil {
		return err
	}
	_, q := c.Result()
	return Im2ColKernel.LaunchViews(cfg, weft.Scalars{c.Padding[0], c.Padding[2], q}, weft.TensorView{Tensor: x, Layout: l}, out)
}
