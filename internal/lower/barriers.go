package lower

import "github.com/weftgpu/weft/simt"

// barriers inserts a barrier wherever a thread may touch an element of a shared array
// that another thread wrote, or overwrite one that another thread still reads,
// since the last barrier. Stores of one run (simt.Op.Index) write distinct
// elements and need none between them.
func barriers(r *Result) {
	barrierBlock(r.Kernel.Body, hazards{})
}

// hazards says for each shared array what happened since the last barrier.
type hazards map[*simt.Shared]use

// use of an array since the last barrier.
type use struct {
	read, written bool
	run           int // the one run of stores that wrote it, 0 if that is not known
}

// barrierBlock inserts barriers into a block that starts with pending hazards and
// returns those at its end.
func barrierBlock(b *simt.Block, pending hazards) hazards {
	var out []*simt.Op
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.Barrier:
			pending = hazards{}
		case simt.SharedLoad, simt.SharedStore:
			if pending.conflict(op) {
				out = append(out, &simt.Op{Kind: simt.Barrier, Line: op.Line})
				pending = hazards{}
			}
			pending.add(op)
		case simt.If:
			if conflictWithin(op.Body, pending) { // no barrier may stand inside
				out = append(out, &simt.Op{Kind: simt.Barrier, Line: op.Line})
				pending = hazards{}
			}
			walk(op.Body, func(inner *simt.Op) {
				if inner.Shared != nil {
					pending.add(inner)
				}
			})
		case simt.For:
			if conflictWithin(op.Body, pending) { // once before the loop rather than in each iteration
				out = append(out, &simt.Op{Kind: simt.Barrier, Line: op.Line})
				pending = hazards{}
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
		if !start.merge(end) {
			return start // it holds what came before too: the loop may not run at all
		}
	}
}

func (h hazards) conflict(op *simt.Op) bool {
	u := h[op.Shared]
	if op.Kind == simt.SharedLoad {
		return u.written
	}
	return u.read || u.written && (u.run == 0 || u.run != op.Index)
}

func (h hazards) add(op *simt.Op) {
	u := h[op.Shared]
	if op.Kind == simt.SharedLoad {
		u.read = true
	} else {
		u.written, u.run = true, op.Index
	}
	h[op.Shared] = u
}

func conflictWithin(b *simt.Block, pending hazards) (found bool) {
	walk(b, func(op *simt.Op) {
		if op.Shared != nil && pending.conflict(op) {
			found = true
		}
	})
	return found
}

func (h hazards) clone() hazards {
	c := hazards{}
	for s, u := range h {
		c[s] = u
	}
	return c
}

// merge adds the hazards of another way to the same point and reports whether
// that changed anything. Stores that arrive by different ways, or from the
// previous iteration, are no run.
func (h hazards) merge(o hazards) (changed bool) {
	for s, u := range o {
		was := h[s]
		m := use{read: was.read || u.read, written: was.written || u.written}
		if m.read != was.read || m.written != was.written || was.run != 0 {
			h[s], changed = m, true
		}
	}
	return changed
}
