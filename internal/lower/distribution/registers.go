package distribution

import (
	"github.com/weftgpu/weft/layout"
)

// RegisterBytes is the size of a register; all types but 64-bit ones fill one.
const RegisterBytes = 4

// ThreadsAlong is the mask of the thread's bits that decide a coordinate along an axis.
func ThreadsAlong(l layout.Linear, axis int) int {
	along := 0
	for bit := range l.Bits(layout.Thread) {
		if l.BasisAlong(layout.Thread, bit, axis) != 0 {
			along |= 1 << bit
		}
	}
	return along
}

// VectorLanes is how many elements of a distribution one register vector holds.
func VectorLanes(dist layout.Linear) int {
	lanes := 1
	for dim := range dist.Shape() {
		lanes = max(lanes, min(RegisterLanes, dist.ContiguousRun(layout.Register, dim)))
	}
	return lanes
}

// DropRegister follows a register through Project.
func DropRegister(dist layout.Linear, shape []int, register int) int {
	for dim, n := range shape {
		if n == 1 && dist.Shape()[dim] != 1 {
			register, dist = dist.DropRegister(dim, register), dist.Drop(dim)
		}
	}
	return register
}

// Runs partitions the registers into runs of consecutive elements along a
// dimension, as long as the distribution and width allow; each run lists its registers in order.
func Runs(dist layout.Linear, dim, width int) [][]int {
	along := RunBits(dist, dim, width)
	mask := 0
	for _, bit := range along {
		mask |= 1 << bit
	}
	var out [][]int
	for first := range dist.Size(layout.Register) {
		if first&mask != 0 {
			continue
		}
		run := make([]int, 1<<len(along))
		for i := range run {
			run[i] = first
			for j, bit := range along {
				run[i] |= i >> j & 1 << bit
			}
		}
		out = append(out, run)
	}
	return out
}

// RunBits are the register bits that step by 1, 2, … along dim, up to a run of width.
func RunBits(dist layout.Linear, dim, width int) (along []int) {
	for 1<<len(along) < width {
		bit := FindBasis(dist, dim, 1<<len(along))
		if bit < 0 || !Separate(dist, dim, len(along), bit) {
			break
		}
		along = append(along, bit)
	}
	return along
}

// FindBasis is the register bit whose basis is step along dim and nothing else, or -1.
func FindBasis(dist layout.Linear, dim, step int) int {
	for bit := range dist.Bits(layout.Register) {
		ok := true
		for d := range dist.Rank() {
			x := dist.BasisAlong(layout.Register, bit, d)
			ok = ok && (d == dim && x == step || d != dim && x == 0)
		}
		if ok {
			return bit
		}
	}
	return -1
}

// Separate reports whether no other input bit touches bit pos of dim, so that
// the element's position is a sum, not only an exclusive or.
func Separate(dist layout.Linear, dim, pos, except int) bool {
	for _, in := range []string{layout.Register, layout.Thread} {
		for bit := range dist.Bits(in) {
			if in == layout.Register && bit == except {
				continue
			}
			if dist.BasisAlong(in, bit, dim)>>pos&1 != 0 {
				return false
			}
		}
	}
	return true
}

// RegisterCoord is the part of an element's coordinate that the register decides.
func RegisterCoord(dist layout.Linear, register int) []int { return dist.At(register, 0) }

// Disjoint reports whether no bit of c along dim is decided by the thread.
func Disjoint(dist layout.Linear, dim, c int) bool {
	for bit := range dist.Bits(layout.Thread) {
		if dist.BasisAlong(layout.Thread, bit, dim)&c != 0 {
			return false
		}
	}
	return true
}

// ThreadBases are what the bits of the thread's number contribute to a coordinate.
func ThreadBases(dist layout.Linear, dim int) []int {
	out := make([]int, dist.Bits(layout.Thread))
	for bit := range out {
		out[bit] = dist.BasisAlong(layout.Thread, bit, dim)
	}
	return out
}

// RegisterLanes is the most elements of one register vector: what WGSL's and CUDA's
// own vector types hold.
const RegisterLanes = 4
