package simtpass

import (
	"maps"

	"github.com/weftgpu/weft/simt"
)

// pair is two shared arrays.
type pair [2]*simt.Shared

// overlaps holds the pairs of arrays, each both ways, that must not share memory.
type overlaps map[pair]bool

func (o overlaps) add(s *simt.Shared, others arraySet) {
	for other := range others {
		if other != s {
			o[pair{s, other}], o[pair{other, s}] = true, true
		}
	}
}

type arraySet map[*simt.Shared]bool

// include adds the arrays of another set and reports whether one was new.
func (a arraySet) include(b arraySet) (changed bool) {
	for s := range b {
		if !a[s] {
			a[s], changed = true, true
		}
	}
	return changed
}

// price says which barriers may be paid so that arrays share memory.
type price uint8

const (
	noBarrier  price = iota
	outsideAll       // once in a kernel: outside all loops
	anyBarrier
)

// findOverlaps finds which arrays are live at one time, and those that are accessed without a barrier in between, where one would have to be
// inserted, beyond the price, if they were one.
func findOverlaps(k *simt.Func, p price) overlaps {
	f := overlapFinder{overlaps: overlaps{}, price: p}
	f.live(k.Body, arraySet{}, nil)
	if p < anyBarrier {
		f.barriers = findBarriers(k, nil)
		f.recent(k.Body, arraySet{})
	}
	return f.overlaps
}

type overlapFinder struct {
	overlaps overlaps
	price    price
	loops    int           // around the block at hand
	barriers barrierPoints // before which a barrier will stand
	atBreak  arraySet      // accessed before the Break of the While at hand
}

// live goes backwards through a block and returns the arrays that are live at its start:
// what they hold is loaded later. after holds those that are live at its end,
// atBreak those after the loop that a Break leaves.
func (f *overlapFinder) live(b *simt.Block, after, atBreak arraySet) arraySet {
	now := maps.Clone(after)
	first := firstOfRun(b)
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		switch op.Kind {
		case simt.Roles:
			now = f.live(op.Else, now, nil)
		case simt.If: // which some threads pass by
			now.include(f.live(op.Body, now, nil))
		case simt.Branch:
			other := f.live(op.Else, now, nil)
			now = f.live(op.Body, now, nil)
			now.include(other)
		case simt.For:
			for now.include(f.live(op.Body, now, nil)) {
			}
		case simt.While:
			again := arraySet{} // live at the start of an iteration
			for again.include(f.live(op.Body, again, now)) {
			}
			now = again
		case simt.Break:
			now.include(atBreak)
		default:
			if !accessesShared(op) {
				continue
			}
			now[op.Shared] = true
			f.overlaps.add(op.Shared, now)
			if first[op] {
				delete(now, op.Shared)
			}
		}
	}
	return now
}

// accessesShared reports whether threads access a shared array.
func accessesShared(op *simt.Op) bool {
	return op.Shared != nil && (op.Kind.Reads() || op.Kind.Writes())
}

// firstOfRun finds the stores of a block that begin a run: what an array held before
// is not loaded any more.
func firstOfRun(b *simt.Block) map[*simt.Op]bool {
	type run struct {
		array *simt.Shared
		run   int
	}
	begun, first := map[run]bool{}, map[*simt.Op]bool{}
	for _, op := range b.Ops {
		if r := (run{op.Shared, op.Disjoint}); op.Disjoint != 0 && !begun[r] {
			begun[r], first[op] = true, true
		}
	}
	return first
}

// recent goes forwards through a block and returns the arrays that were accessed since the last
// barrier; before holds those at its start.
func (f *overlapFinder) recent(b *simt.Block, before arraySet) arraySet {
	now := maps.Clone(before)
	for _, op := range b.Ops {
		if _, ok := f.barriers[op]; ok || op.Kind == simt.Barrier {
			clear(now)
		}
		switch op.Kind {
		case simt.Roles:
			now = f.recent(op.Else, now)
		case simt.If:
			now.include(f.recent(op.Body, now))
		case simt.Branch:
			other := f.recent(op.Else, now)
			now = f.recent(op.Body, now)
			now.include(other)
		case simt.For:
			f.recentIn(op, now)
		case simt.While:
			outer := f.atBreak
			f.recentIn(op, now)
			now, f.atBreak = f.atBreak, outer
		case simt.Break:
			f.atBreak = maps.Clone(now)
		default:
			if !accessesShared(op) {
				continue
			}
			if f.price == noBarrier || f.loops > 0 {
				f.overlaps.add(op.Shared, now)
			}
			now[op.Shared] = true
		}
	}
	return now
}

// recentIn adds the arrays that a loop accesses to those that were accessed before it. Where a barrier outside all loops may be paid, one before the
// loop parts the two.
func (f *overlapFinder) recentIn(loop *simt.Op, now arraySet) {
	start := now
	if f.price == outsideAll && f.loops == 0 {
		start = arraySet{}
	}
	f.loops++
	for start.include(f.recent(loop.Body, start)) {
	}
	f.loops--
	now.include(start)
}
