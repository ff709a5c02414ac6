package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// Where products of warpgroups depend on others of the same iteration, as those of attention's weights and values do on its scores, a warpgroup begins the
// first products of an iteration before it computes the dependent ones of the iteration before. What it makes of the former, such as exponentials, overlaps
// the latter (intra-warpgroup overlap; Shah et al., FlashAttention-3, 2024):
//
//	before the loop   the first products of the first iteration, and what is made of them
//	in the loop       begin the first products of this iteration
//	                  begin the dependent products of the iteration before
//	                  wait for the former, and make of them what the dependent products of this iteration need
//	                  wait for the latter
//	after the loop    the dependent products of the last iteration
//
// Warpgroups begin their products one after the other (simt.OrderBegin), so that one multiplies while another computes exponentials.
//
// What is the last step to operands of dependent products in registers, such as rounding, follows the wait for those of the iteration before, whose registers
// it takes.

// dependence is a loop with products that depend on others.
type dependence struct {
	*roleSplit
	loop      *simt.Op
	ring      *ring             // of the copies that dependent products read
	params    []*simt.Value     // what the loop carries
	dependent map[*simt.Op]bool // products, their waits, and what makes or uses their sums
	sums      map[int]bool      // numbers of what the loop carries of these
	ahead     []*simt.Op        // the first products, and all else
	after     []*simt.Op        // the dependent ones, and what finds their places
	crossing  []*simt.Value     // what the latter need of the former
}

// overlapDependent writes a loop of a block anew so, or notes why it does not.
func (sp *roleSplit) overlapDependent(s *schedule, in *simt.Block) {
	if len(s.rings) < 2 {
		return
	}
	d := &dependence{roleSplit: sp, loop: s.loop, ring: s.rings[1], dependent: map[*simt.Op]bool{}, sums: map[int]bool{}}
	_, d.params = s.loop.Carried()
	if reason := d.find(); reason != "" {
		sp.Notes = append(sp.Notes, fmt.Sprintf("%s: products of one iteration at a time: %s", s.loop.Line, reason))
		return
	}
	d.divide()
	d.rotate(in)
	sp.Notes = append(sp.Notes, fmt.Sprintf("%s: products begin before those of the iteration before that depend on others", s.loop.Line))
}

// own are the ops of the body.
func (d *dependence) own() []*simt.Op { return d.loop.Body.Ops[:len(d.loop.Body.Ops)-1] }

// find finds the dependent ops, or says why they cannot run an iteration later.
func (d *dependence) find() string {
	if one, known := simt.ConstOf(d.loop.Args[2]); !known || one != 1 {
		return "the loop's step is not 1"
	}
	ranks := ranks(d.own())
	for _, op := range d.own() {
		d.dependent[op] = op.Kind == simt.GroupMMA && ranks[op] > 0
	}
	for d.addUsers() {
	}
	for _, op := range d.own() {
		switch {
		case op.Kind == simt.GroupMMA && d.dependent[op] != (ranks[op] == 1):
			return "products depend on dependent ones"
		case d.dependent[op] && !isPure(op) && op.Kind != simt.GroupMMA && op.Kind != simt.GroupWait:
			return fmt.Sprintf("%v needs sums", op.Kind)
		}
	}
	if op := d.accessBefore(ranks); op != nil {
		return fmt.Sprintf("%v stands before products that depend on no others", op.Kind)
	}
	return ""
}

// isPure reports whether an op only computes, be it by ops in branches.
func isPure(op *simt.Op) bool {
	pure := true
	simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
		pure = pure && (inner.Kind.IsPure() || inner.Kind == simt.Branch || inner.Kind == simt.Yield)
	})
	return pure
}

// accessBefore finds an op before the last of the first products whose place among the others matters, nil if there is none. What depends on sums follows all
// of these products in the new loop, whatever stood between them; so a load from shared memory, whose operands do not tell of the store that it follows, would
// precede that store. And no barrier may stand where warpgroups begin products one after the other.
func (d *dependence) accessBefore(ranks map[*simt.Op]int) (found *simt.Op) {
	before := slices.Clone(d.own())
	for i, op := range slices.Backward(before) {
		if op.Kind == simt.GroupMMA && ranks[op] == 0 {
			before = before[:i]
			break
		}
	}
	simt.Walk(&simt.Block{Ops: before}, func(op *simt.Op) {
		switch op.Kind {
		case simt.GroupMMA, simt.GroupWait, simt.MatrixPlace, simt.Wait, simt.Arrive, simt.For, simt.If, simt.Branch, simt.While, simt.Break, simt.Yield:
		case simt.Load:
			if op.Buffer.Write {
				found = op
			}
		default:
			if !op.Kind.IsPure() {
				found = op
			}
		}
	})
	return found
}

// addUsers adds what uses results of dependent ops, in their iteration or the next, and reports whether there was more.
func (d *dependence) addUsers() (more bool) {
	isSum := func(v *simt.Value) bool {
		n := slices.Index(d.params, v)
		return n >= 0 && d.sums[n] || v.Op != nil && d.dependent[v.Op]
	}
	for _, op := range d.own() {
		uses := false
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) { uses = uses || slices.ContainsFunc(inner.Args, isSum) })
		more = more || uses && !d.dependent[op]
		d.dependent[op] = d.dependent[op] || uses
	}
	for n, v := range d.loop.Body.Yield().Args {
		if v.Op != nil && d.dependent[v.Op] && !d.sums[n] {
			d.sums[n], more = true, true
		}
	}
	return more
}

// divide lists the ops of both parts, and what crosses from one to the other. Places are found again in the iteration that reads them.
func (d *dependence) divide() {
	own, again := in(d.own()), map[*simt.Op]bool{}
	var find func(op *simt.Op)
	find = func(op *simt.Op) {
		if op == nil || !own(op) || again[op] || op.Kind != simt.MatrixPlace && !op.Kind.IsPure() {
			return
		}
		again[op] = true
		for _, a := range op.Args {
			find(a.Op)
		}
	}
	for op := range d.dependent {
		if d.dependent[op] {
			for _, place := range placesOf(op) {
				find(place)
			}
		}
	}
	made := map[*simt.Value]bool{}
	for _, op := range d.own() {
		after := d.dependent[op] || op.Shared != nil && (op.Shared == d.ring.full || op.Shared == d.ring.empty)
		if after || again[op] {
			d.after = append(d.after, op)
			for _, v := range op.Out {
				made[v] = true
			}
		}
		if !after && !(again[op] && op.Kind == simt.MatrixPlace) {
			d.ahead = append(d.ahead, op)
		}
	}
	d.cross(made)
}

// cross finds what the dependent part needs of the other; it makes some values itself.
func (d *dependence) cross(made map[*simt.Value]bool) {
	inside := map[*simt.Value]bool{}
	for _, v := range d.loop.Body.Args {
		inside[v] = true
	}
	for _, op := range d.own() {
		for _, v := range op.Out {
			inside[v] = true
		}
	}
	need := func(v *simt.Value) {
		if n := slices.Index(d.params, v); inside[v] && !made[v] && (n < 0 || !d.sums[n]) && !slices.Contains(d.crossing, v) {
			d.crossing = append(d.crossing, v)
		}
	}
	simt.Walk(&simt.Block{Ops: d.after}, func(op *simt.Op) {
		for _, a := range op.Args {
			need(a)
		}
	})
	for _, v := range d.carried(d.loop.Body.Yield().Args, true) {
		need(v)
	}
}

// carried are the values of a list, one for each that the loop carries, for sums or for all others.
func (d *dependence) carried(list []*simt.Value, sums bool) (some []*simt.Value) {
	for n, v := range list {
		if d.sums[n] == sums {
			some = append(some, v)
		}
	}
	return some
}

// rotate replaces the loop by a branch that has the new one, with what goes before it and after it, if there is an iteration.
func (d *dependence) rotate(in *simt.Block) {
	e := d.edit.New()
	more := e.Name("more", e.Binary(simt.Lt, d.loop.Args[0], d.loop.Args[1]))
	before := e.Take()
	first := d.first(e)
	loop := d.steady(first, e.Binary(simt.Add, d.loop.Args[0], d.loop.Args[2]))
	e.Do(loop)
	sums := d.last(e, loop)
	initial, _ := d.loop.Carried()
	branch := &simt.Op{Kind: simt.Branch, Args: []*simt.Value{more}, Line: d.loop.Line, Out: d.loop.Out}
	yes := &simt.Op{Kind: simt.Yield}
	others := loop.Out
	for n, v := range d.loop.Out {
		if v.Op = branch; d.sums[n] {
			yes.Args, sums = append(yes.Args, sums[0]), sums[1:]
		} else {
			yes.Args, others = append(yes.Args, others[0]), others[1:]
		}
	}
	branch.Body = &simt.Block{Ops: append(e.Take(), yes)}
	branch.Else = &simt.Block{Ops: []*simt.Op{{Kind: simt.Yield, Args: slices.Clone(initial)}}}
	at := slices.Index(in.Ops, d.loop)
	in.Ops = slices.Concat(in.Ops[:at], before, []*simt.Op{branch}, in.Ops[at+1:])
}

// replace lets values stand for others in what an editor copies.
func replace(e *simt.Editor, old, by []*simt.Value) {
	for i, v := range old {
		e.Replace(v, by[i])
	}
}

// replaced are the values that stand for others.
func replaced(e *simt.Editor, list []*simt.Value) (now []*simt.Value) {
	for _, v := range list {
		now = append(now, e.Value(v))
	}
	return now
}

// first appends the first part of the first iteration to a list. It gives what the loop carries of the first part, and what crosses.
func (d *dependence) first(list *simt.Editor) []*simt.Value {
	e := d.edit.New()
	initial, _ := d.loop.Carried()
	e.Replace(d.loop.Body.Args[0], d.loop.Args[0])
	replace(e, d.params, initial)
	begun, rest := begin(d.ahead, e)
	list.Append(slices.Concat(d.ordered(begun), rest)...)
	return replaced(e, append(d.carried(d.loop.Body.Yield().Args, false), d.crossing...))
}

// ordered lets one warpgroup after the other begin products.
func (d *dependence) ordered(ops []*simt.Op) []*simt.Op {
	if d.Kernel.Threads < 2*simt.WarpgroupMMA.Threads {
		return ops
	}
	at := slices.IndexFunc(ops, func(op *simt.Op) bool { return op.Kind == simt.GroupMMA })
	begin, end := &simt.Op{Kind: simt.OrderBegin, Line: d.loop.Line}, &simt.Op{Kind: simt.OrderEnd, Line: d.loop.Line}
	return append(slices.Insert(ops, at, begin), end)
}

// steady is the loop from the second iteration on.
func (d *dependence) steady(first []*simt.Value, second *simt.Value) *simt.Op {
	initial, _ := d.loop.Carried()
	yields, index := d.loop.Body.Yield().Args, d.loop.Body.Args[0]
	loop := &simt.Op{Kind: simt.For, Line: d.loop.Line, Wraps: d.loop.Wraps, Args: []*simt.Value{second, d.loop.Args[1], d.loop.Args[2]}}
	ahead, after := d.edit.New(), d.edit.New()
	now := d.edit.NewValue(index.Type, index.Hint)
	loop.Body = &simt.Block{Args: []*simt.Value{now}}
	ahead.Replace(index, now)
	carry := func(e *simt.Editor, values, initial []*simt.Value) {
		for i, v := range values {
			now, _ := d.edit.Carry(loop, initial[i], v.Hint)
			e.Replace(v, now)
		}
	}
	others := d.carried(d.params, false)
	carry(ahead, others, first)
	carry(after, d.crossing, first[len(others):])
	carry(after, d.carried(d.params, true), d.carried(initial, true))
	loop.Body.Ops = d.iteration(ahead, after)
	next := replaced(ahead, append(d.carried(yields, false), d.crossing...))
	next = append(next, replaced(after, d.carried(yields, true))...)
	loop.Body.Ops = append(loop.Body.Ops, &simt.Op{Kind: simt.Yield, Args: next})
	return loop
}

// last appends the dependent part of the last iteration to a list. It gives the sums.
func (d *dependence) last(list *simt.Editor, loop *simt.Op) []*simt.Value {
	e := d.edit.New()
	others := len(d.params) - len(d.sums)
	replace(e, d.crossing, loop.Out[others:])
	replace(e, d.carried(d.params, true), loop.Out[others+len(d.crossing):])
	for _, op := range d.after {
		list.Append(e.Copy(op))
	}
	return replaced(e, d.carried(d.loop.Body.Yield().Args, true))
}

// iteration is the ops of both parts in the order of an iteration.
func (d *dependence) iteration(ahead, after *simt.Editor) []*simt.Op {
	begun, rest := begin(d.ahead, ahead)
	dependent, settled := begin(d.after, after)
	pending := 0
	for _, op := range dependent {
		if op.Kind == simt.GroupMMA {
			pending++
		}
	}
	for _, op := range rest {
		if op.Kind == simt.GroupWait {
			op.Pending += pending
		}
	}
	rest, late := lastSteps(rest, replaced(ahead, d.crossing))
	return slices.Concat(d.ordered(append(begun, dependent...)), rest, settled, late)
}

// begin copies the ops of a part: those up to its last product, and then the others, with all that waits for products.
func begin(part []*simt.Op, e *simt.Editor) (begun, rest []*simt.Op) {
	last := 0
	for i, op := range part {
		if op.Kind == simt.GroupMMA {
			last = i
		}
	}
	waits := map[*simt.Op]bool{}
	isLater := func(v *simt.Value) bool { return v.Op != nil && waits[v.Op] }
	for i, op := range part {
		waits[op] = i > last || op.Kind == simt.GroupWait || op.Kind == simt.Arrive
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) { waits[op] = waits[op] || slices.ContainsFunc(inner.Args, isLater) })
		if c := e.Copy(op); waits[op] {
			rest = append(rest, c)
		} else {
			begun = append(begun, c)
		}
	}
	return begun, rest
}

// lastSteps takes out the ops that do nothing but put together words that cross.
func lastSteps(ops []*simt.Op, crossing []*simt.Value) (rest, late []*simt.Op) {
	uses, is := simt.UsesIn(&simt.Block{Ops: ops}), map[*simt.Op]bool{}
	for _, op := range slices.Backward(ops) {
		if op.Kind != simt.Compose && op.Kind != simt.Pack {
			continue
		}
		v, others := op.Result(), false
		for u := range uses.Of(v) {
			others = others || !is[u.Op]
		}
		is[op] = !others && (uses.Count(v) > 0 || slices.Contains(crossing, v))
	}
	for _, op := range ops {
		if is[op] {
			late = append(late, op)
		} else {
			rest = append(rest, op)
		}
	}
	return rest, late
}
