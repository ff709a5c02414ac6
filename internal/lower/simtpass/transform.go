package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
)

// A loop of products by warpgroups whose threads transform what the stages bring, such as the small parts of 3xTF32 (see package emit), can do
// that one iteration ahead, while products are outstanding (software pipelining; Lam 1988):
//
//	before the loop   what the first iteration needs: wait for its copies, load from the stage, make and store
//	in the loop       begin the products of this iteration, of what was loaded and made before
//	                  load and make what the next one needs
//	                  wait for copies, and a barrier, after which all threads see both, and are done with the stage before
//	                  copies to that one
//	                  begin the last of the products, and wait for all
//
// There is one barrier in an iteration, and none between the wait for products and the next ones: warpgroups drift apart, and one multiplies what it has
// while another adds up. Products are queued on both sides of the barrier: the first ones keep the matrix instructions busy while a warpgroup waits
// there, the last ones while it goes on.

// A transform is what threads make of copied operands.
type transform struct {
	*schedule
	copied map[*simt.Shared]bool // arrays of copies
	made   map[*simt.Shared]bool // arrays of what threads make
	stores []*simt.Op            // to those, with what they need, in order
	loads  []*simt.Op            // of copies, which stay in registers, with what they need
	gone   map[*simt.Op]bool     // what leaves the iteration
	wait   *simt.Op              // for products
	last   *simt.Op              // of the products
	early  *simt.Op              // the last of the products that do not need what is made
}

// transformAhead moves what threads make of copied operands to the iteration before, if the loop is one for it.
func (s *schedule) transformAhead() {
	if s.copies == nil {
		return
	}
	t := &transform{schedule: s, copied: map[*simt.Shared]bool{}, made: map[*simt.Shared]bool{}, gone: map[*simt.Op]bool{}}
	for a := range s.copies.sizes {
		t.copied[a] = true
	}
	if reason := t.find(); reason != "" {
		if len(t.made) > 0 && t.early != nil { // else it is a loop of others
			s.Notes = append(s.Notes, fmt.Sprintf("%s: products wait for what is made of their operands: %s", s.loop.Line, reason))
		}
		return
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s: what products need is made of their operands an iteration ahead", s.loop.Line))
	t.move()
}

// find finds what can run ahead, or says why it cannot.
func (t *transform) find() string {
	stores, loads := map[*simt.Op]bool{}, map[*simt.Op]bool{}
	places, placed := map[*simt.Shared]int{}, map[*simt.Shared]bool{} // accesses to arrays
	reason := ""
	for _, op := range t.own() {
		copied := t.copied[op.Shared]
		switch {
		case op.Kind == simt.SharedStore:
			stores[op], t.made[op.Shared] = true, true
			places[op.Shared]++
			if placed[op.Shared] {
				reason = "products read it before"
			}
		case copied && (op.Kind == simt.SharedLoad || op.Kind == simt.LoadMatrix):
			loads[op] = true
		case op.Kind == simt.MatrixPlace && !copied:
			if !t.made[op.Shared] {
				reason = "products read what is no copy"
			}
			places[op.Shared]++
			placed[op.Shared] = true
		case op.Kind == simt.GroupMMA:
			if t.last = op; len(placed) == 0 {
				t.early = op
			}
			if t.wait != nil {
				reason = "products need others' sums"
			}
		case op.Kind == simt.GroupWait:
			if t.wait != nil || op.Pending != 0 {
				reason = "products need others' sums"
			}
			t.wait = op
		}
		for _, body := range op.Blocks() {
			simt.Walk(body, func(inner *simt.Op) {
				if inner.Shared != nil {
					reason = fmt.Sprintf("%v in a branch", inner.Kind)
				}
			})
		}
	}
	switch {
	case reason != "":
		return reason
	case t.early == nil || t.early == t.last || t.wait == nil || len(stores) == 0:
		return "no products of warpgroups of what threads make"
	case t.copies.stages < t.stagesFor(2, 2): // of the iteration that multiplies and the next one; and of its follower, whose copies are waited for
		return fmt.Sprintf("%d stages", t.copies.stages)
	}
	simt.Walk(t.Kernel.Body, func(op *simt.Op) { places[op.Shared]-- })
	for a := range t.made {
		if places[a] != 0 {
			return "others use it"
		}
	}
	if reason := t.slices(stores, loads); reason != "" {
		return reason
	}
	return t.room()
}

// slices finds what stores and loads need, which must be the same in all iterations but for the stage.
func (t *transform) slices(stores, loads map[*simt.Op]bool) string {
	own, inside := t.own(), map[*simt.Value]bool{}
	for _, v := range t.loop.Body.Args {
		inside[v] = true
	}
	isOwn := in(own)
	for _, op := range slices.Backward(own) {
		store, load := stores[op], loads[op]
		if !store && !load {
			continue
		}
		if !op.Kind.IsPure() && op.Kind != simt.SharedLoad && op.Kind != simt.LoadMatrix && op.Kind != simt.SharedStore {
			return fmt.Sprintf("it needs %v", op.Kind)
		}
		for _, v := range op.Args {
			switch {
			case inside[v]:
				return "it needs what the loop carries"
			case !isOwn(v.Op):
				continue
			}
			if store {
				stores[v.Op] = true
			} else {
				loads[v.Op] = true
			}
		}
	}
	for _, op := range own {
		switch {
		case stores[op]:
			t.stores = append(t.stores, op)
		case loads[op]:
			t.loads = append(t.loads, op)
		}
	}
	return t.findGone()
}

// findGone finds what leaves the iteration: loads, stores and what is made of loads for them, which nothing else may need.
func (t *transform) findGone() string {
	loaded := map[*simt.Value]bool{}
	for _, op := range t.stores {
		if op.Kind == simt.SharedStore || !op.Kind.IsPure() || slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			t.gone[op] = true
			for _, v := range op.Out {
				loaded[v] = true
			}
		}
	}
	for _, op := range t.own() {
		if !t.gone[op] && slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			return "others need what it is made of"
		}
	}
	for _, op := range t.loads {
		t.gone[op] = !op.Kind.IsPure()
	}
	return ""
}

// room says whether shared memory has room for all stages of what is made, apart from the copies.
func (t *transform) room() string {
	staged, more := 0, 0
	isStaged := func(a *simt.Shared) bool { return t.copied[a] || t.made[a] }
	for _, a := range t.Kernel.Shared {
		if isStaged(a) {
			staged += a.Bytes()
		}
		if t.made[a] {
			more += a.Bytes() * (plan.MadeStages - 1)
		}
	}
	late := 0
	if t.inTop(t.loop) {
		_, after := lateArrays(t.Kernel.Body, isStaged)
		for a := range after {
			late += a.Bytes()
		}
	}
	need := plan.SharedBytes(1, staged+more, t.Kernel.SharedBytes()-staged-late, late)
	if limit := t.Caps.SharedBytes; limit > 0 && need > limit {
		return fmt.Sprintf("it takes %d bytes of shared memory, of %d", need, limit)
	}
	return ""
}

// move puts what is made, and what is loaded, into groups an iteration ahead, after a wait for the copies of that.
func (t *transform) move() {
	t.circular([]*simt.Op{t.loop}, plan.MadeStages, t.made, false)
	t.apart = true
	line := t.loop.Line
	barrier := func() *simt.Op { return &simt.Op{Kind: simt.Barrier, Line: line} }
	first := &opening{end: []*simt.Op{barrier()}}
	stores := []*group{{ops: t.stores, ahead: 1, absent: repeated, opening: first}}
	var loads []*group
	if len(t.loads) > 0 {
		loads = []*group{{ops: t.loads, ahead: 1, absent: repeated, opening: first}}
	}
	t.groups = slices.DeleteFunc(t.groups, func(g *group) bool { return g == t.arrival || g == t.copying })
	if t.copying != nil { // the wait and the barrier after which copies start are for what they bring and for what is made
		first.begin = []*simt.Op{{Kind: simt.CopyWait, Pending: t.copies.stages - 3, Line: line}, barrier()} // for two iterations
		t.arrival.ops[0].Pending = t.copies.stages - t.stagesFor(2, 2)
		loads = append(loads, t.arrival, t.copying)
	} else {
		t.arrival.ahead, t.arrival.absent, t.arrival.opening = 1, repeated, first
		stores = append([]*group{t.arrival}, stores...)
		loads = append(loads, &group{ops: []*simt.Op{barrier()}})
	}
	t.take(func(op *simt.Op) bool { return t.gone[op] })
	t.put(slices.Index(t.own(), t.last), loads...)
	t.put(slices.Index(t.own(), t.early)+1, stores...)
}
