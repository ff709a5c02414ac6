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

// Round returns the value of t, F16, BF16 or F32, that is nearest to x, ties to even; for other types
// it is that of F32. It rounds once: a float64 that went through a float32 could end next to the nearest value.
func Round(t Type, x float64) float32 {
	switch t {
	case F16:
		return ToFloat16(narrow(x)).Float32()
	case BF16:
		return ToBFloat16(narrow(x)).Float32()
	default:
		return float32(x)
	}
}

// Nearest returns the value of a type of floats, F64 among them, that is nearest to x, ties to even; for other types x is
// rounded to F32.
func Nearest(t Type, x float64) float64 {
	if t == F64 {
		return x
	}
	return float64(Round(t, x))
}

// narrow rounds x to odd: to the float32 with an odd mantissa of the two next to x, unless one of them is x. What is
// rounded once more, to two bits less or fewer, is then what rounding x at once gives.
func narrow(x float64) float32 {
	f := float32(x)
	up := float64(f) < x
	if float64(f) == x || x != x || math.Float32bits(f)&1 != 0 {
		return f
	}
	// The neighbour on x's side has the odd mantissa.
	if up == (f > 0 || f == 0 && x > 0) {
		return math.Float32frombits(math.Float32bits(f) + 1)
	}
	return math.Float32frombits(math.Float32bits(f) - 1)
}

// Epsilon returns the unit roundoff of a floating-point type (2^-24 for F32, 2^-53 for F64), and 0 for others.
func (t Type) Epsilon() float64 {
	switch t {
	case F16:
		return 0x1p-11
	case BF16:
		return 0x1p-8
	case F32:
		return 0x1p-24
	case F64:
		return 0x1p-53
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
	case F64:
		binary.LittleEndian.PutUint64(dst, math.Float64bits(x))
	case F32:
		binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(x)))
	case F16:
		binary.LittleEndian.PutUint16(dst, uint16(ToFloat16(narrow(x))))
	case BF16:
		binary.LittleEndian.PutUint16(dst, uint16(ToBFloat16(narrow(x))))
	case I32, U32:
		binary.LittleEndian.PutUint32(dst, uint32(Integer(t, x)))
	case I64, U64:
		binary.LittleEndian.PutUint64(dst, Integer(t, x))
	case I16, U16:
		binary.LittleEndian.PutUint16(dst, uint16(Integer(t, x)))
	case I8, U8:
		dst[0] = byte(Integer(t, x))
	case Bool:
		dst[0] = 0
		if x != 0 {
			dst[0] = 1
		}
	}
}

// Integer returns the bits, in two's complement of 64, of x truncated toward zero and
// saturated to the range of an integer type; of a NaN it is 0.
func Integer(t Type, x float64) uint64 {
	lo, past := t.limits()
	switch x = math.Trunc(x); {
	case x != x:
		return 0
	case x < lo:
		return uint64(int64(lo))
	case x < past && t.IsSigned():
		return uint64(int64(x))
	case x < past:
		return uint64(x)
	case t == U64:
		return math.MaxUint64
	}
	return uint64(1)<<(8*t.Size()-signBits(t)) - 1
}

// Holds reports whether x is a value of an integer type, or for Bool 0 or 1.
func Holds(t Type, x float64) bool {
	lo, past := t.limits()
	return x == math.Trunc(x) && lo <= x && x < past
}

// limits are the least value of an integer type, or of Bool, and the number after its largest.
func (t Type) limits() (lo, past float64) {
	if t == Bool {
		return 0, 2
	}
	past = math.Ldexp(1, 8*t.Size()-signBits(t))
	if t.IsSigned() {
		lo = -past
	}
	return lo, past
}

func signBits(t Type) int {
	if t.IsSigned() {
		return 1
	}
	return 0
}

// Floats decodes the elements of t in src, little endian, into dst. Every value is exact,
// but for 64-bit integers beyond 2^53, which round to nearest even.
func Floats(t Type, dst []float64, src []byte) {
	size := t.Size()
	for i := range dst {
		dst[i] = getFloat(t, src[i*size:])
	}
}

func getFloat(t Type, src []byte) float64 {
	switch t {
	case F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(src))
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
	case I64:
		return float64(int64(binary.LittleEndian.Uint64(src)))
	case U64:
		return float64(binary.LittleEndian.Uint64(src))
	case I16:
		return float64(int16(binary.LittleEndian.Uint16(src)))
	case U16:
		return float64(binary.LittleEndian.Uint16(src))
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
