package distribution

import (
	"math/bits"

	"github.com/weftgpu/weft/layout"
)

// Scan is how a distribution divides the axis of a scan: coordinate bits from
// low to high are run bits of registers, then threads, then further registers.
type Scan struct {
	Dist    layout.Linear
	Axis    int
	Run     int   // neighbours in a run, a power of two
	Threads []int // bits of the thread's number, from low to high coordinate bits
	Vectors bool  // no lane of a vector differs along the axis
	Reverse bool  // what has the higher coordinate stands before
}

// ScanOf finds that shape; ok is false if the distribution has another one.
func ScanOf(dist layout.Linear, axis int) (s Scan, ok bool) {
	s = Scan{Dist: dist, Axis: axis, Run: 1, Vectors: true}
	n := bits.Len(uint(dist.Shape()[axis])) - 1
	blocks := false
	for pos := range n {
		if bit := FindBasis(dist, axis, 1<<pos); bit >= 0 && Separate(dist, axis, pos, bit) {
			switch {
			case len(s.Threads) > 0:
				blocks = true
			case !blocks:
				s.Run *= 2
			}
			continue
		}
		bit := threadBasis(dist, axis, pos)
		if bit < 0 || blocks {
			return s, false
		}
		s.Threads = append(s.Threads, bit)
	}
	width := VectorLanes(dist)
	for lane := range width {
		s.Vectors = s.Vectors && dist.AtAlong(lane, 0, axis) == 0
	}
	return s, true
}

// threadBasis is the bit of the thread's number that alone decides bit pos of a
// coordinate and nothing else, or -1.
func threadBasis(dist layout.Linear, axis, pos int) (found int) {
	found = -1
	for _, in := range []string{layout.Register, layout.Thread} {
		for bit := range dist.Bits(in) {
			basis := dist.Basis(in, bit)
			if basis[axis]>>pos&1 == 0 {
				continue
			}
			for d, x := range basis {
				if found >= 0 || in != layout.Thread || d != axis && x != 0 || d == axis && x != 1<<pos {
					return -1
				}
			}
			found = bit
		}
	}
	return found
}

// ScanTile is a distribution that ScanOf takes: a thread's elements are one run.
func ScanTile(shape []int, axis, threads int) layout.Linear {
	order, vec, n := []int{axis}, make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		vec[d], n = 1, n*shape[d]
		if d != axis {
			order = append(order, d)
		}
	}
	vec[axis] = max(1, min(shape[axis], n/threads))
	return layout.Blocked(shape, threads, order, vec)
}
