package distribution

import (
	"github.com/weftgpu/weft/layout"
)

// Reshape is layout.Linear.Reshape for shapes that the verifier has checked.
func Reshape(l layout.Linear, shape []int) layout.Linear {
	r, err := l.Reshape(shape...)
	if err != nil {
		panic(err)
	}
	return r
}

// Inverse is the permutation that undoes perm.
func Inverse(perm []int) []int {
	out := make([]int, len(perm))
	for d, p := range perm {
		out[p] = d
	}
	return out
}

// Joined is the distribution of two joined tiles of a distribution: the lowest
// register bit chooses between them.
func Joined(l layout.Linear) layout.Linear {
	ins := []layout.Input{{Name: layout.Register, Bases: [][]int{append(make([]int, l.Rank()), 1)}}, {Name: layout.Thread}}
	for i, name := range []string{layout.Register, layout.Thread} {
		for bit := range l.Bits(name) {
			ins[i].Bases = append(ins[i].Bases, append(l.Basis(name, bit), 0))
		}
	}
	r, err := layout.NewLinear(append(l.Shape(), 2), ins)
	if err != nil {
		panic(err) // a basis of l is in its tile
	}
	return r
}

// IsJoined reports whether a distribution is one that Joined returns, but for the order of registers.
func IsJoined(l layout.Linear) bool {
	last := l.Rank() - 1
	bit := FindBasis(l, last, 1)
	return bit >= 0 && Separate(l, last, 0, bit)
}

// Unjoined undoes Joined.
func Unjoined(l layout.Linear) layout.Linear {
	last := l.Rank() - 1
	return Reshape(l.Drop(last), l.Shape()[:last])
}
