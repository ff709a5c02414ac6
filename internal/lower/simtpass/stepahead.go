package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// stepAhead is stageAhead for loops that do nothing but multiply, in several steps along K, of operands that are in parts of one step or a few, an array
// each. Matrices are loaded a step before their products, so that an array can be filled anew while the products of its last step are computed. Two
// arrays of an operand, which its parts use alternately, are enough:
//
//	before the loop   loads for the first two iterations; stores of the parts of the first two steps; matrices of the first one
//	in each step      a barrier
//	                  matrices of the next step
//	                  loads for the registers that the step before this one stored
//	                  the products of this step
//	                  stores of the parts that begin with the step after the next one
//
// Registers have what was loaded for an iteration. A barrier is between stores and the loads that follow them: a driver moves such loads up, but not
// beyond a barrier, and if they came before the stores the loop would have to copy what they load, and wait for it. With four steps or more, loads of two
// parts of one step follow each other, whose elements along K are in one line of a cache. With two steps, loads follow their stores at once: then those of both
// are for one iteration, and share what their indices take. But where the stores of both use what one op loads, as of weights of few bits, loads of an
// iteration that follow the stores of the first part need registers of their own until those of the second, and a copy, which waits: they follow the last stores, across
// the barrier. (Weights of 4 bits, 4096³ in F16 through Vulkan on an H200: 671 µs, not 763.) It returns whether the loop is such a loop.
func (s *schedule) stepAhead() bool {
	if len(s.Kernel.Cooperative) == 0 || s.copies != nil || !s.reaches(2) {
		return false
	}
	own := s.own()
	slice, loads := s.loadSlice(own)
	movable := s.movable(own, loads)
	stores := s.stagedStores(movable)
	steps := matrixSteps(own)
	parts := partsOf(steps)
	if parts == nil || len(loads) == 0 || !onlyMultiplies(own, loads, stores) {
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
	before, after := s.transfers(len(steps), parts, slice, movable, loads, stores)
	for i, st := range steps {
		if next := (i + 1) % len(steps); next > 0 {
			s.groups = append(s.groups, &group{ops: steps[next].loads})
		} else {
			s.groups = append(s.groups, &group{ops: withNeeded(own, steps[0].loads), ahead: 1, absent: repeated})
		}
		s.groups = append(s.groups, before[i]...)
		s.groups = append(s.groups, &group{ops: st.products})
		s.groups = append(s.groups, after[i]...)
	}
	s.once()
	s.alternate(parts)
	s.releaseArrays()
	s.Notes = append(s.Notes, fmt.Sprintf("%s: matrices are loaded one of %d steps ahead, stored two, and loaded from global memory %d", s.loop.Line, len(steps), len(steps)+2))
	return true
}

// transfers are the groups of loads from global memory that precede the products of each of n steps, and of stores, and of loads, that follow them.
func (s *schedule) transfers(n int, parts []*matrixPart, slice, movable, loads, stores []*simt.Op) (before, after [][]*group) {
	before, after = make([][]*group, n), make([][]*group, n)
	var made, late []*group
	isLoad := in(loads)
	opsOf := func(p *matrixPart) []*simt.Op {
		return needed(movable, slices.DeleteFunc(slices.Clone(stores), func(op *simt.Op) bool { return op.Shared != p.array }))
	}
	shared := func(*simt.Op) bool { return false }
	if n == 2 {
		shared = usedTwice(parts, opsOf)
	}
	crosses := slices.ContainsFunc(loads, shared) || n >= 4 // whether loads follow a barrier
	for i := range n {
		ahead, last := (i+2)/n, len(late)
		for _, p := range parts {
			if p.first != (i+2)%n {
				continue
			}
			ops := opsOf(p)
			isMade := in(ops)
			again := slices.DeleteFunc(slices.Clone(loads), func(op *simt.Op) bool { return !isMade(op) || shared(op) && p.first == 0 })
			loads = slices.DeleteFunc(loads, in(again))
			made = append(made, &group{ops: slices.DeleteFunc(ops, isLoad), ahead: ahead, absent: repeated})
			after[i] = append(after[i], made[len(made)-1])
			g := &group{ops: needed(slice, again), ahead: ahead + 1, absent: repeated}
			late = append(late, g)
			if crosses {
				at := i + 1
				if n >= 4 && i%2 == 0 && p.steps == 1 {
					at++
				}
				g.ahead -= at / n
				before[at%n] = append(before[at%n], g)
			}
		}
		if !crosses {
			after[i] = append(after[i], late[last:]...)
		}
	}
	if n == 2 && !crosses { // loads of both steps are two iterations ahead
		carryMasks(made, late)
	}
	return before, after
}

// usedTwice tells which ops the stores of the parts of both of two steps need.
func usedTwice(parts []*matrixPart, opsOf func(*matrixPart) []*simt.Op) func(*simt.Op) bool {
	first, both := map[*simt.Op]bool{}, map[*simt.Op]bool{}
	for _, step := range []int{0, 1} {
		for _, p := range parts {
			if p.first != step {
				continue
			}
			for _, op := range opsOf(p) {
				first[op], both[op] = first[op] || step == 0, step == 1 && first[op]
			}
		}
	}
	return func(op *simt.Op) bool { return both[op] }
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

// alternate lets every other part of an operand have the same array.
func (s *schedule) alternate(parts []*matrixPart) {
	into := map[*simt.Shared]*simt.Shared{}
	var operands [2][]*matrixPart
	for _, p := range parts {
		same := append(operands[p.operand], p)
		operands[p.operand] = same
		if to := same[(len(same)-1)%2]; to.array.Len == p.array.Len {
			into[p.array] = to.array
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

// matrixStep is the products of one step along K in an iteration, and the loads of the matrices that no step before it has.
type matrixStep struct{ loads, products []*simt.Op }

// matrixSteps divides the products of an iteration into steps: products are of the step after that of the products whose sums they add to. It is nil
// if operands are not loaded in the iteration, or steps do not follow each other.
func matrixSteps(own []*simt.Op) (steps []matrixStep) {
	isOwn, stepOf := in(own), map[*simt.Op]int{} // of a product or a load
	for _, op := range own {
		if op.Kind != simt.CooperativeMulAdd {
			continue
		}
		if sums := op.Args[2].Op; sums != nil && isOwn(sums) && sums.Kind != simt.CooperativeMulAdd {
			return nil // other ops change them between products
		}
		at := 0
		if before, found := stepOf[op.Args[2].Op]; found {
			at = before + 1
		}
		if at == len(steps) {
			steps = append(steps, matrixStep{})
		}
		if at != len(steps)-1 {
			return nil
		}
		stepOf[op] = at
		steps[at].products = append(steps[at].products, op)
		for _, v := range op.Args[:2] {
			load := v.Op
			if load == nil || load.Kind != simt.CooperativeLoad || !isOwn(load) {
				return nil
			}
			if _, known := stepOf[load]; !known {
				stepOf[load] = at
				steps[at].loads = append(steps[at].loads, load)
			}
		}
	}
	return steps
}

// matrixPart is a part of an operand, the left one (0) or the right one (1): the array that some steps load matrices from.
type matrixPart struct {
	array                 *simt.Shared
	operand, first, steps int
}

// partsOf lists the parts of both operands, each operand's in order. It is nil unless both have an even number of parts of as many steps each.
func partsOf(steps []matrixStep) (parts []*matrixPart) {
	of := map[*simt.Shared]*matrixPart{}
	count := [2]int{}
	for i, st := range steps {
		for _, load := range st.loads {
			operand := int(load.Result().Type.Matrix.Use - simt.MatrixA)
			p := of[load.Shared]
			if p == nil {
				p = &matrixPart{load.Shared, operand, i, 0}
				of[load.Shared], parts = p, append(parts, p)
				count[operand]++
			}
			if p.operand != operand || i > p.first+p.steps {
				return nil
			}
			p.steps = i - p.first + 1
		}
	}
	next := [2]int{}
	for _, p := range parts {
		n := count[p.operand]
		if n%2 != 0 || p.first != next[p.operand] || p.steps*n != len(steps) {
			return nil
		}
		next[p.operand] += p.steps
	}
	return parts
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
