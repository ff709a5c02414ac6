package interp

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func isNaN(d, x int) step {
	return func(w *worker) { convert(w.b[d], w.f[x], func(v float32) bool { return v != v }) }
}

// bitcast reads the bits of one element type as another of the same size, by way
// of what memory would hold.
func bitcast(from, to dtype.Type, dst, src int) step {
	switch classOf(to) {
	case longs, longWords: // between each other alone
		return cast(from, to, dst, src)
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
