package dtype

import (
	"github.com/x448/float16"
)

// weftNeeds64BitInts fails a build for a processor of 32 bits: sizes, strides and the costs of the compiler are ints,
// and more than 32 bits wide.
const (
	weftNeeds64BitInts     = 1 << 62
	_                  int = weftNeeds64BitInts
)

// Type is an element type. The zero value is Invalid.
type Type uint8

// The element types.
const (
	Invalid Type = iota
	Bool         // one byte in memory, 0 or 1
	I8           // two's complement
	U8
	I16 // two's complement
	U16
	I32
	U32
	I64
	U64
	F16  // IEEE 754 binary16
	BF16 // bfloat16: the upper half of binary32
	F32  // IEEE 754 binary32
	F64  // IEEE 754 binary64
	numTypes
)

type info struct {
	name   string
	size   int
	float  bool
	signed bool
}

var infos = [numTypes]info{
	Invalid: {"invalid", 0, false, false},
	Bool:    {"bool", 1, false, false},
	I8:      {"i8", 1, false, true},
	U8:      {"u8", 1, false, false},
	I16:     {"i16", 2, false, true},
	U16:     {"u16", 2, false, false},
	I32:     {"i32", 4, false, true},
	U32:     {"u32", 4, false, false},
	I64:     {"i64", 8, false, true},
	U64:     {"u64", 8, false, false},
	F16:     {"f16", 2, true, true},
	BF16:    {"bf16", 2, true, true},
	F32:     {"f32", 4, true, true},
	F64:     {"f64", 8, true, true},
}

// All lists every valid type in order.
func All() []Type { return []Type{Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64} }

// Valid reports whether t is one of the element types.
func (t Type) Valid() bool { return t > Invalid && t < numTypes }

// String returns the type's short name, such as "bf16".
func (t Type) String() string {
	if t >= numTypes {
		return "invalid"
	}
	return infos[t].name
}

// Parse returns the type with a short name, or Invalid.
func Parse(name string) Type {
	for _, t := range All() {
		if infos[t].name == name {
			return t
		}
	}
	return Invalid
}

// Size returns the bytes of one element in memory, 0 for Invalid.
func (t Type) Size() int {
	if t >= numTypes {
		return 0
	}
	return infos[t].size
}

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t < numTypes && infos[t].float }

// IsInt reports whether t is an integer type; Bool is not.
func (t Type) IsInt() bool { return t >= I8 && t <= U64 }

// Accumulator is the type in which elements of a type are added up and computed with: F32 for F16 and BF16, I32
// for integers of less than 32 bits and for Bool, and for others themselves.
func (t Type) Accumulator() Type {
	switch {
	case t == F16 || t == BF16:
		return F32
	case t == Bool || t.IsInt() && t.Size() < 4:
		return I32
	}
	return t
}

// IsSigned reports whether t has negative values.
func (t Type) IsSigned() bool { return t < numTypes && infos[t].signed }

// Float16 is the Go type of an F16 element.
type Float16 = float16.Float16

// BFloat16 is the Go type of a BF16 element: its bit pattern.
type BFloat16 uint16

// Element lists the Go types that stand for element types.
type Element interface {
	bool | int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | Float16 | BFloat16 | float32 | float64
}

// Of returns the element type that the Go type T stands for.
func Of[T Element]() Type {
	var z T
	switch any(z).(type) {
	case bool:
		return Bool
	case int8:
		return I8
	case uint8:
		return U8
	case int16:
		return I16
	case uint16:
		return U16
	case int32:
		return I32
	case uint32:
		return U32
	case int64:
		return I64
	case uint64:
		return U64
	case Float16:
		return F16
	case BFloat16:
		return BF16
	case float64:
		return F64
	default:
		return F32
	}
}
