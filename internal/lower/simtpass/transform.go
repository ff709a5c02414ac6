package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// A loop of products by warpgroups whose threads transform what the stages bring, such as the small parts of 3xTF32 (see package emit), can do
// that one iteration ahead, while products are outstanding (software pipelining; Lam 1988):
//
//	before the loop   what the first iteration needs: wait for its copies, load from the ring, make and store
//	in the loop       begin the products of this iteration, of what was loaded and made before
//	                  load and make what the next one needs
//	                  wait for copies, and a barrier, after which all threads see both, and are done with the stage before
//	                  copies to that one
//	                  begin the last of the products, and wait for all
//
// There is one barrier in an iteration, and none between the wait for products and the next ones: warpgroups drift apart, and one multiplies what it has
// while another adds up. Products are queued on both sides of the barrier: the first ones keep the matrix instructions busy while a warpgroup waits
// there, the last ones while it goes on.

// madeTurns is how many iterations' of what threads make there are: of the products that other warpgroups may still wait for, of
// those of this iteration, and of the next ones.
const madeTurns = 3

// minAheadStages are the stages of an iteration that multiplies, of the next one, which is prepared, of its follower, whose copies are waited
// for, and of copies that begin.
const minAheadStages = 4

// ahead moves preparation to the iteration before.
type ahead struct {
	*Context
	ids    *simt.Builder
	ring   *ringBuilder
	loop   *simt.Op
	stage  *simt.Value          // of an iteration
	next   *simt.Value          // the stage after it
	stages int                  // of the rings
	made   map[*simt.Shared]int // arrays of what threads make, and their elements for one iteration
	stores []*simt.Op           // to those, with what they need, in order
	loads  []*simt.Op           // from the rings of what stays in registers, with what they need
	gone   map[*simt.Op]bool    // what leaves the iteration
	wait   *simt.Op             // for products
	last   *simt.Op             // of the products
	early  *simt.Op             // the last of the products that do not need what is made
}

// prepareAhead does so, if a loop is one for it, and returns the ops that go before it.
func (r *Context) prepareAhead(ring *ringBuilder, stage, next *simt.Value, stages int) []*simt.Op {
	a := &ahead{Context: r, ids: ring.ids, ring: ring, loop: ring.loop, stage: stage, next: next, stages: stages, made: map[*simt.Shared]int{}, gone: map[*simt.Op]bool{}}
	if reason := a.find(); reason != "" {
		if len(a.made) > 0 && a.early != nil { // else it is a loop of others
			r.Notes = append(r.Notes, fmt.Sprintf("%s: products wait for what is made of their operands: %s", a.loop.Line, reason))
		}
		return nil
	}
	for s, n := range a.made {
		s.Stages, s.Len = madeTurns, n*madeTurns
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s: what products need is made of their operands an iteration ahead", a.loop.Line))
	return a.move()
}

// find finds the preparation, or says why it cannot run ahead.
func (a *ahead) find() string {
	stores, loads := map[*simt.Op]bool{}, map[*simt.Op]bool{}
	places, placed := map[*simt.Shared]int{}, map[*simt.Shared]bool{} // accesses to arrays
	reason := ""
	for _, op := range a.loop.Body.Ops {
		ofRing := a.ring.sizes[op.Shared] > 0
		switch {
		case op.Kind == simt.SharedStore:
			stores[op], a.made[op.Shared] = true, op.Shared.Len
			places[op.Shared]++
			if placed[op.Shared] {
				reason = "products read it before"
			}
		case ofRing && (op.Kind == simt.SharedLoad || op.Kind == simt.LoadMatrix):
			loads[op] = true
		case op.Kind == simt.MatrixPlace && !ofRing:
			if a.made[op.Shared] == 0 {
				reason = "products read what is no copy"
			}
			places[op.Shared]++
			placed[op.Shared] = true
		case op.Kind == simt.GroupMMA:
			if a.last = op; len(placed) == 0 {
				a.early = op
			}
			if a.wait != nil {
				reason = "products need others' sums"
			}
		case op.Kind == simt.GroupWait:
			if a.wait != nil || op.Pending != 0 {
				reason = "products need others' sums"
			}
			a.wait = op
		}
		for _, body := range op.Blocks() {
			simt.Walk(body, func(inner *simt.Op) {
				if inner.Shared != nil && inner.Kind != simt.CopyAsync {
					reason = fmt.Sprintf("%v in a branch", inner.Kind)
				}
			})
		}
	}
	switch {
	case reason != "":
		return reason
	case a.early == nil || a.early == a.last || a.wait == nil || len(stores) == 0:
		return "no products of warpgroups of what threads make"
	case a.stages < minAheadStages:
		return fmt.Sprintf("%d stages", a.stages)
	}
	simt.Walk(a.Kernel.Body, func(op *simt.Op) { places[op.Shared]-- })
	for s := range a.made {
		if places[s] != 0 {
			return "others use it"
		}
	}
	if reason := a.slices(stores, loads); reason != "" {
		return reason
	}
	return a.room()
}

// slices finds what stores and loads need, which has to follow from the stage alone.
func (a *ahead) slices(stores, loads map[*simt.Op]bool) string {
	body := a.loop.Body
	inside := map[*simt.Value]bool{}
	for _, v := range body.Args {
		inside[v] = true
	}
	for i, op := range slices.Backward(body.Ops) {
		store, load := stores[op], loads[op]
		if !store && !load {
			continue
		}
		if !op.Kind.IsPure() && op.Kind != simt.SharedLoad && op.Kind != simt.LoadMatrix && op.Kind != simt.SharedStore {
			return fmt.Sprintf("it needs %v", op.Kind)
		}
		for _, v := range op.Args {
			if inside[v] && v != a.stage {
				return "it needs what the loop carries"
			}
			if v.Op == nil || !slices.Contains(body.Ops[:i], v.Op) {
				continue
			}
			if store {
				stores[v.Op] = true
			} else {
				loads[v.Op] = true
			}
		}
	}
	for _, op := range body.Ops {
		switch {
		case stores[op]:
			a.stores = append(a.stores, op)
		case loads[op]:
			a.loads = append(a.loads, op)
		}
	}
	return a.findGone()
}

// findGone finds what leaves the iteration: loads, stores and what is made of loads for them, which nothing else may need.
func (a *ahead) findGone() string {
	loaded := map[*simt.Value]bool{}
	for _, op := range a.stores {
		if op.Kind == simt.SharedStore || !op.Kind.IsPure() || slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			a.gone[op] = true
			for _, v := range op.Out {
				loaded[v] = true
			}
		}
	}
	for _, op := range a.loop.Body.Ops {
		if !a.gone[op] && slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			return "others need what it is made of"
		}
	}
	for _, op := range a.loads {
		a.gone[op] = !op.Kind.IsPure()
	}
	return ""
}

// room says whether shared memory has room for all turns of what is made beside the rings.
func (a *ahead) room() string {
	rings, more := 0, 0
	isRing := func(s *simt.Shared) bool { return a.ring.sizes[s] > 0 || a.made[s] > 0 }
	for _, s := range a.Kernel.Shared {
		if isRing(s) {
			rings += s.Bytes()
		}
		if a.made[s] > 0 {
			more += s.Bytes() * (madeTurns - 1)
		}
	}
	late := 0
	if slices.Contains(a.Kernel.Body.Ops, a.loop) {
		_, behind := lateArrays(a.Kernel, isRing)
		for s := range behind {
			late += s.Bytes()
		}
	}
	need := a.Kernel.SharedBytes() - rings - late + max(rings+more, late)
	if limit := a.Caps.SharedBytes; limit > 0 && need > limit {
		return fmt.Sprintf("it takes %d bytes of shared memory, of %d", need, limit)
	}
	return ""
}

// move writes the loop anew and returns the ops that go before it.
func (a *ahead) move() []*simt.Op {
	body, yield := a.loop.Body, a.loop.Body.Ops[len(a.loop.Body.Ops)-1]
	turn := a.ring.carry(a.ids.Int(0))
	turn.Hint = "turn"
	following := a.following(turn)
	yield.Args = append(yield.Args, following.to)
	before := a.carryLoads(yield, following)

	// The circular buffer has put the wait and the barrier first, and copies after them.
	commit := slices.IndexFunc(body.Ops, func(op *simt.Op) bool { return op.Kind == simt.CopyCommit })
	start, rest := slices.Clone(body.Ops[:commit+1]), body.Ops[commit+1:]
	start[0].Pending = a.stages - minAheadStages
	offsets, reads := map[*simt.Shared]*simt.Value{}, &cloner{ids: a.ids}
	for _, s := range a.Kernel.Shared {
		if n := a.made[s]; n > 0 {
			offsets[s] = reads.binary(simt.Mul, turn, a.ids.Int(n), "turn")
		}
	}
	out := reads.ops
	for _, op := range rest {
		if a.gone[op] {
			continue
		}
		if op == a.last {
			out = slices.Concat(out, following.loads, start)
		}
		out = append(out, shiftReads([]*simt.Op{op}, offsets, a.ids)...)
		if op == a.early {
			out = append(out, following.ops...)
		}
	}
	body.Ops = out
	now := map[*simt.Value]*simt.Value{}
	for i, v := range a.loaded() {
		now[v] = body.Args[len(body.Args)-len(a.loaded())+i]
	}
	simt.Replace(body, now)
	return before
}

// following is the preparation of the next iteration; the last one prepares what is there.
func (a *ahead) following(turn *simt.Value) *preparation {
	hi, step, index := a.loop.Args[1], a.loop.Args[2], a.loop.Body.Args[0]
	c := &cloner{ids: a.ids}
	after := c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{index, step}}, index.Type, "")
	from := c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{c.less(after, hi), a.next, a.stage}}, a.stage.Type, "stage")
	a.ring.ops = c.ops
	to := a.ring.turn(turn, 1, madeTurns)
	return a.preparation(a.ring.ops, from, to)
}

// loaded is what an iteration needs of the rings in registers.
func (a *ahead) loaded() (values []*simt.Value) {
	for _, op := range a.loads {
		if !op.Kind.IsPure() {
			values = append(values, op.Result())
		}
	}
	return values
}

// carryLoads makes the loop carry what the iteration before has loaded, and returns the preparation of the first iteration, if there is one.
func (a *ahead) carryLoads(yield *simt.Op, following *preparation) []*simt.Op {
	c := &cloner{ids: a.ids}
	branch := &simt.Op{Kind: simt.Branch, Args: []*simt.Value{c.less(a.loop.Args[0], a.loop.Args[1])}, Line: a.loop.Line}
	first := a.preparation(nil, a.ids.Int(0), a.ids.Int(0))
	yes, no := &simt.Op{Kind: simt.Yield}, &simt.Op{Kind: simt.Yield}
	for _, v := range a.loaded() {
		initial, carried, final := a.ids.NewValue(v.Type, v.Hint), a.ids.NewValue(v.Type, v.Hint), a.ids.NewValue(v.Type, v.Hint)
		initial.Op, final.Op = branch, a.loop
		branch.Out, a.loop.Out = append(branch.Out, initial), append(a.loop.Out, final)
		yes.Args, no.Args = append(yes.Args, first.values[v]), append(no.Args, a.ids.Const(v.Type, 0))
		a.loop.Args, a.loop.Body.Args = append(a.loop.Args, initial), append(a.loop.Body.Args, carried)
		yield.Args = append(yield.Args, following.values[v])
	}
	barrier := func() *simt.Op { return &simt.Op{Kind: simt.Barrier, Line: a.loop.Line} }
	begin := []*simt.Op{{Kind: simt.CopyWait, Pending: a.stages - 3, Line: a.loop.Line}, barrier()} // the copies of two iterations are there
	branch.Body = &simt.Block{Ops: slices.Concat(begin, first.ops, first.loads, []*simt.Op{barrier(), yes})}
	branch.Else = &simt.Block{Ops: []*simt.Op{no}}
	return append(c.ops, branch)
}

// preparation is what an iteration needs: ops make and store it, and loads stay in registers.
type preparation struct {
	cloner
	to    *simt.Value // the turn that is made
	loads []*simt.Op
}

// preparation is that of the iteration whose copies are in a stage, for a turn, after some ops.
func (a *ahead) preparation(behind []*simt.Op, from, to *simt.Value) *preparation {
	p := &preparation{cloner: cloner{ids: a.ids, values: map[*simt.Value]*simt.Value{a.stage: from}, ops: behind}, to: to}
	for _, op := range a.stores {
		p.store(op, a.made[op.Shared])
	}
	made := p.ops
	p.ops = nil
	p.clone(a.loads)
	p.ops, p.loads = made, p.ops
	return p
}

// store clones an op, a store to an array, of so many elements for a turn, or what it needs.
func (p *preparation) store(op *simt.Op, elements int) {
	if op.Kind != simt.SharedStore {
		p.clone([]*simt.Op{op})
		return
	}
	stored := *op
	stored.Args = slices.Clone(op.Args)
	for i, v := range op.Args {
		if copied := p.values[v]; copied != nil {
			stored.Args[i] = copied
		}
	}
	stored.Args[0] = p.shift(stored.Args[0], p.binary(simt.Mul, p.to, p.ids.Int(elements), "turn"))
	p.ops = append(p.ops, &stored)
}
