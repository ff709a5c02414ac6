package lower

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// barriers inserts a barrier wherever a thread may touch an element of a shared array
// that another thread wrote, or overwrite one that another thread still reads,
// since the last barrier. So it does for buffers that a kernel writes, since the ops of
// a program happen in order: of two stores to an element, the second one stays.
//
// Places (simt.Op.Index) spare barriers. Stores of one run to a shared array
// write distinct elements and need none between them. Of a buffer, accesses of
// one place, a number above 0, touch each element by one thread only, those of
// one run, a number below 0, are one op of the program.
func barriers(r *Result) {
	barrierBlock(r.Kernel.Body, hazards{})
}

// hazards says for each shared array and each buffer what happened since the last barrier.
type hazards map[any]use

// use of memory since the last barrier.
type use struct {
	read, written bool
	reads, writes int // the one place of the reads, of the writes; 0 if that is not known
}

// memoryOf is the array whose accesses need barriers, nil for none.
func memoryOf(op *simt.Op) any {
	switch {
	case op.Shared != nil:
		return op.Shared
	case op.Buffer != nil && op.Buffer.Write:
		return op.Buffer
	}
	return nil
}

// accessOf says what an op does to memory.
func accessOf(op *simt.Op) (reads, writes bool) {
	switch op.Kind {
	case simt.Load, simt.SharedLoad:
		return true, false
	case simt.Store, simt.SharedStore:
		return false, true
	}
	return op.Kind == simt.Atomic, op.Kind == simt.Atomic
}

// barrier makes the barrier that ends pending hazards, and returns those that it leaves: it
// orders buffers where it has to, or where one is pending that the kernel reads, too.
func (h hazards) barrier(line string, buffers bool) (*simt.Op, hazards) {
	op, rest := &simt.Op{Kind: simt.Barrier, Line: line}, hazards{}
	for memory, u := range h {
		if b, ok := memory.(*simt.Buffer); ok {
			rest[b] = u
			buffers = buffers || b.Read
		}
	}
	if buffers {
		op.Index, rest = 1, hazards{}
	}
	return op, rest
}

// barrierBlock inserts barriers into a block that starts with pending hazards and
// returns those at its end.
func barrierBlock(b *simt.Block, pending hazards) hazards {
	var out []*simt.Op
	wait := func(line string, buffers bool) {
		barrier, rest := pending.barrier(line, buffers)
		out, pending = append(out, barrier), rest
	}
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.Barrier:
			pending = hazards{}
		case simt.SharedLoad, simt.SharedStore, simt.Load, simt.Store, simt.Atomic:
			if pending.conflict(op) {
				wait(op.Line, op.Buffer != nil)
			}
			pending.add(op)
		case simt.If:
			if found, buffers := conflictWithin(op.Body, pending); found { // no barrier may stand inside
				wait(op.Line, buffers)
			}
			walk(op.Body, pending.add)
		case simt.Branch:
			other := barrierBlock(op.Else, pending.clone())
			pending = barrierBlock(op.Body, pending)
			pending.merge(other)
		case simt.For, simt.While:
			if found, buffers := conflictWithin(op.Body, pending); found { // once before the loop rather than in each iteration
				wait(op.Line, buffers)
			}
			pending = barrierLoop(op, pending)
		}
		out = append(out, op)
	}
	b.Ops = out
	return pending
}

// barrierLoop inserts barriers into a loop's body so that it is safe both after what
// came before the loop and after its own previous iteration.
func barrierLoop(op *simt.Op, before hazards) hazards {
	start := before.clone()
	for {
		end := barrierBlock(op.Body, start.clone())
		if start.merge(end) {
			continue
		}
		if op.Kind == simt.While { // it ends at its Break
			i := slices.IndexFunc(op.Body.Ops, func(inner *simt.Op) bool { return inner.Kind == simt.Break })
			return barrierBlock(&simt.Block{Ops: op.Body.Ops[:i]}, start)
		}
		return start // it holds what came before too: the loop may not run at all
	}
}

func (h hazards) conflict(op *simt.Op) bool {
	memory := memoryOf(op)
	if memory == nil {
		return false
	}
	u := h[memory]
	reads, writes := accessOf(op)
	sameRead, sameWrite := u.reads != 0 && u.reads == op.Index, u.writes != 0 && u.writes == op.Index
	if op.Shared != nil { // places of a shared array are of stores
		sameRead, sameWrite = false, sameWrite && writes
	}
	return (reads || writes) && u.written && !sameWrite || writes && u.read && !sameRead
}

func (h hazards) add(op *simt.Op) {
	memory := memoryOf(op)
	if memory == nil {
		return
	}
	u := h[memory]
	reads, writes := accessOf(op)
	if reads {
		u.reads = onePlace(u.read, u.reads, op.Index)
		u.read = true
	}
	if writes {
		u.writes = onePlace(u.written, u.writes, op.Index)
		u.written = true
	}
	h[memory] = u
}

// onePlace is the one place of accesses, those so far and one more.
func onePlace(any bool, sofar, more int) int {
	if any && sofar != more {
		return 0
	}
	return more
}

// conflictWithin reports whether a block has conflicts with pending hazards, and whether about buffers.
func conflictWithin(b *simt.Block, pending hazards) (found, buffers bool) {
	walk(b, func(op *simt.Op) {
		if pending.conflict(op) {
			found, buffers = true, buffers || op.Buffer != nil
		}
	})
	return found, buffers
}

func (h hazards) clone() hazards {
	c := hazards{}
	for s, u := range h {
		c[s] = u
	}
	return c
}

// merge adds the hazards of another way to the same point and reports whether
// that changed anything. Accesses that arrive by different ways, or from the
// previous iteration, are no run.
func (h hazards) merge(o hazards) (changed bool) {
	for memory, u := range o {
		was := h[memory]
		m := use{read: was.read || u.read, written: was.written || u.written}
		if _, ok := memory.(*simt.Buffer); ok {
			m.reads = max(0, mergePlace(was.read, was.reads, u.read, u.reads))
			m.writes = max(0, mergePlace(was.written, was.writes, u.written, u.writes))
		}
		if m != was {
			h[memory], changed = m, true
		}
	}
	return changed
}

// mergePlace is the one place of the accesses of two ways.
func mergePlace(anyX bool, x int, anyY bool, y int) int {
	if anyX && anyY {
		return onePlace(true, x, y)
	}
	if anyX {
		return x
	}
	return y
}
