package layout

import "fmt"

// Blocked distributes a tile over threads in blocks. order lists the dimensions,
// fastest first. Each thread first owns vec[d] consecutive elements of every
// dimension d (low register bits, in order); then the thread bits run over the
// dimensions in order; what the threads do not reach is repeated in further
// register bits. A vec[d] beyond the tile counts as the tile's size; threads
// beyond the tile hold copies (their bits are free).
//
// Law: Blocked is surjective, its bases are distinct unit vectors or zero, and
// two (register, thread) pairs hold the same element exactly if they differ in
// free bits of the thread alone.
//
// It panics if shape, vec or threads are no powers of two, or if order is no
// permutation of the dimensions: the compiler chooses all of them.
func Blocked(shape []int, threads int, order []int, vec []int) Linear {
	if err := checkTile("blocked", shape); err != nil {
		panic(err)
	}
	if !isPermutation(order, len(shape)) || len(vec) != len(shape) || !isPow2(threads) {
		panic(fmt.Sprintf("layout: blocked %v over %d threads, order %v, vec %v", shape, threads, order, vec))
	}
	l := Linear{shape: append([]int(nil), shape...), names: []string{Register, Thread}}
	used := make([]int, len(shape)) // bits handed out of each dimension
	take := func(d, n int) (bases []int) {
		for ; n > 0; n-- {
			bases = append(bases, 1<<(l.low(d)+used[d]))
			used[d]++
		}
		return bases
	}
	var register, thread []int
	for _, d := range order {
		if !isPow2(vec[d]) {
			panic(fmt.Sprintf("layout: blocked vec %v", vec))
		}
		register = append(register, take(d, log2(min(vec[d], shape[d])))...)
	}
	lanes := log2(threads)
	for _, d := range order {
		thread = append(thread, take(d, min(lanes-len(thread), log2(shape[d])-used[d]))...)
	}
	for _, d := range order {
		register = append(register, take(d, log2(shape[d])-used[d])...)
	}
	for len(thread) < lanes {
		thread = append(thread, 0)
	}
	l.bases = [][]int{register, thread}
	return l
}
