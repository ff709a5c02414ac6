package emit

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// regs is a tile in the registers of a workgroup: dist says which element each
// register of each thread holds, and consecutive registers form vectors.
type regs struct {
	dist  layout.Linear
	width int           // elements of one vector
	vecs  []*simt.Value // vector p holds the registers p*width to p*width+width-1
}

// emptyRegs makes room for a tile in a distribution.
func emptyRegs(dist layout.Linear) regs {
	r := regs{dist: dist, width: distribution.VectorLanes(dist)}
	r.vecs = make([]*simt.Value, dist.Size(layout.Register)/r.width)
	return r
}

// filled is a tile in a distribution whose registers' values f computes.
func (l *emitter) filled(dist layout.Linear, f func(register int) *simt.Value) regs {
	r := emptyRegs(dist)
	r.fill(l.b, f)
	return r
}

// holding is a tile in a distribution, given the values of all registers.
func (l *emitter) holding(dist layout.Linear, elements []*simt.Value) regs {
	return l.filled(dist, func(register int) *simt.Value { return elements[register] })
}

// elements are the values of all registers.
func (r regs) elements(b *simt.Builder) []*simt.Value {
	list := make([]*simt.Value, r.dist.Size(layout.Register))
	for i := range list {
		list[i] = r.element(b, i)
	}
	return list
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

// threadCoord is the part of an element's coordinate along dim that the thread decides.
func (l *emitter) threadCoord(dist layout.Linear, dim int) *simt.Value {
	coord := l.threadSum(distribution.ThreadBases(dist, dim))
	if coord != l.thread {
		coord.Suggest("lane")
	}
	return coord
}

// shift multiplies by 2^n for n > 0 and divides a non-negative value by 2^-n for n < 0.
func (l *emitter) shift(v *simt.Value, n int) *simt.Value {
	if n < 0 {
		return l.b.Binary(simt.Shr, v, l.b.Int(-n))
	}
	return l.b.Binary(simt.Shl, v, l.b.Int(n))
}

// coordinate joins the two parts: a sum where they share no bits.
func (l *emitter) coordinate(dist layout.Linear, dim int, thread *simt.Value, register int) *simt.Value {
	c := dist.AtAlong(register, 0, dim)
	if distribution.Disjoint(dist, dim, c) {
		return l.b.Binary(simt.Add, thread, l.b.Int(c))
	}
	return l.b.Binary(simt.Xor, thread, l.b.Int(c))
}

// owner holds in one thread of those that hold copies of a tile's elements; nil
// if there are no copies.
func (l *emitter) owner(dist layout.Linear) *simt.Value {
	free := dist.FreeBits(layout.Thread)
	if free == 0 {
		return nil
	}
	return l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(free)), l.b.Int(0))
}

// gatherVectors makes register vectors of a run of registers.
func (l *emitter) gatherVectors(r regs, run []int) (vectors []*simt.Value) {
	for part := range slices.Chunk(run, distribution.RegisterLanes) {
		vectors = append(vectors, l.gather(r, part))
	}
	return vectors
}

// gather makes a vector of some registers.
func (l *emitter) gather(r regs, registers []int) *simt.Value {
	lanes := make([]*simt.Value, len(registers))
	for i, register := range registers {
		lanes[i] = r.element(l.b, register)
	}
	return compose(l.b, lanes)
}
