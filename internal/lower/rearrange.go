package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Reshapes, permutations, joins and splits only rename the elements that the
// registers hold: the result is in a distribution that follows from the operand's.
// Elements move where the result's shape was given another one.

// relabel derives the distribution of one side of such an op from the other's and
// reports whether it did.
func (d *distributions) relabel(op *tile.Op) bool {
	var there, back func(layout.Linear) layout.Linear
	splits := func(layout.Linear) bool { return true }
	from, to := op.Args[0].Type().Shape, []int(nil)
	if r := op.Result(); r != nil {
		to = r.Type().Shape
	}
	switch op.Kind {
	case tile.OpReshape:
		there = func(l layout.Linear) layout.Linear { return reshape(l, to) }
		back = func(l layout.Linear) layout.Linear { return reshape(l, from) }
	case tile.OpPermute:
		there = func(l layout.Linear) layout.Linear { return l.Transpose(op.Perm) }
		back = func(l layout.Linear) layout.Linear { return l.Transpose(inverse(op.Perm)) }
	case tile.OpJoin:
		there, back, splits = joined, unjoined, isJoined
	case tile.OpSplit:
		from, to = to, from
		there, back, splits = joined, unjoined, isJoined
	default:
		return false
	}
	switch {
	case d.has(from) && !d.has(to):
		d.set(to, there(d.of(from)))
	case d.has(to) && !d.has(from) && splits(d.of(to)):
		d.set(from, back(d.of(to)))
	default:
		return false
	}
	return true
}

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
	ins := []layout.Input{{Name: layout.Register, Bases: [][]int{append(make([]int, len(l.Shape())), 1)}}, {Name: layout.Thread}}
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
	return l.Bits(layout.Register) > 0 && findBasis(l, len(l.Shape())-1, 1) == 0 && separate(l, len(l.Shape())-1, 0, 0)
}

// unjoined undoes joined.
func unjoined(l layout.Linear) layout.Linear {
	last := len(l.Shape()) - 1
	return reshape(l.Drop(last), l.Shape()[:last])
}

func (l *lowerer) rearrange(op *tile.Op) {
	in, r := l.tiles[op.Args[0]], op.Result()
	elem := r.Type().Elem
	var out regs
	switch op.Kind {
	case tile.OpReshape:
		out = emptyRegs(reshape(in.dist, r.Type().Shape))
		out.fill(l.b, func(register int) *simt.Value { return in.element(l.b, register) })
	case tile.OpPermute:
		out = emptyRegs(in.dist.Transpose(op.Perm))
		out.fill(l.b, func(register int) *simt.Value { return in.element(l.b, register) })
	case tile.OpJoin:
		halves := [2]regs{in, l.convert(l.tiles[op.Args[1]], in.dist, elem)}
		out = emptyRegs(joined(in.dist))
		out.fill(l.b, func(register int) *simt.Value { return halves[register&1].element(l.b, register>>1) })
	case tile.OpSplit:
		out = emptyRegs(l.dists.of(r.Type().Shape))
		in = l.convert(in, joined(out.dist), elem)
		out.fill(l.b, func(register int) *simt.Value { return in.element(l.b, register<<1|op.Axis) })
	}
	l.tiles[r] = l.convert(out, l.dists.of(r.Type().Shape), elem)
}

// iota is a tile of coordinates along an axis, which every thread knows of its elements.
func (l *lowerer) iota(t tile.Type, axis int) regs {
	out := l.newRegs(t)
	thread := l.threadCoord(out.dist, axis)
	out.fill(l.b, func(register int) *simt.Value { return l.coordinate(out.dist, axis, thread, register) })
	return out
}
