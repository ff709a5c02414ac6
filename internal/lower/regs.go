package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// emptyRegs makes room for a tile in a distribution.
func emptyRegs(dist layout.Linear) regs {
	r := regs{dist: dist, width: vectorLanes(dist)}
	r.vecs = make([]*simt.Value, dist.Size(layout.Register)/r.width)
	return r
}

// vectorLanes is how many elements of a distribution one register vector holds.
func vectorLanes(dist layout.Linear) int {
	lanes := 1
	for dim := range dist.Shape() {
		lanes = max(lanes, min(registerLanes, dist.ContiguousRun(layout.Register, dim)))
	}
	return lanes
}

// element is one register's value.
func (r regs) element(b *simt.Builder, register int) *simt.Value {
	return b.Extract(r.vecs[register/r.width], register%r.width)
}

// fill sets every register, composing vectors of the elements that f returns.
func (r regs) fill(b *simt.Builder, f func(register int) *simt.Value) {
	for i := range r.vecs {
		lanes := make([]*simt.Value, r.width)
		for j := range lanes {
			lanes[j] = f(i*r.width + j)
		}
		r.vecs[i] = compose(b, lanes)
	}
}

// compose makes a vector, as a splat if all lanes are one value.
func compose(b *simt.Builder, lanes []*simt.Value) *simt.Value {
	for _, x := range lanes[1:] {
		if x != lanes[0] {
			return b.Compose(lanes...)
		}
	}
	return b.Splat(lanes[0], len(lanes))
}

// dropRegister follows a register through dropTo.
func dropRegister(dist layout.Linear, shape []int, register int) int {
	for dim, n := range shape {
		if n == 1 && dist.Shape()[dim] != 1 {
			register, dist = dist.DropRegister(dim, register), dist.Drop(dim)
		}
	}
	return register
}

// runs partitions the registers into runs of consecutive elements along a
// dimension, as long as the distribution and width allow; each run lists its registers in order.
func runs(dist layout.Linear, dim, width int) [][]int {
	along := runBits(dist, dim, width)
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

// runBits are the register bits that step by 1, 2, … along dim, up to a run of width.
func runBits(dist layout.Linear, dim, width int) (along []int) {
	for 1<<len(along) < width {
		bit := findBasis(dist, dim, 1<<len(along))
		if bit < 0 || !separate(dist, dim, len(along), bit) {
			break
		}
		along = append(along, bit)
	}
	return along
}

// findBasis is the register bit whose basis is step along dim and nothing else, or -1.
func findBasis(dist layout.Linear, dim, step int) int {
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

// separate reports whether no other input bit touches bit pos of dim, so that
// the element's position is a sum, not only an exclusive or.
func separate(dist layout.Linear, dim, pos, except int) bool {
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

// threadCoord is the part of an element's coordinate along dim that the thread decides.
func (l *lowerer) threadCoord(dist layout.Linear, dim int) *simt.Value {
	coord := l.threadSum(threadBases(dist, dim))
	if coord.Hint == "" && coord != l.thread {
		coord.Hint = "lane"
	}
	return coord
}

// shift multiplies by 2^n for n > 0 and divides a non-negative value by 2^-n for n < 0.
func (l *lowerer) shift(v *simt.Value, n int) *simt.Value {
	if n < 0 {
		return l.b.Binary(simt.Shr, v, l.b.Int(-n))
	}
	return l.b.Binary(simt.Shl, v, l.b.Int(n))
}

// registerCoord is the part of an element's coordinate that the register decides.
func registerCoord(dist layout.Linear, register int) []int { return dist.At(register, 0) }

// coordinate joins the two parts: a sum where they share no bits.
func (l *lowerer) coordinate(dist layout.Linear, dim int, thread *simt.Value, register int) *simt.Value {
	c := dist.AtAlong(register, 0, dim)
	if disjoint(dist, dim, c) {
		return l.b.Binary(simt.Add, thread, l.b.Int(c))
	}
	return l.b.Binary(simt.Xor, thread, l.b.Int(c))
}

// disjoint reports whether no bit of c along dim is decided by the thread.
func disjoint(dist layout.Linear, dim, c int) bool {
	for bit := range dist.Bits(layout.Thread) {
		if dist.BasisAlong(layout.Thread, bit, dim)&c != 0 {
			return false
		}
	}
	return true
}

// owner holds in one thread of those that hold copies of a tile's elements; nil
// if there are no copies.
func (l *lowerer) owner(dist layout.Linear) *simt.Value {
	free := dist.FreeBits(layout.Thread)
	if free == 0 {
		return nil
	}
	return l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(free)), l.b.Int(0))
}

// gather makes a vector of some registers.
func (l *lowerer) gather(r regs, registers []int) *simt.Value {
	lanes := make([]*simt.Value, len(registers))
	for i, register := range registers {
		lanes[i] = r.element(l.b, register)
	}
	return compose(l.b, lanes)
}
