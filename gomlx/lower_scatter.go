package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Scatters of elements of 64 bits, which devices do not combine by atomic ops: each program goes through the updates in order.

// maxRank is the number of dimensions of what is written by indices.
const maxRank = 8

// scatterConfig is a scatter of windows of certain sizes.
type scatterConfig struct {
	Op          backends.OpType
	Elem, Index weft.DType
	Rank        int          // of the tensor
	Size        [maxRank]int // of a window in each dimension
	Axes        [maxRank]int // the dimension that each element of a start is for
	Starts      int          // elements of a start
	Columns     int          // elements of a window that a program has
}

// starts returns the start of a window along each dimension of x, nil where that is 0, and whether the window is within x.
func (c scatterConfig) starts(k *tile.Builder, x, index *tile.View, window tile.Operand) (at [maxRank]*tile.Value, inside *tile.Value) {
	for i, axis := range c.Axes[:c.Starts] {
		v := index.At(window, i).Gather()
		ok := v.Ge(0).And(v.Le(x.Dim(axis).Sub(c.Size[axis]).Cast(v.Type().Elem)))
		if inside != nil {
			ok = inside.And(ok)
		}
		at[axis], inside = v.Cast(weft.I32), ok
	}
	return at, inside
}

// coordinates adds to the start of a window the places of elements within it.
func (c scatterConfig) coordinates(at [maxRank]*tile.Value, element *tile.Value) []tile.Operand {
	list := make([]tile.Operand, c.Rank)
	for d := c.Rank - 1; d >= 0; d-- {
		v := element.Rem(c.Size[d])
		if element = element.Div(c.Size[d]); at[d] != nil {
			v = v.Add(at[d])
		}
		list[d] = v
	}
	return list
}

// scatterKernel combines rows of updates with windows of out.
var scatterKernel = weft.NewKernel("scatter_in_order", func(k *tile.Builder, c scatterConfig) {
	index, updates, out := k.In("index", c.Index, 2), k.In("updates", c.Elem, 2), k.InOut("out", c.Elem, c.Rank)
	block := updates.Block(1, c.Columns)
	k.Grid(k.CDiv(updates.Dim(1), c.Columns))
	column := k.ProgramID(0)
	for row := range k.Range(updates.Dim(0)) {
		starts, inside := c.starts(k, out, index, row)
		mask := block.Inside(row, column)
		if inside != nil {
			mask = mask.And(inside)
		}
		points := out.At(c.coordinates(starts, block.Indices(1, column))...).Mask(mask)
		old, v := points.Gather(), block.Load(row, column)
		switch c.Op {
		case backends.OpTypeScatterSum:
			points.Scatter(old.Add(v))
		case backends.OpTypeScatterMax:
			points.Scatter(old.Maximum(v))
		default:
			points.Scatter(old.Minimum(v))
		}
	}
})

// vectors brings the indices into a matrix of one row for each start.
func (p *planner) vectors(n *node, x operand, axis int) (operand, error) {
	dims := x.dims()
	if axis == len(dims) {
		return p.reshape(n, x, x.layout.Len(), 1)
	}
	x, err := permute(x, append(others(len(dims), []int{axis}), axis)...)
	if err != nil {
		return x, err
	}
	return p.reshape(n, x, x.layout.Len()/max(dims[axis], 1), dims[axis])
}

// scatterInOrder appends the scatter of a node.
func (p *planner) scatterInOrder(n *node, out, x operand) error {
	a, updates := n.attrs.(scatterAttrs), p.in(n, 2)
	p.copy(n, out, x)
	if updates.layout.Len() == 0 {
		return nil
	}
	c := scatterConfig{Op: n.op, Elem: x.elem, Rank: x.layout.Rank(), Starts: len(a.index)}
	copy(c.Axes[:], a.index)
	window, size := 0, 1 // of the axes that updates have
	for d := range c.Rank {
		c.Size[d] = 1
		if !slices.Contains(a.inserted, d) {
			c.Size[d] = updates.layout.Size(a.window[window])
			window++
		}
		size *= c.Size[d]
	}
	index, err := p.vectors(n, p.in(n, 1), a.vectorAxis)
	if err != nil {
		return err
	}
	if index, err = p.indices(n, index); err != nil {
		return err
	}
	if updates, err = permute(updates, append(others(updates.layout.Rank(), a.window), a.window...)...); err != nil {
		return err
	}
	if updates, err = p.reshape(n, updates, updates.layout.Len()/size, size); err != nil {
		return err
	}
	if c.Rank == 0 {
		if out.layout, err = out.layout.Unsqueeze(0); err != nil {
			return err
		}
		c.Rank, c.Size[0] = 1, 1
	}
	c.Index, c.Columns = index.elem, min(ceilPow2(size), 256)
	p.update(n, func(out, in []*weft.Tensor) error { return scatterKernel.Launch(c, in[0], in[1], out[0]) }, out, index, updates)
	return nil
}
