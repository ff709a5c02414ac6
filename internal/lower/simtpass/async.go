package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
)

// copyAhead starts copies of what a loop loads and puts into shared memory several iterations ahead, as
// asynchronous ones that need no registers. A shared array that is filled so becomes a circular buffer of as many stages as
// iterations are outstanding:
//
//	before the loop   copies of the first stages-1 iterations, a group for each
//	in the loop       wait for the group of this iteration, and a barrier, after which all threads see what
//	                  it brought and are done with the stage before; copies to that one for stages-1 iterations
//	                  later; then the iteration, with its loads from the current stage
//
// An array qualifies if the loop alone uses it, if each store to it is of what one load gave, whole
// and as it is, and if those loads qualify as for prefetch. Zeros must be what a masked load gives.
// What threads convert on the way is left to prefetch. Words that fused multiply-adds need transposed, of the K-major operand,
// are copied one by one (see assignment.copied). again says that the loop runs more than once.
func (s *schedule) copyAhead(again bool) {
	if !s.Caps.AsyncCopy {
		return
	}
	slice, loads := s.loadSlice(s.own())
	pairs := s.copyPairs(loads)
	var numbers *group
	if len(pairs) == 0 {
		slice, loads, numbers = s.numbersAhead(slice, loads)
		pairs = s.copyPairs(loads)
	}
	if len(pairs) == 0 {
		return
	}
	var made *made
	if numbers == nil { // else loads of both kinds would be as far ahead
		made = s.madeWith(slice, loads, pairs)
	}
	arrays := arraysOf(pairs, made)
	stages := s.copyStages(arrays)
	if stages < 2 || !s.reaches(stages-1) || (numbers != nil || made != nil) && !s.reaches(stages) {
		return
	}
	var started, copies, gone []*simt.Op
	for _, p := range pairs {
		started, copies, gone = append(started, p.load), append(copies, p.copy()), append(gone, p.load, p.store)
	}
	isLoad := in(loads)
	copies = append(slices.DeleteFunc(needed(slice, started), isLoad), copies...)
	s.copies = s.circular([]*simt.Op{s.loop}, stages, arrays, false)
	s.take(in(gone))
	line := s.loop.Line
	s.arrival = &group{ops: []*simt.Op{{Kind: simt.CopyWait, Pending: stages - 2, Line: line}, {Kind: simt.Barrier, Line: line}}}
	s.copying = &group{ops: copies, ahead: stages - 1, closing: []*simt.Op{{Kind: simt.CopyCommit, Line: line}}}
	s.first(s.arrival, s.copying)
	if made != nil {
		made.put(s, stages)
	}
	if numbers != nil {
		s.putNumbers(numbers, stages)
	}
	if again { // threads may still read what the loop left when it ran before
		s.before = append(s.before, &simt.Op{Kind: simt.Barrier, Line: line})
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s: %d asynchronous copies a thread and iteration, %d stages", line, len(pairs), stages))
}

// numbersAhead is loadSlice for loads at addresses that depend on numbers of what an iteration loads, such as those of pages. The group loads these, for an
// iteration after that of the copies that it stands next to, so that these do not wait for them; it is nil if there are none.
func (s *schedule) numbersAhead(before, loaded []*simt.Op) (slice, loads []*simt.Op, numbers *group) {
	slice, all := s.loadSlice(s.own(), loaded...)
	isLoaded := in(loaded)
	loads = slices.DeleteFunc(all, isLoaded)
	list := slices.DeleteFunc(needed(slice, loads), func(op *simt.Op) bool { return !isLoaded(op) })
	if len(list) == 0 {
		return slice, nil, nil
	}
	return slices.DeleteFunc(slice, isLoaded), loads, &group{ops: needed(before, list), absent: repeated}
}

// putNumbers lets a group of numbersAhead run so many iterations ahead.
func (s *schedule) putNumbers(numbers *group, ahead int) {
	isNumber := in(numbers.ops)
	numbers.ahead = ahead
	s.first(numbers)
	s.take(func(op *simt.Op) bool { return op.Kind == simt.Load && isNumber(op) })
}

// lateStores divides what stands before a loop into stores of what the loop reads and the rest. The stores may stand after the loop's prologue, unless
// that uses what they store: so copies start before threads wait for what they store.
func lateStores(ops, prologue []*simt.Op, loop *simt.Op) (rest, stores []*simt.Op) {
	read, used := map[*simt.Shared]bool{}, map[*simt.Shared]bool{}
	simt.Walk(loop.Body, func(op *simt.Op) { read[op.Shared] = true })
	simt.Walk(&simt.Block{Ops: prologue}, func(op *simt.Op) { used[op.Shared] = true })
	for _, op := range slices.Backward(ops) {
		if op.StoresShared() && read[op.Shared] && !used[op.Shared] {
			stores = append(stores, op)
			continue
		}
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) { used[inner.Shared] = true })
		rest = append(rest, op)
	}
	slices.Reverse(rest)
	slices.Reverse(stores)
	return rest, stores
}

// copyPair is a store to a shared array of what a load gave.
type copyPair struct{ load, store *simt.Op }

// copy is the asynchronous copy that does what a pair does.
func (p copyPair) copy() *simt.Op {
	op := &simt.Op{Kind: simt.CopyAsync, Shared: p.store.Shared, Buffer: p.load.Buffer, Line: p.store.Line, Cost: p.store.Cost,
		Count: p.store.Args[1].Type.Width, Args: append([]*simt.Value{p.store.Args[0]}, p.load.Args...)}
	if p.store.Packed {
		op.Count *= simt.PerWord(p.store.Shared.Elem)
	}
	return op
}

// copyPairs finds the loads and stores of a loop that asynchronous copies can take the place of.
func (s *schedule) copyPairs(loads []*simt.Op) (pairs []copyPair) {
	if len(loads) == 0 {
		return nil
	}
	ahead, loop, uses := in(loads), s.loop, simt.UsesIn(s.loop.Body)
	stores, fit := map[*simt.Shared]int{}, map[*simt.Shared]int{}
	total, within := map[*simt.Shared]int{}, map[*simt.Shared]int{} // accesses to an array
	simt.Walk(s.Kernel.Body, func(op *simt.Op) { total[op.Shared]++ })
	simt.Walk(loop.Body, func(op *simt.Op) {
		if within[op.Shared]++; op.StoresShared() {
			stores[op.Shared]++
		}
	})
	var all []copyPair
	for _, op := range loop.Body.Ops {
		if op.Kind != simt.SharedStore || op.Mask() != nil || uses.Block(op.Args[0]) != nil || total[op.Shared] != within[op.Shared] {
			continue
		}
		if load := op.Args[1].Op; load != nil && ahead(load) && uses.Count(op.Args[1]) == 1 && copies(load, op) {
			all = append(all, copyPair{load, op})
			fit[op.Shared]++
		}
	}
	for _, p := range all {
		if a := p.store.Shared; fit[a] == stores[a] {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// copies reports whether a store of what a load gave is a copy of 4, 8 or 16 bytes.
func copies(load, store *simt.Op) bool {
	e, width := load.Buffer.Elem, load.Result().Type.Width
	bytes := width * 4
	if !load.Packed {
		bytes = width * e.Size()
	}
	return e == store.Shared.Elem && !load.Buffer.Write && load.Packed == store.Packed && (load.Packed || simt.Register(e) == e) &&
		(load.Mask() == nil || load.Fill == 0) && (bytes == 4 || bytes == 8 || bytes == 16)
}

// copyStages is how many stages of arrays there is room for, at most those that are asked for.
func (s *schedule) copyStages(arrays map[*simt.Shared]bool) int {
	var after map[*simt.Shared]bool // what will alias the circular buffers
	if s.inTop(s.loop) {
		_, after = lateArrays(s.Kernel.Body, func(a *simt.Shared) bool { return arrays[a] })
	}
	return plan.FitStages(s.Caps, s.Stages, stageBytes(arrays), func(room int) (bytes, late int) { return s.unstagedBytes(arrays, after, room) })
}
