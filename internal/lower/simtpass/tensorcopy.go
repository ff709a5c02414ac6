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
	s := newSchedule(sp.Context, sp.edit, t.path[len(t.path)-1])
	line, bytes := s.loop.Line, 0
	for _, op := range t.copies {
		bytes += sp.bytesOf(op)
	}
	workgroups := 1 // whose threads use the stages
	if t.shared() {
		workgroups = sp.Kernel.Cluster
	}
	full := sp.edit.NewSignals("full", stages, 1)
	empty := sp.edit.NewSignals("empty", stages, workgroups*max(1, sp.Kernel.Threads/simt.WarpThreads))
	full.Line, empty.Line, full.Note, empty.Note = line, line, "what was copied is there", "and no longer needed"
	b := s.circular(t.path, stages, t.arrays(), true)
	s.copies = b

	own := s.own()
	reads := slices.IndexFunc(own, func(op *simt.Op) bool { return readsStage(op, b) })
	s.release = &group{ops: []*simt.Op{{Kind: simt.Arrive, Shared: empty, Args: []*simt.Value{b.stage}, Cluster: t.shared(), Line: line}}}
	s.put(len(own), s.release)
	s.arrival = &group{ops: []*simt.Op{{Kind: simt.Wait, Shared: full, Args: []*simt.Value{b.stage, b.phase}, Line: line}}}
	s.put(max(0, reads), s.arrival)
	begin := sp.waitEmpty(b, empty, line)
	expect := &simt.Op{Kind: simt.Expect, Shared: full, Bytes: bytes, Args: []*simt.Value{b.stage}, Line: line}
	s.first(&group{ops: append(begin, expect)})
	sp.producer[expect] = true
	for _, op := range t.copies {
		op.Args[1], op.Signals, sp.producer[op] = b.stage, full, true
	}
	if t.shared() {
		sp.drain(s, t.path[0], b, empty)
	}
	sp.Notes = append(sp.Notes, fmt.Sprintf("%s: a thread of its own copies %d bytes an iteration by tensor maps, %d stages in flight", line, bytes, stages))
	return s
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

// readsStage reports whether an op, or one in its bodies, reads a circular buffer.
func readsStage(op *simt.Op, b *circular) (found bool) {
	simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
		found = found || inner.Kind != simt.TensorCopy && b.sizes[inner.Shared] > 0
	})
	return found
}
