package memory

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/tile"
)

// What tensor maps store is ordered with nothing else before the kernel ends, and groups of consumers store tiles in any order: both are for stores
// no two of which go to one place.

// unaliasedStores finds the stores of a kernel that are all it does to their buffer, each time to another block if loops repeat them.
func unaliasedStores(k *tile.Func, facts axis.Facts) map[*tile.Op]bool {
	accesses, lone := map[int]int{}, map[*tile.Op]bool{}
	buffer := func(op *tile.Op) int { return facts.Views[op.View.Index].Buffer }
	var visit func(r *tile.Region, loops []*tile.Op)
	visit = func(r *tile.Region, loops []*tile.Op) {
		for _, op := range r.Ops {
			if accessesView(op) {
				accesses[buffer(op)]++
				lone[op] = op.Kind == tile.OpStore && storesApart(op, loops)
			}
			inside := loops
			if op.Kind == tile.OpFor || op.Kind == tile.OpWhile {
				inside = append(loops[:len(loops):len(loops)], op)
			}
			for _, body := range op.Regions() {
				visit(body, inside)
			}
		}
	}
	visit(k.Body, nil)
	for op := range lone {
		lone[op] = lone[op] && accesses[buffer(op)] == 1
	}
	return lone
}

func accessesView(op *tile.Op) bool { return op.View != nil && op.Kind != tile.OpDim }

// storesApart reports whether a store in loops, from the outermost on, goes to another block in each of their iterations: where iterations of a loop differ,
// a coordinate does, too, that those of the loops in it do not change. Iterations that programs share between them, each of which takes every nth, are said
// to be pieces of work of their own (tile.Builder.Persistent): no two store to one block.
func storesApart(op *tile.Op, loops []*tile.Op) bool {
	coords := op.Args[max(0, len(op.Args)-op.View.Rank):]
	for i, loop := range loops {
		differs := func(v *tile.Value) bool { return oneToOne(v, loops[i:]) }
		if sharedOut(loop) {
			differs = func(v *tile.Value) bool {
				return slices.ContainsFunc(sources(v), func(s *tile.Value) bool { return slices.Contains(loop.Body.Args, s) })
			}
		}
		if loop.Kind != tile.OpFor || !slices.ContainsFunc(coords, differs) {
			return false
		}
	}
	return true
}

// sharedOut reports whether programs share the iterations of a loop between them.
func sharedOut(loop *tile.Op) bool {
	return loop.Kind == tile.OpFor && slices.ContainsFunc(sources(loop.Args[2]), func(v *tile.Value) bool {
		return v.Op() != nil && v.Op().Kind == tile.OpNumPrograms
	})
}

// oneToOne reports whether a scalar differs in any two iterations of the first of some loops, each in the one before, whatever those in it do.
func oneToOne(v *tile.Value, loops []*tile.Op) bool {
	if v == loops[0].Body.Args[0] {
		return true
	}
	op := v.Op()
	if op == nil || len(op.Args) != 2 {
		return false
	}
	for i, x := range op.Args {
		if y := op.Args[1-i]; oneToOne(x, loops) {
			n, constant := axis.Integer(y)
			return (op.Kind == tile.OpAdd || op.Kind == tile.OpSub) && fixed(y, loops) || op.Kind == tile.OpMul && constant && n != 0
		}
	}
	return false
}

// fixed reports whether a scalar is known to be the same in all iterations of loops.
func fixed(v *tile.Value, loops []*tile.Op) bool {
	return !slices.ContainsFunc(sources(v), func(s *tile.Value) bool {
		if op := s.Op(); op != nil {
			return len(op.Args)+len(op.Regions()) > 0 || accessesView(op)
		}
		return slices.ContainsFunc(loops, func(loop *tile.Op) bool { return slices.Contains(loop.Body.Args, s) })
	})
}

// disjointStores finds the stores of a region that write different blocks of one view: their order does not matter. It gives the first
// store of its group for each.
func disjointStores(r *tile.Region) map[*tile.Op]*tile.Op {
	first := map[*tile.Op]*tile.Op{}
	groups := map[*tile.View][]*tile.Op{} // of the last group of a view, its stores
	for _, op := range r.Ops {
		for _, body := range op.Regions() {
			maps.Copy(first, disjointStores(body))
		}
		if op.Kind != tile.OpStore {
			continue
		}
		group := groups[op.View]
		if slices.ContainsFunc(group, func(other *tile.Op) bool { return !disjointBlocks(op, other) }) {
			group = nil
		}
		group = append(group, op)
		groups[op.View] = group
		if len(group) > 1 {
			first[group[0]], first[op] = group[0], group[0]
		}
	}
	return first
}

// disjointBlocks reports whether two stores' blocks of one view are known to have no element in common: those with constant coordinates
// along a dimension in which one ends before the other begins.
func disjointBlocks(a, b *tile.Op) bool {
	for d := range a.View.Rank {
		x, known := axis.Integer(a.Args[1+d])
		y, both := axis.Integer(b.Args[1+d])
		sizeX, sizeY := int64(a.Args[0].Type().Shape[d]), int64(b.Args[0].Type().Shape[d])
		if known && both && ((x+1)*sizeX <= y*sizeY || (y+1)*sizeY <= x*sizeX) {
			return true
		}
	}
	return false
}

// sources are the values that a scalar is computed from, which are not computed themselves: arguments of loops, results of ops without operands, and what is
// loaded or leaves a loop or a branch.
func sources(v *tile.Value) (list []*tile.Value) {
	seen := map[*tile.Value]bool{}
	var visit func(v *tile.Value)
	visit = func(v *tile.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		op := v.Op()
		if op == nil || len(op.Args) == 0 || accessesView(op) || len(op.Regions()) > 0 {
			list = append(list, v)
			return
		}
		for _, a := range op.Args {
			visit(a)
		}
	}
	visit(v)
	return list
}

// AllUnaliased reports whether all that the kernel stores is stored so.
func (p *Accesses) AllUnaliased() bool {
	for op, lone := range p.Unaliased {
		if !lone && op.Kind != tile.OpLoad {
			return false
		}
	}
	return true
}
