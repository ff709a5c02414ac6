package interp

import "unsafe"

// block is elements in memory, by strides from the first one on.
type block struct {
	data   []byte
	at     int
	stride [5]int
}

// copySide is the side of the squares in which elements are copied whose neighbours in one place are far apart in the other: a cache line of each
// of so many rows stays in the first-level cache.
const copySide = 32

// copyBlock copies n elements along each dimension, of so many bytes each.
func copyBlock(to, from block, n []int, size int) {
	switch size {
	case 4:
		copyElements[uint32](to, from, n)
	case 2:
		copyElements[uint16](to, from, n)
	default:
		copyElements[uint8](to, from, n)
	}
}

func copyElements[T uint8 | uint16 | uint32](to, from block, n []int) {
	d, s := elementsOf[T](to.data), elementsOf[T](from.data)
	inner, across := neighbours(to.stride, n), neighbours(from.stride, n)
	if inner < 0 {
		inner = max(across, 0)
	}
	if across < 0 {
		across = inner
	}
	ni, ti, fi := n[inner], to.stride[inner], from.stride[inner]
	na, ta, fa := n[across], to.stride[across], from.stride[across]
	var walk func(dim, t, f int)
	walk = func(dim, t, f int) {
		switch {
		case dim == len(n) && inner == across && ti == 1 && fi == 1:
			copy(d[t:t+ni], s[f:f+ni])
		case dim == len(n) && inner == across:
			copyStrided(d, s, t, f, ti, fi, ni)
		case dim == len(n):
			for i := 0; i < na; i += copySide {
				for j := 0; j < ni; j += copySide {
					for a := i; a < min(i+copySide, na); a++ {
						copyStrided(d, s, t+a*ta+j*ti, f+a*fa+j*fi, ti, fi, min(copySide, ni-j))
					}
				}
			}
		case dim == inner || dim == across:
			walk(dim+1, t, f)
		default:
			for i := range n[dim] {
				walk(dim+1, t+i*to.stride[dim], f+i*from.stride[dim])
			}
		}
	}
	walk(0, to.at, from.at)
}

func copyStrided[T any](d, s []T, t, f, dt, df, n int) {
	for range n {
		d[t] = s[f]
		t, f = t+dt, f+df
	}
}

// neighbours is the dimension along which elements are neighbours, -1 if there is none.
func neighbours(stride [5]int, n []int) int {
	for d := len(n) - 1; d >= 0; d-- {
		if n[d] > 1 && stride[d] == 1 {
			return d
		}
	}
	return -1
}

func elementsOf[T any](data []byte) []T {
	var x T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(x)))
}
