package dtype

import (
	"encoding/binary"
	"math"

	"github.com/x448/float16"
)

// ToFloat16 rounds x to the nearest F16, ties to even.
func ToFloat16(x float32) Float16 { return float16.Fromfloat32(x) }

// ToBFloat16 rounds x to the nearest BF16, ties to even; a NaN stays a (quiet) NaN.
func ToBFloat16(x float32) BFloat16 {
	b := math.Float32bits(x)
	if x != x {
		return BFloat16(b>>16 | 0x40)
	}
	return BFloat16((b + 0x7fff + b>>16&1) >> 16)
}

// Float32 returns the value of x, which is exact.
func (x BFloat16) Float32() float32 { return math.Float32frombits(uint32(x) << 16) }

// Round returns x rounded to the precision of t, F16 or BF16; for other types
// it is x.
func Round(t Type, x float32) float32 {
	switch t {
	case F16:
		return ToFloat16(x).Float32()
	case BF16:
		return ToBFloat16(x).Float32()
	default:
		return x
	}
}

// Epsilon returns the unit roundoff of a floating-point type (2^-24 for F32), and 0 for others.
func (t Type) Epsilon() float64 {
	switch t {
	case F16:
		return 0x1p-11
	case BF16:
		return 0x1p-8
	case F32:
		return 0x1p-24
	}
	return 0
}

// PutFloats encodes src as elements of t, little endian, into dst, which holds
// len(src)*t.Size() bytes. Floats round to nearest even; integers truncate
// toward zero and saturate; Bool is x != 0.
func PutFloats(t Type, dst []byte, src []float64) {
	size := t.Size()
	for i, x := range src {
		putFloat(t, dst[i*size:], x)
	}
}

func putFloat(t Type, dst []byte, x float64) {
	switch t {
	case F32:
		binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(x)))
	case F16:
		binary.LittleEndian.PutUint16(dst, uint16(ToFloat16(float32(x))))
	case BF16:
		binary.LittleEndian.PutUint16(dst, uint16(ToBFloat16(float32(x))))
	case I32:
		binary.LittleEndian.PutUint32(dst, uint32(int32(saturate(x, math.MinInt32, math.MaxInt32))))
	case U32:
		binary.LittleEndian.PutUint32(dst, uint32(saturate(x, 0, math.MaxUint32)))
	case I8:
		dst[0] = byte(int8(saturate(x, math.MinInt8, math.MaxInt8)))
	case U8:
		dst[0] = byte(saturate(x, 0, math.MaxUint8))
	case Bool:
		dst[0] = 0
		if x != 0 {
			dst[0] = 1
		}
	}
}

func saturate(x, lo, hi float64) float64 {
	if x != x {
		return 0
	}
	return math.Trunc(min(max(x, lo), hi))
}

// Floats decodes the elements of t in src, little endian, into dst; every value is exact.
func Floats(t Type, dst []float64, src []byte) {
	size := t.Size()
	for i := range dst {
		dst[i] = getFloat(t, src[i*size:])
	}
}

func getFloat(t Type, src []byte) float64 {
	switch t {
	case F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(src)))
	case F16:
		return float64(Float16(binary.LittleEndian.Uint16(src)).Float32())
	case BF16:
		return float64(BFloat16(binary.LittleEndian.Uint16(src)).Float32())
	case I32:
		return float64(int32(binary.LittleEndian.Uint32(src)))
	case U32:
		return float64(binary.LittleEndian.Uint32(src))
	case I8:
		return float64(int8(src[0]))
	case U8:
		return float64(src[0])
	case Bool:
		if src[0] != 0 {
			return 1
		}
	}
	return 0
}
