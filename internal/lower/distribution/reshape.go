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

// IsJoined reports whether a distribution is one that joined returns.
func IsJoined(l layout.Linear) bool {
	return l.Bits(layout.Register) > 0 && FindBasis(l, l.Rank()-1, 1) == 0 && Separate(l, l.Rank()-1, 0, 0)
}

// Unjoined undoes joined.
func Unjoined(l layout.Linear) layout.Linear {
	last := l.Rank() - 1
	return Reshape(l.Drop(last), l.Shape()[:last])
}
