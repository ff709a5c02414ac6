package distribution

import (
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
)

// RankTile is a distribution of a tile in which a run of elements in row-major order is in a few registers of one warp of so many lanes: neighbours are in neighbouring lanes,
// then in registers, then in warps. ok is false where a warp does not have whole runs.
func RankTile(shape []int, threads, lanes, run int) (l layout.Linear, ok bool) {
	n := 1
	for _, size := range shape {
		n *= size
	}
	if lanes < 2 || threads < lanes || run < lanes || n < threads || run/lanes > n/threads {
		return l, false
	}
	var register, thread [][]int
	at := 0
	add := func(bases *[][]int, count int) {
		for range pow2.Log2(count) {
			*bases = append(*bases, []int{1 << at})
			at++
		}
	}
	add(&thread, lanes)
	add(&register, run/lanes)
	add(&thread, threads/lanes)
	add(&register, n/threads/(run/lanes))
	return Reshape(MustLinear([]int{n}, register, thread), shape), true
}
