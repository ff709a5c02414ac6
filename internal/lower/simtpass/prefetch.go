package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// prefetch makes a loop load from global memory one iteration ahead, so that the loads' latency passes while the iteration before computes.
// It is for loops that put what they load into shared memory: the loads of the next iteration follow the last use of this one's, and
// registers carry what was loaded. A load qualifies if its address depends on the loop's index but on
// nothing else that the loop computes, has no division that could be one by 0 in an
// iteration that does not exist, and the loop does not write the buffer.
//
// Where matrix instructions take what was loaded from registers, nothing but the loads hides their latency: they begin an iteration, and run as
// many iterations ahead as there are stages besides that which is multiplied. So do those of a loop without matrix instructions whose schedule asks for stages.
func (s *schedule) prefetch() {
	own := s.own()
	slice, loads := s.loadSlice(own)
	if len(loads) == 0 {
		return
	}
	last := lastUse(own, loads, (*simt.Op).StoresShared)
	g := &group{ahead: 1, absent: repeated}
	switch ahead := s.Stages - 1; {
	case last >= 0:
		s.put(last+1, g)
	case (lastUse(own, loads, multiplies) >= 0 || s.Ahead && !slices.ContainsFunc(own, multiplies)) && s.reaches(ahead):
		g.ahead = ahead
		s.put(0, g)
		s.loop.Times = s.Stages
	default:
		return
	}
	var later map[*simt.Op][]*simt.Op
	g.ops, later = s.asStored(slice)
	s.exchange(later)
	s.take(in(loads))
}

// multiplies reports whether an op is of the matrix instructions that take operands from registers.
func multiplies(op *simt.Op) bool {
	return op.Kind == simt.MMA || op.Kind == simt.GroupMMA || op.Kind == simt.CooperativeMulAdd
}

// in reports whether an op is one of some.
func in(ops []*simt.Op) func(op *simt.Op) bool {
	set := map[*simt.Op]bool{}
	for _, op := range ops {
		set[op] = true
	}
	return func(op *simt.Op) bool { return set[op] }
}

// loadSlice finds the loads of a loop's own iteration that can run ahead, and all
// ops that their addresses and masks need, both in order. Addresses may depend on what earlier loads gave.
func (s *schedule) loadSlice(own []*simt.Op, earlier ...*simt.Op) (slice, loads []*simt.Op) {
	isEarlier := in(earlier)
	stored := map[*simt.Buffer]bool{}
	simt.Walk(&simt.Block{Ops: own}, func(op *simt.Op) {
		if op.Kind.Writes() {
			stored[op.Buffer] = true
		}
	})
	acquires := (&simt.Block{Ops: own}).Acquires() // others may store to what is not stored here
	varies := map[*simt.Value]bool{}               // values of the body that do not depend on the index alone
	for _, a := range s.loop.Body.Args[1:] {
		varies[a] = true
	}
	for _, op := range own {
		ok := op.Kind.IsPure() && !op.MayTrap() || op.Kind == simt.Load && !stored[op.Buffer] && !(acquires && op.Buffer.Write)
		for _, a := range op.Args {
			ok = ok && !varies[a]
		}
		for _, v := range op.Out {
			varies[v] = !ok || op.Kind == simt.Load && !isEarlier(op)
		}
		if ok {
			slice = append(slice, op)
			if op.Kind == simt.Load {
				loads = append(loads, op)
			}
		}
	}
	return needed(slice, loads), loads
}

// needed keeps those of the ops that the loads depend on, and the loads.
func needed(slice, loads []*simt.Op) (kept []*simt.Op) {
	isLoad, used := in(loads), map[*simt.Op]bool{}
	for _, op := range slices.Backward(slice) {
		if used[op] || isLoad(op) {
			kept = append(kept, op)
			for _, a := range op.Args {
				used[a.Op] = true
			}
		}
	}
	slices.Reverse(kept)
	return kept
}

// lastUse is the position of the last op of an iteration that takes what was
// loaded, or what follows from it, and is one of some; -1 if there is none.
func lastUse(own []*simt.Op, loads []*simt.Op, isOne func(op *simt.Op) bool) int {
	derived := map[*simt.Value]bool{}
	for _, op := range loads {
		derived[op.Result()] = true
	}
	last := -1
	for i, op := range own {
		uses := false
		for _, a := range op.Args {
			uses = uses || derived[a]
		}
		if !uses {
			continue
		}
		for _, v := range op.Out {
			derived[v] = true
		}
		if isOne(op) {
			last = i
		}
	}
	return last
}
