package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// stepAhead is stageAhead for loops that do nothing but multiply, in several steps along K whose operands are in arrays of their own. Matrices are loaded a
// step before their products, so that the arrays of a step can be filled anew while its products are computed. Two arrays of an operand, which the
// steps use alternately, are enough:
//
//	before the loop   loads for the first two iterations; stores for the first two steps; matrices of the first one
//	in each step      matrices of the next step
//	                  the products of this step
//	                  stores for the step after the next one, to the arrays of this one
//	                  loads for the same step of the next iteration
//	                  a barrier
//
// Registers hold what was loaded for an iteration. With four steps or more, loads of two steps follow each other, whose elements along K are in one line of
// a cache. It returns whether the loop is such a loop.
func (s *schedule) stepAhead() bool {
	if len(s.Kernel.Cooperative) == 0 || s.copies != nil || !s.reaches(2) {
		return false
	}
	own := s.own()
	slice, loads := s.loadSlice(own)
	movable := s.movable(own, loads)
	stores := s.stagedStores(movable)
	steps := matrixSteps(own)
	if len(steps) < 2 || len(loads) == 0 || !onlyMultiplies(own, loads, stores) {
		return false
	}
	isLoad := in(loads)
	kept := withNeeded(own, s.multiplies(own, steps))
	if slices.ContainsFunc(kept, func(op *simt.Op) bool { return usesAny(op, isLoad) }) {
		return false // the loop carries what it loads, too
	}
	slice, movable = s.fillLate(slice, movable, stores)
	isKept := in(kept)
	s.take(func(op *simt.Op) bool { return !op.Kind.IsPure() || !isKept(op) })
	moved := s.transfers(steps, slice, movable, loads, stores)
	for i, st := range steps {
		if next := (i + 1) % len(steps); next > 0 {
			s.groups = append(s.groups, &group{ops: steps[next].loads})
		} else {
			s.groups = append(s.groups, &group{ops: withNeeded(own, steps[0].loads), ahead: 1, absent: repeated})
		}
		s.groups = append(s.groups, &group{ops: st.products})
		s.groups = append(s.groups, moved[i]...)
	}
	s.once()
	s.alternate(steps)
	s.releaseArrays()
	s.Notes = append(s.Notes, fmt.Sprintf("%s: matrices are loaded one of %d steps ahead, stored two, and loaded from global memory %d", s.loop.Line, len(steps), len(steps)+2))
	return true
}

// transfers are the groups of stores and of loads from global memory that follow the products of each step.
func (s *schedule) transfers(steps []matrixStep, slice, movable, loads, stores []*simt.Op) [][]*group {
	n := len(steps)
	groups, made, late, isLoad := make([][]*group, n), make([]*group, n), make([]*group, n), in(loads)
	for i := range steps {
		to, ahead := (i+2)%n, (i+2)/n
		ofStep := slices.DeleteFunc(slices.Clone(stores), func(op *simt.Op) bool { return !steps[to].has(op.Shared) })
		ops := needed(movable, ofStep)
		isMade := in(ops)
		early := slices.DeleteFunc(slices.Clone(loads), func(op *simt.Op) bool { return !isMade(op) })
		loads = slices.DeleteFunc(loads, in(early))
		made[i] = &group{ops: slices.DeleteFunc(ops, isLoad), ahead: ahead, absent: repeated}
		late[i] = &group{ops: needed(slice, early), ahead: ahead + 1, absent: repeated}
		groups[i] = []*group{made[i]}
	}
	if n == 2 { // loads of both steps are two iterations ahead
		carryMasks(made, late)
	}
	for i, g := range late {
		switch {
		case n < 4:
			groups[i] = append(groups[i], g)
		case i%2 == 1:
			groups[i] = append(groups[i], late[i-1], g)
		}
	}
	return groups
}

// maskOps is how many ops make a mask that is worth a register throughout an iteration.
const maskOps = 8

// carryMasks leaves out of the ops of stores those that the loads an iteration before have made, if they are many for each mask that the loop then carries, and
// it carries nothing else.
func carryMasks(made, loads []*group) {
	isEarly, carried, again := map[*simt.Op]bool{}, map[*simt.Value]bool{}, map[*simt.Op]bool{}
	for _, g := range loads {
		for _, op := range g.ops {
			isEarly[op] = true
		}
	}
	for _, g := range made {
		for _, op := range g.ops {
			if isEarly[op] {
				again[op] = true
				continue
			}
			for _, v := range op.Args {
				if v.Op != nil && isEarly[v.Op] && v.Op.Kind.IsPure() {
					carried[v] = true
				}
			}
		}
	}
	for v := range carried {
		if v.Type.Elem != dtype.Bool {
			return
		}
	}
	if len(carried) == 0 || len(again) < maskOps*len(carried) {
		return
	}
	for _, g := range made {
		g.ops = slices.DeleteFunc(g.ops, func(op *simt.Op) bool { return again[op] })
	}
}

// once keeps of the ops that several groups of the own iteration have the first.
func (s *schedule) once() {
	seen := map[*simt.Op]bool{}
	for _, g := range s.groups {
		if g.ahead == 0 {
			g.ops = slices.DeleteFunc(slices.Clone(g.ops), func(op *simt.Op) bool {
				again := seen[op]
				seen[op] = true
				return again
			})
		}
	}
}

// alternate lets steps that are two apart have the same arrays.
func (s *schedule) alternate(steps []matrixStep) {
	into := map[*simt.Shared]*simt.Shared{}
	for i, st := range steps {
		for which, a := range st.arrays {
			if to := steps[i%2].arrays[which]; a != nil && to != nil && to.Len == a.Len {
				into[a] = to
			}
		}
	}
	for _, g := range s.groups {
		for _, op := range g.ops {
			if to := into[op.Shared]; to != nil {
				op.Shared = to
			}
		}
	}
	s.Kernel.Shared = slices.DeleteFunc(s.Kernel.Shared, func(a *simt.Shared) bool { return into[a] != nil && into[a] != a })
}

// matrixStep is the products of one step along K in an iteration, the loads of their matrices, and the arrays of those.
type matrixStep struct {
	arrays          [2]*simt.Shared // of the left operand and of the right one
	loads, products []*simt.Op
}

func (st matrixStep) has(a *simt.Shared) bool { return st.arrays[0] == a || st.arrays[1] == a }

// matrixSteps divides the products of an iteration into steps, each of which has its own arrays; it is nil if that cannot be.
func matrixSteps(own []*simt.Op) (steps []matrixStep) {
	isOwn, stepOf := in(own), map[any]int{} // of an array or a load
	for _, op := range own {
		if op.Kind != simt.CooperativeMulAdd {
			continue
		}
		if sums := op.Args[2].Op; sums != nil && isOwn(sums) && sums.Kind != simt.CooperativeMulAdd {
			return nil // other ops change them between products
		}
		at, found := 0, false
		var operands []*simt.Op
		for _, v := range op.Args[:2] {
			load := v.Op
			if load == nil || load.Kind != simt.CooperativeLoad || !isOwn(load) {
				return nil
			}
			operands = append(operands, load)
			if n, known := stepOf[load.Shared]; known {
				if found && n != at {
					return nil
				}
				at, found = n, true
			}
		}
		if !found {
			at = len(steps)
			steps = append(steps, matrixStep{})
		}
		if at != len(steps)-1 {
			return nil
		}
		st := &steps[at]
		st.products = append(st.products, op)
		for which, load := range operands {
			if a := st.arrays[which]; a != nil && a != load.Shared {
				return nil
			}
			stepOf[load.Shared], st.arrays[which] = at, load.Shared
			if _, known := stepOf[load]; !known {
				stepOf[load] = at
				st.loads = append(st.loads, load)
			}
		}
	}
	return steps
}

// onlyMultiplies reports whether an iteration has no other ops than pure ones, those loads and stores, loads of matrices and products.
func onlyMultiplies(own, loads, stores []*simt.Op) bool {
	isLoad, isStore := in(loads), in(stores)
	return !slices.ContainsFunc(own, func(op *simt.Op) bool {
		return !op.Kind.IsPure() && op.Kind != simt.CooperativeLoad && op.Kind != simt.CooperativeMulAdd && !isLoad(op) && !isStore(op)
	})
}

// multiplies lists the ops that stay in their iteration: products, the loads of matrices of all steps but the first, and what the loop carries.
func (s *schedule) multiplies(own []*simt.Op, steps []matrixStep) (list []*simt.Op) {
	carried := map[*simt.Value]bool{}
	for _, v := range s.loop.Body.Yield().Args {
		carried[v] = true
	}
	isFirst := in(steps[0].loads)
	for _, op := range own {
		isMatrix := op.Kind == simt.CooperativeLoad || op.Kind == simt.CooperativeMulAdd
		if isMatrix && !isFirst(op) || op.Result() != nil && carried[op.Result()] {
			list = append(list, op)
		}
	}
	return list
}

// usesAny reports whether an operand is the result of one of some ops.
func usesAny(op *simt.Op, isOne func(op *simt.Op) bool) bool {
	return slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return v.Op != nil && isOne(v.Op) })
}

// withNeeded are some ops with the pure ops of an iteration that they need, in order.
func withNeeded(own, ops []*simt.Op) []*simt.Op {
	is := in(ops)
	candidates := slices.DeleteFunc(slices.Clone(own), func(op *simt.Op) bool { return !op.Kind.IsPure() && !is(op) })
	return needed(candidates, ops)
}
