package lower

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// assignment gives every tile of a kernel a distribution: the one in which it is made.
// Where a use wants it in another, it is brought there (see lowerer.in).
//
// The distributions are found as in Triton's layout passes, but by one optimisation instead of
// a sequence of rewrites: ops with preferences propose distributions (see proposals), which
// spread forward and backward through the kernel as candidates wherever the ops carry them
// (see carries); then each op gets one of its candidates so that the work in them and the
// conversions between them cost the least together (see costs and problem). Where a
// conversion is cheapest, outside of loops, on a smaller or a narrower tile, follows from
// that. Values that are cheap to compute (recomputed), and ops that only rename elements,
// broadcasts among them, have no distribution of their own: they are made in
// whatever distribution they are wanted.
type assignment struct {
	sites  []*site
	at     map[*tile.Op]*site         // where an op works
	stages map[*tile.Op][2]*site      // where the operands of a Dot are put into shared memory
	made   map[*tile.Value]*site      // of values that have a distribution of their own
	into   map[*tile.Op][]*tile.Value // what receives the operands of a Yield
	bodies map[*tile.Op][2]int        // the sites of a loop and its body
	uses   map[*tile.Value][]*demand
	cheap  map[*tile.Value]int           // recomputed
	first  map[*tile.Value]layout.Linear // of the other values: that of the first use
	// matrices are the Dots for which matrix instructions were chosen, nil for others
	matrices map[*tile.Op]*matrixDot
	// residents are the left operands that are staged before the loops that leave them as they are
	residents []resident
	bare      bool        // they stay in registers
	fresh     []candidate // yet to be spread
	costs     *costs
}

// site is a place where a distribution is chosen: of an op, of an operand of a Dot on its way
// to shared memory, or of a value that control flow carries.
type site struct {
	op         *tile.Op
	operand    int     // of a Dot on its way: which operand; else -1
	shape      []int   // of the distribution
	weight     int     // how often it runs, relatively
	candidates []int   // numbers of distributions, the preferred ones first
	origins    []*site // who proposed each
	work       []int   // what the work costs in each
	chosen     int     // index of the candidate
	inner      int     // how often the body runs of what carries the values
	values     []*tile.Value
	uses       []*demand // the operands that it wants
	variable   int
}

// demand is an operand that a site wants in a distribution that follows from its own.
type demand struct {
	site  *site
	op    *tile.Op    // the operand's op
	value *tile.Value // the operand
	of    *tile.Value // its source
	wants []int       // numbers of distributions of the source, by candidate
}

// wanted is the distribution in which a use wants its operand, given its site's, and
// fromWanted the way back. Control flow, and a Dot's staging, hand on what they have: they
// are in no table of carries.
func (u *demand) wanted(at layout.Linear) layout.Linear { return operandIn(u.op, at) }

func (u *demand) fromWanted(l layout.Linear) (layout.Linear, bool) { return atFromOperand(u.op, l) }

// madeIn is the distribution of what a site makes, given its own, and fromMade the way back.
func (s *site) madeIn(at layout.Linear) layout.Linear { return resultIn(s.op, at) }

func (s *site) fromMade(l layout.Linear) (layout.Linear, bool) { return atFromResult(s.op, l) }

func isControl(op *tile.Op) bool { return op.Kind.Fact().Class == tile.Control }

// assign chooses the distributions of a kernel.
func assign(k *tile.Func, facts axis.Facts, threads int, caps target.Caps, t thrift) *assignment {
	a := newAssignment(k, facts, threads, caps, t)
	a.choose()
	a.settle()
	return a
}

// newAssignment finds the sites of a kernel, their uses and candidates.
func newAssignment(k *tile.Func, facts axis.Facts, threads int, caps target.Caps, t thrift) *assignment {
	a := &assignment{
		at: map[*tile.Op]*site{}, stages: map[*tile.Op][2]*site{}, made: map[*tile.Value]*site{},
		into: map[*tile.Op][]*tile.Value{}, bodies: map[*tile.Op][2]int{}, uses: map[*tile.Value][]*demand{},
		cheap: map[*tile.Value]int{}, first: map[*tile.Value]layout.Linear{},
		matrices: map[*tile.Op]*matrixDot{}, costs: newCosts(newAccesses(k, facts, caps, threads)),
	}
	a.bare, a.costs.thrifty, a.costs.async = t.bare, t.thrifty, caps.AsyncCopy && k.Schedule.Stages != 1
	a.collect(k.Body, neededOps(k), 1)
	a.connect()
	if caps.WarpGroups {
		a.findResidents(k.Body, nil, map[*tile.Value]int{})
	}
	a.propose()
	return a
}

// collect makes the sites of a region's ops.
func (a *assignment) collect(r *tile.Region, needed map[*tile.Op]bool, weight int) {
	for _, op := range r.Ops {
		if !needed[op] {
			continue
		}
		switch class := op.Kind.Fact().Class; {
		case isControl(op):
			a.collectControl(op, needed, weight)
		case class == tile.Debug || class == tile.Hint || carries[op.Kind].rename:
		case op.Result() != nil && recomputed(op.Result(), a.cheap) > 0:
		case class == tile.Matrix:
			s := a.site(op, -1, op.Result().Type().Shape, weight, op.Out)
			s.want(op, op.Args[2])
			var stages [2]*site
			for i := range stages {
				stages[i] = a.site(op, i, op.Args[i].Type().Shape, weight, nil)
				stages[i].want(op, op.Args[i])
			}
			a.at[op], a.stages[op] = s, stages
		default:
			a.collectOp(op, weight)
		}
	}
}

// collectOp makes the site of an op on tiles.
func (a *assignment) collectOp(op *tile.Op, weight int) {
	var shape []int
	var operands []*tile.Value
	for _, v := range op.Args {
		if !v.Type().IsScalar() {
			operands = append(operands, v)
			shape = v.Type().Shape
		}
	}
	values := op.Out
	switch r := op.Result(); {
	case op.Kind == tile.OpAt: // a scalar has no distribution
		values = nil
	case r != nil && carries[op.Kind].result == nil:
		shape = r.Type().Shape
	}
	if len(shape) == 0 {
		return
	}
	s := a.site(op, -1, shape, weight, values)
	for _, v := range operands {
		s.want(op, v)
	}
	a.at[op] = s
}

// collectControl makes a site for each tile that a loop carries or an If yields.
func (a *assignment) collectControl(op *tile.Op, needed map[*tile.Op]bool, weight int) {
	inits, args := op.Args, []*tile.Value(nil)
	switch op.Kind {
	case tile.OpFor:
		inits, args = op.Args[3:], op.Body.Args[1:]
	case tile.OpWhile:
		args = op.Body.Args
	case tile.OpIf:
		inits = nil
	default:
		return
	}
	inner := weight
	if op.Kind != tile.OpIf {
		inner = min(inner*loopWeight, mostWeight)
	}
	before := len(a.sites)
	sites := make([]*site, len(op.Out))
	for i, v := range op.Out {
		if v.Type().IsScalar() {
			continue
		}
		values := []*tile.Value{v}
		if args != nil {
			values = append(values, args[i])
		}
		sites[i] = a.site(op, -1, v.Type().Shape, weight, values)
		sites[i].inner = inner
		if inits != nil {
			sites[i].want(op, inits[i])
		}
	}
	for _, body := range op.Regions() {
		a.collect(body, needed, inner)
		yield := body.Ops[len(body.Ops)-1]
		a.into[yield] = op.Out
		for i, v := range yield.Args {
			if sites[i] != nil {
				sites[i].want(yield, v)
			}
		}
	}
	a.bodies[op] = [2]int{before, len(a.sites)}
}

func (a *assignment) site(op *tile.Op, operand int, shape []int, weight int, values []*tile.Value) *site {
	s := &site{op: op, operand: operand, shape: shape, weight: weight, values: values}
	a.sites = append(a.sites, s)
	for _, v := range values {
		a.made[v] = s
	}
	return s
}

func (s *site) want(op *tile.Op, v *tile.Value) {
	s.uses = append(s.uses, &demand{site: s, op: op, value: v})
}

// connect finds the sources of all uses.
func (a *assignment) connect() {
	for _, s := range a.sites {
		for _, u := range s.uses {
			u.of = u.value
			for op := u.of.Op(); op != nil && carries[op.Kind].rename; op = u.of.Op() {
				u.of = op.Args[0]
			}
			if a.made[u.of] != nil {
				a.uses[u.of] = append(a.uses[u.of], u)
			}
		}
	}
}

// in is the distribution of a site.
func (a *assignment) in(s *site) layout.Linear { return a.costs.layouts[s.candidates[s.chosen]] }

// opAt is the distribution in which an op works.
func (a *assignment) opAt(op *tile.Op) layout.Linear { return a.in(a.at[op]) }

// of is the distribution in which a tile is made; for one that is made where it is wanted,
// that of the first use.
func (a *assignment) of(v *tile.Value) layout.Linear {
	if s := a.made[v]; s != nil {
		return s.madeIn(a.in(s))
	}
	return a.first[v]
}

// settle lets values without a distribution of their own follow their first use.
func (a *assignment) settle() {
	for _, s := range a.sites {
		for _, u := range s.uses {
			a.follow(u.value, u.wanted(a.in(s)))
		}
	}
}

func (a *assignment) follow(v *tile.Value, l layout.Linear) {
	if _, ok := a.first[v]; ok || v.Type().IsScalar() || a.made[v] != nil || v.Op() == nil {
		return
	}
	a.first[v] = l
	for _, operand := range v.Op().Args {
		a.follow(operand, operandIn(v.Op(), l))
	}
}

// within lists the sites in the body of a loop, and those of what it carries.
func (a *assignment) within(loop *tile.Op) []*site {
	r := a.bodies[loop]
	return a.sites[r[0]:r[1]]
}
