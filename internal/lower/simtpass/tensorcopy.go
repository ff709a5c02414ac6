package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// schedule makes the arrays that tensor maps fill in a loop circular buffers of stages, and schedules both roles: the copying
// thread's ops, and a wait before the first of the others' that reads, with an arrival after the last, in all workgroups of a
// cluster if they share copies.
func (sp *roleSplit) schedule(t tensorLoop, stages int) *schedule {
	loop := t.path[len(t.path)-1]
	overlaps := sp.InFlight > 1 && sp.Consumers < 2 && !t.shared()
	if overlaps {
		chain(loop.Body)
	}
	s := newSchedule(sp.Context, sp.edit, loop)
	line, bytes := s.loop.Line, 0
	for _, op := range t.copies {
		bytes += sp.bytesOf(op)
	}
	s.copies = s.circular(t.path, stages, t.arrays(), true)
	if s.rings = []*ring{{copies: t.copies}}; overlaps {
		s.rings = ringsOf(s.own(), t.copies)
	}
	for i, r := range s.rings {
		sp.addRing(s, t, r, i)
	}
	if t.shared() {
		sp.drain(s, t.path[0], s.copies, s.rings[0].empty)
	}
	sp.Notes = append(sp.Notes, fmt.Sprintf("%s: a thread of its own copies %d bytes an iteration by tensor maps, to %d stages", line, bytes, stages))
	return s
}

// addRing schedules the copies of a ring, the wait before the first op that reads them, and the arrival after the products that do, at the end of the iteration for the last ring.
func (sp *roleSplit) addRing(s *schedule, t tensorLoop, r *ring, number int) {
	line, bytes, arrays, workgroups := s.loop.Line, 0, map[*simt.Shared]bool{}, 1 // whose threads use the stages
	for _, op := range r.copies {
		bytes += sp.bytesOf(op)
		arrays[op.Shared] = true
	}
	if t.shared() {
		workgroups = sp.Kernel.Cluster
	}
	b := s.copies
	r.full = sp.edit.NewSignals("full", b.stages, 1)
	r.empty = sp.edit.NewSignals("empty", b.stages, workgroups*max(1, sp.Kernel.Threads/simt.WarpThreads))
	r.full.Line, r.empty.Line, r.full.Note, r.empty.Note = line, line, "what was copied is there", "and no longer needed"

	own := s.own()
	end, ranks := len(own), ranks(own)
	if number < len(s.rings)-1 {
		for i, op := range own {
			if op.Kind == simt.GroupWait && ranks[op] == number {
				end = i + 1
			}
		}
	}
	s.release = &group{ops: []*simt.Op{{Kind: simt.Arrive, Shared: r.empty, Args: []*simt.Value{b.stage}, Cluster: t.shared(), Line: line}}}
	s.put(end, s.release)
	reads := slices.IndexFunc(own, func(op *simt.Op) bool { return readsArrays(op, arrays) })
	s.arrival = &group{ops: []*simt.Op{{Kind: simt.Wait, Shared: r.full, Args: []*simt.Value{b.stage, b.phase}, Line: line}}}
	s.put(max(0, reads), s.arrival)
	begin := sp.waitEmpty(b, r.empty, line)
	expect := &simt.Op{Kind: simt.Expect, Shared: r.full, Bytes: bytes, Args: []*simt.Value{b.stage}, Line: line}
	if begin = append(begin, expect); number == 0 {
		s.first(&group{ops: begin})
	} else {
		s.put(slices.IndexFunc(s.own(), in(r.copies)), &group{ops: begin})
	}
	sp.producer[expect] = true
	for _, op := range r.copies {
		op.Args[1], op.Signals, sp.producer[op] = b.stage, r.full, true
	}
}

// waitEmpty waits, in the copying thread, for a stage to be empty.
func (sp *roleSplit) waitEmpty(b *circular, empty *simt.Shared, line string) []*simt.Op {
	e := sp.edit.New()
	before := e.Binary(simt.Xor, b.phase, e.Int(1))
	wait := &simt.Op{Kind: simt.Wait, Shared: empty, Args: []*simt.Value{b.stage, before}, Line: line}
	sp.producer[wait] = true
	return append(e.Take(), wait)
}

// drain lets the copying thread wait, after all loops around, until every stage is empty: then no other workgroup arrives at a barrier of this one
// any more, which may end, and what this one copied to others has come.
func (sp *roleSplit) drain(s *schedule, outer *simt.Op, b *circular, empty *simt.Shared) {
	e, n := sp.edit.New(), len(outer.Out)
	loop := &simt.Op{Kind: simt.For, Line: s.loop.Line, Args: []*simt.Value{e.Int(0), e.Int(b.stages), e.Int(1)}, Body: &simt.Block{Args: []*simt.Value{e.NewValue(b.stage.Type, "")}}}
	last := &circular{stages: b.stages}
	last.stage, _ = e.Carry(loop, outer.Out[n-2], b.stage.Hint)
	last.phase, _ = e.Carry(loop, outer.Out[n-1], b.phase.Hint)
	e.Append(sp.waitEmpty(last, empty, s.loop.Line)...)
	stage, phase := last.move(e, last.stage, last.phase, 1)
	e.Do(&simt.Op{Kind: simt.Yield, Args: []*simt.Value{stage, phase}})
	loop.Body.Ops = e.Take()
	sp.producer[loop] = true
	sp.Kernel.Body.InsertAfter(outer, loop)
}

// readsArrays reports whether an op, or one in its bodies, reads arrays.
func readsArrays(op *simt.Op, arrays map[*simt.Shared]bool) (found bool) {
	simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
		found = found || inner.Kind != simt.TensorCopy && arrays[inner.Shared]
	})
	return found
}
