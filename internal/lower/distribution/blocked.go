package distribution

import (
	"github.com/weftgpu/weft/internal/pow2"
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

// Lengthwise spreads a tile like Blocked, but what a thread has beyond its first width elements is of the same line along the contiguous
// dimension, as long as neighbouring threads have run elements together: fewer threads meet in reductions of lines then. It reports
// whether that differs from Blocked.
func Lengthwise(shape []int, threads, contiguous, width, run int) (l layout.Linear, ok bool) {
	free, lanes, registers := make([]int, len(shape)), pow2.Log2(threads), -pow2.Log2(threads) // bits
	for d, n := range shape {
		free[d] = pow2.Log2(n)
		registers += free[d]
	}
	vec := pow2.Log2(max(width, 1))
	across := min(lanes, free[contiguous]-vec) // lanes of a line in Blocked
	most := across - max(0, pow2.Log2(run)-vec)
	spare := registers - (free[contiguous] - across)
	if most = min(most, spare); vec > registers || most <= 0 {
		return l, false
	}
	var in [2][][]int // of registers and threads
	take := func(to, d, n int) {
		for ; n > 0; n-- {
			basis := make([]int, len(shape))
			basis[d] = shape[d] >> free[d]
			in[to], free[d] = append(in[to], basis), free[d]-1
		}
	}
	take(0, contiguous, vec)
	take(1, contiguous, across-most)
	take(0, contiguous, free[contiguous])
	for d := len(shape) - 1; d >= 0; d-- {
		take(1, d, min(free[d], lanes-len(in[1])))
	}
	for d := len(shape) - 1; d >= 0; d-- {
		take(0, d, free[d])
	}
	l, err := layout.NewLinear(shape, []layout.Input{{Name: layout.Register, Bases: in[0]}, {Name: layout.Thread, Bases: in[1]}})
	return l, err == nil
}
