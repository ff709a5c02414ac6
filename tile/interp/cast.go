package interp

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// argument is a scalar parameter: its word as the bits of dst's class.
func argument(dst reg, index int) step {
	d := dst.index
	switch dst.class {
	case floats:
		return func(w *worker) { w.f[d][0] = math.Float32frombits(w.args[index]) }
	case words:
		return func(w *worker) { w.u[d][0] = w.args[index] }
	default:
		return func(w *worker) { w.i[d][0] = int32(w.args[index]) }
	}
}

// cast converts between element types. Floats go to integers truncated and
// saturated, integers to narrower ones wrapped, numbers to Bool by x != 0.
func cast(from, to dtype.Type, dst, src int) step {
	var s step
	switch classOf(to) {
	case floats:
		s = castTo(floatBank, from, dst, src, func(x float32) float32 { return x },
			func(x int32) float32 { return float32(x) }, func(x uint32) float32 { return float32(x) })
	case ints:
		s = castTo(intBank, from, dst, src, func(x float32) int32 { return int32(saturate(to, float64(x))) },
			func(x int32) int32 { return x }, func(x uint32) int32 { return int32(x) })
	case words:
		s = castTo(wordBank, from, dst, src, func(x float32) uint32 { return uint32(saturate(to, float64(x))) },
			func(x int32) uint32 { return uint32(x) }, func(x uint32) uint32 { return x })
	default:
		s = castTo(boolBank, from, dst, src, func(x float32) bool { return x != 0 },
			func(x int32) bool { return x != 0 }, func(x uint32) bool { return x != 0 })
	}
	return then(s, narrow(to, dst))
}

// castTo picks the conversion from the operand's class.
func castTo[T value](k bank[T], from dtype.Type, dst, src int, ofFloat func(float32) T, ofInt func(int32) T, ofWord func(uint32) T) step {
	switch classOf(from) {
	case floats:
		return func(w *worker) { convert(k.of(w)[dst], w.f[src], ofFloat) }
	case ints:
		return func(w *worker) { convert(k.of(w)[dst], w.i[src], ofInt) }
	case words:
		return func(w *worker) { convert(k.of(w)[dst], w.u[src], ofWord) }
	}
	one, zero := k.to(dtype.I32, 1), k.to(dtype.I32, 0)
	return func(w *worker) {
		convert(k.of(w)[dst], w.b[src], func(x bool) T {
			if x {
				return one
			}
			return zero
		})
	}
}

func convert[T, S value](d []T, s []S, f func(S) T) {
	s = s[:len(d)]
	for i := range d {
		d[i] = f(s[i])
	}
}

// saturate truncates toward zero and clamps to the range of an integer type; a NaN is 0.
func saturate(e dtype.Type, x float64) int64 {
	lo, hi := 0.0, 0.0
	switch e {
	case dtype.I8:
		lo, hi = math.MinInt8, math.MaxInt8
	case dtype.U8:
		hi = math.MaxUint8
	case dtype.I32:
		lo, hi = math.MinInt32, math.MaxInt32
	case dtype.U32:
		hi = math.MaxUint32
	}
	if x != x {
		return 0
	}
	return int64(min(max(x, lo), hi))
}
