package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// specialise gives copies by tensor maps to a thread of their own (warp specialisation). An array that a loop fills so becomes a
// ring of several stages, each with two barriers: full, which tells that what was copied is there, and empty, which tells that
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
	rings := tensorLoops(k.Body, nil)
	if k.Producers > 0 {
		return
	}
	sp := &roleSplit{Context: r, ids: simt.Edit(k), copying: map[*simt.Op]bool{}}
	sp.shareCopies(rings)
	if len(rings) == 0 {
		return
	}
	turns := sp.turns(rings)
	stages := sp.fitStages(rings)
	if stages < 1 {
		r.Refused = fmt.Sprintf("%d bytes of shared memory have no room for a stage of copies", r.Caps.SharedBytes)
		return
	}
	k.Shared = slices.DeleteFunc(k.Shared, func(s *simt.Shared) bool { return s.Arrivals > 0 })
	for _, ring := range rings {
		sp.ring(ring, stages)
	}
	sp.split()
	if sp.InFlight > 1 && r.Refused == "" {
		for _, ring := range rings {
			parent := k.Body.Ops[len(k.Body.Ops)-1].Else
			if n := len(ring.path); n > 1 {
				parent = ring.path[n-2].Body
			}
			sp.inFlight(parent, ring.path[len(ring.path)-1], stages)
		}
	}
	if turns != nil && r.Refused == "" {
		turns.take(stages)
	}
	if r.Refused == "" {
		k.Producers = producersFor(k.ConsumerThreads())
	}
}

// producersFor is how many threads go with the copying one, beside so many that multiply: a warpgroup, which gives the registers that it does not need to
// several others, or beside a single one, that can have more than it needs, a warp. (A warp beside two warpgroups would leave them no more than
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
	ids     *simt.Builder
	copying map[*simt.Op]bool // ops of the copying thread alone
}

// fitStages is how many stages of all rings there is room for, at most those that are asked for.
func (sp *roleSplit) fitStages(rings []tensorLoop) int {
	stage, isRing := 0, map[*simt.Shared]bool{}
	for _, ring := range rings {
		for s := range ring.arrays() {
			stage, isRing[s] = stage+s.Bytes()+16, true // with its barriers
		}
	}
	room := sp.Caps.SharedBytes - simt.LineAlignment // which aligning the small arrays takes at most
	need := func(stages int) int {
		rest, _ := sp.unstagedBytes(isRing, nil, room-stages*stage)
		if sp.Consumers > 1 { // which have arrays of their own, and share none
			rest = 0
			for _, s := range sp.Kernel.Shared {
				if !isRing[s] {
					rest += sp.Consumers * s.Bytes()
				}
			}
		}
		return rest + stages*stage
	}
	stages := sp.Stages
	for stages > 0 && sp.Caps.SharedBytes > 0 && need(stages) > room {
		stages--
	}
	return stages
}

func (t tensorLoop) arrays() map[*simt.Shared]bool {
	all := map[*simt.Shared]bool{}
	for _, op := range t.copies {
		all[op.Shared] = true
	}
	return all
}

// ring makes a loop's arrays rings, with the ops of both roles in one body.
func (sp *roleSplit) ring(t tensorLoop, stages int) {
	loop := t.path[len(t.path)-1]
	r := &tensorRing{roleSplit: sp, loop: loop, stages: stages, sizes: map[*simt.Shared]int{}, offsets: map[*simt.Shared]*simt.Value{}}
	for s := range t.arrays() {
		r.sizes[s] = s.Len
		s.Len, s.Stages = s.Len*stages, stages
	}
	bytes := 0
	for _, op := range t.copies {
		bytes += sp.bytesOf(op)
	}
	r.full = sp.ids.NewSignals("full", stages, 1)
	r.empty = sp.ids.NewSignals("empty", stages, r.workgroups(t)*max(1, sp.Kernel.Threads/simt.WarpThreads))
	r.full.Line, r.empty.Line, r.full.Note, r.empty.Note = loop.Line, loop.Line, "what was copied is there", "and no longer needed"
	r.stage, r.turn = sp.carry(t.path, "stage"), sp.carry(t.path, "turn")

	ops := loop.Body.Ops
	yield := ops[len(ops)-1]
	r.begin(bytes)
	r.body(ops[:len(ops)-1], t.shared())
	r.advance(yield)
	loop.Body.Ops = append(r.ops, yield)
	if t.shared() {
		r.drain(t.path[0])
	}
	sp.Notes = append(sp.Notes, fmt.Sprintf("%s: a thread of its own copies %d bytes an iteration by tensor maps, %d stages in flight", loop.Line, bytes, stages))
}

// tensorRing writes the body of a loop anew.
type tensorRing struct {
	*roleSplit
	loop        *simt.Op
	stages      int
	sizes       map[*simt.Shared]int // of a stage, in elements
	full, empty *simt.Shared
	stage, turn *simt.Value                  // of this iteration, and the parity of its phases
	offsets     map[*simt.Shared]*simt.Value // of the stage, in elements
	ops         []*simt.Op
}

// emit appends a pure op.
func (r *tensorRing) emit(kind simt.Kind, t simt.Type, hint string, args ...*simt.Value) *simt.Value {
	c := &cloner{ids: r.ids}
	v := c.emit(&simt.Op{Kind: kind, Args: args}, t, hint)
	r.ops = append(r.ops, c.ops...)
	return v
}

// signal appends a step of a barrier, of the copying thread or the others.
func (r *tensorRing) signal(copying bool, op *simt.Op) {
	op.Line = r.loop.Line
	r.copying[op] = copying
	r.ops = append(r.ops, op)
}

// waitEmpty waits, in the copying thread, for the stage to be empty.
func (r *tensorRing) waitEmpty() {
	before := r.emit(simt.Xor, r.turn.Type, "", r.turn, r.ids.Int(1))
	r.signal(true, &simt.Op{Kind: simt.Wait, Shared: r.empty, Args: []*simt.Value{r.stage, before}})
}

// begin waits, in the copying thread, for the stage to be empty and expects the bytes of its copies.
func (r *tensorRing) begin(bytes int) {
	r.waitEmpty()
	r.signal(true, &simt.Op{Kind: simt.Expect, Shared: r.full, Bytes: bytes, Args: []*simt.Value{r.stage}})
	for _, s := range r.Kernel.Shared {
		if n := r.sizes[s]; n > 0 {
			r.offsets[s] = r.emit(simt.Mul, r.stage.Type, "stage", r.stage, r.ids.Int(n))
		}
	}
}

// body moves copies and reads to the stage, with a wait before the first that reads, and an arrival after the last, in all workgroups of a
// cluster if they share copies.
func (r *tensorRing) body(ops []*simt.Op, shared bool) {
	waited := false
	for _, op := range ops {
		switch {
		case op.Kind == simt.TensorCopy:
			c := &cloner{ids: r.ids}
			op.Args[0], op.Args[1], op.Signals = c.shift(op.Args[0], r.offsets[op.Shared]), r.stage, r.full
			r.copying[op] = true
			r.ops = append(append(r.ops, c.ops...), op)
			continue
		case !waited && readsRing(op, r.sizes):
			r.signal(false, &simt.Op{Kind: simt.Wait, Shared: r.full, Args: []*simt.Value{r.stage, r.turn}})
			waited = true
		}
		r.ops = append(r.ops, shiftReads([]*simt.Op{op}, r.offsets, r.ids)...)
	}
	r.signal(false, &simt.Op{Kind: simt.Arrive, Shared: r.empty, Args: []*simt.Value{r.stage}, Cluster: shared})
}

// advance yields the next stage; after the last one the parity of phases is the other.
func (r *tensorRing) advance(yield *simt.Op) {
	one, none := r.ids.Int(1), r.ids.Int(0)
	last := r.emit(simt.Eq, simt.Scalar(dtype.Bool), "", r.stage, r.ids.Int(r.stages-1))
	next := r.emit(simt.Add, r.stage.Type, "", r.stage, one)
	next = r.emit(simt.Select, r.stage.Type, "stage", last, none, next)
	flip := r.emit(simt.Select, r.turn.Type, "", last, one, none)
	flip = r.emit(simt.Xor, r.turn.Type, "turn", r.turn, flip)
	yield.Args = append(yield.Args, next, flip)
}

// readsRing reports whether an op, or one in its bodies, reads a ring.
func readsRing(op *simt.Op, sizes map[*simt.Shared]int) (found bool) {
	simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
		found = found || inner.Kind != simt.TensorCopy && sizes[inner.Shared] > 0
	})
	return found
}

// carry makes loops in each other carry one value more, which starts as 0, and returns what the innermost one's body has
// as it. The yield of that loop still lacks its next value.
func (sp *roleSplit) carry(path []*simt.Op, hint string) *simt.Value {
	initial := sp.ids.Int(0)
	var now *simt.Value
	for i, loop := range path {
		now = sp.ids.NewValue(initial.Type, hint)
		final := sp.ids.NewValue(initial.Type, hint)
		final.Op = loop
		loop.Args = append(loop.Args, initial)
		loop.Body.Args = append(loop.Body.Args, now)
		loop.Out = append(loop.Out, final)
		if i > 0 {
			outer := path[i-1].Body
			yield := outer.Ops[len(outer.Ops)-1]
			yield.Args = append(yield.Args, final)
		}
		initial = now
	}
	return now
}

// split divides the kernel: what stands before its first effect is for all threads, the rest for one role each.
func (sp *roleSplit) split() {
	k := sp.Kernel
	first := slices.IndexFunc(k.Body.Ops, func(op *simt.Op) bool { return !op.Kind.IsPure() && op.Kind != simt.Exit })
	all := &simt.Block{Ops: k.Body.Ops[first:]}
	s := newSlicer(all, sp.copying)
	if s.refused != "" {
		sp.Refused = s.refused
		return
	}
	producer := s.clone(all, sp.ids)
	consumer := &simt.Block{Ops: sp.without(all.Ops)}
	k.Body.Ops = k.Body.Ops[:first:first]
	if k.Cluster > 1 { // none of which reaches another before its barriers are ready
		k.Body.Ops = append(k.Body.Ops, &simt.Op{Kind: simt.ClusterBarrier})
	}
	k.Body.Ops = append(k.Body.Ops, &simt.Op{Kind: simt.Roles, Body: producer, Else: consumer})
}

// without drops the ops of the copying thread.
func (sp *roleSplit) without(ops []*simt.Op) (out []*simt.Op) {
	for _, op := range ops {
		if sp.copying[op] {
			continue
		}
		for _, body := range op.Blocks() {
			body.Ops = sp.without(body.Ops)
		}
		out = append(out, op)
	}
	return out
}
