package distribution

import (
	"github.com/weftgpu/weft/layout"
)

// Units are the bases 1, 2, .. of one dimension, from a size up to, but without, another.
func Units(dim, from, to int) (bases [][]int) {
	for ; from < to; from *= 2 {
		basis := []int{0, 0}
		basis[dim] = from
		bases = append(bases, basis)
	}
	return bases
}

// MustLinear is a layout whose bases are in its shape by construction.
func MustLinear(shape []int, register, thread [][]int) layout.Linear {
	l, err := layout.NewLinear(shape, []layout.Input{{Name: layout.Register, Bases: register}, {Name: layout.Thread, Bases: thread}})
	if err != nil {
		panic(err)
	}
	return l
}

// Offsets is where a distribution's elements are in an array.
func Offsets(array, dist layout.Linear) layout.Linear {
	places, err := dist.Compose(array, layout.DimName(0), layout.DimName(1))
	if err != nil {
		panic(err) // the array is one of the tile's
	}
	return places
}
