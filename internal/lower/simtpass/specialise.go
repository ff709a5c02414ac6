package simtpass

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
)

// specialise gives copies by tensor maps to a thread of their own (warp specialisation). An array that a loop fills so becomes a
// circular buffer of several stages, each with two barriers: full, which tells that what was copied is there, and empty, which tells that
// the threads that multiply are done with it. What counts the stages is carried through all loops around, so that
// copies for the next tile start while the results of this one are stored.
//
//	the copying thread                        the others
//	  wait until the stage is empty             wait until the stage is full
//	  expect bytes at its full, and copy        multiply what is in it
//	                                            arrive at its empty
//
// The copying thread runs a slice of the kernel (Weiser, Program slicing, 1981): its copies, the loops around them, and
// what their coordinates are computed from.
func specialise(r *Context) {
	k := r.Kernel
	loops := tensorLoops(k.Body, nil)
	if k.Producers > 0 {
		return
	}
	sp := &roleSplit{Context: r, edit: simt.Edit(k), producer: map[*simt.Op]bool{}, consuming: map[*simt.Op]bool{}}
	sp.shareCopies(loops)
	if len(loops) == 0 {
		return
	}
	pingPong := sp.pingPong(loops)
	stages := sp.copyStages(loops, true)
	beside := sp.copyStages(loops, false) == stages
	if stages < 1 {
		r.Refused = fmt.Sprintf("%d bytes of shared memory have no room for a stage of copies", r.Caps.SharedBytes)
		return
	}
	k.Shared = slices.DeleteFunc(k.Shared, func(s *simt.Shared) bool { return s.Arrivals > 0 })
	schedules := make([]*schedule, len(loops))
	for i, t := range loops {
		schedules[i] = sp.schedule(t, stages)
	}
	for i, s := range schedules {
		s.transformAhead()
		s.outstanding()
		before, after := s.expand()
		parent := k.Body
		if path := loops[i].path; len(path) > 1 {
			parent = path[len(path)-2].Body
		}
		parent.Insert(s.loop, before...)
		parent.InsertAfter(s.loop, after...)
		for _, op := range before {
			sp.consuming[op] = true
		}
	}
	sp.split()
	for i, s := range schedules {
		parent := k.Body.Ops[len(k.Body.Ops)-1].Else
		if path := loops[i].path; len(path) > 1 {
			parent = path[len(path)-2].Body
		}
		sp.overlapDependent(s, parent)
	}
	if pingPong != nil && r.Refused == "" {
		pingPong.take(schedules)
	}
	if r.Refused == "" {
		if own := sp.ownRows(loops); own != nil && beside { // groups alias no stages: see aliasEpilogue
			own.take()
		}
	}
	if r.Refused == "" {
		k.Producers = producersFor(k.ConsumerThreads())
	}
}

// producersFor is how many threads go with the copying one where so many multiply: a warpgroup, which gives the registers that it does not need to
// several others, or with a single one, that can have more than it needs, a warp. (A warp with two warpgroups would leave them no more than
// 168 registers a thread: three warps share the file of one of the four schedulers.)
func producersFor(threads int) int {
	if threads > simt.WarpgroupMMA.Threads {
		return simt.WarpgroupMMA.Threads
	}
	return simt.WarpThreads
}

// tensorLoop is a loop in whose body tensor maps copy, after the loops around it.
type tensorLoop struct {
	path   []*simt.Op // the last one is the loop
	copies []*simt.Op
}

func tensorLoops(b *simt.Block, around []*simt.Op) (list []tensorLoop) {
	var copies []*simt.Op
	for _, op := range b.Ops {
		if op.Kind == simt.TensorCopy {
			copies = append(copies, op)
		}
		for _, body := range op.Blocks() {
			list = append(list, tensorLoops(body, append(around[:len(around):len(around)], op))...)
		}
	}
	if len(copies) > 0 {
		list = append(list, tensorLoop{around, copies})
	}
	return list
}

type roleSplit struct {
	*Context
	edit      *simt.Editor
	producer  map[*simt.Op]bool // ops of the copying thread alone
	consuming map[*simt.Op]bool // ops that precede loops of the others
}

// copyStages is how many stages of all copies there is room for, at most those that are asked for: if arrays that are used only after the copies alias the stages, or
// beside these arrays.
func (sp *roleSplit) copyStages(loops []tensorLoop, alias bool) int {
	stage, arrays, staged := 0, 0, map[*simt.Shared]bool{}
	for _, t := range loops {
		maps.Copy(staged, t.arrays())
		stage, arrays = stage+stageBytes(t.arrays()), arrays+len(t.arrays())
	}
	var after map[*simt.Shared]bool // what can alias the stages
	if alias {
		_, after = lateArrays(sp.Kernel.Body, func(s *simt.Shared) bool { return staged[s] })
	}
	return plan.MapStages(sp.Caps, sp.Stages, arrays, stage, func(room int) (rest, late int) {
		if sp.Consumers < 2 {
			return sp.unstagedBytes(staged, after, room)
		}
		for _, s := range sp.Kernel.Shared { // of which each group has its own, and shares none
			if !staged[s] {
				rest += sp.Consumers * s.Bytes()
			}
		}
		return rest, 0
	})
}

func (t tensorLoop) arrays() map[*simt.Shared]bool {
	all := map[*simt.Shared]bool{}
	for _, op := range t.copies {
		all[op.Shared] = true
	}
	return all
}

// split divides the kernel: what stands before its first effect is for all threads, the rest for one role each.
func (sp *roleSplit) split() {
	k := sp.Kernel
	first := slices.IndexFunc(k.Body.Ops, func(op *simt.Op) bool { return !op.Kind.IsPure() && op.Kind != simt.Exit || sp.consuming[op] })
	together := copiesTogether(k)
	all := &simt.Block{Ops: k.Body.Ops[first:]}
	producer := sp.slice(all)
	simt.Erase(all, func(op *simt.Op) bool { return sp.producer[op] })
	k.Body.Ops = k.Body.Ops[:first:first]
	if together { // none of which reaches another before its barriers are ready
		k.Body.Ops = append(k.Body.Ops, &simt.Op{Kind: simt.ClusterBarrier})
	}
	k.Body.Ops = append(k.Body.Ops, &simt.Op{Kind: simt.Roles, Body: producer, Else: all})
}

// slice is what the copying thread does of a block: its own ops, the loops around them, and all that their operands are computed from. It
// refuses the kernel if others take all threads.
func (sp *roleSplit) slice(all *simt.Block) *simt.Block {
	var wanted, roots []*simt.Op
	simt.Walk(all, func(op *simt.Op) { wanted = append(wanted, op) })
	slice, n := sp.edit.New().CopyBlock(all), 0
	simt.Walk(slice, func(op *simt.Op) {
		if sp.producer[wanted[n]] {
			roots = append(roots, op)
		}
		n++
	})
	live := newLiveness(slice)
	live.stores = nil // what threads store is no copy's
	live.keepAll(roots)
	live.sweep(slice)
	simt.Walk(slice, func(op *simt.Op) {
		switch {
		case !op.Kind.InProducer():
			sp.Refused = fmt.Sprintf("copies depend on %v, which takes all threads", op.Kind)
		case op.Kind == simt.Load && op.Buffer.Write: // by threads that it does not wait for
			sp.Refused = "copies depend on a load from a buffer that the kernel writes"
		}
	})
	return slice
}
