package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// barriers inserts a barrier wherever a thread may touch an element of a shared array
// that another thread wrote, or overwrite one that another thread still reads,
// since the last barrier. So it does for buffers that a kernel writes, since the ops of
// a program happen in order: of two stores to an element the second one stays.
//
// Stores of one disjoint write set need no barrier between them, accesses of one alias class of a buffer or unordered ones (see simt.Op)
// none, either.
func barriers(r *Context) {
	insertBarriers(r.Kernel, nil)
}

// insertBarriers inserts those that a kernel lacks whose shared arrays share memory as aliased says, which may be nil.
func insertBarriers(k *simt.Func, aliased func(a, b *simt.Shared) bool) {
	found, e := findBarriers(k, aliased), simt.Edit(k)
	e.Rewrite(k.Body, func(op *simt.Op) {
		if buffers, ok := found[op]; ok {
			e.Do(&simt.Op{Kind: simt.Barrier, Buffers: buffers, Line: op.Line})
		}
		e.Do(op)
	})
}

// barrierPoints says before which ops a barrier stands, and whether it orders
// accesses to buffers, too.
type barrierPoints map[*simt.Op]bool

func findBarriers(k *simt.Func, aliased func(a, b *simt.Shared) bool) barrierPoints {
	f := &barrierFinder{numbers: map[any]int{}}
	steps := f.steps(k.Body)
	f.alias(aliased)
	f.at = make([]conflict, len(f.ops))
	f.block(steps, f.nothing())
	p := barrierPoints{}
	for i, c := range f.at {
		if c != none {
			p[f.ops[i]] = c == inBuffer
		}
	}
	return p
}

// barrierFinder finds the barriers of a kernel from its steps alone, which are far fewer than its ops: loops are gone through again and again.
type barrierFinder struct {
	numbers map[any]int    // of memories
	buffers []*simt.Buffer // by number; nil for a shared array
	aliases [][]int        // by number: the other shared arrays that have some of its memory
	ops     []*simt.Op     // of the steps
	at      []conflict     // by step: what the barrier before it is for, none if there is none
}

// step is an op that accesses memory, or has ops in its bodies that do, and what else decides where barriers stand.
type step struct {
	*simt.Op
	number       int
	memory       int    // number of what it accesses, -1 for none
	body, others []step // of Body and Else
}

// steps lists those of a block.
func (f *barrierFinder) steps(b *simt.Block) (list []step) {
	if b == nil {
		return nil
	}
	for _, op := range b.Ops {
		s := step{Op: op, memory: -1, body: f.steps(op.Body), others: f.steps(op.Else)}
		if m := memoryOf(op); m != nil && (op.Kind.Reads() || op.Kind.Writes()) {
			s.memory = f.numberOf(m)
		}
		if s.memory < 0 && len(s.body)+len(s.others) == 0 && op.Kind != simt.Barrier && op.Kind != simt.StoreWait && op.Kind != simt.Break {
			continue
		}
		s.number = len(f.ops)
		f.ops, list = append(f.ops, op), append(list, s)
	}
	return list
}

// numberOf is the number of a shared array or a buffer.
func (f *barrierFinder) numberOf(memory any) int {
	n, ok := f.numbers[memory]
	if !ok {
		n = len(f.buffers)
		f.numbers[memory] = n
		buffer, _ := memory.(*simt.Buffer)
		f.buffers = append(f.buffers, buffer)
	}
	return n
}

// alias finds which shared arrays have memory in common.
func (f *barrierFinder) alias(aliased func(a, b *simt.Shared) bool) {
	f.aliases = make([][]int, len(f.buffers))
	if aliased == nil {
		return
	}
	for x, i := range f.numbers {
		for y, j := range f.numbers {
			a, isShared := x.(*simt.Shared)
			b, both := y.(*simt.Shared)
			if isShared && both && i != j && aliased(a, b) {
				f.aliases[i] = append(f.aliases[i], j)
			}
		}
	}
}

// hazards says for each memory, by its number, what happened since the last barrier.
type hazards []use

func (f *barrierFinder) nothing() hazards { return make(hazards, len(f.buffers)) }

// use of memory since the last barrier.
type use struct {
	reads, writes set // what all reads, all writes have in common
	read, written bool
	out           bool // TensorStores may still read it: up to a StoreWait, whatever barriers are in between
}

// set says which accesses need no barrier between them: those of one alias class, and those of one disjoint write set or one set of unordered
// accesses. 0 is none.
type set struct{ alias, unordered int }

func setOf(op *simt.Op) set { return set{op.Alias, op.Unordered + op.Disjoint} }

// with reports whether accesses of two sets need no barrier between them.
func (s set) with(t set) bool {
	return s.alias != 0 && s.alias == t.alias || s.unordered != 0 && s.unordered == t.unordered
}

// and is what two sets have in common.
func (s set) and(t set) set {
	if s.alias != t.alias {
		s.alias = 0
	}
	if s.unordered != t.unordered {
		s.unordered = 0
	}
	return s
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
func (f *barrierFinder) after(h hazards, buffers bool) hazards {
	left := f.nothing()
	for i, u := range h {
		switch {
		case f.buffers[i] != nil && !buffers:
			left[i] = u
		case u.out:
			left[i] = use{out: true}
		}
	}
	return left
}

// waited notes that the one thread that waits for TensorStores knows what they have read, which others learn after a barrier.
func (h hazards) waited() {
	for i := range h {
		h[i].read = h[i].read || h[i].out
	}
}

// before puts a barrier before a step, where one stands already or is needed, and returns
// the hazards that are left. A barrier orders buffers where it has to, or where one is pending
// that the kernel reads, too.
func (f *barrierFinder) before(s step, pending hazards, needed conflict) hazards {
	needed = max(needed, f.at[s.number])
	if needed == none {
		return pending
	}
	for i, u := range pending {
		if b := f.buffers[i]; b != nil && b.Read && u != (use{}) {
			needed = inBuffer
		}
	}
	f.at[s.number] = needed
	return f.after(pending, needed == inBuffer)
}

// block finds the barriers of a block that starts with pending hazards and returns
// those at its end.
func (f *barrierFinder) block(steps []step, pending hazards) hazards {
	for _, s := range steps {
		switch s.Kind {
		case simt.Barrier:
			pending = f.after(pending, s.Buffers)
		case simt.StoreWait:
			pending.waited()
		case simt.If: // within which no barrier may stand
			pending = f.before(s, pending, f.conflictWithin(pending, s.body))
			pending.addAll(s.body)
		case simt.Branch:
			other := f.block(s.others, slices.Clone(pending))
			pending = f.block(s.body, pending)
			f.merge(pending, other)
		case simt.Roles: // one of which shares nothing but circular buffers
			pending = f.block(s.others, pending)
		case simt.For, simt.While:
			pending = f.beforeLoop(s, pending)
			pending = f.loop(s, pending)
		default:
			if s.memory >= 0 {
				pending = f.before(s, pending, f.conflict(pending, s))
				pending.add(s)
			}
		}
	}
	return pending
}

// beforeLoop puts a barrier before a loop rather than in each iteration, if what came
// before the loop is all that needs it.
func (f *barrierFinder) beforeLoop(s step, pending hazards) hazards {
	needed := f.conflictWithin(pending, s.body)
	if needed != none && f.within(s, pending) == f.within(s, f.nothing()) {
		needed = none
	}
	return f.before(s, pending, needed)
}

// within counts the barriers if a loop finds some hazards, of which it then knows nothing.
func (f *barrierFinder) within(s step, pending hazards) (n int) {
	at := f.at
	f.at = slices.Clone(at)
	f.loop(s, pending)
	for _, c := range f.at {
		if c != none {
			n++
		}
	}
	f.at = at
	return n
}

// loop finds the barriers of a loop's body, so that it is safe both after what
// came before the loop and after its own previous iteration.
func (f *barrierFinder) loop(s step, before hazards) hazards {
	start := slices.Clone(before)
	for {
		end := f.block(s.body, slices.Clone(start))
		if f.merge(start, end) {
			continue
		}
		if s.Kind == simt.While { // it ends at its Break
			i := slices.IndexFunc(s.body, func(inner step) bool { return inner.Kind == simt.Break })
			return f.block(s.body[:i], start)
		}
		return start // it holds what came before too: the loop may not run at all
	}
}

// conflict is that of a step with what happened.
func (f *barrierFinder) conflict(h hazards, s step) conflict {
	if s.memory < 0 {
		return none
	}
	u := h[s.memory]
	reads, writes := s.Kind.Reads(), s.Kind.Writes()
	own := setOf(s.Op)
	found := (reads || writes) && u.written && !u.writes.with(own) || writes && u.read && !u.reads.with(own)
	for _, other := range f.aliases[s.memory] {
		o := h[other]
		found = found || (reads || writes) && o.written || writes && o.read
	}
	switch {
	case !found:
		return none
	case s.Shared != nil:
		return inShared
	}
	return inBuffer
}

func (h hazards) add(s step) {
	if s.memory < 0 {
		return
	}
	u := &h[s.memory]
	if s.Kind.Reads() {
		u.reads = mergeSet(u.read, u.reads, true, setOf(s.Op))
		u.read = true
	}
	if s.Kind.Writes() {
		u.writes = mergeSet(u.written, u.writes, true, setOf(s.Op))
		u.written = true
	}
	u.out = u.out || s.Kind == simt.TensorStore
}

// conflictWithin is that of some steps and those in their bodies, and addAll adds them all.
func (f *barrierFinder) conflictWithin(h hazards, steps []step) (found conflict) {
	for _, s := range steps {
		found = max(found, f.conflict(h, s), f.conflictWithin(h, s.body), f.conflictWithin(h, s.others))
	}
	return found
}

func (h hazards) addAll(steps []step) {
	for _, s := range steps {
		h.add(s)
		h.addAll(s.body)
		h.addAll(s.others)
	}
}

// merge adds the hazards of another way to the same point to some and reports whether
// that changed anything. Accesses that arrive by different ways, or from the
// previous iteration, are of one alias class at most.
func (f *barrierFinder) merge(h, other hazards) (changed bool) {
	for i, u := range other {
		if u == (use{}) {
			continue
		}
		was := h[i]
		m := use{read: was.read || u.read, written: was.written || u.written, out: was.out || u.out}
		if f.buffers[i] != nil {
			m.reads.alias = mergeSet(was.read, was.reads, u.read, u.reads).alias
			m.writes.alias = mergeSet(was.written, was.writes, u.written, u.writes).alias
		}
		if m != was {
			h[i], changed = m, true
		}
	}
	return changed
}

// mergeSet is what the accesses of two ways have in common, of which either may have none.
func mergeSet(anyX bool, x set, anyY bool, y set) set {
	switch {
	case anyX && anyY:
		return x.and(y)
	case anyX:
		return x
	}
	return y
}
