package interp

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func isNaN[T real](k bank[T], d, x int) step {
	return func(w *worker) { convert(w.b[d], k.of(w)[x], func(v T) bool { return v != v }) }
}

// bitcast reads the bits of one element type as another of the same size, by way
// of what memory would hold.
func bitcast(from, to dtype.Type, dst, src int) step {
	switch classOf(to) {
	case doubles:
		return bitcastLong(doubleBank, from, dst, src, math.Float64frombits)
	case longs:
		return bitcastLong(longBank, from, dst, src, func(b uint64) int64 { return int64(b) })
	case longWords:
		return bitcastLong(longWordBank, from, dst, src, func(b uint64) uint64 { return b })
	case floats:
		value := math.Float32frombits
		switch to {
		case dtype.F16:
			value = func(b uint32) float32 { return fromF16(uint16(b)) }
		case dtype.BF16:
			value = func(b uint32) float32 { return math.Float32frombits(b << 16) }
		}
		return bitcastTo(floatBank, from, dst, src, value)
	case words:
		return bitcastTo(wordBank, from, dst, src, func(b uint32) uint32 { return b })
	}
	return then(bitcastTo(intBank, from, dst, src, func(b uint32) int32 { return int32(b) }), narrow(to, dst))
}

// bitcastLong is bitcastTo of 64 bits.
func bitcastLong[T value](k bank[T], from dtype.Type, dst, src int, value func(bits uint64) T) step {
	switch classOf(from) {
	case doubles:
		return func(w *worker) {
			convert(k.of(w)[dst], w.d[src], func(x float64) T { return value(math.Float64bits(x)) })
		}
	case longs:
		return func(w *worker) { convert(k.of(w)[dst], w.l[src], func(x int64) T { return value(uint64(x)) }) }
	}
	return func(w *worker) { convert(k.of(w)[dst], w.ul[src], value) }
}

func bitcastTo[T value](k bank[T], from dtype.Type, dst, src int, value func(bits uint32) T) step {
	switch classOf(from) {
	case floats:
		bits := math.Float32bits
		switch from {
		case dtype.F16:
			bits = func(x float32) uint32 { return uint32(dtype.ToFloat16(x)) }
		case dtype.BF16:
			bits = func(x float32) uint32 { return uint32(dtype.ToBFloat16(x)) }
		}
		return func(w *worker) { convert(k.of(w)[dst], w.f[src], func(x float32) T { return value(bits(x)) }) }
	case words:
		return func(w *worker) { convert(k.of(w)[dst], w.u[src], value) }
	}
	return func(w *worker) { convert(k.of(w)[dst], w.i[src], func(x int32) T { return value(uint32(x)) }) }
}
