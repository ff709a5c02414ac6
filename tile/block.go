package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Block is a way of cutting a view into tiles of one shape, which are read and written at
// coordinates counted in tiles, or at offsets counted in elements.
type Block struct {
	view     *View
	shape    []int
	squeezed uint8 // dimensions, by bits, that the tiles do not have
	fill     float64
}

// Block cuts the view into tiles of a shape, one power of two for each dimension. Elements
// beyond the view's edges load as zero.
func (v *View) Block(shape ...int) Block { return Block{view: v, shape: slices.Clone(shape)} }

// Fill returns the block with another number for elements beyond the view's edges, rounded as by Builder.Const. Of
// integers it has at most 53 binary digits (ErrLimit).
func (b Block) Fill(x Number) Block { b.fill = b.view.b.fill(b.view.Elem, x); return b }

// Squeeze returns the block without dimensions of size 1: tiles that are loaded and stored do
// not have them. The view keeps them, and coordinates name all of its dimensions:
//
//	keys := x.Block(1, 1, 64, 32).Squeeze(0, 1).Load(batch, head, row, 0) // of shape [64,32]
func (b Block) Squeeze(axes ...int) Block {
	rank, all := len(b.shape), uint8(1)<<len(b.shape)-1
	for _, axis := range axes {
		d := axisOf(axis, rank)
		switch {
		case d < 0 || d >= rank:
			b.view.b.fail(fault.New(fault.ErrKernel, "", "axis %d of a block of shape %v, which has rank %d, does not exist", axis, b.shape, rank))
		case b.shape[d] != 1:
			b.view.b.fail(fault.New(fault.ErrShape, "", "axis %d of a block of shape %v has size %d, want 1", axis, b.shape, b.shape[d]))
		case b.squeezed|1<<d == all:
			b.view.b.fail(fault.New(fault.ErrShape, "", "no dimension of a block of shape %v is left; View.At and Gather read a scalar", b.shape))
		default:
			b.squeezed |= 1 << d
		}
	}
	return b
}

// tile is the shape of the block's tiles.
func (b Block) tile() []int {
	var shape []int
	for d, n := range b.shape {
		if b.squeezed>>d&1 == 0 {
			shape = append(shape, n)
		}
	}
	return shape
}

// Load reads the tile at coordinates counted in tiles, one for each dimension of the view.
func (b Block) Load(coords ...Operand) *Value { return b.load(coords, false) }

// LoadAt reads the tile whose first element has offsets counted in elements, one for each
// dimension of the view: tiles may begin anywhere, also before the view's first element.
//
//	halo := image.Block(16, 64).LoadAt(row.Mul(16).Sub(1), column.Mul(64).Sub(1))
func (b Block) LoadAt(offsets ...Operand) *Value { return b.load(offsets, true) }

func (b Block) load(at []Operand, byElement bool) *Value {
	k := b.view.b
	op := &Op{Kind: OpLoad, View: b.view, Args: k.coords("coordinate", at), Number: b.fill, ByElement: byElement}
	v := k.emit(op, TileOf(b.view.Elem, b.shape...))
	if b.squeezed != 0 && v.typ.Elem.Valid() {
		v = v.Reshape(b.tile()...)
	}
	return v
}

// Store writes the tile at coordinates counted in tiles; elements beyond the
// view's edges are not written. A scalar or a tile with dimensions of size 1 is broadcast.
func (b Block) Store(value *Value, coords ...Operand) { b.store(value, coords, false) }

// StoreAt writes the tile whose first element has offsets counted in elements, as LoadAt reads it.
func (b Block) StoreAt(value *Value, offsets ...Operand) { b.store(value, offsets, true) }

func (b Block) store(value *Value, at []Operand, byElement bool) {
	k := b.view.b
	if value != nil && value.typ.Elem.Valid() {
		if shape := b.tile(); value.typ.IsScalar() {
			value = value.Splat(shape...)
		} else {
			value = value.Broadcast(shape...)
		}
		if b.squeezed != 0 && value.typ.Elem.Valid() {
			value = value.Reshape(b.shape...)
		}
	}
	k.emit(&Op{Kind: OpStore, View: b.view, Args: append([]*Value{value}, k.coords("coordinate", at)...), ByElement: byElement}, Type{})
}

// Points are the elements of the block at coordinates counted in tiles, for atomic ops on them.
func (b Block) Points(coords ...Operand) Points { return b.points(coords, b.start) }

// PointsAt are the elements of the block at offsets counted in elements, as LoadAt reads it.
func (b Block) PointsAt(offsets ...Operand) Points {
	return b.points(offsets, func(_ int, offset *Value) *Value { return offset })
}

func (b Block) points(at []Operand, start func(d int, at *Value) *Value) Points {
	k := b.view.b
	p := Points{view: b.view, fill: b.fill, block: true}
	if len(at) != len(b.shape) {
		k.fail(fault.New(fault.ErrShape, "", "%s given for a block of shape %v, want one for each dimension", fault.Count(len(at), "coordinate"), b.shape))
		return p
	}
	for d, c := range k.coords("coordinate", at) {
		p.indices = append(p.indices, b.along(d, func() *Value { return start(d, c) }))
	}
	return p
}

// Indices are the indices in the view, along an axis of it, of the elements of the block at a
// coordinate along the axis, counted in tiles. They are I32 and have size 1 along the block's
// other dimensions, so that arithmetic broadcasts them; along a squeezed axis they are a scalar.
// At a coordinate below 0, or one whose product with the block's size leaves 32 bits, they are those of the block before the
// view's first: none of them exists.
func (b Block) Indices(axis int, coord Operand) *Value {
	k, d := b.view.b, axisOf(axis, len(b.shape))
	if d < 0 || d >= len(b.shape) {
		k.fail(fault.New(fault.ErrKernel, "", "axis %d of a block of shape %v, which has rank %d, does not exist", axis, b.shape, len(b.shape)))
		return k.newValue(Type{}, nil)
	}
	return b.along(d, func() *Value { return b.start(d, k.operand("coord", coord, dtype.I32)) })
}

// Inside holds for the elements of the block at coordinates counted in tiles that the view has:
// for those that Load reads and Store writes. It has the shape of the block's tiles.
//
//	counts.At(values.Load(i)).Mask(values.Inside(i)).AtomicAdd(1)
func (b Block) Inside(coords ...Operand) *Value {
	k := b.view.b
	if len(coords) != len(b.shape) || len(coords) == 0 {
		k.fail(fault.New(fault.ErrShape, "", "%s given for a block of shape %v, want one for each dimension", fault.Count(len(coords), "coordinate"), b.shape))
		return k.newValue(Type{}, nil)
	}
	var inside *Value
	for d, c := range coords {
		below := b.Indices(d, c).Bitcast(dtype.U32).Lt(b.view.Dim(d).Bitcast(dtype.U32)) // an index before the view is a large number
		if inside != nil {
			below = inside.And(below)
		}
		inside = below
	}
	if inside.typ.Elem.Valid() {
		inside = inside.Broadcast(b.tile()...)
	}
	return inside
}

// along are the indices along a dimension of a block that starts at an index.
func (b Block) along(d int, start func() *Value) *Value {
	if b.squeezed>>d&1 != 0 {
		return start()
	}
	var shape []int
	at := 0
	for i := range b.shape {
		switch {
		case b.squeezed>>i&1 != 0:
		case i == d:
			at, shape = len(shape), append(shape, b.shape[d])
		default:
			shape = append(shape, 1)
		}
	}
	return b.view.b.Iota(at, shape...).Add(start())
}

// start is the index of the first element of a tile at a coordinate along a dimension.
func (b Block) start(d int, coord *Value) *Value { return b.view.b.blockStart(coord, b.shape[d]) }

// blockStart is the index of the first element of a block of n elements at a coordinate. Where the product does not
// fit 32 bits the block is one before the view, of which no element exists: the product would wrap.
func (k *Builder) blockStart(coord *Value, n int) *Value {
	limit := (1 << 31) / max(n, 1)
	switch c := constant(coord); {
	case n <= 1 || !coord.typ.Equal(ScalarOf(dtype.I32)):
	case c == nil:
		coord = k.Where(coord.Bitcast(dtype.U32).Lt(limit), coord, -1)
	case *c < 0 || *c >= float64(limit):
		coord = k.Int(-1)
	}
	return coord.Mul(n)
}
