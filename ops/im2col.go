package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// Im2Col returns the parts of x under a kernel of rows × columns elements as columns of matrices: a new tensor
// [N,C·KH·KW,P·Q], whose product with weights [O,C·KH·KW] is a convolution. PyTorch calls it unfold. The
// options Stride, Padding, PaddingSides, Dilation and ChannelsLast (of x alone) are as for Conv2D; others are refused.
//
// Errors: as for Conv2D.
func Im2Col(x *weft.Tensor, rows, columns int, options ...Conv2DOption) (*weft.Tensor, error) {
	return im2cols.new(newColumns(rows, columns, options), x)
}

// Im2ColInto writes what Im2Col returns into out, of a dense layout or one whose last two dimensions can be divided
// into [C,KH·KW,P·Q].
//
// Errors: as for Im2Col, and ErrUnsupported if out repeats elements or overlaps x.
func Im2ColInto(out, x *weft.Tensor, rows, columns int, options ...Conv2DOption) error {
	return im2cols.into(newColumns(rows, columns, options), out, x)
}

func newColumns(rows, columns int, options []Conv2DOption) convolution {
	c, _ := newConvolution("im2col", options)
	c.dims = 2
	c.Kernel = [2]int{rows, columns}
	return c
}

var im2cols = declare(declaration[convolution]{
	inputs: []string{"x"}, needed: 1,
	types: func(_ convolution, t weft.DType) bool { return t.IsFloat() },
	check: (*convolution).prepareColumns, launch: (*convolution).launchIm2Col,
})

// prepareColumns is prepare for the columns alone.
func (c *convolution) prepareColumns(in []*weft.Tensor) ([]int, error) {
	if c.Groups != 1 || c.hasBias || c.fused > 0 || c.algorithm != kernels.ConvAuto || c.tiles != (Conv2DConfig{}) || c.wrong != (wrongTiles{}) {
		return nil, fault.New(weft.ErrArgument, "im2col", "groups, a bias, an activation, an algorithm or tiles are options of a convolution, not of its columns")
	}
	c.x = in[0]
	if err := c.checkImages(operand{"x", c.x}); err != nil {
		return nil, err
	}
	if err := c.takeSizes(c.x, c.Kernel[:]); err != nil {
		return nil, err
	}
	if err := c.Check("im2col"); err != nil {
		return nil, err
	}
	return c.columnsShape(), c.CheckTerms("im2col")
}

func (c *convolution) columnsShape() []int {
	p, q := c.Result()
	return []int{c.Images, c.Terms(), p * q}
}

// launchIm2Col writes columns into a tensor.
func (c *convolution) launchIm2Col(out *weft.Tensor, _ []*weft.Tensor) error {
	l, err := out.Layout().Reshape(c.Images, 1, c.Channels, c.Kernel[0]*c.Kernel[1], out.Dim(2))
	if err != nil {
		return err
	}
	return c.columns(c.x, weft.TensorView{Tensor: out, Layout: l}, [5]int{0, 1, 2, 3, 4})
}

// columns writes the columns of images, as many as there are, whose dimensions are in memory in an order.
func (c *convolution) columns(x *weft.Tensor, out weft.TensorView, memory [5]int) error {
	p := kernels.Im2ColProblem{Elem: x.DType(), Shape: c.Conv2DShape, Memory: memory, X: tune.StridesOf(c.nchw(x), c.ImagesOrder()...), Out: tune.StridesOf(out.Layout, memory[:]...)}
	return c.launchBlocks(p, pick(im2colTune, x.Device(), p), x, out)
}

// launchBlocks is columns by a config.
func (c *convolution) launchBlocks(p kernels.Im2ColProblem, cfg kernels.Im2ColConfig, x *weft.Tensor, out weft.TensorView) error {
	switch {
	case cfg.Permuted:
		return c.permuteColumns(x, out)
	case cfg.Shifts:
		return c.launchColumnShifts(p, cfg, x, out)
	}
	l, err := split(c.nchw(x), 1, c.Groups)
	if err != nil {
		return err
	}
	if out.Layout, err = out.Layout.Permute(p.Memory[:]...); err != nil {
		return err
	}
	_, q := c.Result()
	return kernels.Im2Col.LaunchViews(cfg, weft.Scalars{c.Padding[0], c.Padding[2], q}, weft.TensorView{Tensor: x, Layout: l}, out)
}
