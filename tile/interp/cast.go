package interp

import (
	"math"
	"unsafe"

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
	switch classOf(from) {
	case floats:
		s = castReal(floatBank, to, dst, src)
	case doubles:
		s = castReal(doubleBank, to, dst, src)
	case ints:
		s = castInt(intBank, to, dst, src)
	case words:
		s = castInt(wordBank, to, dst, src)
	case longs:
		s = castInt(longBank, to, dst, src)
	case longWords:
		s = castInt(longWordBank, to, dst, src)
	default:
		s = castBool(to, dst, src)
	}
	return then(s, narrow(to, dst))
}

func castReal[S real](from bank[S], to dtype.Type, dst, src int) step {
	whole := func(x S) uint64 { return dtype.Integer(to, float64(x)) }
	narrowing := func(x S) float32 { return float32(x) }
	if unsafe.Sizeof(S(0)) == 8 { // to 16 bits in one rounding
		narrowing = func(x S) float32 { return dtype.Round(to, float64(x)) }
	}
	switch classOf(to) {
	case floats:
		return converted(floatBank, from, dst, src, narrowing)
	case doubles:
		return converted(doubleBank, from, dst, src, func(x S) float64 { return float64(x) })
	case ints:
		return converted(intBank, from, dst, src, func(x S) int32 { return int32(whole(x)) })
	case words:
		return converted(wordBank, from, dst, src, func(x S) uint32 { return uint32(whole(x)) })
	case longs:
		return converted(longBank, from, dst, src, func(x S) int64 { return int64(whole(x)) })
	case longWords:
		return converted(longWordBank, from, dst, src, whole)
	}
	return converted(boolBank, from, dst, src, func(x S) bool { return x != 0 })
}

func castInt[S integer](from bank[S], to dtype.Type, dst, src int) step {
	switch classOf(to) {
	case floats:
		return converted(floatBank, from, dst, src, func(x S) float32 { return float32(x) })
	case doubles:
		return converted(doubleBank, from, dst, src, func(x S) float64 { return float64(x) })
	case ints:
		return converted(intBank, from, dst, src, func(x S) int32 { return int32(x) })
	case words:
		return converted(wordBank, from, dst, src, func(x S) uint32 { return uint32(x) })
	case longs:
		return converted(longBank, from, dst, src, func(x S) int64 { return int64(x) })
	case longWords:
		return converted(longWordBank, from, dst, src, func(x S) uint64 { return uint64(x) })
	}
	return converted(boolBank, from, dst, src, func(x S) bool { return x != 0 })
}

func castBool(to dtype.Type, dst, src int) step {
	switch classOf(to) {
	case floats:
		return converted(floatBank, boolBank, dst, src, truth[float32])
	case doubles:
		return converted(doubleBank, boolBank, dst, src, truth[float64])
	case ints:
		return converted(intBank, boolBank, dst, src, truth[int32])
	case words:
		return converted(wordBank, boolBank, dst, src, truth[uint32])
	case longs:
		return converted(longBank, boolBank, dst, src, truth[int64])
	case longWords:
		return converted(longWordBank, boolBank, dst, src, truth[uint64])
	}
	return converted(boolBank, boolBank, dst, src, func(x bool) bool { return x })
}

// truth is 1 for true and 0 for false.
func truth[T number](x bool) T {
	if x {
		return 1
	}
	return 0
}

// converted applies f to every element of a register.
func converted[T, S value](to bank[T], from bank[S], dst, src int, f func(S) T) step {
	return func(w *worker) { convert(to.of(w)[dst], from.of(w)[src], f) }
}

func convert[T, S value](d []T, s []S, f func(S) T) {
	s = s[:len(d)]
	for i := range d {
		d[i] = f(s[i])
	}
}
