package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Arange is the I32 tile [n] of the numbers 0 to n-1; n is a power of two.
func (k *Builder) Arange(n int) *Value { return k.Iota(0, n) }

// Iota is an I32 tile of a shape in which every element is its own
// coordinate along an axis: a row or a column of numbers, to be broadcast.
func (k *Builder) Iota(axis int, shape ...int) *Value {
	return k.emit(&Op{Kind: OpIota, Axis: axis}, Type{Elem: dtype.I32, Shape: slices.Clone(shape)})
}

func ruleIota(op *Op, want Type) (Type, error) {
	if op.Axis < 0 || op.Axis >= len(want.Shape) {
		return Type{}, kernelError(op, "axis %d of shape %v", op.Axis, want.Shape)
	}
	return Type{Elem: dtype.I32, Shape: want.Shape}, checkShape(op, want.Shape)
}
