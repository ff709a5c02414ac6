package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// stageAhead makes a loop load from global memory, and store to the shared arrays that operands of products are loaded from, one iteration ahead,
// for devices without asynchronous copies:
//
//	before the loop   loads and stores for the first iteration
//	in the loop       loads for the next iteration; the products of this one; a barrier; stores for the next iteration; a barrier
//
// The loads' latency passes while the products are computed, and registers hold what was loaded within one iteration, which loops need not carry. An
// array qualifies if the loop alone accesses it, and if what is stored there depends on the loop's index and on loads that qualify as for
// prefetch. Fused multiply-adds are in this order in SPIR-V alone, and if their loop does nothing else: other loops have arrays that use the same memory
// one after the other. (Products of F32 with a side of 4096 take 2.99 ms on an H200 so, 3.56 where the loop carries what it loads.) It returns whether there is
// such an array.
//
// Loads at addresses that depend on numbers of what an iteration loads, such as those of pages, follow the loads of these an iteration later. Where masked loads share a branch, see joinLoads,
// an iteration that does not exist loads nothing.
func (s *schedule) stageAhead() bool {
	if s.copies != nil {
		return false
	}
	own := s.own()
	slice, loads := s.loadSlice(own)
	movable := s.movable(own, loads)
	stores := s.stagedStores(movable)
	var numbers *group
	if len(stores) == 0 && s.reaches(2) {
		if slice, loads, numbers = s.numbersAhead(slice, loads); numbers != nil {
			movable = s.movable(own, slices.Concat(loads, numbers.ops))
			stores = s.stagedStores(movable)
		}
	}
	if len(loads) == 0 || len(stores) == 0 {
		return false
	}
	if len(s.Kernel.Cooperative) == 0 && (s.Caps.Language != target.SPIRV || !addsProducts(own, loads, stores)) {
		return false
	}
	absent := repeated
	if s.Caps.Language == target.SPIRV && awaitsLoads(s.loop) && slices.ContainsFunc(loads, func(op *simt.Op) bool { return op.Mask() != nil }) {
		absent = masked
	} else {
		slice, movable = s.fillLate(slice, movable, stores)
	}
	isEarly, isStore, isLoad := in(slice), in(stores), in(loads)
	made := slices.DeleteFunc(needed(movable, stores), func(op *simt.Op) bool { return isEarly(op) || numbers != nil && slices.Contains(numbers.ops, op) })
	s.take(func(op *simt.Op) bool { return isLoad(op) || isStore(op) })
	s.first(&group{ops: slice, ahead: 1, absent: absent})
	s.put(len(s.own()), &group{ops: made, ahead: 1, absent: repeated})
	if numbers != nil {
		s.putNumbers(numbers, 2)
	}
	s.releaseArrays()
	s.Notes = append(s.Notes, fmt.Sprintf("%s: %d loads and %d stores to shared memory a thread and iteration, one iteration ahead", s.loop.Line, len(loads), len(stores)))
	return true
}

// releaseArrays puts a barrier after the loop, so that what follows can have the memory of its arrays without more barriers in it.
func (s *schedule) releaseArrays() {
	s.after = append(s.after, &simt.Op{Kind: simt.Barrier, Line: s.loop.Line})
}

// movable lists the ops of an iteration that can run in another place of it, in order: pure ops, some loads and stores to shared memory that depend on
// these alone.
func (s *schedule) movable(own, loads []*simt.Op) (list []*simt.Op) {
	isLoad := in(loads)
	fixed := map[*simt.Value]bool{}
	for _, v := range s.loop.Body.Args[1:] {
		fixed[v] = true
	}
	for _, op := range own {
		ok := op.Kind.IsPure() && !op.MayTrap() || isLoad(op) || op.Kind == simt.SharedStore
		for _, v := range op.Args {
			ok = ok && !fixed[v]
		}
		if ok {
			list = append(list, op)
		}
		for _, v := range op.Out {
			fixed[v] = !ok
		}
	}
	return list
}

// stagedStores are the movable stores to arrays that the loop alone accesses, by these stores, by loads of cooperative matrices and in loops of
// products.
func (s *schedule) stagedStores(movable []*simt.Op) (stores []*simt.Op) {
	accesses, staged := map[*simt.Shared]int{}, map[*simt.Shared]int{}
	simt.Walk(s.Kernel.Body, func(op *simt.Op) { accesses[op.Shared]++ })
	simt.Walk(s.loop.Body, func(op *simt.Op) {
		if op.Kind == simt.CooperativeLoad {
			staged[op.Shared]++
		}
	})
	for _, op := range s.loop.Body.Ops {
		if op.Kind == simt.For {
			simt.Walk(op.Body, func(op *simt.Op) {
				if op.Kind == simt.SharedLoad {
					staged[op.Shared]++
				}
			})
		}
	}
	for _, op := range movable {
		if op.Kind == simt.SharedStore && staged[op.Shared] > 0 {
			staged[op.Shared]++
		}
	}
	for _, op := range movable {
		if op.Kind == simt.SharedStore && staged[op.Shared] > 0 && staged[op.Shared] == accesses[op.Shared] {
			stores = append(stores, op)
		}
	}
	return stores
}

// fillLate lets masked loads of an iteration read the first element where the mask is false, and what uses them choose what they give then: the choice would
// wait for the load in its place. Loads of elements, whose first one may not be there, stay as they are, and so do those that not only stores use. It returns what the loads need, and
// the movable ops with the choices for stores.
func (s *schedule) fillLate(slice, movable, stores []*simt.Op) (early, late []*simt.Op) {
	e := s.edit.New()
	filled, choices := map[*simt.Value]*simt.Value{}, map[*simt.Op][]*simt.Op{}
	isMade := in(needed(movable, stores))
	others := map[*simt.Value]bool{} // what others use
	simt.Walk(s.loop.Body, func(op *simt.Op) {
		for _, v := range op.Args {
			others[v] = others[v] || !isMade(op)
		}
	})
	for _, op := range slice {
		mask := op.Mask()
		if op.Kind == simt.Load && mask != nil && op.Packed && !others[op.Result()] {
			v, fill := op.Result(), op.Fill
			op.Args, op.Fill = []*simt.Value{e.Select(mask, op.Args[0], e.Int(0))}, 0
			early = append(early, e.Take()...)
			filled[v] = e.Select(e.Splat(mask, v.Type.Width), v, e.Const(v.Type, fill))
			filled[v].Suggest(v.Hint)
			choices[op] = e.Take()
		}
		early = append(early, op)
	}
	for _, op := range movable {
		for i, v := range op.Args {
			if x := filled[v]; x != nil {
				op.Args[i] = x
			}
		}
		late = append(append(late, op), choices[op]...)
	}
	return early, late
}

// addsProducts reports whether an iteration has no other ops than pure ones, those loads and stores, and loops that only load from shared memory.
func addsProducts(own, loads, stores []*simt.Op) bool {
	isLoad, isStore := in(loads), in(stores)
	return !slices.ContainsFunc(own, func(op *simt.Op) bool {
		return !op.Kind.IsPure() && !isLoad(op) && !isStore(op) && !onlyLoadsShared(op)
	})
}

// onlyLoadsShared reports whether an op is a loop without effects and without other loads than from shared memory.
func onlyLoadsShared(op *simt.Op) bool {
	if op.Kind != simt.For {
		return false
	}
	return !slices.ContainsFunc(op.Body.Ops, func(op *simt.Op) bool {
		return !op.Kind.IsPure() && op.Kind != simt.SharedLoad && op.Kind != simt.Yield && !onlyLoadsShared(op)
	})
}
