package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// made is what threads make of loads and store to shared memory next to asynchronous copies, such as scales of 16 bits that become F32: copies are of whole words,
// as they are. In their own iteration such stores take one more barrier. So they go ahead as copies do, to stages of the same circular buffer, after the barrier at
// which threads are done with a stage, and the loads an iteration earlier still.
type made struct {
	loads  []*simt.Op // with what their addresses are computed from
	stores []*simt.Op // with what is made of the loads, and all else that this takes: what groups have in common crosses from none to the others
}

// Registers hold for an iteration what is loaded, so that there are mostLoads at most, and copies have leastCopied times as much shared memory at least. (4 bits with zero
// points and scales of F16 on an H200, two loads: 8×8192×8192 17.2 to 13.0 µs; four loads, of longer steps: 8×28672×4096 22.3 to 25.8.)
const mostLoads, leastCopied = 2, 4

// madeWith finds what a loop makes so, of what can be loaded ahead and is not copied; nil if that is nothing, or much.
func (s *schedule) madeWith(slice, loads []*simt.Op, pairs []copyPair) *made {
	others := slices.DeleteFunc(slices.Clone(loads), func(op *simt.Op) bool {
		return slices.ContainsFunc(pairs, func(p copyPair) bool { return p.load == op })
	})
	movable := s.movable(s.own(), others)
	all := needed(movable, s.ownStores(movable))
	used := slices.DeleteFunc(slices.Clone(all), func(op *simt.Op) bool { return op.Kind != simt.Load })
	m := &made{loads: needed(slice, used)}
	m.stores = slices.DeleteFunc(all, in(used))
	if len(used) == 0 || len(used) > mostLoads || leastCopied*stageBytes(arraysOf(nil, m)) > stageBytes(arraysOf(pairs, nil)) || s.needsElsewhere(used, m.stores) {
		return nil
	}
	return m
}

// ownStores are the movable stores, at places and by masks that do not change in the loop, to arrays that the loop alone accesses and that have no other stores.
func (s *schedule) ownStores(movable []*simt.Op) (stores []*simt.Op) {
	outside, others := map[*simt.Shared]int{}, map[*simt.Shared]int{} // accesses
	simt.Walk(s.Kernel.Body, func(op *simt.Op) { outside[op.Shared]++ })
	simt.Walk(s.loop.Body, func(op *simt.Op) {
		if outside[op.Shared]--; op.StoresShared() {
			others[op.Shared]++
		}
	})
	uses := simt.UsesIn(s.loop.Body)
	for _, op := range movable {
		mask := op.Mask()
		if op.Kind == simt.SharedStore && uses.Block(op.Args[0]) == nil && (mask == nil || uses.Block(mask) == nil) {
			stores = append(stores, op)
			others[op.Shared]--
		}
	}
	return slices.DeleteFunc(stores, func(op *simt.Op) bool { return outside[op.Shared] > 0 || others[op.Shared] > 0 })
}

// needsElsewhere reports whether ops besides some take what loads give.
func (s *schedule) needsElsewhere(loads, some []*simt.Op) bool {
	uses, isOne := simt.UsesIn(s.loop.Body), in(some)
	for _, op := range loads {
		for u := range uses.Of(op.Result()) {
			if !isOne(u.Op) {
				return true
			}
		}
	}
	return false
}

// put lets the loads run as many iterations ahead as there are stages, and the stores as the copies do, after them.
func (m *made) put(s *schedule, stages int) {
	gone := in(slices.Concat(m.loads, m.stores))
	s.take(func(op *simt.Op) bool { return gone(op) && (op.Kind == simt.Load || op.Kind == simt.SharedStore) })
	loads, later := s.asStored(m.loads)
	var first []*simt.Op
	for _, op := range m.loads {
		first = append(first, later[op]...)
	}
	copying := slices.Index(s.groups, s.copying)
	s.groups = slices.Insert(s.groups, copying+1, &group{ops: append(first, m.stores...), ahead: stages - 1, absent: repeated})
	s.first(&group{ops: loads, ahead: stages, absent: repeated})
}

// arraysOf are the arrays of copies and of what is made with them, which may be nil.
func arraysOf(pairs []copyPair, m *made) map[*simt.Shared]bool {
	arrays := map[*simt.Shared]bool{}
	for _, p := range pairs {
		arrays[p.store.Shared] = true
	}
	if m != nil {
		for _, op := range m.stores {
			if op.Kind == simt.SharedStore {
				arrays[op.Shared] = true
			}
		}
	}
	return arrays
}
