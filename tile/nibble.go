package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Integers of 4 bits travel packed, as package dtype lays them out: two in a U8, the low
// half first, or eight in a U32, the lowest bits first. Unpacking and packing rearrange no
// elements between threads: a thread has the parts of the words that it has.

// Unpack4 takes the words of a U8 or U32 tile apart along an axis, whose size it multiplies by
// 2 or 8: the elements are I8 tiles of the values -8 to 7 or U8 tiles of 0 to 15.
func (v *Value) Unpack4(axis int, elem dtype.Type) *Value {
	n := nibbles(v.typ.Elem)
	axis = axisOf(axis, len(v.typ.Shape))
	if !v.checkNibbles("unpack4", axis, 1, n > 0 && (elem == dtype.I8 || elem == dtype.U8), elem) {
		return v.b.newValue(Type{}, nil)
	}
	shape := slices.Clone(v.typ.Shape)
	outer, inner := around(shape, axis)
	words := v.Reshape(outer, inner).Cast(dtype.I32)
	parts := make([]*Value, n)
	for i := range parts {
		if elem == dtype.I8 {
			parts[i] = words.Shl(28 - 4*i).Shr(28).Cast(elem)
		} else {
			parts[i] = words.Shr(4 * i).And(15).Cast(elem)
		}
	}
	for ; len(parts) > 1; parts = parts[:len(parts)/2] { // the highest bit of a part's number first
		half := len(parts) / 2
		for i := range half {
			parts[i] = parts[i].Join(parts[half+i])
		}
	}
	shape[axis] *= n
	joined := parts[0]
	perm := []int{0}
	for d := 2; d < len(joined.typ.Shape); d++ {
		perm = append(perm, d)
	}
	return joined.Permute(append(perm, 1)...).Reshape(shape...)
}

// Pack4 puts the low 4 bits of the elements of an I8 or U8 tile along an axis together into words
// of U8 or U32, by which the axis, of at least 2 or 8 elements, gets shorter. It undoes Unpack4.
func (v *Value) Pack4(axis int, word dtype.Type) *Value {
	n, e := nibbles(word), v.typ.Elem
	axis = axisOf(axis, len(v.typ.Shape))
	if !v.checkNibbles("pack4", axis, n, n > 0 && (e == dtype.I8 || e == dtype.U8), word) {
		return v.b.newValue(Type{}, nil)
	}
	shape := slices.Clone(v.typ.Shape)
	shape[axis] /= n
	outer, inner := around(shape, axis)
	apart, perm := []int{outer}, []int{0}
	for m := n; m > 1; m /= 2 {
		apart = append(apart, 2)
	}
	perm = append(perm, len(apart))
	for d := 1; d < len(apart); d++ {
		perm = append(perm, d)
	}
	parts := []*Value{v.Reshape(append(apart, inner)...).Permute(perm...)}
	for len(parts) < n { // the lowest bit of a part's number first
		half := len(parts)
		parts = append(parts, parts...)
		for i := range half {
			parts[i], parts[half+i] = parts[i].Split()
		}
	}
	words := parts[0].Cast(dtype.U32).And(15)
	for i, part := range parts[1:] {
		words = words.Or(part.Cast(dtype.U32).And(15).Shl(4 * (i + 1)))
	}
	return words.Cast(word).Reshape(shape...)
}

// nibbles is how many integers of 4 bits a word holds, 0 for what is no word.
func nibbles(word dtype.Type) int {
	if word == dtype.U8 || word == dtype.U32 {
		return 2 * word.Size()
	}
	return 0
}

// around is the number of elements up to an axis, its own counted, and after it.
func around(shape []int, axis int) (outer, inner int) {
	return Type{Shape: shape[:axis+1]}.Len(), Type{Shape: shape[axis+1:]}.Len()
}

// checkNibbles reports whether a tile has an axis of at least n elements and the types are right.
func (v *Value) checkNibbles(op string, axis, n int, types bool, to dtype.Type) bool {
	switch {
	case v.typ.Elem == dtype.Invalid: // the result of an earlier error
		return false
	case !types:
		v.b.fail(fault.New(fault.ErrKernel, op, "words of %v and parts of %v, want words of u8 or u32 and parts of i8 or u8", v.typ, to))
	case axis < 0 || axis >= len(v.typ.Shape) || v.typ.Shape[axis] < n:
		v.b.fail(fault.New(fault.ErrShape, op, "axis %d of %v, want at least %s along it", axis, v.typ, fault.Count(n, "element")))
	default:
		return true
	}
	return false
}
