package backend

import (
	"unsafe"

	"github.com/weftgpu/weft/dtype"
)

// Combine reduces inputs, one of each rank, to dst, all of one length in bytes: the definition of what a Collectives
// computes. Sums and products of floats are computed in float64, in the order of the ranks, and rounded once; integers wrap. dst may be one of
// the inputs. Of NaNs in a Max or Min nothing is promised.
func Combine(r Reduction, elem dtype.Type, dst []byte, inputs [][]byte) {
	switch elem {
	case dtype.I8:
		combineInts[int8](r, dst, inputs)
	case dtype.U8, dtype.Bool:
		combineInts[uint8](r, dst, inputs)
	case dtype.I16:
		combineInts[int16](r, dst, inputs)
	case dtype.U16:
		combineInts[uint16](r, dst, inputs)
	case dtype.I32:
		combineInts[int32](r, dst, inputs)
	case dtype.U32:
		combineInts[uint32](r, dst, inputs)
	case dtype.I64:
		combineInts[int64](r, dst, inputs)
	case dtype.U64:
		combineInts[uint64](r, dst, inputs)
	default:
		combineFloats(r, elem, dst, inputs)
	}
}

type integer interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64
}

func combineInts[T integer](r Reduction, dst []byte, inputs [][]byte) {
	out := elements[T](dst)
	lists := make([][]T, len(inputs))
	for i, raw := range inputs {
		lists[i] = elements[T](raw)
	}
	for i := range out {
		sum := lists[0][i]
		for _, list := range lists[1:] {
			sum = combine(r, sum, list[i])
		}
		out[i] = sum
	}
}

// elements reads bytes as elements in place.
func elements[T integer](raw []byte) []T {
	var z T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/int(unsafe.Sizeof(z)))
}

func combineFloats(r Reduction, elem dtype.Type, dst []byte, inputs [][]byte) {
	const most = 4096 // elements at a time, so that the numbers stay in a cache
	size := elem.Size()
	sum, next := make([]float64, most), make([]float64, most)
	for at := 0; at < len(dst); at += most * size {
		to := min(at+most*size, len(dst))
		sum, next := sum[:(to-at)/size], next[:(to-at)/size]
		dtype.Floats(elem, sum, inputs[0][at:to])
		for _, raw := range inputs[1:] {
			dtype.Floats(elem, next, raw[at:to])
			for i, x := range next {
				sum[i] = combine(r, sum[i], x)
			}
		}
		dtype.PutFloats(elem, dst[at:to], sum)
	}
}

func combine[T integer | float64](r Reduction, x, y T) T {
	switch r {
	case Prod:
		return x * y
	case Max:
		return max(x, y)
	case Min:
		return min(x, y)
	}
	return x + y
}
