package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// Prod multiplies the elements along an axis, which remains with size 1.
func (v *Value) Prod(axis int) *Value { return v.reduce(OpReduceProd, axis) }

// Any holds, along an axis, if an element of the Bool v does; the axis remains with size 1.
func (v *Value) Any(axis int) *Value { return v.reduce(OpReduceAny, axis) }

// All holds, along an axis, if all elements of the Bool v do; the axis remains with size 1.
func (v *Value) All(axis int) *Value { return v.reduce(OpReduceAll, axis) }

// ArgMax is the I32 index along an axis, which remains with size 1, of the largest element. Of
// equal elements, 0 and -0 among them, it is the first; a NaN counts as larger than
// every number.
func (v *Value) ArgMax(axis int) *Value { return v.arg("argmax", axis, math.MaxInt32, (*Value).Gt) }

// ArgMin is the I32 index along an axis, which remains with size 1, of the smallest element.
// Of equal elements, 0 and -0 among them, it is the first; a NaN counts as
// smaller than every number.
func (v *Value) ArgMin(axis int) *Value { return v.arg("argmin", axis, math.MinInt32, (*Value).Lt) }

// arg reduces pairs of a key, which orders the elements without ties between
// different ones, and an index.
func (v *Value) arg(name string, axis int, nan int, before func(v *Value, x Operand) *Value) *Value {
	rank := len(v.typ.Shape)
	if axis < -rank || axis >= rank || v.typ.Elem == dtype.Bool {
		return v.b.named(name, func() *Value { return v.Sum(axis) }) // whose rule reports what is wrong
	}
	pairs := []*Value{v.OrderKey(nan), v.b.Iota(axis, v.typ.Shape...)}
	return Reduce(pairs, axis, func(x, y []*Value) []*Value {
		later := before(y[0], x[0]).Or(y[0].Eq(x[0]).And(y[1].Lt(x[1])))
		return []*Value{v.b.Where(later, y[0], x[0]), v.b.Where(later, y[1], x[1])}
	})[1]
}

// OrderKey is an integer for each element that has the elements' order: I32, except that integers of 32 and
// 64 bits are their own keys and that those of F64 are I64. Equal floats have equal keys, 0 and -0 among them, and a NaN has
// the given one, for F64 times 2^32: math.MaxInt32 and math.MinInt32 are beyond those of all numbers. It is
// for a Reduce that orders elements, as ArgMax is one.
func (v *Value) OrderKey(nan int) *Value {
	switch {
	case v.typ.Elem.IsInt() && v.typ.Elem.Size() >= 4:
		return v
	case v.typ.Elem.IsInt():
		return v.Cast(dtype.I32)
	}
	if v.typ.Elem == dtype.F64 {
		bits := v.Bitcast(dtype.I64)
		size, negative := bits.And(math.MaxInt64), bits.Shr(63)
		return v.b.Where(size.Gt(0x7ff0<<48), v.b.Full(dtype.I64, int64(nan)<<32, v.typ.Shape...), size.Xor(negative).Sub(negative))
	}
	bits := v.Cast(dtype.F32).Bitcast(dtype.I32)
	size, negative := bits.And(math.MaxInt32), bits.Shr(31)
	key := size.Xor(negative).Sub(negative) // a sign and a size as a number in two's complement: -0 is 0
	return v.b.Where(size.Gt(0x7f800000), v.b.Full(dtype.I32, float64(nan), v.typ.Shape...), key)
}
