package simtpass

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// A schedule says when the ops of a loop run: in which order within an iteration of the loop that is written anew, and each for which
// iteration of the old one (modulo scheduling; Lam, Software Pipelining, 1988). It begins as the loop stands. Policies take ops out of it
// and put them into groups that run ahead or after:
//
//	prefetch.go       loads from global memory into registers
//	stageahead.go     such loads, and stores of them to shared memory
//	stepahead.go      the same, with matrices a step along K ahead
//	async.go          asynchronous copies to shared memory
//	made.go           what threads store to shared memory next to these
//	tensorcopy.go     copies by tensor maps, which producer warps make
//	transform.go      what threads make of the operands of products
//	outstanding.go    the wait for products
//
// and expand.go writes the loop, with what goes before it (the prologue) and after it (the epilogue). Ops of producer warps and of the
// others stand in one schedule; the pass specialise knows which are whose, and divides the expanded loop.
type schedule struct {
	*Context
	edit    *simt.Editor
	loop    *simt.Op
	groups  []*group // in the order of an iteration
	buffers []*circular
	before  []*simt.Op // stands before the prologue
	after   []*simt.Op // stands after the epilogue

	copies  *circular // what copies ahead fill, nil if none do
	rings   []*ring   // of such copies by producer warps
	arrival *group    // waits until this iteration's copies are there
	copying *group    // starts copies, nil if producer warps do
	release *group    // gives a stage of copies back to producer warps, nil if there are none
	apart   bool      // what threads make of copies runs ahead of the products
}

// A group is ops that run together, for one iteration of the old loop.
type group struct {
	ops      []*simt.Op
	ahead    int        // how many iterations ahead of the loop's index; -1 for the one before
	absent   absence    // what becomes of an iteration that does not exist
	opening  *opening   // of the prologue
	closing  []*simt.Op // follow the ops in each iteration, whether the group's exists or not
	epilogue []*simt.Op // take the place of the ops after the loop
}

// absence is how a group that is not for the loop's own iteration does nothing for one that does not exist.
type absence int

const (
	skipped   absence = iota // effects stand in an If
	repeated                 // what the last iteration read is read again, to a place where nothing reads it
	masked                   // loads take a mask, which is false
	predicate                // the ops take a mask as their last operand
)

// An opening is a branch of the prologue, taken if the loop has an iteration, in which groups run that share it.
type opening struct{ begin, end []*simt.Op }

func newSchedule(r *Context, e *simt.Editor, loop *simt.Op) *schedule {
	return &schedule{Context: r, edit: e, loop: loop, groups: []*group{{ops: slices.Clone(loop.Body.Ops[:len(loop.Body.Ops)-1])}}}
}

// own are the ops that run for the loop's own iteration, in order.
func (s *schedule) own() (ops []*simt.Op) {
	for _, g := range s.groups {
		if g.ahead == 0 {
			ops = append(ops, g.ops...)
		}
	}
	return ops
}

// take takes ops out of the loop's own iteration.
func (s *schedule) take(gone func(op *simt.Op) bool) {
	for _, g := range s.groups {
		if g.ahead == 0 {
			g.ops = slices.DeleteFunc(g.ops, gone)
		}
	}
}

// first puts groups first.
func (s *schedule) first(groups ...*group) { s.groups = append(groups, s.groups...) }

// put puts groups before the op of the own iteration at a position of own, after the groups that were put there before.
func (s *schedule) put(at int, groups ...*group) {
	for i, g := range s.groups {
		if g.ahead != 0 {
			continue
		}
		if at < len(g.ops) || at == len(g.ops) && (i == len(s.groups)-1 || s.groups[i+1].ahead == 0) {
			rest := *g
			rest.ops, g.ops = slices.Clone(g.ops[at:]), g.ops[:at:at]
			s.groups = slices.Concat(s.groups[:i+1:i+1], groups, []*group{&rest}, s.groups[i+1:])
			return
		}
		at -= len(g.ops)
	}
}

// reaches reports whether the index so many iterations ahead of one is known not to wrap, or not to matter if it does.
func (s *schedule) reaches(ahead int) bool {
	step, known := simt.ConstOf(s.loop.Args[2])
	return !s.loop.MayWrap() || ahead == 1 || known && step*float64(ahead) <= math.MaxInt32
}

// stagesFor is how many stages of copies a loop takes that needs so many of them at a time: more, where all threads copy, by those of which copies
// begin or are waited for.
func (s *schedule) stagesFor(used, more int) int {
	if s.copying != nil {
		return used + more
	}
	return used
}

// index is the loop's index.
func (s *schedule) index() *simt.Value { return s.loop.Body.Args[0] }

// circularOf is the circular buffer that an array is part of, nil if it is of none.
func (s *schedule) circularOf(a *simt.Shared) *circular {
	for _, b := range s.buffers {
		if b.sizes[a] > 0 {
			return b
		}
	}
	return nil
}
