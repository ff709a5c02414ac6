package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// A loop of products by warpgroups whose threads make more of what a ring brings, such as the small parts of products in parts (see parts.go), can do
// that one iteration ahead, while products are on their way (software pipelining; Lam 1988):
//
//	before the loop   what the first iteration needs: wait for its copies, load from the ring, make and store
//	in the loop       begin the products of this iteration, of what was made and loaded before
//	                  load and make what the next one needs
//	                  wait for copies, and a barrier, behind which all threads see both, and are done with the stage before
//	                  copies to that one
//	                  wait for the products
//
// There is one barrier in an iteration, and none between the wait for products and the next ones: warpgroups drift apart by up to an iteration, and one
// multiplies what it has while another adds up. So what threads make has three turns: one that products read which others may still wait for, that
// of the products of this iteration, and that of the next ones. A copy that is made of in an iteration was waited for in the one before, so
// it takes minAheadStages.

const madeTurns = 3

// minAheadStages are the stages of one iteration that multiplies, of the next one, which is prepared, of its follower, whose copies are waited
// for, and of copies on their way.
const minAheadStages = 4

// ahead moves preparation to the iteration before.
type ahead struct {
	*Result
	ids    *simt.Builder
	ring   *ringBuilder
	loop   *simt.Op
	stage  *simt.Value          // of an iteration
	next   *simt.Value          // the stage behind it
	stages int                  // of the rings
	made   map[*simt.Shared]int // arrays of what threads make, and their elements for one iteration
	stores []*simt.Op           // to those, with what they need, in order
	loads  []*simt.Op           // from the rings of what stays in registers, with what they need
	dead   map[*simt.Op]bool    // of the stores and what they need, what an iteration does not need any more
	wait   *simt.Op             // for products
	early  *simt.Op             // the last of the products that do not need what is made
}

// prepareAhead does so, if a loop is one for it, and returns the ops that go before it.
func (r *Result) prepareAhead(ring *ringBuilder, stage, next *simt.Value, stages int) []*simt.Op {
	a := &ahead{Result: r, ids: ring.ids, ring: ring, loop: ring.loop, stage: stage, next: next, stages: stages, made: map[*simt.Shared]int{}, dead: map[*simt.Op]bool{}}
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
		case op.Kind == simt.GroupMMA && len(placed) == 0:
			a.early = op
		case op.Kind == simt.GroupWait:
			if a.wait != nil || op.Index != 0 {
				reason = "products need others' sums"
			}
			a.wait = op
		}
		for _, body := range op.Blocks() {
			walk(body, func(inner *simt.Op) {
				if inner.Shared != nil && inner.Kind != simt.CopyAsync {
					reason = fmt.Sprintf("%v in a branch", inner.Kind)
				}
			})
		}
	}
	switch {
	case reason != "":
		return reason
	case a.early == nil || a.wait == nil || len(stores) == 0:
		return "no products of warpgroups of what threads make"
	case a.stages < minAheadStages:
		return fmt.Sprintf("%d stages", a.stages)
	}
	walk(a.Kernel.Body, func(op *simt.Op) { places[op.Shared]-- })
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
	return a.findDead()
}

// findDead finds what nothing needs in an iteration once it is made in the one before: what stores are made of.
func (a *ahead) findDead() string {
	loaded := map[*simt.Value]bool{}
	for _, op := range a.stores {
		if op.Kind == simt.SharedStore || !op.Kind.IsPure() || slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			a.dead[op] = true
			for _, v := range op.Out {
				loaded[v] = true
			}
		}
	}
	for _, op := range a.loop.Body.Ops {
		if !a.dead[op] && slices.ContainsFunc(op.Args, func(v *simt.Value) bool { return loaded[v] }) {
			return "others need what it is made of"
		}
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
	if limit := a.caps.SharedBytes; limit > 0 && need > limit {
		return fmt.Sprintf("it takes %d bytes of shared memory, of %d", need, limit)
	}
	return ""
}

// move writes the loop anew.
func (a *ahead) move() []*simt.Op {
	body := a.loop.Body
	gone := a.dead
	for _, op := range a.loads {
		gone[op] = !op.Kind.IsPure()
	}
	// Copies go behind the barrier; the ring has put both first.
	commit := slices.IndexFunc(body.Ops, func(op *simt.Op) bool { return op.Kind == simt.CopyCommit })
	copies, rest := slices.Clone(body.Ops[2:commit+1]), body.Ops[commit+1:]
	copied, line := body.Ops[:2:2], a.loop.Line
	copied[0].Index = a.stages - minAheadStages

	lo, hi, step := a.loop.Args[0], a.loop.Args[1], a.loop.Args[2]
	sure := &cloner{ids: a.ids}
	more := sure.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{lo, hi}}, simt.Scalar(dtype.Bool), "more")
	turn := a.ring.carry(a.ids.Int(0))
	turn.Hint = "turn"
	prologue := a.preparation(a.ids.Int(0), a.ids.Int(0))
	prologue.store(a)
	prologue.clone(a.loads)
	ahead := &cloner{ids: a.ids}
	after := ahead.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{body.Args[0], step}}, lo.Type, "")
	again := ahead.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{after, hi}}, simt.Scalar(dtype.Bool), "more")
	from := ahead.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{again, a.next, a.stage}}, a.stage.Type, "stage") // the last iteration loads what is there
	a.ring.ops = nil
	nextTurn := a.ring.turn(turn, 1, madeTurns)
	ahead.ops = append(ahead.ops, a.ring.ops...)
	following := a.preparation(from, nextTurn)
	following.store(a)
	made := slices.Concat(ahead.ops, following.ops)
	following.ops = nil
	following.clone(a.loads)

	branch := &simt.Op{Kind: simt.Branch, Args: []*simt.Value{more}, Line: line}
	yes, no := &simt.Op{Kind: simt.Yield}, &simt.Op{Kind: simt.Yield}
	yield := body.Ops[len(body.Ops)-1]
	yield.Args = append(yield.Args, nextTurn)
	now := map[*simt.Value]*simt.Value{}
	for _, op := range a.loads {
		if op.Kind.IsPure() {
			continue
		}
		v := op.Result()
		first, carried, final := a.ids.NewValue(v.Type, v.Hint), a.ids.NewValue(v.Type, v.Hint), a.ids.NewValue(v.Type, v.Hint)
		first.Op, final.Op = branch, a.loop
		branch.Out, a.loop.Out = append(branch.Out, first), append(a.loop.Out, final)
		yes.Args, no.Args = append(yes.Args, prologue.values[v]), append(no.Args, a.ids.Const(v.Type, 0))
		a.loop.Args, body.Args = append(a.loop.Args, first), append(body.Args, carried)
		yield.Args = append(yield.Args, following.values[v])
		now[v] = carried
	}
	barrier := func() *simt.Op { return &simt.Op{Kind: simt.Barrier, Line: line} }
	begin := []*simt.Op{{Kind: simt.CopyWait, Index: a.stages - 3, Line: line}, barrier()} // the copies of two iterations are there
	branch.Body = &simt.Block{Ops: slices.Concat(begin, prologue.ops, []*simt.Op{barrier(), yes})}
	branch.Else = &simt.Block{Ops: []*simt.Op{no}}

	offsets := map[*simt.Shared]*simt.Value{}
	reads := &cloner{ids: a.ids}
	for s, n := range a.made {
		offsets[s] = reads.binary(simt.Mul, turn, a.ids.Int(n), "turn")
	}
	out := reads.ops
	for _, op := range rest {
		if gone[op] {
			continue
		}
		if op == a.wait {
			out = slices.Concat(out, following.ops, copied, copies)
		}
		out = append(out, shiftReads([]*simt.Op{op}, offsets, a.ids)...)
		if op == a.early {
			out = append(out, made...)
		}
	}
	body.Ops = out
	substitute(body, now)
	return append(sure.ops, branch)
}

// preparation begins to copy what an iteration needs.
type preparation struct {
	cloner
	to *simt.Value // the turn that is made
}

// preparation is that of the iteration whose copies are in a stage, for a turn.
func (a *ahead) preparation(from, to *simt.Value) *preparation {
	return &preparation{cloner{ids: a.ids, values: map[*simt.Value]*simt.Value{a.stage: from}}, to}
}

// store makes and stores.
func (p *preparation) store(a *ahead) {
	for _, op := range a.stores {
		if op.Kind != simt.SharedStore {
			p.clone([]*simt.Op{op})
			continue
		}
		stored := *op
		stored.Args = nil
		for _, v := range op.Args {
			if copied := p.values[v]; copied != nil {
				v = copied
			}
			stored.Args = append(stored.Args, v)
		}
		stored.Args[0] = p.shift(stored.Args[0], p.binary(simt.Mul, p.to, p.ids.Int(a.made[op.Shared]), "turn"))
		p.ops = append(p.ops, &stored)
	}
}
