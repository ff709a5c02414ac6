package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// reshape is layout.Linear.Reshape for shapes that the verifier has checked.
func reshape(l layout.Linear, shape []int) layout.Linear {
	r, err := l.Reshape(shape...)
	if err != nil {
		panic(err)
	}
	return r
}

func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for d, p := range perm {
		out[p] = d
	}
	return out
}

// joined is the distribution of two joined tiles of a distribution: the lowest
// register bit chooses between them.
func joined(l layout.Linear) layout.Linear {
	ins := []layout.Input{{Name: layout.Register, Bases: [][]int{append(make([]int, l.Rank()), 1)}}, {Name: layout.Thread}}
	for i, name := range []string{layout.Register, layout.Thread} {
		for bit := range l.Bits(name) {
			ins[i].Bases = append(ins[i].Bases, append(l.Basis(name, bit), 0))
		}
	}
	r, err := layout.NewLinear(append(l.Shape(), 2), ins)
	if err != nil {
		panic(err) // a basis of l lies in its tile
	}
	return r
}

// isJoined reports whether a distribution is one that joined returns.
func isJoined(l layout.Linear) bool {
	return l.Bits(layout.Register) > 0 && findBasis(l, l.Rank()-1, 1) == 0 && separate(l, l.Rank()-1, 0, 0)
}

// unjoined undoes joined.
func unjoined(l layout.Linear) layout.Linear {
	last := l.Rank() - 1
	return reshape(l.Drop(last), l.Shape()[:last])
}

// renamed is a value whose op only names elements anew, in a distribution.
func (l *lowerer) renamed(op *tile.Op, to layout.Linear) regs {
	in := l.in(op.Args[0], operandIn(op, to))
	out := emptyRegs(to)
	out.fill(l.b, func(register int) *simt.Value {
		if op.Kind == tile.OpBroadcast {
			register = dropRegister(to, op.Args[0].Type().Shape, register)
		}
		return in.element(l.b, register)
	})
	return out
}

// join lowers a join: the lowest bit of a register's number chooses between the two.
func (l *lowerer) join(op *tile.Op) {
	at := l.assigned.opAt(op)
	halves := [2]regs{l.in(op.Args[0], at), l.in(op.Args[1], at)}
	out := emptyRegs(joined(at))
	out.fill(l.b, func(register int) *simt.Value { return halves[register&1].element(l.b, register>>1) })
	l.tiles[op.Result()] = out
}

// split lowers a split, of which every other register goes into the result.
func (l *lowerer) split(op *tile.Op) {
	at := l.assigned.opAt(op)
	in, out := l.in(op.Args[0], joined(at)), emptyRegs(at)
	out.fill(l.b, func(register int) *simt.Value { return in.element(l.b, register<<1|op.Axis) })
	l.tiles[op.Result()] = out
}

// iota is a tile of coordinates along an axis, which every thread knows of its elements.
func (l *lowerer) iota(dist layout.Linear, axis int) regs {
	out := emptyRegs(dist)
	thread := l.threadCoord(out.dist, axis)
	out.fill(l.b, func(register int) *simt.Value { return l.coordinate(out.dist, axis, thread, register) })
	return out
}
