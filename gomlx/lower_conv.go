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
	c.padding = slices.Clone(c.padding) // which the steps below change
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
	if c.isTransposed() {
		return out, p.transposedConv(n, c)
	}
	if err := p.padConv(n, &c); err != nil {
		return out, err
	}
	if c.x.layout.Len() == 0 || c.w.layout.Len() == 0 {
		zero, err := p.number(out.elem, 0)
		p.copy(n, out, zero)
		return out, err
	}
	switch positions, results := volume(c.w.dims()[2:]), volume(c.out.dims()[2:]); {
	case !c.isImages():
		return out, p.columnConv(n, c)
	case positions > max(results, 9): // more than results: they are weights, say, and w is the gradient of images
		return out, p.weightGrad(n, c)
	}
	return out, p.imageConv(n, c)
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
	if !slices.ContainsFunc(c.inputDilation, func(n int) bool { return n > 1 }) {
		for d := range c.padding {
			if err := c.trim(d); err != nil {
				return err
			}
		}
		return nil
	}
	axes := make([]backends.PadAxis, 2+len(c.padding))
	for d, pad := range c.padding {
		axes[2+d] = backends.PadAxis{Start: pad[0], End: pad[1], Interior: c.inputDilation[d] - 1}
		c.padding[d] = [2]int{}
	}
	return p.padZero(n, c, axes)
}

// trim leaves out elements of x where padding is negative.
func (c *convolution) trim(d int) (err error) {
	pad := &c.padding[d]
	from, to := max(-pad[0], 0), c.x.layout.Size(2+d)-max(-pad[1], 0)
	c.x.layout, err = c.x.layout.Slice(2+d, from, max(from, to), 1)
	pad[0], pad[1] = max(pad[0], 0), max(pad[1], 0)
	return err
}

func (p *planner) padZero(n *node, c *convolution, axes []backends.PadAxis) error {
	zero, err := p.number(c.x.elem, 0)
	if err != nil {
		return err
	}
	c.x, err = p.pad(n, c.x, zero, axes)
	return err
}

// isImages reports whether the elements are lines, images or volumes of a type that Conv takes.
func (c *convolution) isImages() bool {
	spatial, t := len(c.padding), c.x.elem
	return spatial >= 1 && spatial <= 3 && (t == weft.F32 || t == weft.F16 || t == weft.BF16)
}

// isTransposed reports whether ConvTranspose takes the convolution: one of elements with zeros between them, as the gradient of
// images is.
func (c *convolution) isTransposed() bool {
	fits := c.isImages() && c.x.layout.Len() > 0 && c.w.layout.Len() > 0
	dilated := false
	for d, pad := range c.padding {
		reach := (c.w.layout.Size(2+d) - 1) * c.kernelDilation[d]
		fits = fits && c.strides[d] == 1 && pad[0] <= reach && pad[1] <= reach
		dilated = dilated || c.inputDilation[d] > 1
	}
	return fits && dilated
}

func volume(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// numbers are the options of the groups and some numbers.
func (c *convolution) numbers(padding [][2]int, strides, dilations []int) []ops.Conv2DOption {
	var sides []int
	for _, pad := range padding {
		sides = append(sides, pad[:]...)
	}
	return []ops.Conv2DOption{ops.Groups(c.groups), ops.PaddingSides(sides...), ops.Stride(strides...), ops.Dilation(dilations...)}
}

// options are numbers and the order of dimensions that x has in memory, which it gives x and out.
func (c *convolution) options(padding [][2]int, strides, dilations []int) (options []ops.Conv2DOption, err error) {
	options = c.numbers(padding, strides, dilations)
	l, last := c.x.layout, []int{0}
	if l.Stride(1) != 1 || l.Stride(l.Rank()-1) == 1 {
		return options, nil
	}
	for d := range padding {
		last = append(last, 2+d)
	}
	last = append(last, 1)
	if c.x, err = permute(c.x, last...); err != nil {
		return nil, err
	}
	c.out, err = permute(c.out, last...)
	return append(options, ops.ChannelsLast()), err
}

// imageConv appends a Conv.
func (p *planner) imageConv(n *node, c convolution) error {
	options, err := c.options(c.padding, c.strides, c.kernelDilation)
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.ConvInto(out[0], in[0], in[1], options...)
	}, c.out, c.x, c.w)
	return err
}

// transposedConv appends a ConvTranspose, whose weights are turned around, with filters and channels of a group in each other's place.
func (p *planner) transposedConv(n *node, c convolution) error {
	w, err := splitAxis(c.w, 0, c.groups)
	if err != nil {
		return err
	}
	order, turned := []int{0, 2, 1}, []int(nil)
	for d := range c.padding {
		order, turned = append(order, 3+d), append(turned, 3+d)
	}
	if w.layout, err = reverse(w.layout, turned); err != nil {
		return err
	}
	if w, err = permute(w, order...); err != nil {
		return err
	}
	d := c.w.dims()
	if w, err = p.reshape(n, w, append([]int{d[1] * c.groups, d[0] / c.groups}, d[2:]...)...); err != nil {
		return err
	}
	pad := make([][2]int, len(c.padding))
	for i := range pad {
		reach := (d[2+i] - 1) * c.kernelDilation[i]
		pad[i] = [2]int{reach - c.padding[i][0], reach - c.padding[i][1]}
	}
	options, err := c.options(pad, c.inputDilation, c.kernelDilation)
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.ConvTransposeInto(out[0], in[0], in[1], options...)
	}, c.out, c.x, w)
	return err
}

// weightGrad appends a ConvWeightGrad: the channels are its images, and the images its channels.
func (p *planner) weightGrad(n *node, c convolution) error {
	swapped, grouped := []int{1, 0}, []int{2, 1, 0}
	for i := range c.padding { // what no result reads is left out
		used := (c.out.layout.Size(2+i)-1)*c.strides[i] + (c.w.layout.Size(2+i)-1)*c.kernelDilation[i] + 1
		c.padding[i][1] = used - c.x.layout.Size(2+i) - c.padding[i][0]
		if err := c.trim(i); err != nil {
			return err
		}
		swapped, grouped = append(swapped, 2+i), append(grouped, 3+i)
	}
	x, err := splitAxis(c.x, 1, c.groups)
	if err != nil {
		return err
	}
	if x, err = permute(x, grouped...); err != nil {
		return err
	}
	d := c.x.dims()
	if x, err = p.reshape(n, x, append([]int{d[1] / c.groups, c.groups * d[0]}, d[2:]...)...); err != nil {
		return err
	}
	dy, err := permute(c.w, swapped...)
	if err != nil {
		return err
	}
	out, err := permute(c.out, swapped...)
	options := c.numbers(c.padding, c.kernelDilation, c.strides)
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.ConvWeightGradInto(out[0], in[0], in[1], options...)
	}, out, x, dy)
	return err
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
	grouped, err := splitAxis(c.out, 1, c.groups)
	p.copy(n, grouped, product)
	return err
}

// splitAxis makes groups of neighbours along a dimension a dimension of their own, before it.
func splitAxis(x operand, axis, groups int) (operand, error) {
	dims, strides := x.dims(), x.layout.Strides()
	size, stride := dims[axis]/groups, strides[axis]
	dims, strides = slices.Replace(dims, axis, axis+1, groups, size), slices.Replace(strides, axis, axis+1, size*stride, stride)
	l, err := layout.Strided(dims, strides, x.layout.Offset())
	return operand{x.storage, l}, err
}
