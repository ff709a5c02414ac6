package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// Warpgroups can begin the products of one iteration before those of the iteration before are done: the loop carries sums that are outstanding,
// an iteration gives away the stage of the one before, and after the loop is the wait for all:
//
//	wait until the stage is full
//	begin to multiply what is in it
//	wait for the products of the iteration before, and arrive at the empty of its stage

// outstanding lets the products of two iterations of a loop be outstanding, if what it carries of them are their sums alone.
func (s *schedule) outstanding() {
	chosen := s.InFlight == 0 && s.copying != nil // by the compiler, where all threads copy
	if s.InFlight < 2 && !chosen || s.copies == nil || s.apart {
		return
	}
	f := &flight{schedule: s}
	reason, least := f.find(), s.stagesFor(2, 1)
	if chosen { // copies still run two iterations ahead: with one, loops wait for memory
		least = s.stagesFor(2, 2)
	}
	if reason == "" && s.copies.stages < least {
		reason = fmt.Sprintf("%d of %d stages", s.copies.stages, least)
	}
	switch {
	case reason != "" && chosen:
		return
	case reason != "":
		s.Notes = append(s.Notes, fmt.Sprintf("%s: products of one iteration at a time: %s", s.loop.Line, reason))
		return
	}
	f.carryParts()
	if s.copying == nil {
		s.release.ahead, s.release.absent = -1, predicate
	} else { // copies leave the stage alone that products of the iteration before read
		s.copying.ahead--
		s.arrival.ops[0].Pending--
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s: products of two iterations outstanding", s.loop.Line))
}

// flight is a loop with products.
type flight struct {
	*schedule
	products []*simt.Op           // the GroupMMAs of the body
	wait     *simt.Op             // for them
	sums     map[lane]lane        // of what the loop carries: which lane of the wait's results it is in the next iteration
	carried  map[int]bool         // numbers of what the loop carries of them
	passed   map[*simt.Value]bool // values that only pass sums on
}

// lane is one lane of a value.
type lane struct {
	v *simt.Value
	i int
}

// laneSource is the lane that one lane of a value is taken from.
func laneSource(v *simt.Value, i int) lane {
	v, i = simt.LaneOf(v, i)
	return lane{v, i}
}

// find finds the products and what the loop carries of them, or says why they cannot be outstanding together.
func (f *flight) find() string {
	for _, op := range f.own() {
		switch op.Kind {
		case simt.GroupMMA:
			f.products = append(f.products, op)
		case simt.GroupWait:
			if f.wait != nil {
				return "products need others' sums"
			}
			f.wait = op
		case simt.Arrive: // the loop's release follows the wait for its products, another arrival does not
			if f.release == nil || f.copying != nil || !slices.Contains(f.release.ops, op) {
				return "what a producer copied is given away in the same iteration" // where threads copy the other operand
			}
		}
	}
	if f.wait == nil {
		return "none are of warpgroups"
	}
	_, params := f.loop.Carried()
	number := map[*simt.Value]int{}
	for i, p := range params {
		number[p] = i
	}
	f.carried, f.sums = map[int]bool{}, map[lane]lane{}
	j := 0
	for _, op := range f.products {
		factors, c := op.Products()
		for _, pair := range factors {
			for _, factor := range pair {
				if factor.Op == nil || factor.Op.Kind != simt.MatrixPlace || factor.Op.Shared.Stages == 0 {
					return "threads store or hold an operand" // another one in the next iteration, while products may still read it
				}
			}
		}
		for _, part := range c {
			for i := range part.Type.Width {
				from := laneSource(part, i)
				n, isParam := number[from.v]
				if !isParam {
					return "sums begin anew in each iteration"
				}
				f.carried[n] = true
				f.sums[from] = lane{f.wait.Out[j], i}
			}
			j++
		}
	}
	return f.check(params)
}

// check says why what the loop carries is not the sums alone, "" if it is.
func (f *flight) check(params []*simt.Value) string {
	passed := map[*simt.Value]bool{}
	f.passed = passed
	for n := range f.carried {
		passed[params[n]] = true
		next := f.loop.Yields(n)[0]
		for i := range params[n].Type.Width {
			if to, ok := f.sums[lane{params[n], i}]; !ok || laneSource(next, i) != to {
				return "the loop changes sums"
			}
		}
	}
	for _, out := range f.wait.Out {
		passed[out] = true
	}
	reason := ""
	for _, op := range append(f.own(), f.loop.Body.Yield()) {
		for i, a := range op.Args {
			if !passed[a] {
				continue
			}
			switch op.Kind {
			case simt.Extract, simt.Compose, simt.Splat:
				passed[op.Result()] = true
			case simt.GroupMMA:
			case simt.Yield:
				if !f.carried[i] {
					reason = "the loop needs sums for something else"
				}
			default:
				reason = fmt.Sprintf("%v needs sums", op.Kind)
			}
		}
		for _, body := range op.Blocks() {
			simt.Walk(body, func(inner *simt.Op) {
				if slices.ContainsFunc(inner.Args, func(a *simt.Value) bool { return passed[a] }) {
					reason = fmt.Sprintf("%v needs sums", inner.Kind)
				}
			})
		}
	}
	return reason
}

// carryParts makes the loop carry the parts of the sums as products have them, and settles them after it.
func (f *flight) carryParts() {
	loop := f.loop
	initial, params := loop.Carried()
	sums, number, back := loop.Out, map[*simt.Value]int{}, map[lane]lane{} // back is from lanes of the wait's results
	for i, p := range params {
		number[p] = i
	}
	for from, to := range f.sums {
		back[to] = from
	}
	loop.DropResults(func(i int) bool { return f.carried[i] })
	before, after := f.edit.New(), f.edit.New()
	settled := &simt.Op{Kind: simt.GroupWait, Line: f.wait.Line}
	for _, op := range f.products {
		_, c := op.Products()
		for i := range c {
			part := rebuild(before, c[i].Type, func(j int) lane {
				from := back[lane{f.wait.Out[len(settled.Args)], j}]
				return lane{initial[number[from.v]], from.i}
			})
			now, final := f.edit.Carry(loop, before.Name("acc", part), "acc")
			c[i], settled.Args = now, append(settled.Args, final)
			loop.Body.Yield().Args = append(loop.Body.Yield().Args, op.Out[i])
		}
	}
	// After the loop, what it gave before is taken from the settled parts, which the wait for an iteration gave in it.
	settled.Out = f.wait.Out
	for _, v := range settled.Out {
		v.Op = settled
	}
	for n, p := range params {
		if f.carried[n] {
			v := sums[n]
			v.Op = rebuild(after, v.Type, func(i int) lane { return f.sums[lane{p, i}] }).Op
			v.Op.Out[0] = v
		}
	}
	f.before, f.after = append(f.before, before.Take()...), after.Take()
	at := slices.Index(f.own(), f.wait)
	f.take(func(op *simt.Op) bool { return op == f.wait })
	f.put(at, &group{ahead: -1, ops: []*simt.Op{{Kind: simt.GroupWait, Pending: len(f.products), Line: f.wait.Line}}, epilogue: []*simt.Op{settled}})
	f.take(func(op *simt.Op) bool { return len(op.Out) == 1 && f.passed[op.Out[0]] && op.Kind.IsPure() })
}

// rebuild composes a value of lanes of others.
func rebuild(e *simt.Editor, t simt.Type, from func(i int) lane) *simt.Value {
	lanes := make([]*simt.Value, t.Width)
	for i := range lanes {
		at := from(i)
		lanes[i] = e.Emit(&simt.Op{Kind: simt.Extract, Lane: at.i, Args: []*simt.Value{at.v}}, simt.Scalar(t.Elem))
	}
	return e.Emit(&simt.Op{Kind: simt.Compose, Args: lanes}, t)
}
