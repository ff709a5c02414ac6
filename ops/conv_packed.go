package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
)

// launchRepacked launches the kernel on copies of x whose channels are neighbours in pieces of 16 bytes, of as many images at a time as a workspace has room for.
func (c *convolution) launchRepacked(cfg Conv2DConfig, out *weft.Tensor) error {
	var temporary scratch
	defer temporary.close()
	elem := c.x.DType()
	channels := c.PackedChannels(elem)
	if l := c.nchw(c.x); c.Volume.Is() && l.Stride(2) != l.Size(3)*l.Stride(3) { // copies have no more dimensions than planes that are rows below one another
		other := *c
		other.x = temporary.keep(c.x.Contiguous())
		if c = &other; temporary.err != nil {
			return temporary.err
		}
	}
	x, err := c.imageRows()
	if err != nil {
		return err
	}
	packed := *c
	packed.Channels, packed.weight = c.Groups*channels, c.packedWeights(&temporary, channels)
	perImage := packed.Channels * product(c.spatialSizes())
	step := min(max(maxWorkspace/max(perImage*elem.Size(), 1), 1), c.Images)
	space := temporary.keep(weft.Empty(c.x.Device(), elem, c.packedShape(step, c.Groups, channels)...))
	if temporary.err != nil {
		return temporary.err
	}
	return c.eachPart(step, 1, func(from, to int) error {
		var temporary scratch
		defer temporary.close()
		part := packed
		part.Images = to - from
		copies := temporary.keep(space.Slice(0, 0, part.Images))
		result := temporary.keep(out.Slice(0, from, to))
		images, err := x.Slice(0, from, to, 1)
		if err != nil {
			return err
		}
		if temporary.err != nil {
			return temporary.err
		}
		if err := lengthened(copies, weft.TensorView{Tensor: c.x, Layout: images}); err != nil {
			return err
		}
		part.x = temporary.keep(copies.Reshape(c.packedShape(part.Images, packed.Channels)...))
		if !c.nhwc && temporary.err == nil {
			part.x = temporary.keep(part.x.Permute(channelsToFront(part.x.Rank())...))
		}
		if temporary.err != nil {
			return temporary.err
		}
		return part.launchKernel(cfg, result)
	})
}

// withLongerChannels is the convolution of copies of x and of the weights with zeros for channels up to pieces of 16 bytes in each group.
func (c *convolution) withLongerChannels(temporary *scratch) *convolution {
	channels := c.PackedChannels(c.x.DType())
	longer := *c
	longer.Channels, longer.ChannelsLast, longer.weight = c.Groups*channels, true, c.packedWeights(temporary, channels)
	copies := temporary.keep(weft.Empty(c.x.Device(), c.x.DType(), c.Images, c.Height, c.Width, c.Groups, channels))
	rows, err := c.imageRows()
	if err == nil && temporary.err == nil {
		err = lengthened(copies, weft.TensorView{Tensor: c.x, Layout: rows})
	}
	if err != nil || temporary.err != nil {
		temporary.keep(nil, err)
		return nil
	}
	longer.x = temporary.keep(copies.Reshape(c.Images, c.Height, c.Width, longer.Channels))
	if !c.nhwc && temporary.err == nil {
		longer.x = temporary.keep(longer.x.Permute(0, 3, 1, 2))
	}
	return &longer
}

// imageRows is the layout of x with its dimensions in the order [N,…,G,C/G].
func (c *convolution) imageRows() (layout.Layout, error) { return lastInGroups(c.nchw(c.x), c.Groups) }

// packedShape is a shape of so many images with other dimensions last.
func (c *convolution) packedShape(images int, last ...int) []int {
	return append(append([]int{images}, c.spatialSizes()...), last...)
}

// channelsToFront is the order [N,C,…] of dimensions whose channels are last.
func channelsToFront(rank int) []int { return (&convolution{nhwc: true}).channelsFirst(rank) }

// packedWeights are the weights with so many channels in a group: copies with zeros, whose channels are neighbours, where there are more.
func (c *convolution) packedWeights(temporary *scratch, channels int) *weft.Tensor {
	if channels == c.GroupChannels() {
		return c.weight
	}
	rows, err := c.weight.Layout().Permute(0, 2, 3, 1)
	copies := temporary.keep(weft.Empty(c.weight.Device(), c.weight.DType(), c.Filters, c.kernelRows(), c.Kernel[1], channels))
	if err == nil && temporary.err == nil {
		err = lengthened(copies, weft.TensorView{Tensor: c.weight, Layout: rows})
	}
	if err != nil || temporary.err != nil {
		return temporary.keep(nil, err)
	}
	return temporary.keep(copies.Permute(0, 3, 1, 2))
}

// lengthenedWeights are copies of weights whose neighbours are filters, as copiedWeights has them, with zeros for filters up to pieces of 16 bytes in each
// group, so that rows begin at such pieces and are read by them. The shape is what the weights alone have.
func (c *convolution) lengthenedWeights(temporary *scratch, byPosition bool, shape []int) *weft.Tensor {
	elem := c.weight.DType()
	filters, channels, positions := up(c.GroupFilters(), copyBytes/elem.Size()), c.GroupChannels(), c.Positions()
	l, err := split(c.weight.Layout(), 0, c.Groups)
	rows, order := []int{channels, c.kernelRows(), c.Kernel[1]}, []int{2, 3, 4, 0, 1}
	if byPosition {
		rows, order = []int{c.kernelRows(), c.Kernel[1], channels}, []int{3, 4, 2, 0, 1}
	}
	if err == nil {
		l, err = l.Permute(order...)
	}
	copies := temporary.keep(weft.Empty(c.weight.Device(), elem, append(rows, c.Groups, filters)...))
	if err == nil && temporary.err == nil {
		err = lengthened(copies, weft.TensorView{Tensor: c.weight, Layout: l})
	}
	if err != nil || temporary.err != nil {
		return temporary.keep(nil, err)
	}
	t := temporary.keep(copies.Reshape(positions*channels, c.Groups, filters))
	if temporary.err == nil {
		t = temporary.keep(t.Permute(1, 2, 0))
	}
	if temporary.err != nil {
		return nil
	}
	return temporary.keep(t.Reshape(shape[0], filters, shape[2], shape[3]))
}

// lengthened copies a view into a dense tensor of its shape, but for a last dimension that may be longer: the rest of that is zeros.
func lengthened(out *weft.Tensor, from weft.TensorView) error {
	last, l := out.Rank()-1, out.Layout()
	n := from.Layout.Size(last)
	if n == l.Size(last) {
		in, err := from.Tensor.AsStrided(from.Layout)
		if err != nil {
			return err
		}
		defer in.Close()
		return copyInto(out, in)
	}
	if l.Len() == 0 {
		return nil
	}
	// The last dimension stays one of its own: where what is next to a row in memory is as long as the zeros, the rows are neighbours, too.
	ends := []layout.Layout{from.Layout, l}
	merged := slices.Clone(ends)
	for i, e := range ends {
		var err error
		if merged[i], err = e.Select(last, 0); err != nil {
			return err
		}
	}
	merged = elementwise.Merge(merged)
	for i, e := range ends {
		var err error
		if merged[i], err = layout.Strided(append(merged[i].Shape(), l.Size(last)), append(merged[i].Strides(), e.Stride(last)), merged[i].Offset()); err != nil {
			return err
		}
	}
	cfg := elementwise.ConfigFor(out.Device().Caps(), out.DType(), out.DType(), merged...)
	short, err := merged[0].Slice(cfg.Rank-1, 0, n, 1) // a block's elements outside of it are zeros
	if err != nil {
		return err
	}
	return copyKernel.LaunchViews(cfg, nil, weft.TensorView{Tensor: from.Tensor, Layout: short}, weft.TensorView{Tensor: out, Layout: merged[1]})
}
