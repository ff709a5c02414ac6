package simtpass

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// barriers inserts a barrier wherever a thread may touch an element of a shared array
// that another thread wrote, or overwrite one that another thread still reads,
// since the last barrier. So it does for buffers that a kernel writes, since the ops of
// a program happen in order: of two stores to an element the second one stays.
//
// Stores of one disjoint write set of a shared array need no barrier between them, accesses of one alias class of a
// buffer or unordered ones (see simt.Op) none, either.
func barriers(r *Context) {
	found, e := findBarriers(r.Kernel), simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		if buffers, ok := found[op]; ok {
			e.Do(&simt.Op{Kind: simt.Barrier, Buffers: buffers, Line: op.Line})
		}
		e.Do(op)
	})
}

// barrierPoints says before which ops a barrier stands, and whether it orders
// accesses to buffers, too.
type barrierPoints map[*simt.Op]bool

func findBarriers(k *simt.Func) barrierPoints {
	p := barrierPoints{}
	p.block(k.Body, hazards{})
	return p
}

// hazards says for each shared array and each buffer what happened since the last barrier.
type hazards map[any]use

// use of memory since the last barrier.
type use struct {
	read, written bool
	reads, writes set  // the one set of the reads, of the writes; 0 if that is not known
	out           bool // TensorStores may still read it: up to a StoreWait, whatever barriers are in between
}

// set is a set of accesses that need no barrier between them: an alias class, which is above 0, or a disjoint write set
// or unordered accesses, which are below 0. It is 0 for none.
type set int

func setOf(op *simt.Op) set {
	if op.Alias != 0 {
		return set(op.Alias)
	}
	return -set(op.Unordered + op.Disjoint)
}

// memoryOf is the array whose accesses need barriers, nil for none.
func memoryOf(op *simt.Op) any {
	switch {
	case op.Shared != nil && (op.Shared.Stages > 0 || op.Shared.Arrivals > 0): // whose loop orders them
		return nil
	case op.Shared != nil:
		return op.Shared
	case op.Buffer != nil && op.Buffer.Write:
		return op.Buffer
	}
	return nil
}

// conflict says whether an op needs a barrier before it.
type conflict uint8

const (
	none     conflict = iota
	inShared          // for a shared array alone
	inBuffer          // for a buffer
)

// after is what is left after a barrier: one that does not order buffers leaves what happened to them.
func (h hazards) behind(buffers bool) hazards {
	left := hazards{}
	for memory, u := range h {
		switch _, buffer := memory.(*simt.Buffer); {
		case buffer && !buffers:
			left[memory] = u
		case u.out:
			left[memory] = use{out: true}
		}
	}
	return left
}

// waited notes that the one thread that waits for TensorStores knows what they have read, which others learn after a barrier.
func (h hazards) waited() {
	for memory, u := range h {
		u.read = u.read || u.out
		h[memory] = u
	}
}

// before puts a barrier before an op, where one stands already or is needed, and returns
// the hazards that are left. A barrier orders buffers where it has to, or where one is pending
// that the kernel reads, too.
func (p barrierPoints) before(op *simt.Op, pending hazards, needed conflict) hazards {
	buffers, stands := p[op]
	if !stands && needed == none {
		return pending
	}
	buffers = buffers || needed == inBuffer
	for memory := range pending {
		if b, ok := memory.(*simt.Buffer); ok {
			buffers = buffers || b.Read
		}
	}
	p[op] = buffers
	return pending.behind(buffers)
}

// block finds the barriers of a block that starts with pending hazards and returns
// those at its end.
func (p barrierPoints) block(b *simt.Block, pending hazards) hazards {
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.Barrier:
			pending = pending.behind(op.Buffers)
		case simt.StoreWait:
			pending.waited()
		case simt.If: // within which no barrier may stand
			pending = p.before(op, pending, conflictWithin(op.Body, pending))
			simt.Walk(op.Body, pending.add)
		case simt.Branch:
			other := p.block(op.Else, pending.clone())
			pending = p.block(op.Body, pending)
			pending.merge(other)
		case simt.Roles: // one of which shares nothing but circular buffers
			pending = p.block(op.Else, pending)
		case simt.For, simt.While:
			pending = p.beforeLoop(op, pending)
			pending = p.loop(op, pending)
		default:
			if op.Kind.Reads() || op.Kind.Writes() {
				pending = p.before(op, pending, pending.conflict(op))
				pending.add(op)
			}
		}
	}
	return pending
}

// beforeLoop puts a barrier before a loop rather than in each iteration, if what came
// before the loop is all that needs it.
func (p barrierPoints) beforeLoop(op *simt.Op, pending hazards) hazards {
	needed := conflictWithin(op.Body, pending)
	if needed == none {
		return p.before(op, pending, none)
	}
	alone, with := maps.Clone(p), maps.Clone(p)
	alone.loop(op, hazards{})
	with.loop(op, pending.clone())
	if len(with) == len(alone) {
		needed = none
	}
	return p.before(op, pending, needed)
}

// loop finds the barriers of a loop's body, so that it is safe both after what
// came before the loop and after its own previous iteration.
func (p barrierPoints) loop(op *simt.Op, before hazards) hazards {
	start := before.clone()
	for {
		end := p.block(op.Body, start.clone())
		if start.merge(end) {
			continue
		}
		if op.Kind == simt.While { // it ends at its Break
			i := slices.IndexFunc(op.Body.Ops, func(inner *simt.Op) bool { return inner.Kind == simt.Break })
			return p.block(&simt.Block{Ops: op.Body.Ops[:i]}, start)
		}
		return start // it holds what came before too: the loop may not run at all
	}
}

func (h hazards) conflict(op *simt.Op) conflict {
	memory := memoryOf(op)
	if memory == nil {
		return none
	}
	u := h[memory]
	reads, writes := op.Kind.Reads(), op.Kind.Writes()
	own := setOf(op)
	sameRead, sameWrite := u.reads != 0 && u.reads == own, u.writes != 0 && u.writes == own
	switch found := (reads || writes) && u.written && !sameWrite || writes && u.read && !sameRead; {
	case !found:
		return none
	case op.Shared != nil:
		return inShared
	}
	return inBuffer
}

func (h hazards) add(op *simt.Op) {
	memory := memoryOf(op)
	if memory == nil {
		return
	}
	u := h[memory]
	reads, writes := op.Kind.Reads(), op.Kind.Writes()
	if reads {
		u.reads = oneSet(u.read, u.reads, setOf(op))
		u.read = true
	}
	if writes {
		u.writes = oneSet(u.written, u.writes, setOf(op))
		u.written = true
	}
	u.out = u.out || op.Kind == simt.TensorStore
	h[memory] = u
}

// oneSet is the one set of accesses, those so far and one more.
func oneSet(any bool, sofar, more set) set {
	if any && sofar != more {
		return 0
	}
	return more
}

func conflictWithin(b *simt.Block, pending hazards) (found conflict) {
	simt.Walk(b, func(op *simt.Op) { found = max(found, pending.conflict(op)) })
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
// that changed anything. Accesses that arrive by different ways, or from the
// previous iteration, are of one alias class at most.
func (h hazards) merge(o hazards) (changed bool) {
	for memory, u := range o {
		was := h[memory]
		m := use{read: was.read || u.read, written: was.written || u.written, out: was.out || u.out}
		if _, ok := memory.(*simt.Buffer); ok {
			m.reads = max(0, mergeSet(was.read, was.reads, u.read, u.reads))
			m.writes = max(0, mergeSet(was.written, was.writes, u.written, u.writes))
		}
		if m != was {
			h[memory], changed = m, true
		}
	}
	return changed
}

// mergeSet is the one set of the accesses of two ways.
func mergeSet(anyX bool, x set, anyY bool, y set) set {
	if anyX && anyY {
		return oneSet(true, x, y)
	}
	if anyX {
		return x
	}
	return y
}
