package interp

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// Native code. Runs of ops that work on the elements of tiles of one shape become one loop over the elements, in machine code of the processor (see
// package native): what one of them gives the next stays in vector registers, and loads and stores go to memory without a copy where a block's
// rows are contiguous. Everything else keeps its step in Go. fuse.go says which ops have loops, groups.go finds the runs, translate.go makes their loops,
// nest.go runs them, and mixed.go and mixedlanes.go those of ops that rearrange elements.

// Instructions names what Options.Native makes machine code for: "AVX-512", "AVX2", "NEON", or "Go" where it makes none.
func Instructions() string { return processor.Best.String() }

// leastFused is how many elements are worth a loop.
const leastFused = 16

// worthwhile reports whether a loop is better than the steps: there is something to compute or to convert.
func (g *group) worthwhile() bool {
	return slices.ContainsFunc(g.ops, func(op *tile.Op) bool {
		switch op.Kind {
		case tile.OpConst, tile.OpSplat, tile.OpIota:
			return false
		case tile.OpLoad, tile.OpStore:
			return op.View.Elem.Size() < 4
		}
		return !rearranges(op)
	})
}

// fusedShape is the shape of the elements on which an op works, if it has a translation.
func fusedShape(op *tile.Op) (shape []int, ok bool) {
	t := tile.Type{}
	switch class := op.Kind.Fact().Class; {
	case op.Kind == tile.OpStore:
		t = op.Args[0].Type()
	case class == tile.Reduction:
		t = op.Args[0].Type()
		if !reduces(op) || !reducible(op) {
			return nil, false
		}
	case op.Result() != nil:
		t = op.Result().Type()
	}
	if t.Len() < leastFused || t.IsScalar() || !translates(op) {
		return nil, false
	}
	return t.Shape, true
}

// reduces reports whether an op reduces elements to fewer. A reduction along a dimension of size 1 does not: each element stays what it is.
func reduces(op *tile.Op) bool {
	return op.Kind.Fact().Class == tile.Reduction && (op.Axis < 0 || op.Args[0].Type().Shape[op.Axis] > 1)
}

// reducible reports whether a reduction has a loop: along the last axis, or of floats along all rows.
func reducible(op *tile.Op) bool {
	t := op.Args[0].Type()
	return op.Axis == len(t.Shape)-1 || t.Elem.IsFloat() && alongRows(op)
}

// alongRows reports whether a reduction is of all rows along the last dimension to one.
func alongRows(op *tile.Op) bool {
	shape := op.Args[0].Type().Shape
	a := axisOf(shape, op.Axis)
	return op.Axis < len(shape)-1 && a.outer == 1 && a.inner == shape[len(shape)-1]
}

// fusedElem reports whether lanes of 32 bits hold elements of a type.
func fusedElem(e dtype.Type) bool { return e.Size() <= 4 }
