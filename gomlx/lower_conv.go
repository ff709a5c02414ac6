package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
)

// convolution is a convolution with its operands' dimensions in order.
type convolution struct {
	convAttrs
	x, w, out operand // [N,C,…], [O,C/G,…] and [N,O,…]
	groups    int
}

func (p *planner) placeConv(n *node) (operand, error) {
	c := convolution{convAttrs: n.attrs.(convAttrs)}
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	a := c.axes
	if c.x, err = permute(p.in(n, 0), append([]int{a.InputBatch, a.InputChannels}, a.InputSpatial...)...); err != nil {
		return out, err
	}
	if c.w, err = permute(p.in(n, 1), append([]int{a.KernelOutputChannels, a.KernelInputChannels}, a.KernelSpatial...)...); err != nil {
		return out, err
	}
	if c.out, err = permute(out, append([]int{a.OutputBatch, a.OutputChannels}, a.OutputSpatial...)...); err != nil {
		return out, err
	}
	c.groups = c.channelGroups
	if c.batchGroups > 1 {
		if err := p.groupBatches(n, &c); err != nil {
			return out, err
		}
	}
	if err := p.padConv(n, &c); err != nil {
		return out, err
	}
	if c.x.layout.Len() == 0 || c.w.layout.Len() == 0 {
		zero, err := p.number(out.elem, 0)
		p.copy(n, out, zero)
		return out, err
	}
	if c.isImages() {
		return out, p.imageConv(n, c)
	}
	return out, p.columnConv(n, c)
}

// groupBatches turns groups of batches into groups of channels: group g of the batches has the channels of group g.
func (p *planner) groupBatches(n *node, c *convolution) error {
	dims, g := c.x.dims(), c.batchGroups
	x, err := p.reshape(n, c.x, append([]int{g, dims[0] / g}, dims[1:]...)...)
	if err != nil {
		return err
	}
	order := []int{1, 0}
	for d := 2; d <= len(dims); d++ {
		order = append(order, d)
	}
	if x, err = permute(x, order...); err != nil {
		return err
	}
	c.groups *= g
	c.x, err = p.reshape(n, x, append([]int{dims[0] / g, g * dims[1]}, dims[2:]...)...)
	return err
}

// padConv puts zeros between the elements of x, and removes elements where padding is negative: what convolutions do not do.
func (p *planner) padConv(n *node, c *convolution) error {
	axes, need := make([]backends.PadAxis, 2+len(c.padding)), false
	for d, pad := range c.padding {
		axes[2+d] = backends.PadAxis{Interior: c.inputDilation[d] - 1}
		need = need || c.inputDilation[d] > 1 || pad[0] < 0 || pad[1] < 0
	}
	if !need {
		return nil
	}
	for d, pad := range c.padding {
		axes[2+d].Start, axes[2+d].End = pad[0], pad[1]
		c.padding[d] = [2]int{}
	}
	return p.padZero(n, c, axes)
}

func (p *planner) padZero(n *node, c *convolution, axes []backends.PadAxis) error {
	zero, err := p.number(c.x.elem, 0)
	if err != nil {
		return err
	}
	c.x, err = p.pad(n, c.x, zero, axes)
	return err
}

// isImages reports whether Conv2D takes the convolution, and whether it has more results than positions in the kernel: else
// it is the gradient of weights, say, and a product of matrices.
func (c *convolution) isImages() bool {
	spatial := len(c.padding)
	positions, results := volume(c.w.dims()[2:]), volume(c.out.dims()[2:])
	return (spatial == 1 || spatial == 2) && multiplies(c.x.elem) && positions <= max(results, 9)
}

func volume(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// imageConv appends a Conv2D, for which vectors are images of one row.
func (p *planner) imageConv(n *node, c convolution) error {
	for len(c.padding) < 2 {
		c.padding, c.strides = slices.Insert(c.padding, 0, [2]int{}), slices.Insert(c.strides, 0, 1)
		c.kernelDilation = slices.Insert(c.kernelDilation, 0, 1)
		for _, o := range []*operand{&c.x, &c.w, &c.out} {
			l, err := o.layout.Unsqueeze(2)
			if err != nil {
				return err
			}
			o.layout = l
		}
	}
	pad := c.padding
	options := []ops.Conv2DOption{
		ops.PaddingSides(pad[0][0], pad[0][1], pad[1][0], pad[1][1]), ops.Stride(c.strides[0], c.strides[1]),
		ops.Dilation(c.kernelDilation[0], c.kernelDilation[1]), ops.Groups(c.groups),
	}
	if l := c.x.layout; l.Stride(1) == 1 && l.Stride(3) != 1 {
		last := []int{0, 2, 3, 1}
		var err error
		if c.x, err = permute(c.x, last...); err != nil {
			return err
		}
		if c.out, err = permute(c.out, last...); err != nil {
			return err
		}
		options = append(options, ops.ChannelsLast())
	}
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.Conv2DInto(out[0], in[0], in[1], options...)
	}, c.out, c.x, c.w)
	return nil
}

// columnConv copies what each result is a sum of into a row of a matrix, and multiplies by the weights, group by group.
func (p *planner) columnConv(n *node, c convolution) error {
	axes, need := make([]backends.PadAxis, 2+len(c.padding)), false
	for d, pad := range c.padding {
		axes[2+d] = backends.PadAxis{Start: pad[0], End: pad[1]}
		need = need || pad != [2]int{}
	}
	if need {
		if err := p.padZero(n, &c, axes); err != nil {
			return err
		}
	}
	spatial := len(c.padding)
	xd, wd, od := c.x.dims(), c.w.dims(), c.out.dims()
	channels := xd[1] / c.groups
	// [G, N, P…, C/G, K…]
	dims := append([]int{c.groups, xd[0]}, od[2:]...)
	strides := []int{channels * c.x.layout.Stride(1), c.x.layout.Stride(0)}
	for d := range spatial {
		strides = append(strides, c.x.layout.Stride(2+d)*c.strides[d])
	}
	dims, strides = append(dims, channels), append(strides, c.x.layout.Stride(1))
	for d := range spatial {
		dims, strides = append(dims, wd[2+d]), append(strides, c.x.layout.Stride(2+d)*c.kernelDilation[d])
	}
	l, err := layout.Strided(dims, strides, c.x.layout.Offset())
	if err != nil {
		return err
	}
	results, sum, filters := od[0]*volume(od[2:]), channels*volume(wd[2:]), od[1]/c.groups
	columns, err := p.reshape(n, operand{c.x.storage, l}, c.groups, results, sum)
	if err != nil {
		return err
	}
	w, err := p.reshape(n, c.w, c.groups, filters, sum)
	if err != nil {
		return err
	}
	if w.layout, err = w.layout.Permute(0, 2, 1); err != nil {
		return err
	}
	product, err := p.temp(c.x.elem, c.groups, results, filters)
	if err != nil {
		return err
	}
	if err := p.product(n, product, columns, w); err != nil {
		return err
	}
	// [G, N, P…, O/G] to [N, O, P…]
	shape := append(append([]int{c.groups, od[0]}, od[2:]...), filters)
	if product, err = p.reshape(n, product, shape...); err != nil {
		return err
	}
	order := []int{1, 0, 2 + spatial}
	for d := range spatial {
		order = append(order, 2+d)
	}
	if product, err = permute(product, order...); err != nil {
		return err
	}
	grouped, err := groupLayout(c.out, c.groups, filters)
	p.copy(n, grouped, product)
	return err
}

// groupLayout is [N, O, P…] as [N, G, O/G, P…].
func groupLayout(out operand, groups, filters int) (operand, error) {
	dims, strides := out.dims(), out.layout.Strides()
	stride := strides[1]
	dims, strides = slices.Replace(dims, 1, 2, groups, filters), slices.Replace(strides, 1, 2, filters*stride, stride)
	l, err := layout.Strided(dims, strides, out.layout.Offset())
	return operand{out.storage, l}, err
}
