package ops

import (
	mathbits "math/bits"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// unsignedAs is the unsigned integer of a type's size.
func unsignedAs(elem weft.DType) weft.DType {
	for _, t := range dtype.All() {
		if t.IsInt() && !t.IsSigned() && t.Size() == elem.Size() {
			return t
		}
	}
	return elem
}

// pattern are the bits of integers, as unsigned ones of the same size.
func pattern(x *tile.Value) *tile.Value {
	elem := x.Type().Elem
	if to := unsignedAs(elem); to != elem {
		return x.Bitcast(to)
	}
	return x
}

// words are the bits of integers in one U32 or, the high one first, two.
func words(x *tile.Value) []*tile.Value {
	bits := pattern(x)
	switch x.Type().Elem.Size() {
	case 4:
		return []*tile.Value{bits}
	case 8:
		return []*tile.Value{bits.Shr(32).Cast(dtype.U32), bits.Cast(dtype.U32)}
	}
	return []*tile.Value{bits.Cast(dtype.U32)}
}

// countWord counts the ones of U32: of pairs of bits, of fours, of bytes, and then all of them by a product.
func countWord(x *tile.Value) *tile.Value {
	x = x.Sub(x.Shr(1).And(0x55555555))
	x = x.And(0x33333333).Add(x.Shr(2).And(0x33333333))
	x = x.Add(x.Shr(4)).And(0x0f0f0f0f)
	return x.Mul(0x01010101).Shr(24)
}

// bitCount is the number of ones.
func bitCount(x *tile.Value) *tile.Value {
	list := words(x)
	n := countWord(list[0])
	for _, word := range list[1:] {
		n = n.Add(countWord(word))
	}
	return n.Cast(x.Type().Elem)
}

// clz is the number of zeros before the first one, all bits of 0.
func clz(x *tile.Value) *tile.Value {
	k, list := x.Builder(), words(x)
	leading := func(word *tile.Value) *tile.Value {
		for shift := 1; shift < 32; shift *= 2 {
			word = word.Or(word.Shr(shift))
		}
		return countWord(word.Not())
	}
	n := leading(list[0])
	for _, word := range list[1:] {
		n = k.Where(n.Eq(32), leading(word).Add(32), n)
	}
	if bits := 8 * x.Type().Elem.Size(); bits < 32 {
		n = n.Sub(32 - bits)
	}
	return n.Cast(x.Type().Elem)
}

// shrLogical shifts in zeros.
func shrLogical(in []*tile.Value) *tile.Value {
	elem := in[0].Type().Elem
	if !elem.IsSigned() {
		return in[0].Shr(in[1])
	}
	return pattern(in[0]).Shr(pattern(in[1])).Bitcast(elem)
}

// exactBits is the pattern of a number of a type.
func exactBits(elem weft.DType, x float64) uint64 {
	return uint64(int64(x)) << (64 - 8*elem.Size()) >> (64 - 8*elem.Size())
}

func exactCount(elem weft.DType, x []float64) float64 {
	return float64(mathbits.OnesCount64(exactBits(elem, x[0])))
}

func exactClz(elem weft.DType, x []float64) float64 {
	return float64(mathbits.LeadingZeros64(exactBits(elem, x[0])) - (64 - 8*elem.Size()))
}

func exactShrLogical(elem weft.DType, x []float64) float64 {
	return float64(exactBits(elem, x[0]) >> uint(x[1]))
}
