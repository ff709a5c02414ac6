package ops

import (
	"cmp"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// Convolutions have one to three spatial dimensions. Those of lines, of one, are convolutions of images of one row. Those of volumes, of three, have kernels that count
// positions and planes through the depth: see kernels.ConvVolume.

// maxSpatial is how many spatial dimensions there are at most.
const maxSpatial = 3

// tooMany is a number of numbers that no convolution has dimensions for.
const tooMany = 127

// spatial are an option's numbers, one for each spatial dimension, the last one last; or one for all of them.
type spatial struct {
	n    int8
	list [maxSpatial]int
}

func spatialOf(list []int) (s spatial) {
	if s.n = int8(len(list)); len(list) == 0 || len(list) > maxSpatial {
		s.n = tooMany
		return s
	}
	copy(s.list[maxSpatial-len(list):], list)
	return s
}

// set sets numbers and returns how many there are.
func (s spatial) set(to ...*int) int8 {
	for i, p := range to {
		if *p = s.list[i]; s.n == 1 {
			*p = s.list[maxSpatial-1]
		}
	}
	return s.n
}

// givenSpatial are how many numbers options gave, 0 for an option that was not given.
type givenSpatial struct{ stride, padding, dilation int8 }

// setSpatial takes the number of spatial dimensions, and leaves the numbers of those alone.
func (c *convolution) setSpatial(dims int) error {
	c.dims = int8(dims)
	for _, o := range []struct {
		name string
		n    int8
	}{{"stride", c.numbers.stride}, {"padding", c.numbers.padding}, {"dilation", c.numbers.dilation}} {
		if o.n > 1 && int(o.n) != dims {
			return fault.New(weft.ErrArgument, c.op, "numbers for another number of dimensions, want one for each of %s, or one for all", fault.Count(dims, "dimension")).For(o.name)
		}
	}
	v := kernels.ConvVolume{}
	switch dims {
	case 1:
		c.Stride[0], c.Dilation[0], c.Padding[0], c.Padding[1] = 1, 1, 0, 0
	case maxSpatial:
		v = c.Volume
		if c.numbers.stride == 0 {
			v.Stride = 1
		}
		if c.numbers.dilation == 0 {
			v.Dilation = 1
		}
	}
	c.Volume = v
	return nil
}

// takeSizes takes the sizes from x and the kernel.
func (c *convolution) takeSizes(x *weft.Tensor, kernel []int) error {
	if err := c.setSpatial(x.Rank() - 2); err != nil {
		return err
	}
	l := c.nchw(x)
	c.Images, c.Channels = l.Size(0), l.Size(1)
	c.ChannelsLast = l.Stride(1) == 1 && l.Size(1) > 1 && l.Stride(l.Rank()-1) != 1
	return c.setSizes(l.Shape()[2:], kernel)
}

// setSizes sets the spatial sizes of x and of the kernel.
func (c *convolution) setSizes(sizes, kernel []int) error {
	last := len(sizes) - 1
	c.Height, c.Width = 1, sizes[last]
	size := [2]int{1, kernel[last]}
	if last > 0 {
		c.Height, size[0] = sizes[last-1], kernel[last-1]
	}
	c.Kernel = size
	if last > 1 {
		c.Volume.Depth, c.Volume.Kernel = sizes[0], kernel[0]
		if kernel[0] < 1 {
			return fault.New(weft.ErrArgument, c.op, "%v, want at least 1", kernel).For("weight")
		}
	}
	return nil
}

// checkImages refuses a tensor of another number of dimensions, of which the first one decides where there is a choice.
func (c *convolution) checkImages(o operand) error {
	rank := o.tensor.Rank()
	switch {
	case c.dims == 0 && (rank < 3 || rank > 2+maxSpatial):
		return fault.New(weft.ErrShape, c.op, "shape %v has %s, want 3 to %d", o.tensor.Shape(), fault.Count(rank, "dimension"), 2+maxSpatial).For(o.name)
	case c.dims == 0:
		c.dims = int8(rank - 2)
	case rank != int(c.dims)+2:
		return fault.New(weft.ErrShape, c.op, "shape %v has %s, want %d", o.tensor.Shape(), fault.Count(rank, "dimension"), c.dims+2).For(o.name)
	}
	return nil
}

// spatialResult are the spatial sizes of the result.
func (c *convolution) spatialResult() []int {
	p, q := c.Result()
	return []int{c.Volume.Result(), p, q}[maxSpatial-int(c.dims):]
}

// imagesShape is a shape of so many channels in the order of the dimensions.
func (c *convolution) imagesShape(channels int, spatial []int) []int {
	if c.nhwc {
		return append(append([]int{c.Images}, spatial...), channels)
	}
	return append([]int{c.Images, channels}, spatial...)
}

// resultShape is the shape of the result in the order of its dimensions.
func (c *convolution) resultShape() []int { return c.imagesShape(c.Filters, c.spatialResult()) }

// channelsFirst are the dimensions of x or the result, of a rank, in the order [N,C,…].
func (c *convolution) channelsFirst(rank int) []int {
	order := make([]int, rank)
	for d := range order {
		order[d] = d
	}
	if c.nhwc && rank > 2 {
		order[1] = rank - 1
		for d := 2; d < rank; d++ {
			order[d] = d - 1
		}
	}
	return order
}

// nchw is the layout of x or the result with its dimensions in that order.
func (c *convolution) nchw(t *weft.Tensor) layout.Layout {
	l := t.Layout()
	if c.nhwc {
		l, _ = l.Permute(c.channelsFirst(l.Rank())...)
	}
	return l
}

// spatialAxis is the first spatial dimension of x or the result.
func (c *convolution) spatialAxis() int {
	if c.nhwc {
		return 1
	}
	return 2
}

// launchLines convolves images of one row.
func (c *convolution) launchLines(out *weft.Tensor) error {
	var made scratch
	defer made.close()
	images := *c
	images.dims = 2
	images.x, images.weight = made.keep(c.x.Unsqueeze(c.spatialAxis())), made.keep(c.weight.Unsqueeze(2))
	out = made.keep(out.Unsqueeze(c.spatialAxis()))
	if made.err != nil {
		return made.err
	}
	return images.launchImages(out)
}

// launchVolumes convolves by weights whose planes are below one another.
func (c *convolution) launchVolumes(out *weft.Tensor) error {
	if c.algorithm == kernels.ConvIm2Col {
		return fault.New(weft.ErrUnsupported, c.op, "volumes have no columns").For("algorithm")
	}
	var made scratch
	defer made.close()
	flat := *c
	shape := []int{c.Filters, c.GroupChannels(), c.Volume.Kernel * c.Kernel[0], c.Kernel[1]}
	var err error
	if flat.weight, err = made.try(c.weight.Reshape(shape...)); err != nil {
		copied := made.keep(c.weight.Contiguous())
		if made.err != nil {
			return made.err
		}
		flat.weight = made.keep(copied.Reshape(shape...))
	}
	if made.err != nil {
		return made.err
	}
	return flat.launchImages(out)
}

// kernelLayouts are those of x and the result as kernels have them: divided into groups, but for volumes.
func (c *convolution) kernelLayouts(out *weft.Tensor) (x, y layout.Layout, err error) {
	if x, y = c.nchw(c.x), c.nchw(out); c.Volume.Is() {
		return x, y, nil
	}
	x, first := split(x, 1, c.Groups)
	y, second := split(y, 1, c.Groups)
	return x, y, cmp.Or(first, second)
}

// kernelScalars are those of the kernels.
func (c *convolution) kernelScalars() weft.Scalars {
	list := weft.Scalars{c.Padding[0], c.Padding[2]}
	if c.Volume.Is() {
		list = append(list, c.Volume.Padding[0])
	}
	return list
}

// kernelRows is how many rows a kernel has, those of all its planes.
func (c *convolution) kernelRows() int { return c.Positions() / c.Kernel[1] }

// spatialSizes are the sizes of x between images and channels, those of a tensor with the channels last.
func (c *convolution) spatialSizes() []int {
	if c.Volume.Is() {
		return []int{c.Volume.Depth, c.Height, c.Width}
	}
	return []int{c.Height, c.Width}
}
