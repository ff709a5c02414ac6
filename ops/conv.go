package ops

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// ConvAlgorithm is a way to compute a convolution; see the constants.
type ConvAlgorithm = kernels.ConvAlgorithm

// The algorithms. All give the same sums, in another order.
const (
	// ConvAuto chooses by the device and the shape.
	ConvAuto = kernels.ConvAuto
	// ConvDirect adds the products of one input channel and one position in the kernel at a time to a block of the
	// result. It suits few channels in a group, above all depthwise convolutions. On GPUs the positions of small kernels
	// are unrolled, and rows of the result share what a thread loads.
	ConvDirect = kernels.ConvDirect
	// ConvIm2Col writes the part of x under the kernel as columns of a matrix in a workspace (see Im2Col), by which MatMul
	// multiplies the weights. Kernels of 1 × 1 need no columns.
	ConvIm2Col = kernels.ConvIm2Col
	// ConvImplicit is the same product, whose columns are gathered tile by tile within the kernel and never stored.
	ConvImplicit = kernels.ConvImplicit
)

// ChannelsLast says that the dimensions of x are [N,H,W,C] and those of the result [N,P,Q,O], instead of
// [N,C,H,W] and [N,O,P,Q]. The weights' dimensions stay as they are; weights of which channels are neighbours in memory,
// [O,KH,KW,C/G] seen as [O,C/G,KH,KW] by Permute(0, 3, 1, 2), are read where they are, and others are copied in most calls.
func ChannelsLast() Conv2DOption { return conv2DOption(func(c *convolution) { c.nhwc = true }) }

// Stride sets the step of the kernel along each spatial dimension, such as down and across; one number is for all of them. It is 1 if not given.
func Stride(steps ...int) Conv2DOption {
	n := spatialOf(steps)
	return conv2DOption(func(c *convolution) { c.numbers.stride = n.set(&c.Volume.Stride, &c.Stride[0], &c.Stride[1]) })
}

// Padding surrounds x with zeros: as many on both sides of each spatial dimension, such as rows above and below, and columns on the left and on the
// right. One number is for all dimensions.
func Padding(sides ...int) Conv2DOption {
	n := spatialOf(sides)
	return conv2DOption(func(c *convolution) {
		c.numbers.padding = n.set(&c.Volume.Padding[0], &c.Padding[0], &c.Padding[2])
		n.set(&c.Volume.Padding[1], &c.Padding[1], &c.Padding[3])
	})
}

// PaddingSides is Padding with another number on each side: before and after the elements of each dimension, for images top, bottom, left and right.
func PaddingSides(sides ...int) Conv2DOption {
	var before, after []int
	for i, n := range sides {
		if i%2 == 0 {
			before = append(before, n)
		} else {
			after = append(after, n)
		}
	}
	first, last := spatialOf(before), spatialOf(after)
	if first.n != last.n {
		first.n = tooMany
	}
	return conv2DOption(func(c *convolution) {
		c.numbers.padding = first.set(&c.Volume.Padding[0], &c.Padding[0], &c.Padding[2])
		last.set(&c.Volume.Padding[1], &c.Padding[1], &c.Padding[3])
	})
}

// Dilation sets the distance of the kernel's elements along each spatial dimension, such as down and across; one number is for all of them. It is 1, for
// neighbours, if not given.
func Dilation(steps ...int) Conv2DOption {
	n := spatialOf(steps)
	return conv2DOption(func(c *convolution) {
		c.numbers.dilation = n.set(&c.Volume.Dilation, &c.Dilation[0], &c.Dilation[1])
	})
}

// Groups divides the channels of x and those of the result into n groups, between which there are no weights. With as
// many groups as channels the convolution is depthwise.
func Groups(n int) Conv2DOption { return conv2DOption(func(c *convolution) { c.Groups = n }) }

// Algorithm chooses how the convolution is computed.
func Algorithm(a ConvAlgorithm) Conv2DOption {
	return conv2DOption(func(c *convolution) { c.algorithm = a })
}

// Conv2D slides a kernel over images: for each image n and output channel o of group g it returns, as a new tensor
// [N,O,P,Q],
//
//	out[n,o,p,q] = bias[o] + Σ weight[o,c,i,j] · x[n, g·C/G+c, p·stride-top+i·dilation, q·stride-left+j·dilation]
//
// summed over the C/G channels c of the group and the positions i, j in the kernel; outside of its
// rows and columns x is zero. (This is a cross-correlation, as in other libraries for neural networks.) x is
// [N,C,H,W] and weight [O,C/G,KH,KW], both of floats; the sums are F32, or of F64 F64. Any views will do. The result has
//
//	P = ⌊(H + top + bottom - dilation·(KH-1) - 1) / stride⌋ + 1
//
// rows, and Q columns likewise. Sums over nothing, of no channels, are zero.
//
// On one device every run gives the same bits.
//
// Errors: ErrShape for shapes or groups that do not fit together and kernels larger than the padded image; ErrArgument
// for nil, element types that do not fit together, a negative padding, and a stride, dilation or number of groups below 1; ErrUnsupported for other element types; ErrDevice,
// ErrClosed; ErrLimit and ErrOutOfMemory for sizes that are too large.
func Conv2D(x, weight *weft.Tensor, options ...Conv2DOption) (*weft.Tensor, error) {
	c, bias := newImages("conv2d", options)
	return convolutions.new(c, x, weight, bias)
}

// Conv2DInto writes what Conv2D returns into out.
//
// Errors: as for Conv2D, and ErrUnsupported if out repeats elements or overlaps x, weight or the bias.
func Conv2DInto(out, x, weight *weft.Tensor, options ...Conv2DOption) error {
	c, bias := newImages("conv2d", options)
	return convolutions.into(c, out, x, weight, bias)
}

// Conv is Conv2D with one to three spatial dimensions: of lines x [N,C,L], images [N,C,H,W] or volumes [N,C,D,H,W], by a weight [O,C/G,…] with a kernel of as
// many dimensions. With ChannelsLast they are [N,L,C], [N,H,W,C] or [N,D,H,W,C]. Options have a number, or with PaddingSides two, for each spatial
// dimension, or for all of them. Lines are images of one row. Volumes are convolved directly or by an implicit product, and not by columns.
//
// Errors: as for Conv2D; ErrArgument for options of another number of dimensions; ErrUnsupported for columns of volumes.
func Conv(x, weight *weft.Tensor, options ...Conv2DOption) (*weft.Tensor, error) {
	c, bias := newConvolution("conv", options)
	return convolutions.new(c, x, weight, bias)
}

// ConvInto writes what Conv returns into out.
//
// Errors: as for Conv, and ErrUnsupported if out repeats elements or overlaps x, weight or the bias.
func ConvInto(out, x, weight *weft.Tensor, options ...Conv2DOption) error {
	c, bias := newConvolution("conv", options)
	return convolutions.into(c, out, x, weight, bias)
}

// convolution is a convolution that was asked for; prepare adds the tensors and their sizes.
type convolution struct {
	given
	kernels.Conv2DShape
	x, weight, bias *weft.Tensor
	steps           [kernels.MaxSteps]*weft.Map // given by Fuse
	fused           int                         // how many there are, or too many
	algorithm       ConvAlgorithm
	tiles           Conv2DConfig
	wrong           wrongTiles
	unfit           string // what is wrong with the options of the epilogue

	nhwc    bool // the order of x's and the result's dimensions
	hasBias bool
	dims    int8 // spatial ones; 0 is for what x has
	numbers givenSpatial
}

// newConvolution is what options ask for, and the bias.
func newConvolution(op string, options []Conv2DOption) (c convolution, bias *weft.Tensor) {
	c = convolution{given: given{op: op}, Conv2DShape: kernels.Conv2DShape{Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1}}
	c = applied(&convolutionPool, c, options, Conv2DOption.setConvolution)
	bias, c.bias = c.bias, nil
	return c, bias
}

// newImages is newConvolution of two spatial dimensions.
func newImages(op string, options []Conv2DOption) (c convolution, bias *weft.Tensor) {
	c, bias = newConvolution(op, options)
	c.dims = 2
	return c, bias
}

var convolutionPool sync.Pool

var convolutions = declare(declaration[convolution]{
	inputs: []string{"x", "weight", "bias"}, needed: 2,
	types: func(_ convolution, t weft.DType) bool { return t.IsFloat() },
	check: (*convolution).prepare, launch: (*convolution).launch,
})

// prepare checks the operands and the options and takes the sizes.
func (c *convolution) prepare(in []*weft.Tensor) ([]int, error) {
	c.x, c.weight, c.bias = in[0], in[1], in[2]
	for _, o := range []operand{{"x", c.x}, {"weight", c.weight}} {
		if err := c.checkImages(o); err != nil {
			return nil, err
		}
	}
	c.Filters = c.weight.Dim(0)
	if err := c.takeSizes(c.x, c.weight.Shape()[2:]); err != nil {
		return nil, err
	}
	if err := c.Check(c.op); err != nil {
		return nil, err
	}
	if err := c.checkWeights(); err != nil {
		return nil, err
	}
	return c.resultShape(), c.checkSteps()
}

func (c *convolution) checkWeights() error {
	fail := func(arg, format string, args ...any) error {
		return fault.New(weft.ErrShape, c.op, format, args...).For(arg)
	}
	switch {
	case c.Groups < 1:
		return fault.New(weft.ErrArgument, c.op, "%d groups, want at least 1", c.Groups).For("groups")
	case c.Channels%c.Groups != 0:
		return fail("groups", "%d groups do not divide the %s of x", c.Groups, fault.Count(c.Channels, "channel"))
	case c.Filters%c.Groups != 0:
		return fail("groups", "%d groups do not divide the %s of weight", c.Groups, fault.Count(c.Filters, "filter"))
	case c.weight.Dim(1) != c.Channels/c.Groups:
		return fail("weight", "shape %v is for %s in a group, x has %d in each of %s",
			c.weight.Shape(), fault.Count(c.weight.Dim(1), "channel"), c.Channels/c.Groups, fault.Count(c.Groups, "group"))
	}
	return c.CheckTerms(c.op)
}

func (c *convolution) checkSteps() error {
	if c.hasBias && c.bias == nil {
		return fault.New(weft.ErrArgument, c.op, "the tensor is nil").For("bias")
	}
	if c.hasBias && !slices.Equal(c.bias.Shape(), []int{c.Filters}) {
		return fault.New(weft.ErrShape, c.op, "shape %v, want [%d]", c.bias.Shape(), c.Filters).For("bias")
	}
	steps := c.fused // and the bias, as of products, to which a convolution may be left
	if c.hasBias {
		steps++
	}
	switch {
	case c.unfit != "":
		return fault.New(weft.ErrArgument, c.op, "%s", c.unfit)
	case steps > kernels.MaxSteps:
		return fault.New(weft.ErrLimit, c.op, "%s after a convolution, want at most %d", fault.Count(steps, "step"), kernels.MaxSteps).For("fuse")
	case c.algorithm > kernels.ConvImplicit:
		return fault.New(weft.ErrArgument, c.op, "%v", c.algorithm).For("algorithm")
	}
	for _, m := range c.steps[:c.fused] {
		if m == nil {
			return fault.New(weft.ErrArgument, c.op, "the map is nil").For("fuse")
		}
		if len(m.Inputs()) != 1 {
			return fault.New(weft.ErrArgument, c.op, "a map of inputs %v, want one input", m.Inputs()).For("fuse")
		}
	}
	return c.wrong.check(c.op)
}

// launch writes the convolution into a tensor.
func (c *convolution) launch(out *weft.Tensor, _ []*weft.Tensor) error {
	switch c.dims {
	case 1:
		return c.launchLines(out)
	case 3:
		return c.launchVolumes(out)
	}
	return c.launchImages(out)
}

// launchImages is launch for images, or for volumes whose weights are those of images, with planes of the kernel below one another.
func (c *convolution) launchImages(out *weft.Tensor) error {
	cfg := c.config(out)
	if cfg.Algorithm == kernels.ConvIm2Col {
		return c.launchColumns(out)
	}
	return c.launchKernel(cfg, out)
}
