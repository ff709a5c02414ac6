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
	case I64, U64:
		low, high := k.Scalar(name, U32), k.Scalar(name+"_high", U32)
		return low.Cast(U64).Or(high.Cast(U64).Shl(32)).Bitcast(elem)
	case I8, I32:
		return k.Scalar(name, I32).Cast(elem)
	case U8, U32:
		return k.Scalar(name, U32).Cast(elem)
	case Bool:
		return k.Scalar(name, U32).Ne(0)
	}
	return k.Scalar(name, F32).Cast(elem)
}

// appendNumber appends the words of a Go number as parameters of a kernel; see numberParameter.
func appendNumber(words []uint32, elem DType, x any) ([]uint32, error) {
	n := numberOf(x)
	if n.kind == noNumber {
		return words, fmt.Errorf("a %T is no tensor and no number", x)
	}
	if elem.IsFloat() {
		return append(words, math.Float32bits(dtype.Round(elem, float32(n.float())))), nil
	}
	if n.kind == aFloat && n.value == math.Trunc(n.value) && math.Abs(n.value) < 0x1p64 { // 2.0 is a whole number
		n = goNumber{kind: aWhole, negative: n.value < 0, magnitude: uint64(math.Abs(n.value))}
	}
	bits := 8 * elem.Size()
	if elem == Bool {
		bits = 1
	}
	limit := uint64(math.MaxUint64) >> (64 - bits) // the largest magnitude
	switch {
	case elem.IsSigned() && n.negative:
		limit = 1 << (bits - 1)
	case elem.IsSigned():
		limit >>= 1
	case n.negative:
		limit = 0
	}
	if n.kind != aWhole || n.magnitude > limit {
		return words, fmt.Errorf("%v is no value of %v", x, elem)
	}
	value := n.magnitude
	if n.negative {
		value = -value
	}
	if elem == I64 || elem == U64 {
		return append(words, uint32(value), uint32(value>>32)), nil
	}
	return append(words, uint32(value)), nil
}

// scalarWord is the word of a Go number as a scalar parameter of a kernel, I32, U32 or F32.
func scalarWord(elem DType, x any) (word uint32, ok bool) {
	n := numberOf(x)
	switch {
	case n.kind == noNumber:
		return 0, false
	case elem == F32:
		return math.Float32bits(float32(n.float())), true
	case n.kind != aWhole:
		return 0, false
	case elem == I32 && n.negative:
		return uint32(-n.magnitude), n.magnitude <= 1<<31
	case elem == I32:
		return uint32(n.magnitude), n.magnitude < 1<<31
	}
	return uint32(n.magnitude), !n.negative && n.magnitude < 1<<32
}

// goNumber is a Go number taken apart: a float, or sign and magnitude of an integer or a bool.
type goNumber struct {
	kind      numberKind
	negative  bool
	magnitude uint64
	value     float64 // of a float
}

type numberKind uint8

const (
	noNumber numberKind = iota
	aWhole
	aFloat
)

// float is the number as a float, rounded if it has more digits.
func (n goNumber) float() float64 {
	switch {
	case n.kind == aFloat:
		return n.value
	case n.negative:
		return -float64(n.magnitude)
	}
	return float64(n.magnitude)
}

func numberOf(x any) goNumber {
	whole := func(x int64) goNumber {
		if x < 0 {
			return goNumber{kind: aWhole, negative: true, magnitude: -uint64(x)}
		}
		return goNumber{kind: aWhole, magnitude: uint64(x)}
	}
	switch x := x.(type) {
	case bool:
		if x {
			return whole(1)
		}
		return whole(0)
	case int:
		return whole(int64(x))
	case int8:
		return whole(int64(x))
	case int32:
		return whole(int64(x))
	case int64:
		return whole(x)
	case uint8:
		return whole(int64(x))
	case uint32:
		return whole(int64(x))
	case uint64:
		return goNumber{kind: aWhole, magnitude: x}
	case float32:
		return goNumber{kind: aFloat, value: float64(x)}
	case float64:
		return goNumber{kind: aFloat, value: x}
	}
	return goNumber{}
}
