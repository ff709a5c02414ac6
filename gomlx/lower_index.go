package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// maxRank is the number of dimensions of what is read and written by indices.
const maxRank = 8

// indexed is a kernel of indices: N windows of a tensor, each at a start that is computed. It is for windows of certain sizes.
type indexed struct {
	Elem, Index   weft.DType
	Rank          int          // of the tensor
	Size          [maxRank]int // of a window in each dimension
	Axes          [maxRank]int // the dimension that each element of a start is for
	Starts        int          // elements of a start
	Clamp         bool         // starts are moved so that windows are within the tensor; else windows that are not are left out
	Rows, Columns int          // of a program's tile: windows, and elements of them

	Op         scatterOp // of a scatter
	Sequential bool      // of a scatter: each program goes through the windows, in order
}

type scatterOp uint8

const (
	scatterSet scatterOp = iota
	scatterAdd
	scatterMax
	scatterMin
)

// window has the elements of a window as columns.
func (c indexed) columns() int {
	n := 1
	for _, s := range c.Size[:c.Rank] {
		n *= s
	}
	return n
}

// starts returns the starts of some windows along each dimension of x, nil where that is 0, and whether windows are within x.
func (c indexed) starts(k *tile.Builder, x, index *tile.View, window *tile.Value) (at [maxRank]*tile.Value, inside *tile.Value) {
	for i, axis := range c.Axes[:c.Starts] {
		v := index.At(window, i).Gather()
		if c.Index.Size() < 4 {
			v = v.Cast(weft.I32)
		}
		zero := k.Const(v.Type().Elem, 0)
		limit := x.Dim(axis).Sub(c.Size[axis]).Cast(v.Type().Elem)
		if c.Clamp {
			at[axis] = v.Maximum(zero).Minimum(limit).Cast(weft.I32)
			continue
		}
		ok := v.Ge(zero).And(v.Le(limit))
		if inside != nil {
			ok = inside.And(ok)
		}
		at[axis], inside = v.Cast(weft.I32), ok
	}
	return at, inside
}

// coordinates adds to the starts of windows the places of elements within them.
func (c indexed) coordinates(k *tile.Builder, at [maxRank]*tile.Value, element *tile.Value) []tile.Operand {
	list := make([]tile.Operand, c.Rank)
	rest := element
	for d := c.Rank - 1; d >= 0; d-- {
		var v *tile.Value
		if n := c.Size[d]; n > 1 {
			v = rest
			if !slices.ContainsFunc(c.Size[:d], func(n int) bool { return n > 1 }) {
				rest = nil // the first dimension that is left takes all
			} else {
				v, rest = rest.Rem(n), rest.Div(n)
			}
		}
		switch start := at[d]; {
		case v == nil && start == nil:
			list[d] = element.And(0)
		case v == nil:
			list[d] = start
		case start == nil:
			list[d] = v
		default:
			list[d] = start.Add(v)
		}
	}
	return list
}

// gatherKernel copies windows of x to rows of out.
var gatherKernel = weft.NewKernel("gather_windows", func(k *tile.Builder, c indexed) {
	x, index, out := k.In("x", c.Elem, c.Rank), k.In("index", c.Index, 2), k.Out("out", c.Elem, 2)
	block := out.Block(c.Rows, c.Columns)
	at := k.ProgramTile(out, c.Rows, c.Columns)
	starts, _ := c.starts(k, x, index, block.Indices(0, at[0]))
	list := c.coordinates(k, starts, block.Indices(1, at[1]))
	block.Store(x.At(list...).Gather(), at...)
})

// scatterKernel combines rows of updates with windows of out.
var scatterKernel = weft.NewKernel("scatter_windows", func(k *tile.Builder, c indexed) {
	index, updates, out := k.In("index", c.Index, 2), k.In("updates", c.Elem, 2), k.InOut("out", c.Elem, c.Rank)
	block := updates.Block(c.Rows, c.Columns)
	part := func(row, column tile.Operand) {
		starts, inside := c.starts(k, out, index, block.Indices(0, row))
		mask := block.Inside(row, column)
		if inside != nil {
			mask = mask.And(inside)
		}
		points := out.At(c.coordinates(k, starts, block.Indices(1, column))...).Mask(mask)
		v := block.Load(row, column)
		switch {
		case c.Op == scatterSet:
			points.Scatter(v)
		case !c.Sequential:
			c.atomic(points, v)
		case c.Op == scatterAdd:
			points.Scatter(points.Gather().Add(v))
		case c.Op == scatterMax:
			points.Scatter(points.Gather().Maximum(v))
		default:
			points.Scatter(points.Gather().Minimum(v))
		}
	}
	if !c.Sequential {
		at := k.ProgramTile(updates, c.Rows, c.Columns)
		part(at[0], at[1])
		return
	}
	k.Grid(k.CDiv(updates.Dim(1), c.Columns))
	for row := range k.Range(updates.Dim(0)) {
		part(row, k.ProgramID(0))
	}
})

func (c indexed) atomic(points tile.Points, v *tile.Value) {
	switch c.Op {
	case scatterAdd:
		points.AtomicAdd(v)
	case scatterMax:
		points.AtomicMax(v)
	default:
		points.AtomicMin(v)
	}
}

// atomics reports whether there are atomic ops on a type.
func atomics(op scatterOp, t weft.DType) bool {
	return t == weft.I32 || t == weft.U32 || t == weft.F32 && op == scatterAdd
}

// newIndexed sets the tiles of a kernel for some windows.
func (p *planner) newIndexed(c indexed, windows int) indexed {
	c.Columns = min(ceilPow2(c.columns()), 256)
	c.Rows = max(min(ceilPow2(windows), 1024/c.Columns), 1)
	if c.Sequential {
		c.Rows = 1
	}
	return c
}

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
	rows := 1
	for d, size := range dims {
		if d != axis {
			rows *= size
		}
	}
	return p.reshape(n, x, rows, dims[axis])
}

func (p *planner) placeGather(n *node) (operand, error) {
	a := n.attrs.(gatherAttrs)
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	index, err := p.vectors(n, p.in(n, 1), a.vectorAxis)
	if err != nil {
		return out, err
	}
	c := indexed{Elem: x.elem, Index: index.elem, Rank: x.layout.Rank(), Starts: len(a.index), Clamp: true}
	copy(c.Size[:], a.sizes)
	copy(c.Axes[:], a.index)

	// In out the axes of the starts and those of the windows are mixed.
	rank := out.layout.Rank()
	batch := others(rank, a.offset)
	mixed, err := permute(out, append(slices.Clone(batch), a.offset...)...)
	if err != nil {
		return out, err
	}
	to := mixed
	if !mixed.layout.IsContiguous() {
		if to, err = p.temp(x.elem, mixed.dims()...); err != nil {
			return out, err
		}
	}
	if err := p.gather(n, to, x, index, c); err != nil {
		return out, err
	}
	if to.storage != out.storage {
		p.copy(n, mixed, to)
	}
	return out, nil
}

// gather appends the step that copies windows of x to out, which is dense.
func (p *planner) gather(n *node, out, x, index operand, c indexed) (err error) {
	windows := index.layout.Size(0)
	if c.Rank == 0 {
		p.copy(n, out, x)
		return nil
	}
	if out, err = p.reshape(n, out, windows, c.columns()); err != nil {
		return err
	}
	c = p.newIndexed(c, windows)
	p.emit(n, func(out, in []*weft.Tensor) error { return gatherKernel.Launch(c, in[0], in[1], out[0]) }, out, x, index)
	return nil
}

func (p *planner) placeScatter(n *node) (operand, error) {
	a := n.attrs.(scatterAttrs)
	x, updates := p.in(n, 0), p.in(n, 2)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	c := indexed{Elem: x.elem, Rank: x.layout.Rank(), Starts: len(a.index)}
	copy(c.Axes[:], a.index)
	window := 0 // of the axes that updates have
	for d := range c.Rank {
		c.Size[d] = 1
		if !slices.Contains(a.inserted, d) {
			c.Size[d] = updates.layout.Size(a.window[window])
			window++
		}
	}
	switch n.op {
	case backends.OpTypeScatterSum:
		c.Op = scatterAdd
	case backends.OpTypeScatterMax:
		c.Op = scatterMax
	case backends.OpTypeScatterMin:
		c.Op = scatterMin
	}
	index, err := p.vectors(n, p.in(n, 1), a.vectorAxis)
	if err != nil {
		return out, err
	}
	if updates, err = permute(updates, append(others(updates.layout.Rank(), a.window), a.window...)...); err != nil {
		return out, err
	}
	p.copy(n, out, x)
	return out, p.scatter(n, out, index, updates, c)
}

// scatter appends the steps that combine windows of out with updates. Types without atomic ops are added up in ones that have
// them, or one window after the other.
func (p *planner) scatter(n *node, out, index, updates operand, c indexed) (err error) {
	windows := index.layout.Size(0)
	if updates.layout.Len() == 0 {
		return nil
	}
	if updates, err = p.reshape(n, updates, windows, c.columns()); err != nil {
		return err
	}
	if c.Rank == 0 {
		out.layout, _ = out.layout.Unsqueeze(0)
		c.Rank, c.Size[0] = 1, 1
	}
	c.Index, c.Sequential = index.elem, c.Op != scatterSet && (p.dev.Caps().WholeTiles || !atomics(c.Op, c.Elem))
	c = p.newIndexed(c, windows)
	s := step{op: n.op, out: []operand{out}, in: []operand{index, updates, out}}
	s.run = func(out, in []*weft.Tensor) error { return scatterKernel.Launch(c, in[0], in[1], out[0]) }
	p.steps = append(p.steps, s)
	return nil
}

// startVector brings the starts of a dynamic slice, scalars, into one row.
func (p *planner) startVector(n *node, list []*node) (operand, error) {
	if x := p.placed[list[0].id][0]; x.layout.Rank() == 1 { // they are one vector
		return p.reshape(n, x, 1, x.layout.Len())
	}
	out, err := p.temp(list[0].elem(), 1, len(list))
	if err != nil {
		return out, err
	}
	for i, in := range list {
		part, err := out.layout.Slice(1, i, i+1, 1)
		if err != nil {
			return out, err
		}
		x, err := p.reshape(n, p.placed[in.id][0], 1, 1)
		if err != nil {
			return out, err
		}
		p.copy(n, operand{out.storage, part}, x)
	}
	return out, nil
}

// sliceWindow is the kernel of a slice whose start is computed.
func sliceWindow(x operand, index weft.DType, sizes []int) indexed {
	c := indexed{Elem: x.elem, Index: index, Rank: x.layout.Rank(), Starts: x.layout.Rank(), Clamp: true}
	copy(c.Size[:], sizes)
	for d := range c.Rank {
		c.Axes[d] = d
	}
	return c
}

func (p *planner) placeDynamicSlice(n *node) (operand, error) {
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x.layout.Rank() == 0 {
		p.copy(n, out, x)
		return out, nil
	}
	index, err := p.startVector(n, n.in[1:])
	if err != nil {
		return out, err
	}
	return out, p.gather(n, out, x, index, sliceWindow(x, index.elem, n.shape.Dimensions))
}

func (p *planner) placeDynamicUpdate(n *node) (operand, error) {
	x, update := p.in(n, 0), p.in(n, 1)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x.layout.Rank() == 0 {
		p.copy(n, out, update)
		return out, nil
	}
	index, err := p.startVector(n, n.in[2:])
	if err != nil {
		return out, err
	}
	p.copy(n, out, x)
	return out, p.scatter(n, out, index, update, sliceWindow(x, index.elem, update.dims()))
}
