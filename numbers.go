package weft

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// GoNumber is any integer or float type of Go.
type GoNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// FromNumbers copies Go numbers of any type, in row-major order, to a new dense tensor of a given element type. Without
// sizes it has one dimension, len(x). Floats are rounded to the element type once, to nearest even; integer types must
// hold each number, of which Bool holds 0 and 1:
//
//	x, err := weft.FromNumbers(dev, weft.F16, []int{1, 2, 3, 4}, 2, 2)
//
// Errors: ErrArgument for a number that the element type does not hold, ErrShape if the sizes do not multiply to len(x), and
// as for Empty.
func FromNumbers[T GoNumber](dev *Device, elem DType, x []T, shape ...int) (*Tensor, error) {
	const op = "from numbers"
	if len(shape) == 0 {
		shape = []int{len(x)}
	}
	if !elem.Valid() {
		return nil, fault.New(ErrArgument, op, "%v is not an element type, want %s", elem, dtype.OneOf(DType.Valid))
	}
	size := elem.Size()
	raw := make([]byte, len(x)*size)
	if elem.IsFloat() {
		floats := make([]float64, len(x))
		for i, n := range x {
			floats[i] = oddFloat(n)
		}
		dtype.PutFloats(elem, raw, floats)
		return fromBytes(op, dev, elem, raw, shape)
	}
	var word [8]byte
	for i, n := range x {
		value, ok := wholeBits(elem, numberFrom(n))
		if !ok {
			return nil, fault.New(ErrArgument, op, "element %d: %v is not a value of %v", i, n, elem).For("x")
		}
		binary.LittleEndian.PutUint64(word[:], value)
		copy(raw[i*size:(i+1)*size], word[:])
	}
	return fromBytes(op, dev, elem, raw, shape)
}

// isFloat reports whether T is a type of floats.
func isFloat[T GoNumber]() bool { return T(1)/T(2) != 0 }

// numberFrom takes a number apart without an allocation.
func numberFrom[T GoNumber](x T) dtype.Number {
	switch {
	case isFloat[T]():
		return dtype.Number{Kind: dtype.FloatNumber, Float: float64(x)}
	case x < 0:
		return dtype.Number{Kind: dtype.IntNumber, Negative: true, Magnitude: -uint64(x)}
	}
	return dtype.Number{Kind: dtype.IntNumber, Magnitude: uint64(x)}
}

// oddFloat is a number as a float64 that rounds to any shorter type as the number itself does: an integer with more than 53 bits is
// cut off, and its last bit set for what is missing (rounding to odd).
func oddFloat[T GoNumber](x T) float64 {
	n := numberFrom(x)
	if n.Kind == dtype.FloatNumber {
		return n.Float
	}
	if past := bits.Len64(n.Magnitude) - 53; past > 0 {
		whole := n.Magnitude >> past << past
		if whole != n.Magnitude {
			whole |= 1 << past
		}
		n.Magnitude = whole
	}
	return n.Float64()
}

// wholeBits are the bits, in two's complement of 64, of a number as an element of an integer type or of Bool, and whether it is
// a value of that type. 2.0 is a whole number.
func wholeBits(elem DType, n dtype.Number) (value uint64, ok bool) {
	if f := n.Float; n.Kind == dtype.FloatNumber && f == math.Trunc(f) && math.Abs(f) < 0x1p64 {
		n = dtype.Number{Kind: dtype.IntNumber, Negative: f < 0, Magnitude: uint64(math.Abs(f))}
	}
	bits := 8 * elem.Size()
	if elem == Bool {
		bits = 1
	}
	limit := uint64(math.MaxUint64) >> (64 - bits) // the largest magnitude
	switch {
	case elem.IsSigned() && n.Negative:
		limit = 1 << (bits - 1)
	case elem.IsSigned():
		limit >>= 1
	case n.Negative:
		limit = 0
	}
	if n.Kind == dtype.FloatNumber || n.Magnitude > limit {
		return 0, false
	}
	if n.Negative {
		return -n.Magnitude, true
	}
	return n.Magnitude, true
}
