package weft

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// numberParameter declares what stands for a number of an element type among a kernel's
// scalars, which have 32 bits: one, or two for the halves of 64 bits. See appendNumber.
func numberParameter(k *tile.Builder, name string, elem DType) *tile.Value {
	switch elem {
	case I64, U64, F64:
		low, high := k.Scalar(name, U32), k.Scalar(name+"_high", U32)
		return low.Cast(U64).Or(high.Cast(U64).Shl(32)).Bitcast(elem)
	case I8, I16, I32:
		return k.Scalar(name, I32).Cast(elem)
	case U8, U16, U32:
		return k.Scalar(name, U32).Cast(elem)
	case Bool:
		return k.Scalar(name, U32).Ne(0)
	}
	return k.Scalar(name, F32).Cast(elem)
}

// appendNumber appends the words of a Go number as parameters of a kernel; see numberParameter.
func appendNumber(words []uint32, elem DType, x any) ([]uint32, error) {
	n := dtype.NumberOf(x)
	if n.Kind == dtype.NoNumber {
		return words, fmt.Errorf("a %T, want a tensor or a number", x)
	}
	if elem == F64 {
		bits := math.Float64bits(n.Float64())
		return append(words, uint32(bits), uint32(bits>>32)), nil
	}
	if elem.IsFloat() {
		return append(words, math.Float32bits(dtype.Round(elem, n.Float64()))), nil
	}
	value, ok := wholeBits(elem, n)
	if !ok {
		return words, fmt.Errorf("%v is not a value of %v", x, elem)
	}
	if elem == I64 || elem == U64 {
		return append(words, uint32(value), uint32(value>>32)), nil
	}
	return append(words, uint32(value)), nil
}

// scalarWord is the word of a Go number as a scalar parameter of a kernel, I32, U32 or F32.
func scalarWord(elem DType, x any) (word uint32, ok bool) {
	n := dtype.NumberOf(x)
	switch {
	case n.Kind == dtype.NoNumber:
		return 0, false
	case elem == F32:
		return math.Float32bits(dtype.Round(F32, n.Float64())), true
	case n.Kind == dtype.FloatNumber:
		return 0, false
	case elem == I32 && n.Negative:
		return uint32(-n.Magnitude), n.Magnitude <= 1<<31
	case elem == I32:
		return uint32(n.Magnitude), n.Magnitude < 1<<31
	}
	return uint32(n.Magnitude), !n.Negative && n.Magnitude < 1<<32
}
