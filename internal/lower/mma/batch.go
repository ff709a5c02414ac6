package mma

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// The matrices of a batch go to different warps, whose numbers' highest bits say which one: then a warp multiplies as if its matrix were the only one, and
// operands are in registers as it takes them. Nothing of them is staged in shared memory.

// Batched reports whether a tile of a Dot is of a batch.
func Batched(shape []int) bool { return len(shape) == 3 }

// InBatches reports whether a body has a product of a batch of matrices.
func InBatches(r *tile.Region) bool {
	return slices.ContainsFunc(r.Ops, func(op *tile.Op) bool {
		return op.Kind == tile.OpDot && Batched(op.Result().Type().Shape) || slices.ContainsFunc(op.Regions(), InBatches)
	})
}

// batches is how many matrices a tile of a Dot has, and their shape.
func batches(shape []int) (n int, matrix []int) {
	if Batched(shape) {
		return shape[0], shape[1:]
	}
	return 1, shape
}

// Depth is the size along K of an operand, the left one (0) or the right one (1), that has a shape.
func Depth(shape []int, which int) int { return shape[len(shape)-1-which] }

// ofBatch is the layout of a batch of n matrices, given that of one.
func ofBatch(l layout.Linear, n int) layout.Linear {
	lift := func(input string) (list [][]int) {
		for bit := range l.Bits(input) {
			list = append(list, slices.Concat([]int{0}, l.Basis(input, bit)))
		}
		return list
	}
	thread := lift(layout.Thread)
	for unit := 1; unit < n; unit *= 2 {
		thread = append(thread, []int{unit, 0, 0})
	}
	return distribution.MustLinear(slices.Concat([]int{n}, l.Shape()), lift(layout.Register), thread)
}

// inBatch is the layout of one matrix of a batch.
func inBatch(l layout.Linear) layout.Linear {
	drop := func(input string) (list [][]int) {
		for bit := range l.Bits(input) {
			if basis := l.Basis(input, bit); basis[0] == 0 {
				list = append(list, basis[1:])
			}
		}
		return list
	}
	return distribution.MustLinear(l.Shape()[1:], drop(layout.Register), drop(layout.Thread))
}
