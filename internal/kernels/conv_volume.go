package kernels

import "github.com/weftgpu/weft/tile"

// What the kernels of convolutions have of images and of volumes.

// countGroups is how many groups there are.
func (c *conv) countGroups() *tile.Value {
	if c.Depth.Is() {
		return c.weight.Dim(0)
	}
	return c.out.Dim(1)
}

// filtersOfGroup is how many filters a group has.
func (c *conv) filtersOfGroup() *tile.Value {
	switch {
	case !c.Depth.Is():
		return c.out.Dim(2)
	case c.Depth.Filters > 0:
		return c.k.Int(c.Depth.Filters)
	}
	return c.out.Dim(1)
}

// ofGroups is element i of n of a group among those of all groups, of which 0 stands for one.
func ofGroups(group, i *tile.Value, n int) *tile.Value {
	if n == 0 {
		return i
	}
	return plus(group.Mul(n), i)
}

// allPlanes is how many planes of rows and columns the result has for each filter: one for each image, or those of all volumes.
func (c *conv) allPlanes() *tile.Value {
	if c.Depth.Is() {
		return c.images().Mul(c.planes)
	}
	return c.images()
}

// images is how many images, or volumes, there are.
func (c *conv) images() *tile.Value {
	if c.Partial() {
		return c.x.Dim(0)
	}
	return c.out.Dim(0)
}

// corners are where in x the kernel's first elements are for pixels of the result.
type corners struct{ image, depth, row, column *tile.Value }

// cornersOf are those of pixels, whose images are planes of volumes.
func (c *conv) cornersOf(image, p, q *tile.Value) corners {
	at := corners{image: image}
	at.row, at.column = c.corner(p, q)
	if c.Depth.Is() {
		at.image = image.Div(c.planes)
		at.depth = image.Rem(c.planes).Mul(c.Depth.Stride).Sub(c.front)
	}
	return at
}

// elements are those of x at positions of the kernel.
func (c *conv) elements(at corners, group, channel, position *tile.Value) tile.Points {
	row, column := c.reach(at.row, at.column, position)
	if !c.Depth.Is() {
		return c.x.At(at.image, group, channel, row, column)
	}
	depth := at.depth
	if c.Depth.Kernel > 1 {
		depth = plus(position.Div(c.Kernel[0]*c.Kernel[1]).Mul(c.Depth.Dilation), depth)
	}
	points := c.x.At(at.image, ofGroups(group, channel, c.Depth.Channels), depth, row, column)
	if c.Depth.Channels > 0 && !channel.Type().IsScalar() {
		points = points.Mask(channel.Lt(c.Depth.Channels))
	}
	return points
}

// results are elements of the result, or of this program's part of it.
func (c *conv) results(image, group, filter, p, q *tile.Value) tile.Points {
	if !c.Depth.Is() {
		return c.ofPart(image, func(image *tile.Value) tile.Points { return c.out.At(image, group, filter, p, q) })
	}
	points := c.ofPart(image.Div(c.planes), func(volume *tile.Value) tile.Points {
		return c.out.At(volume, ofGroups(group, filter, c.Depth.Filters), image.Rem(c.planes), p, q)
	})
	if c.Depth.Filters > 0 {
		points = points.Mask(filter.Lt(c.Depth.Filters))
	}
	return points
}

// ofPart are the elements of an image, or a volume, of this program's part; beyond the last image there are none of the next part.
func (c *conv) ofPart(image *tile.Value, at func(image *tile.Value) tile.Points) tile.Points {
	if !c.Partial() {
		return at(image)
	}
	images := c.images()
	return at(image.Add(c.k.SplitID().Mul(images))).Mask(image.Lt(images))
}

// directVolumes is the direct kernel, whose programs have blocks of planes instead of images.
func (c *conv) directVolumes() {
	k, block := c.k, c.Block.shape()
	counts := make([]*tile.Value, 5)
	sizes := [5]*tile.Value{c.allPlanes(), c.countGroups(), c.filtersOfGroup(), c.out.Dim(3), c.out.Dim(4)}
	total := k.Int(1)
	for i, d := range c.Block.Memory {
		counts[i] = k.CDiv(sizes[d], block[i])
		total = total.Mul(counts[i])
	}
	k.Grid(total)
	at, rest := make([]tile.Operand, 5), k.ProgramID(0)
	for i := 4; i > 0; i-- {
		at[i], rest = rest.Rem(counts[i]), rest.Div(counts[i])
	}
	at[0] = rest
	index := func(d int) *tile.Value { return c.Block.index(k, at, d) }
	image, group, filter := index(0), index(1), index(2)
	sums := c.directSums(block, image, group, filter, index(3), index(4))
	c.results(image, group, filter, index(3), index(4)).Scatter(c.finish(sums, group, filter))
}
