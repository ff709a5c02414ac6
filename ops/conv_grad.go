package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// convGrad is a call of a gradient of a convolution: the spatial sizes of what it is the gradient of, as many as lists has.
type convGrad struct {
	convolution
	sizes [maxSpatial]int32
	lists int8
}

// newConvGrad is a call for so many spatial dimensions, 0 for those of its first tensor.
func newConvGrad(op string, dims int, sizes []int, options []Conv2DOption) convGrad {
	c, _ := newConvolution(op, options)
	c.dims = int8(dims)
	g := convGrad{convolution: c}
	g.setGradient(sizes)
	return g
}

// setGradient sets the sizes of the gradient.
func (c *convGrad) setGradient(sizes []int) {
	c.lists = int8(min(len(sizes), tooMany))
	for i, n := range sizes[:min(len(sizes), maxSpatial)] {
		c.sizes[i] = int32(min(max(n, -1), kernels.MaxPixels))
	}
}

// gradient are the sizes of the gradient, which the caller gave.
func (c *convGrad) gradient() ([]int, error) {
	if c.lists != c.dims {
		return nil, fault.New(weft.ErrShape, c.op, "%s given, want %d", fault.Count(int(c.lists), "size"), c.dims).For("sizes")
	}
	list := make([]int, c.dims)
	for i := range list {
		list[i] = int(c.sizes[i])
	}
	return list, nil
}

var transposedConvs = declare(declaration[convGrad]{
	inputs: []string{"x", "weight"}, needed: 2,
	types: func(_ convGrad, t weft.DType) bool { return t.IsFloat() },
	check: (*convGrad).prepareTransposed, launch: (*convGrad).launchTransposed,
})

var weightGrads = declare(declaration[convGrad]{
	inputs: []string{"x", "dy"}, needed: 2,
	types: func(_ convGrad, t weft.DType) bool { return t.IsFloat() },
	check: (*convGrad).prepareWeights, launch: (*convGrad).launchWeights,
})

// ConvTranspose2D is the transposed convolution, which PyTorch has as conv_transpose2d, and so the gradient of Conv2D with respect to its images. x is
// [N,O,P,Q], weight [O,C/G,KH,KW], and the result [N,C,rows,columns], for which Conv2D with that weight and the same options gives images of P × Q: with a
// stride above 1 there are several such sizes. Each element of x, times the kernel, is added at the places that the convolution takes it from. It is computed as
// one convolution for each position within a stride, by the part of the kernel that meets it. Options are Stride, Padding,
// PaddingSides, Dilation, Groups and ChannelsLast.
//
// Errors: as for Conv2D, and ErrShape for sizes for which it does not give images of P × Q.
func ConvTranspose2D(x, weight *weft.Tensor, rows, columns int, options ...Conv2DOption) (*weft.Tensor, error) {
	return transposedConvs.new(newConvGrad("conv_transpose2d", 2, []int{rows, columns}, options), x, weight)
}

// ConvTranspose2DInto writes what ConvTranspose2D returns into out, whose shape says how many rows and columns there are.
//
// Errors: as for ConvTranspose2D, and ErrUnsupported if out repeats elements or overlaps x or weight.
func ConvTranspose2DInto(out, x, weight *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv_transpose2d", 2, nil, options)
	if err := c.sizesOf(out, c.nhwc); err != nil {
		return err
	}
	return transposedConvs.into(c, out, x, weight)
}

// Conv2DWeightGrad is the gradient of Conv2D with respect to its weight, of rows × columns, given its images x [N,C,H,W] and the gradient dy [N,O,P,Q] of
// its result: a new tensor [O,C/G,rows,columns]. It is a product of dy and the columns of x, over all pixels of all images; sums are in F32. Options
// are those of ConvTranspose2D.
//
// Errors: as for Conv2D, and ErrShape for a dy that has not the shape of its result.
func Conv2DWeightGrad(x, dy *weft.Tensor, rows, columns int, options ...Conv2DOption) (*weft.Tensor, error) {
	return weightGrads.new(newConvGrad("conv2d_weight_grad", 2, []int{rows, columns}, options), x, dy)
}

// Conv2DWeightGradInto writes what Conv2DWeightGrad returns into out, whose shape says how many rows and columns there are.
//
// Errors: as for Conv2DWeightGrad, and ErrUnsupported if out repeats elements or overlaps x or dy.
func Conv2DWeightGradInto(out, x, dy *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv2d_weight_grad", 2, nil, options)
	if err := c.sizesOf(out, false); err != nil {
		return err
	}
	return weightGrads.into(c, out, x, dy)
}

// ConvTranspose is ConvTranspose2D with one to three spatial dimensions, of sizes; see Conv.
//
// Errors: as for ConvTranspose2D and Conv.
func ConvTranspose(x, weight *weft.Tensor, sizes []int, options ...Conv2DOption) (*weft.Tensor, error) {
	return transposedConvs.new(newConvGrad("conv_transpose", 0, sizes, options), x, weight)
}

// ConvTransposeInto writes what ConvTranspose returns into out, whose shape says what its sizes are.
//
// Errors: as for ConvTranspose, and ErrUnsupported if out repeats elements or overlaps x or weight.
func ConvTransposeInto(out, x, weight *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv_transpose", 0, nil, options)
	if err := c.sizesOf(out, c.nhwc); err != nil {
		return err
	}
	return transposedConvs.into(c, out, x, weight)
}

// ConvWeightGrad is Conv2DWeightGrad with one to three spatial dimensions, for a kernel of sizes; see Conv.
//
// Errors: as for Conv2DWeightGrad and Conv.
func ConvWeightGrad(x, dy *weft.Tensor, sizes []int, options ...Conv2DOption) (*weft.Tensor, error) {
	return weightGrads.new(newConvGrad("conv_weight_grad", 0, sizes, options), x, dy)
}

// ConvWeightGradInto writes what ConvWeightGrad returns into out, whose shape says what the sizes are.
//
// Errors: as for ConvWeightGrad, and ErrUnsupported if out repeats elements or overlaps x or dy.
func ConvWeightGradInto(out, x, dy *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv_weight_grad", 0, nil, options)
	if err := c.sizesOf(out, false); err != nil {
		return err
	}
	return weightGrads.into(c, out, x, dy)
}

// sizesOf takes the sizes of the gradient from a result.
func (c *convGrad) sizesOf(out *weft.Tensor, last bool) error {
	if out == nil {
		return fault.New(weft.ErrArgument, c.op, "the tensor is nil").For("out")
	}
	if err := c.checkImages(operand{"out", out}); err != nil {
		return err
	}
	shape := out.Shape()
	if c.setGradient(shape[2:]); last {
		c.setGradient(shape[1 : len(shape)-1])
	}
	return nil
}

// checkPlain refuses options that are of convolutions alone, and tensors that are no images.
func (c *convGrad) checkPlain(list ...operand) error {
	if c.hasBias || c.fused > 0 || c.algorithm != kernels.ConvAuto || c.tiles != (Conv2DConfig{}) || c.wrong != (wrongTiles{}) {
		return fault.New(weft.ErrArgument, c.op, "a bias, an activation, an algorithm or tiles are options of a convolution, not of its gradients")
	}
	for _, o := range list {
		if err := c.checkImages(o); err != nil {
			return err
		}
	}
	if c.Groups < 1 {
		return fault.New(weft.ErrArgument, c.op, "%d groups, want at least 1", c.Groups).For("groups")
	}
	return nil
}

// checkForward checks the convolution whose gradient it is, and that its result is as large as a tensor.
func (c *convGrad) checkForward(o operand) error {
	if err := c.Check(c.op); err != nil {
		return err
	}
	if spatial, want := c.nchw(o.tensor).Shape()[2:], c.spatialResult(); !slices.Equal(spatial, want) {
		sizes, kernel := c.forwardSizes()
		return fault.New(weft.ErrShape, c.op, "shape %v has %s pixels, a convolution of %s by a kernel of %v with these options gives %s",
			o.tensor.Shape(), kernels.By(spatial), kernels.By(sizes), kernel, kernels.By(want)).For(o.name)
	}
	return nil
}

// forwardSizes are the spatial sizes of what is convolved, and of the kernel.
func (c *convGrad) forwardSizes() (sizes, kernel []int) {
	first := maxSpatial - int(c.dims)
	return []int{c.Volume.Depth, c.Height, c.Width}[first:], []int{c.Volume.Kernel, c.Kernel[0], c.Kernel[1]}[first:]
}

func (c *convGrad) prepareTransposed(in []*weft.Tensor) ([]int, error) {
	x, weight := operand{"x", in[0]}, operand{"weight", in[1]}
	if err := c.checkPlain(x, weight); err != nil {
		return nil, err
	}
	if err := c.setSpatial(int(c.dims)); err != nil {
		return nil, err
	}
	sizes, err := c.gradient()
	if err != nil {
		return nil, err
	}
	l, w := c.nchw(x.tensor), weight.tensor.Shape()
	c.Images, c.Filters, c.Channels = l.Size(0), w[0], w[1]*c.Groups
	if err := c.setSizes(sizes, w[2:]); err != nil {
		return nil, err
	}
	if l.Size(1) != w[0] || w[0]%c.Groups != 0 {
		return nil, fault.New(weft.ErrShape, c.op, "shape %v is for %s in %s, x has shape %v", w, fault.Count(w[0], "channel"), fault.Count(c.Groups, "group"), x.tensor.Shape()).For("weight")
	}
	if err := c.checkForward(x); err != nil {
		return nil, err
	}
	return c.imagesShape(c.Channels, sizes), nil
}

func (c *convGrad) prepareWeights(in []*weft.Tensor) ([]int, error) {
	x, dy := operand{"x", in[0]}, operand{"dy", in[1]}
	if err := c.checkPlain(x, dy); err != nil {
		return nil, err
	}
	kernel, err := c.gradient()
	if err != nil {
		return nil, err
	}
	if err := c.takeSizes(x.tensor, kernel); err != nil {
		return nil, err
	}
	g := c.nchw(dy.tensor)
	c.Filters = g.Size(1)
	if g.Size(0) != c.Images || c.Channels%c.Groups != 0 || c.Filters%c.Groups != 0 {
		return nil, fault.New(weft.ErrShape, c.op, "shape %v in %s, x has shape %v", dy.tensor.Shape(), fault.Count(c.Groups, "group"), x.tensor.Shape()).For("dy")
	}
	if err := c.checkForward(dy); err != nil {
		return nil, err
	}
	return append([]int{c.Filters, c.Channels / c.Groups}, kernel...), c.CheckTerms(c.op)
}

// multiplyWeights multiplies gradients by columns, of some images at a time.
func (c *convGrad) multiplyWeights(out, x, dy *weft.Tensor) error {
	dev := x.Device()
	terms, pixels := c.Channels*c.Positions(), c.PlanePixels()
	made := scratch{}
	defer made.close()
	sum := made.keep(weft.Empty(dev, x.DType().Accumulator(), c.Groups, c.Filters/c.Groups, terms/c.Groups))
	if made.err != nil {
		return made.err
	}
	if c.nhwc {
		if dy = made.keep(dy.Permute(0, 3, 1, 2)); made.err != nil {
			return made.err
		}
	}
	options := []Conv2DOption{Stride(c.Stride[0], c.Stride[1]), Dilation(c.Dilation[0], c.Dilation[1]), PaddingSides(c.Padding[0], c.Padding[1], c.Padding[2], c.Padding[3])}
	if c.nhwc {
		options = append(options, ChannelsLast())
	}
	step := min(max(maxWorkspace/(max(terms, 1)*pixels*x.DType().Size()), 1), c.Images)
	for from := 0; from < c.Images; from += step {
		n := min(step, c.Images-from)
		if err := c.addImages(sum, x, dy, from, n, terms, pixels, options); err != nil {
			return err
		}
	}
	result := made.keep(sum.Reshape(out.Shape()...))
	if made.err != nil {
		return made.err
	}
	return out.CopyFrom(result)
}

// addImages adds what n images give to the sums, which the first ones begin.
func (c *convGrad) addImages(sum, x, dy *weft.Tensor, from, n, terms, pixels int, options []Conv2DOption) error {
	made := scratch{}
	defer made.close()
	columns := made.keep(weft.Empty(x.Device(), x.DType(), terms, n, pixels)) // the terms of the sums are neighbours
	gradients := made.keep(weft.Empty(x.Device(), x.DType(), c.Filters, n, pixels))
	images := made.keep(x.Slice(0, from, from+n))
	part := made.keep(dy.Slice(0, from, from+n))
	if made.err != nil {
		return made.err
	}
	byImage := made.keep(columns.Permute(1, 0, 2))
	p, q := c.Result()
	plane := made.keep(gradients.Reshape(c.Filters, n, p, q))
	swapped := made.keep(part.Permute(1, 0, 2, 3))
	if made.err != nil {
		return made.err
	}
	if err := Im2ColInto(byImage, images, c.Kernel[0], c.Kernel[1], options...); err != nil {
		return err
	}
	if err := plane.CopyFrom(swapped); err != nil {
		return err
	}
	a := made.keep(gradients.Reshape(c.Groups, c.Filters/c.Groups, n*pixels))
	b := made.keep(columns.Reshape(c.Groups, terms/c.Groups, n*pixels))
	if made.err != nil {
		return made.err
	}
	if b = made.keep(b.Permute(0, 2, 1)); made.err != nil {
		return made.err
	}
	beta := 1.0
	if from == 0 {
		beta = 0
	}
	return MatMulInto(sum, a, b, Beta(beta))
}
