package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Arange is the I32 tile [0, 1, … n-1] for a power of two n.
func (k *Builder) Arange(n int) *Value { return k.Iota(0, n) }

// axisOf is an axis counted from the first one. A negative one counts from the end, -1 for the
// last. What is not an axis stays as it is, for the op's rule to report.
func axisOf(axis, rank int) int {
	if axis < 0 && axis >= -rank {
		return axis + rank
	}
	return axis
}

// axisError is the error of an axis that a type does not have.
func axisError(op *Op, axis int, t Type) error {
	if t.IsScalar() {
		return kernelError(op, "axis %d of %v, which is a scalar, does not exist", axis, t)
	}
	return kernelError(op, "axis %d of %v, which has rank %d, does not exist", axis, t, len(t.Shape))
}

// Iota is an I32 tile of a shape whose elements are their coordinates along an axis.
func (k *Builder) Iota(axis int, shape ...int) *Value {
	return k.emit(&Op{Kind: OpIota, Axis: axisOf(axis, len(shape))}, TileOf(dtype.I32, shape...))
}

// Reshape gives the tile's elements, in row-major order, another shape with as
// many elements; v itself if it has that shape. Scalars have no shape to change.
func (v *Value) Reshape(shape ...int) *Value {
	if !v.typ.IsScalar() && slices.Equal(v.typ.Shape, shape) {
		return v
	}
	return v.b.emit(&Op{Kind: OpReshape, Args: []*Value{v}}, Type{Elem: v.typ.Elem, Shape: slices.Clone(shape)})
}

// Expand inserts a dimension of size 1, which is dimension axis of the result: 0 is its first and -1 its last one.
func (v *Value) Expand(axis int) *Value {
	rank := len(v.typ.Shape)
	at := axisOf(axis, rank+1)
	if at < 0 || at > rank {
		op := &Op{Kind: OpReshape, Args: []*Value{v}}
		v.b.failOp(kernelError(op, "axis %d of %v, expanded to rank %d, does not exist", axis, v.typ, rank+1))
		return v.b.newValue(Type{}, nil)
	}
	return v.Reshape(slices.Insert(slices.Clone(v.typ.Shape), at, 1)...)
}

// Permute reorders the dimensions: dimension d of the result is dimension perm[d] of v.
func (v *Value) Permute(perm ...int) *Value {
	perm = slices.Clone(perm)
	for d, p := range perm {
		perm[d] = axisOf(p, len(v.typ.Shape))
	}
	return v.b.emit(&Op{Kind: OpPermute, Args: []*Value{v}, Perm: perm}, Type{})
}

// Transpose swaps the last two dimensions of a tile of rank 2 or more.
func (v *Value) Transpose() *Value {
	perm := make([]int, len(v.typ.Shape))
	for d := range perm {
		perm[d] = d
	}
	if n := len(perm); n >= 2 {
		perm[n-1], perm[n-2] = n-2, n-1
	} else {
		perm = []int{1, 0} // the op's rule reports it
	}
	return v.Permute(perm...)
}

// Join joins v and x, of one type, along a new last dimension of size 2.
func (v *Value) Join(x *Value) *Value {
	return v.b.emit(&Op{Kind: OpJoin, Args: []*Value{v, x}}, Type{})
}

// Split undoes Join: the two halves of a tile whose last dimension has size 2,
// without that dimension.
func (v *Value) Split() (first, second *Value) {
	half := func(i int) *Value { return v.b.emit(&Op{Kind: OpSplit, Args: []*Value{v}, Axis: i}, Type{}) }
	return half(0), half(1)
}

// Reorder moves elements to computed places: element i of v, in row-major order, is element places[i] of the
// result, in the same order. places has v's shape, is I32, counts modulo the number of elements, and must be a
// permutation: of elements with one place any one is in it, and what is in a place to which
// none goes is not defined.
func (v *Value) Reorder(places *Value) *Value {
	return v.b.emit(&Op{Kind: OpReorder, Args: []*Value{v, places}}, Type{})
}

func ruleReorder(op *Op, _ Type) (Type, error) {
	v, places := op.Args[0].typ, op.Args[1].typ
	switch {
	case places.Elem != dtype.I32:
		return Type{}, kernelError(op, "places %v is %v, want i32", op.Args[1], places)
	case v.IsScalar() || !slices.Equal(v.Shape, places.Shape):
		return Type{}, shapeError(op, "the operands are %s, want a tile and a place for each of its elements", typeList(op.Args))
	}
	return v, nil
}

func ruleIota(op *Op, want Type) (Type, error) {
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	if op.Axis < 0 || op.Axis >= len(want.Shape) {
		return Type{}, axisError(op, op.Axis, want)
	}
	return Type{Elem: dtype.I32, Shape: want.Shape}, nil
}

func ruleReshape(op *Op, want Type) (Type, error) {
	from := op.Args[0].typ
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	switch {
	case want.IsScalar() && !from.IsScalar():
		return Type{}, shapeError(op, "%v cannot become a scalar, want At, which gives one element as a scalar", from)
	case from.IsScalar() && !want.IsScalar():
		return Type{}, shapeError(op, "a scalar cannot become shape %v, want Splat, which makes a tile of equal elements", want.Shape)
	case from.IsScalar() || from.Len() != want.Len():
		return Type{}, shapeError(op, "%v cannot become shape %v, want as many elements", from, want.Shape)
	}
	return Type{Elem: from.Elem, Shape: want.Shape}, nil
}

func rulePermute(op *Op, _ Type) (Type, error) {
	from := op.Args[0].typ
	shape := make([]int, len(from.Shape))
	seen := 0
	for d, p := range op.Perm {
		if len(op.Perm) != len(shape) || p < 0 || p >= len(shape) {
			break
		}
		shape[d] = from.Shape[p]
		seen |= 1 << p
	}
	if len(shape) == 0 || len(op.Perm) != len(shape) || seen != 1<<len(shape)-1 {
		return Type{}, shapeError(op, "%v does not order the dimensions of %v", op.Perm, from)
	}
	return Type{Elem: from.Elem, Shape: shape}, nil
}

func ruleJoin(op *Op, _ Type) (Type, error) {
	x, y := op.Args[0].typ, op.Args[1].typ
	if x.IsScalar() || !x.Equal(y) {
		return Type{}, differ(op, "the operands are %s", typeList(op.Args))
	}
	shape := append(slices.Clone(x.Shape), 2)
	return Type{Elem: x.Elem, Shape: shape}, checkShape(op, shape)
}

func ruleSplit(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	last := len(t.Shape) - 1
	if last < 1 || t.Shape[last] != 2 {
		return Type{}, shapeError(op, "the operand is %v, want 2 dimensions or more, the last of size 2", t)
	}
	if op.Axis < 0 || op.Axis > 1 {
		return Type{}, kernelError(op, "element %d of 2 does not exist", op.Axis)
	}
	return Type{Elem: t.Elem, Shape: slices.Clone(t.Shape[:last])}, nil
}
