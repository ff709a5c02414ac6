package distribution

import (
	"github.com/weftgpu/weft/layout"
)

// Project projects away the dimensions that a smaller shape has with size 1.
func Project(l layout.Linear, shape []int) layout.Linear {
	for dim, n := range shape {
		if n == 1 && l.Shape()[dim] != 1 {
			l = l.Drop(dim)
		}
	}
	return l
}

// Blocked spreads a tile over the threads, the contiguous dimension first, with
// up to width consecutive elements of it in each thread.
func Blocked(shape []int, threads, contiguous, width int) layout.Linear {
	order := []int{contiguous}
	for dim := len(shape) - 1; dim >= 0; dim-- {
		if dim != contiguous {
			order = append(order, dim)
		}
	}
	n := 1
	for _, s := range shape {
		n *= s
	}
	vec := make([]int, len(shape))
	for dim := range vec {
		vec[dim] = 1
	}
	vec[contiguous] = max(1, min(width, n/threads, shape[contiguous]))
	return layout.Blocked(shape, threads, order, vec)
}
