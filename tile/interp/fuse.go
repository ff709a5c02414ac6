package interp

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// Native code. Runs of ops that work on the elements of tiles of one shape become one loop over the elements, in machine code of the processor (see
// package native): what one of them gives the next stays in vector registers, and loads and stores go to memory without a copy where a block's
// rows are contiguous. Everything else keeps its step in Go. fuse.go finds the runs, translate.go makes their loops, nest.go runs them.

// Instructions names what Options.Native makes machine code for: "AVX-512", "AVX2", "NEON", or "Go" where it makes none.
func Instructions() string { return processor.Best.String() }

// group is ops that become one loop, in their order.
type group struct {
	ops     []*tile.Op
	shape   []int // of the elements
	made    map[*tile.Value]bool
	reduced map[*tile.Value]bool // of what is made, results of reductions, which only others take
	stores  bool
}

// leastFused is how many elements are worth a loop.
const leastFused = 16

// grouped is a region's needed ops in an order in which each group's are consecutive, and the groups by their first ops.
type grouped struct {
	ops   []*tile.Op
	first map[*tile.Op]*group
}

// groupsOf finds the groups of a region. An op joins the group that is open if it is one of elements of its shape. The group ends before an op that takes
// what it makes, or that has an effect: the ops between have stood before it since then.
func groupsOf(r *tile.Region, l *life) grouped {
	out := grouped{first: map[*tile.Op]*group{}}
	var open *group
	end := func() {
		if open != nil {
			if open.isCopy() || l.how > copying && open.worthwhile() {
				out.first[open.ops[0]] = open
			}
			out.ops = append(out.ops, open.ops...)
		}
		open = nil
	}
	for _, op := range r.Ops {
		if !l.needed[op] {
			continue
		}
		shape, ok := fusedShape(op)
		ok = ok && (op.Kind != tile.OpGather || l.how == withGathers)
		switch {
		case ok && open != nil && slices.Equal(shape, open.shape) && open.takes(op):
			open.add(op)
			continue
		case open != nil && (ok || open.before(op, l.args(op))):
			end()
		}
		if ok {
			open = &group{shape: shape, made: map[*tile.Value]bool{}, reduced: map[*tile.Value]bool{}}
			open.add(op)
			continue
		}
		out.ops = append(out.ops, op)
	}
	end()
	return out
}

func (g *group) add(op *tile.Op) {
	g.ops = append(g.ops, op)
	g.stores = g.stores || op.Kind == tile.OpStore
	if v := op.Result(); v != nil {
		g.made[v] = true
		g.reduced[v] = op.Kind.Fact().Class == tile.Reduction
	}
}

// takes reports whether an op may join: what it takes of the group is of the group's shape, and it reads no memory that the group writes.
func (g *group) takes(op *tile.Op) bool {
	for i, v := range op.Args {
		if g.reduced[v] || g.made[v] && (op.Kind == tile.OpBroadcast || op.Kind == tile.OpLoad || op.Kind == tile.OpStore && i > 0) {
			return false
		}
	}
	return op.Kind != tile.OpLoad && op.Kind != tile.OpGather || !g.stores
}

// before reports whether a group has to run before an op that is not one of it, and takes these.
func (g *group) before(op *tile.Op, args []*tile.Value) bool {
	if op.Kind.HasEffect() || len(op.Regions()) > 0 || op.Kind.Fact().Class == tile.Memory && g.stores {
		return true
	}
	return slices.ContainsFunc(args, func(v *tile.Value) bool { return g.made[v] })
}

// worthwhile reports whether a loop is better than the steps: there is something to compute or to convert.
func (g *group) worthwhile() bool {
	return slices.ContainsFunc(g.ops, func(op *tile.Op) bool {
		switch op.Kind {
		case tile.OpConst, tile.OpSplat, tile.OpBroadcast, tile.OpIota:
			return false
		case tile.OpLoad, tile.OpStore:
			return op.View.Elem.Size() < 4
		}
		return true
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
		if !reducible(op) {
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
