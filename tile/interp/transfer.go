package interp

import (
	"encoding/binary"
	"math"

	"github.com/weftgpu/weft/dtype"
)

// A transfer moves n elements between a register, from element r in steps of
// rs, and memory, from byte m in steps of ms.
type transfer[T value] func(d []T, r, rs int, data []byte, m, ms, n int)

// reading and writing make transfers from the conversion of one element.
func reading[T value](get func(b []byte) T) transfer[T] {
	return func(d []T, r, rs int, data []byte, m, ms, n int) {
		for range n {
			d[r] = get(data[m:])
			r, m = r+rs, m+ms
		}
	}
}

func writing[T value](put func(b []byte, x T)) transfer[T] {
	return func(d []T, r, rs int, data []byte, m, ms, n int) {
		for range n {
			put(data[m:], d[r])
			r, m = r+rs, m+ms
		}
	}
}

// decoders and encoders return the transfers of an element type; T is its class's.
func decoders[T value](e dtype.Type) transfer[T] { t, _ := readers[e].(transfer[T]); return t }
func encoders[T value](e dtype.Type) transfer[T] { t, _ := writers[e].(transfer[T]); return t }

var readers = map[dtype.Type]any{
	dtype.F32:  transfer[float32](readFloats),
	dtype.F64:  reading(func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }),
	dtype.F16:  transfer[float32](readF16),
	dtype.BF16: transfer[float32](readBF16),
	dtype.I32:  transfer[int32](readWords[int32]),
	dtype.U32:  transfer[uint32](readWords[uint32]),
	dtype.I64:  reading(func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }),
	dtype.U64:  reading(binary.LittleEndian.Uint64),
	dtype.I16:  reading(func(b []byte) int32 { return int32(int16(binary.LittleEndian.Uint16(b))) }),
	dtype.U16:  reading(func(b []byte) int32 { return int32(binary.LittleEndian.Uint16(b)) }),
	dtype.I8:   reading(func(b []byte) int32 { return int32(int8(b[0])) }),
	dtype.U8:   reading(func(b []byte) int32 { return int32(b[0]) }),
	dtype.Bool: reading(func(b []byte) bool { return b[0] != 0 }),
}

var writers = map[dtype.Type]any{
	dtype.F32:  transfer[float32](writeFloats),
	dtype.F64:  writing(func(b []byte, x float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(x)) }),
	dtype.F16:  transfer[float32](writeF16),
	dtype.BF16: transfer[float32](writeBF16),
	dtype.I32:  transfer[int32](writeWords[int32]),
	dtype.U32:  transfer[uint32](writeWords[uint32]),
	dtype.I64:  writing(func(b []byte, x int64) { binary.LittleEndian.PutUint64(b, uint64(x)) }),
	dtype.U64:  writing(binary.LittleEndian.PutUint64),
	dtype.I16:  writing(func(b []byte, x int32) { binary.LittleEndian.PutUint16(b, uint16(x)) }),
	dtype.U16:  writing(func(b []byte, x int32) { binary.LittleEndian.PutUint16(b, uint16(x)) }),
	dtype.I8:   writing(func(b []byte, x int32) { b[0] = byte(x) }),
	dtype.U8:   writing(func(b []byte, x int32) { b[0] = byte(x) }),
	dtype.Bool: writing(func(b []byte, x bool) {
		b[0] = 0
		if x {
			b[0] = 1
		}
	}),
}

// Floats and words go without a call per element: floats are what transposed matrix operands are read with, and words what elements of any type are moved as.

func readFloats(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		d[r] = math.Float32frombits(binary.LittleEndian.Uint32(data[m:]))
		r, m = r+rs, m+ms
	}
}

func writeFloats(d []float32, r, rs int, data []byte, m, ms, n int) {
	for range n {
		binary.LittleEndian.PutUint32(data[m:], math.Float32bits(d[r]))
		r, m = r+rs, m+ms
	}
}

func readWords[T int32 | uint32](d []T, r, rs int, data []byte, m, ms, n int) {
	for range n {
		d[r] = T(binary.LittleEndian.Uint32(data[m:]))
		r, m = r+rs, m+ms
	}
}

func writeWords[T int32 | uint32](d []T, r, rs int, data []byte, m, ms, n int) {
	for range n {
		binary.LittleEndian.PutUint32(data[m:], uint32(d[r]))
		r, m = r+rs, m+ms
	}
}
