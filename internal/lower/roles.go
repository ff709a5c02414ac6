package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// roles gives copies by tensor maps to a thread of their own (warp specialisation). An array that a loop fills so becomes a
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
func roles(r *Result) {
	k := r.Kernel
	rings := tensorLoops(k.Body, nil)
	if len(rings) == 0 || k.Producers > 0 {
		return
	}
	sp := &roleSplit{Result: r, ids: simt.Edit(k), copying: map[*simt.Op]bool{}}
	stages := sp.fitStages(rings)
	if stages < 1 {
		r.refused = fmt.Sprintf("%d bytes of shared memory have no room for a stage of copies", r.caps.SharedBytes)
		return
	}
	k.Shared = slices.DeleteFunc(k.Shared, func(s *simt.Shared) bool { return s.Arrivals > 0 })
	for _, ring := range rings {
		sp.ring(ring, stages)
	}
	sp.split()
	if r.refused == "" {
		k.Producers = producersFor(k.Threads)
	}
}

// producersFor is how many threads go with the copying one: a warpgroup, which gives the registers that it does not need to several
// others, or beside a single one, that can have more than it needs, a warp.
func producersFor(threads int) int {
	if threads > simt.GroupThreads {
		return simt.GroupThreads
	}
	return simt.WarpThreads
}

// tensorLoop is a loop in whose body tensor maps copy, behind the loops around it.
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
	*Result
	ids     *simt.Builder
	copying map[*simt.Op]bool // ops of the copying thread alone
}

// fitStages is how many stages of all rings there is room for, at most those that are asked for.
func (sp *roleSplit) fitStages(rings []tensorLoop) int {
	stage := 0
	for _, ring := range rings {
		for s := range ring.arrays() {
			stage += s.Bytes() + 16 // with its barriers
		}
	}
	rest := alignedBytes(sp.Kernel) - stage
	stages := sp.stages
	for stages > 0 && sp.caps.SharedBytes > 0 && rest+stages*stage > sp.caps.SharedBytes {
		stages--
	}
	return stages
}

// alignedBytes is the shared memory of a kernel with what aligning its arrays to the lines of matrices may take.
func alignedBytes(k *simt.Kernel) int { return k.SharedBytes() + 1024 }

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
	sizes, bytes := map[*simt.Shared]int{}, 0
	for s := range t.arrays() {
		sizes[s] = s.Len
		s.Len, s.Stages = s.Len*stages, stages
	}
	full := sp.ids.NewSignals("full", stages, 1)
	empty := sp.ids.NewSignals("empty", stages, max(1, sp.Kernel.Threads/simt.WarpThreads))
	full.Line, empty.Line, full.Note, empty.Note = loop.Line, loop.Line, "what was copied is there", "and no longer needed"
	stage, turn := sp.carry(t.path, "stage"), sp.carry(t.path, "turn")

	c := &cloner{ids: sp.ids}
	one, none := sp.ids.Int(1), sp.ids.Int(0)
	before := c.emit(&simt.Op{Kind: simt.Xor, Args: []*simt.Value{turn, one}}, turn.Type, "")
	producer := func(op *simt.Op) {
		op.Line = loop.Line
		sp.copying[op] = true
		c.ops = append(c.ops, op)
	}
	for _, op := range t.copies {
		bytes += op.Map.Bytes()
	}
	producer(&simt.Op{Kind: simt.Wait, Shared: empty, Args: []*simt.Value{stage, before}})
	producer(&simt.Op{Kind: simt.Expect, Shared: full, Index: bytes, Args: []*simt.Value{stage}})
	head := c.ops
	offsets := map[*simt.Shared]*simt.Value{}
	c.ops = nil
	for _, s := range sp.Kernel.Shared {
		if n := sizes[s]; n > 0 {
			offsets[s] = c.emit(&simt.Op{Kind: simt.Mul, Args: []*simt.Value{stage, sp.ids.Int(n)}}, stage.Type, "stage")
		}
	}
	head = append(head, c.ops...)
	waited := false
	c.ops = nil
	var body []*simt.Op
	for _, op := range loop.Body.Ops {
		switch {
		case op.Kind == simt.TensorCopy:
			c.ops = nil
			op.Args[0], op.Args[1] = c.shift(op.Args[0], offsets[op.Shared]), stage
			op.Signals = full
			body = append(append(body, c.ops...), op)
			sp.copying[op] = true
			continue
		case !waited && readsRing(op, sizes):
			body = append(body, &simt.Op{Kind: simt.Wait, Shared: full, Args: []*simt.Value{stage, turn}, Line: loop.Line})
			waited = true
		}
		body = append(body, shiftReads([]*simt.Op{op}, offsets, sp.ids)...)
	}
	c.ops = nil
	last := c.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{stage, sp.ids.Int(stages - 1)}}, simt.Scalar(dtype.Bool), "")
	next := c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{stage, one}}, stage.Type, "")
	next = c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{last, none, next}}, stage.Type, "stage")
	flip := c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{last, one, none}}, turn.Type, "")
	flip = c.emit(&simt.Op{Kind: simt.Xor, Args: []*simt.Value{turn, flip}}, turn.Type, "turn")
	yield := body[len(body)-1]
	yield.Args = append(yield.Args, next, flip)
	body = append(body[:len(body)-1], &simt.Op{Kind: simt.Arrive, Shared: empty, Args: []*simt.Value{stage}, Line: loop.Line})
	loop.Body.Ops = append(append(append(head, body...), c.ops...), yield)
	sp.Notes = append(sp.Notes, fmt.Sprintf("%s: a thread of its own copies %d bytes an iteration by tensor maps, %d stages in flight", loop.Line, bytes, stages))
}

// readsRing reports whether an op, or one in its bodies, reads a ring.
func readsRing(op *simt.Op, sizes map[*simt.Shared]int) (found bool) {
	walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
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
		sp.refused = s.refused
		return
	}
	producer := s.clone(all, sp.ids)
	consumer := &simt.Block{Ops: sp.without(all.Ops)}
	k.Body.Ops = append(k.Body.Ops[:first:first], &simt.Op{Kind: simt.Roles, Body: producer, Else: consumer})
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
