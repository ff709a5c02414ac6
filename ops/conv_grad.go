package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// convGrad is a call of a gradient of a convolution: the sizes of what it is the gradient of, rows and columns.
type convGrad struct {
	convolution
	rows, columns int32
}

func newConvGrad(op string, rows, columns int, options []Conv2DOption) convGrad {
	c, _ := newConvolution(op, options)
	return convGrad{c, int32(min(max(rows, -1), kernels.MaxPixels)), int32(min(max(columns, -1), kernels.MaxPixels))}
}

var transposedConvs = declare(declaration[convGrad]{
	inputs: []string{"x", "weight"}, needed: 2,
	check: (*convGrad).prepareTransposed, launch: (*convGrad).launchTransposed,
})

var weightGrads = declare(declaration[convGrad]{
	inputs: []string{"x", "dy"}, needed: 2,
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
	return transposedConvs.new(newConvGrad("conv_transpose2d", rows, columns, options), x, weight)
}

// ConvTranspose2DInto writes what ConvTranspose2D returns into out, whose shape says how many rows and columns there are.
//
// Errors: as for ConvTranspose2D, and ErrUnsupported if out repeats elements or overlaps x or weight.
func ConvTranspose2DInto(out, x, weight *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv_transpose2d", 0, 0, options)
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
	return weightGrads.new(newConvGrad("conv2d_weight_grad", rows, columns, options), x, dy)
}

// Conv2DWeightGradInto writes what Conv2DWeightGrad returns into out, whose shape says how many rows and columns there are.
//
// Errors: as for Conv2DWeightGrad, and ErrUnsupported if out repeats elements or overlaps x or dy.
func Conv2DWeightGradInto(out, x, dy *weft.Tensor, options ...Conv2DOption) error {
	c := newConvGrad("conv2d_weight_grad", 0, 0, options)
	if err := c.sizesOf(out, false); err != nil {
		return err
	}
	return weightGrads.into(c, out, x, dy)
}

// sizesOf takes rows and columns from a result.
func (c *convGrad) sizesOf(out *weft.Tensor, last bool) error {
	if out == nil {
		return fault.New(weft.ErrArgument, c.op, "the tensor is nil").For("out")
	}
	if err := c.checkImages(operand{"out", out}); err != nil {
		return err
	}
	rows := 2
	if last {
		rows = 1
	}
	c.rows, c.columns = int32(min(out.Dim(rows), kernels.MaxPixels)), int32(min(out.Dim(rows+1), kernels.MaxPixels))
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
	l := c.nchw(o.tensor)
	if p, q := c.Result(); l.Size(2) != p || l.Size(3) != q {
		return fault.New(weft.ErrShape, c.op, "shape %v has %d × %d pixels, a convolution of %d × %d by a kernel of %v with these options gives %d × %d",
			o.tensor.Shape(), l.Size(2), l.Size(3), c.Height, c.Width, c.Kernel, p, q).For(o.name)
	}
	return nil
}

func (c *convGrad) prepareTransposed(in []*weft.Tensor) ([]int, error) {
	x, weight := operand{"x", in[0]}, operand{"weight", in[1]}
	if err := c.checkPlain(x, weight); err != nil {
		return nil, err
	}
	l, w := c.nchw(x.tensor), weight.tensor.Shape()
	c.Images, c.Filters, c.Channels = l.Size(0), w[0], w[1]*c.Groups
	c.Height, c.Width, c.Kernel = int(c.rows), int(c.columns), [2]int{w[2], w[3]}
	if l.Size(1) != w[0] || w[0]%c.Groups != 0 {
		return nil, fault.New(weft.ErrShape, c.op, "shape %v is for %s in %s, x has shape %v", w, fault.Count(w[0], "channel"), fault.Count(c.Groups, "group"), x.tensor.Shape()).For("weight")
	}
	if err := c.checkForward(x); err != nil {
		return nil, err
	}
	if c.nhwc {
		return []int{c.Images, c.Height, c.Width, c.Channels}, nil
	}
	return []int{c.Images, c.Channels, c.Height, c.Width}, nil
}

func (c *convGrad) prepareWeights(in []*weft.Tensor) ([]int, error) {
	x, dy := operand{"x", in[0]}, operand{"dy", in[1]}
	if err := c.checkPlain(x, dy); err != nil {
		return nil, err
	}
	l, g := c.nchw(x.tensor), c.nchw(dy.tensor)
	c.Images, c.Channels, c.Height, c.Width, c.Filters = l.Size(0), l.Size(1), l.Size(2), l.Size(3), g.Size(1)
	c.Kernel = [2]int{int(c.rows), int(c.columns)}
	if g.Size(0) != c.Images || c.Channels%c.Groups != 0 || c.Filters%c.Groups != 0 {
		return nil, fault.New(weft.ErrShape, c.op, "shape %v in %s, x has shape %v", dy.tensor.Shape(), fault.Count(c.Groups, "group"), x.tensor.Shape()).For("dy")
	}
	if err := c.checkForward(dy); err != nil {
		return nil, err
	}
	return []int{c.Filters, c.Channels / c.Groups, c.Kernel[0], c.Kernel[1]}, c.CheckTerms(c.op)
}

// phase is what of a transposed convolution there is along a dimension at every stride-th position of the result, from one on.
type phase struct {
	from, count    int // positions of the result
	tap, step, n   int // elements of the kernel: the first one, from one to the next, and how many
	dilation       int
	before, after  int // padding of x
	cutLow, cutTop int // elements that are left out at its ends
}

// phases are those along dimension d, of n elements of x.
func (c *convGrad) phases(d, n int) (list []phase) {
	stride, dilation, size, length, top := c.Stride[d], c.Dilation[d], c.Kernel[d], []int{c.Height, c.Width}[d], c.Padding[2*d]
	common := gcd(stride, dilation)
	for from := range min(stride, length) {
		p := phase{from: from, count: (length - from + stride - 1) / stride, step: stride / common, dilation: dilation / common}
		for p.tap < min(size, p.step) && (from+top-p.tap*dilation)%stride != 0 {
			p.tap++
		}
		if p.tap < min(size, p.step) {
			p.n = (size - p.tap + p.step - 1) / p.step
			reach := (p.n - 1) * p.dilation
			low := reach - (from+top-p.tap*dilation)/stride
			high := p.count + reach - n - low
			p.before, p.cutLow, p.after, p.cutTop = max(low, 0), max(-low, 0), max(high, 0), max(-high, 0)
			if p.cutLow+p.cutTop >= n {
				p.n = 0
			}
		}
		list = append(list, p)
	}
	return list
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// launchTransposed convolves x by a part of the kernel for each pair of phases.
func (c *convGrad) launchTransposed(out *weft.Tensor, in []*weft.Tensor) error {
	x, weight := in[0], in[1]
	made := scratch{}
	defer made.close()
	down := 2
	if c.nhwc {
		down = 1
	}
	options := []Conv2DOption{Groups(c.Groups)}
	if c.nhwc {
		options = append(options, ChannelsLast())
	}
	for _, p := range c.phases(0, x.Dim(down)) {
		for _, q := range c.phases(1, x.Dim(down+1)) {
			to := made.keep(out.SliceStep(down, p.from, c.Height, c.Stride[0]))
			if made.err == nil {
				to = made.keep(to.SliceStep(down+1, q.from, c.Width, c.Stride[1]))
			}
			if made.err != nil {
				return made.err
			}
			if p.n == 0 || q.n == 0 || x.Len() == 0 {
				if err := to.Fill(0); err != nil {
					return err
				}
				continue
			}
			from := made.keep(x.Slice(down, p.cutLow, x.Dim(down)-p.cutTop))
			if made.err == nil {
				from = made.keep(from.Slice(down+1, q.cutLow, x.Dim(down+1)-q.cutTop))
			}
			part := c.turnedPart(&made, weight, p, q)
			if made.err != nil {
				return made.err
			}
			if err := Conv2DInto(to, from, part, append(slices.Clip(options), PaddingSides(p.before, p.after, q.before, q.after), Dilation(p.dilation, q.dilation))...); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnedPart is the part of the kernel of two phases, turned around, with filters in place of channels: [C,O/G,·,·].
func (c *convGrad) turnedPart(made *scratch, weight *weft.Tensor, p, q phase) *weft.Tensor {
	then := func(t *weft.Tensor, f func(t *weft.Tensor) (*weft.Tensor, error)) *weft.Tensor {
		if made.err != nil {
			return nil
		}
		return made.keep(f(t))
	}
	t := then(weight, func(t *weft.Tensor) (*weft.Tensor, error) { return t.SliceStep(2, p.tap, c.Kernel[0], p.step) })
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.SliceStep(3, q.tap, c.Kernel[1], q.step) })
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Flip(2, 3) })
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) {
		l, err := split(t.Layout(), 0, c.Groups)
		if err != nil {
			return nil, err
		}
		return t.AsStrided(l)
	})
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Permute(0, 2, 1, 3, 4) })
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Contiguous() })
	return then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Reshape(c.Channels, c.Filters/c.Groups, p.n, q.n) })
}

// launchWeights multiplies gradients by columns, of some images at a time.
func (c *convGrad) launchWeights(out *weft.Tensor, in []*weft.Tensor) error {
	x, dy, dev := in[0], in[1], in[0].Device()
	p, q := c.Result()
	terms, pixels := c.Channels*c.Kernel[0]*c.Kernel[1], p*q
	made := scratch{}
	defer made.close()
	sum := made.keep(weft.Empty(dev, weft.F32, c.Groups, c.Filters/c.Groups, terms/c.Groups))
	if made.err != nil {
		return made.err
	}
	if c.Images == 0 || pixels == 0 {
		return out.Fill(0)
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
