package assign

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Assignment gives every tile of a kernel a distribution: the one in which it is made.
// Where a use requires another, it is converted there (see package emit).
//
// The distributions are found as in Triton's layout passes, but by one optimisation instead of
// a sequence of rewrites: ops with preferences propose distributions (see proposals), which
// spread forward and backward through the kernel as candidates wherever the ops carry them
// (see carries); then each op gets one of its candidates so that the work in them and the
// conversions between them cost the least together (see costs and problem). Where a
// conversion is cheapest, outside of loops, on a smaller or a narrower tile, follows from
// that. Values that are cheap to compute (recomputed), and ops that only rename elements,
// broadcasts among them, have no distribution of their own: they are made in
// whatever distribution they are used.
type Assignment struct {
	Sites  []*Site
	At     map[*tile.Op]*Site         // where an op works
	Stages map[*tile.Op][2]*Site      // where the operands of a Dot are put into shared memory
	Made   map[*tile.Value]*Site      // of values that have a distribution of their own
	Into   map[*tile.Op][]*tile.Value // what receives the operands of a Yield
	bodies map[*tile.Op][2]int        // the sites of a loop and its body
	Uses   map[*tile.Value][]*Use
	cheap  map[*tile.Value]int           // recomputed
	first  map[*tile.Value]layout.Linear // of the other values: that of the first use
	// matrices are the Dots for which matrix instructions were chosen, nil for others
	matrices map[*tile.Op]*Dot
	kMajor   bool // of the schedule
	Fallback
	// Invariants are the left operands that are staged before the loops that leave them as they are
	Invariants []Invariant
	fresh      []candidate // yet to be spread
	Costs      *cost.Model
}

// Site is a place where a distribution is chosen: of an op, of an operand of a Dot that is staged
// in shared memory, or of a value that control flow carries.
type Site struct {
	op         *tile.Op
	operand    int     // of a staged operand of a Dot: which operand; else -1
	shape      []int   // of the distribution
	weight     int     // how often it runs, relatively
	Candidates []int   // numbers of distributions, the preferred ones first
	Origins    []*Site // who proposed each
	Work       []int   // what the work costs in each
	Chosen     int     // index of the candidate
	inner      int     // how often the body runs of what carries the values
	values     []*tile.Value
	Uses       []*Use        // the operands that it requires
	free       []*tile.Value // those that it takes as they are made
	variable   int
	// accumulator is the one distribution that a Dot takes without matrix instructions
	accumulator layout.Linear
}

// Use is an operand that a site requires in a distribution that follows from its own.
type Use struct {
	Site     *Site
	op       *tile.Op    // the operand's op
	Value    *tile.Value // the operand
	Source   *tile.Value // its source
	Requires []int       // numbers of distributions of the source, by candidate
}

// Required is the distribution in which a use requires its operand, given its site's, and
// FromRequired the way back. Control flow, and a Dot's staging, hand on what they have: they
// are in no table of carries.
func (u *Use) Required(at layout.Linear) layout.Linear { return OperandIn(u.op, at) }

func (u *Use) FromRequired(l layout.Linear) (layout.Linear, bool) { return atFromOperand(u.op, l) }

// madeIn is the distribution of what a site makes, given its own, and fromMade the way back.
func (s *Site) madeIn(at layout.Linear) layout.Linear { return resultIn(s.op, at) }

func (s *Site) fromMade(l layout.Linear) (layout.Linear, bool) { return atFromResult(s.op, l) }

func isControl(op *tile.Op) bool { return op.Kind.Fact().Class == tile.Control }

// New chooses the distributions of a kernel.
func New(k *tile.Func, facts axis.Facts, threads int, caps target.Caps, t Fallback) *Assignment {
	a := newAssignment(k, facts, threads, caps, t)
	a.choose()
	a.settle()
	return a
}

// newAssignment finds the sites of a kernel, their uses and candidates.
func newAssignment(k *tile.Func, facts axis.Facts, threads int, caps target.Caps, t Fallback) *Assignment {
	caps.SubgroupSize = caps.Subgroup(threads)
	a := &Assignment{
		Fallback: t,
		At:       map[*tile.Op]*Site{}, Stages: map[*tile.Op][2]*Site{}, Made: map[*tile.Value]*Site{},
		Into: map[*tile.Op][]*tile.Value{}, bodies: map[*tile.Op][2]int{}, Uses: map[*tile.Value][]*Use{},
		cheap: map[*tile.Value]int{}, first: map[*tile.Value]layout.Linear{},
		matrices: map[*tile.Op]*Dot{}, Costs: cost.New(memory.New(k, facts, caps, threads)),
	}
	a.Costs.AvoidShared, a.Costs.Async = t.AvoidShared, caps.AsyncCopy && k.Schedule.Stages != 1
	a.Costs.Apart = !caps.AsyncCopy && mma.InBatches(k.Body)
	a.kMajor = a.Costs.Async && k.Schedule.KMajor
	a.collect(k.Body, tilepass.Needed(k), 1)
	a.connect()
	if caps.WarpGroups {
		a.findInvariants(k.Body, nil, map[*tile.Value]int{})
	}
	a.propose()
	return a
}

// collect makes the sites of a region's ops.
func (a *Assignment) collect(r *tile.Region, needed map[*tile.Op]bool, weight int) {
	for _, op := range r.Ops {
		if !needed[op] {
			continue
		}
		switch class := op.Kind.Fact().Class; {
		case isControl(op):
			a.collectControl(op, needed, weight)
		case class == tile.Debug || class == tile.Hint || Propagations[op.Kind].View:
		case op.Result() != nil && recomputed(op.Result(), a.cheap) > 0:
		case class == tile.Matrix:
			s := a.site(op, -1, op.Result().Type().Shape, weight, op.Out)
			s.addUse(op, op.Args[2])
			var stages [2]*Site
			for i := range stages {
				stages[i] = a.site(op, i, op.Args[i].Type().Shape, weight, nil)
				stages[i].addUse(op, op.Args[i])
			}
			a.At[op], a.Stages[op] = s, stages
		default:
			a.collectOp(op, weight)
		}
	}
}

// collectOp makes the site of an op on tiles.
func (a *Assignment) collectOp(op *tile.Op, weight int) {
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
	case r != nil && Propagations[op.Kind].result == nil:
		shape = r.Type().Shape
	}
	if len(shape) == 0 {
		return
	}
	s := a.site(op, -1, shape, weight, values)
	if op.Kind == tile.OpTake { // of a tile of another shape
		s.free, operands = operands[:1], operands[1:]
	}
	for _, v := range operands {
		s.addUse(op, v)
	}
	a.At[op] = s
}

// collectControl makes a site for each tile that a loop carries or an If yields.
func (a *Assignment) collectControl(op *tile.Op, needed map[*tile.Op]bool, weight int) {
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
		inner = min(inner*cost.LoopWeight, cost.MostWeight)
	}
	before := len(a.Sites)
	sites := make([]*Site, len(op.Out))
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
			sites[i].addUse(op, inits[i])
		}
	}
	for _, body := range op.Regions() {
		a.collect(body, needed, inner)
		yield := body.Ops[len(body.Ops)-1]
		a.Into[yield] = op.Out
		for i, v := range yield.Args {
			if sites[i] != nil {
				sites[i].addUse(yield, v)
			}
		}
	}
	a.bodies[op] = [2]int{before, len(a.Sites)}
}

func (a *Assignment) site(op *tile.Op, operand int, shape []int, weight int, values []*tile.Value) *Site {
	s := &Site{op: op, operand: operand, shape: shape, weight: weight, values: values}
	a.Sites = append(a.Sites, s)
	for _, v := range values {
		a.Made[v] = s
	}
	return s
}

func (s *Site) addUse(op *tile.Op, v *tile.Value) {
	s.Uses = append(s.Uses, &Use{Site: s, op: op, Value: v})
}

// connect finds the sources of all uses.
func (a *Assignment) connect() {
	for _, s := range a.Sites {
		for _, u := range s.Uses {
			u.Source = u.Value
			for op := u.Source.Op(); op != nil && Propagations[op.Kind].View; op = u.Source.Op() {
				u.Source = op.Args[0]
			}
			if a.Made[u.Source] != nil {
				a.Uses[u.Source] = append(a.Uses[u.Source], u)
			}
		}
	}
}

// In is the distribution of a site.
func (a *Assignment) In(s *Site) layout.Linear { return a.Costs.Layouts[s.Candidates[s.Chosen]] }

// OpAt is the distribution in which an op works.
func (a *Assignment) OpAt(op *tile.Op) layout.Linear { return a.In(a.At[op]) }

// Of is the distribution in which a tile is made; for one that is rematerialised,
// that of the first use.
func (a *Assignment) Of(v *tile.Value) layout.Linear {
	if s := a.Made[v]; s != nil {
		return s.madeIn(a.In(s))
	}
	return a.first[v]
}

// settle lets values without a distribution of their own follow their first use.
func (a *Assignment) settle() {
	for _, s := range a.Sites {
		for _, u := range s.Uses {
			a.follow(u.Value, u.Required(a.In(s)))
		}
	}
	for _, s := range a.Sites {
		for _, v := range s.free {
			a.follow(v, a.AsMade(v))
		}
	}
}

// AsMade is a distribution in which a tile needs no conversion, if there is one.
func (a *Assignment) AsMade(v *tile.Value) layout.Linear {
	if l, ok := a.first[v]; ok {
		return l
	}
	source := v
	for op := source.Op(); op != nil && Propagations[op.Kind].View; op = source.Op() {
		source = op.Args[0]
	}
	if s := a.Made[source]; s != nil {
		if l, ok := seen(v, s.madeIn(a.In(s))); ok {
			return l
		}
	}
	shape := v.Type().Shape
	return distribution.Blocked(shape, a.Costs.Threads, len(shape)-1, distribution.RegisterLanes)
}

func (a *Assignment) follow(v *tile.Value, l layout.Linear) {
	if _, ok := a.first[v]; ok || v.Type().IsScalar() || a.Made[v] != nil || v.Op() == nil {
		return
	}
	a.first[v] = l
	for _, operand := range v.Op().Args {
		a.follow(operand, OperandIn(v.Op(), l))
	}
}

// Within lists the sites in the body of a loop, and those of what it carries.
func (a *Assignment) Within(loop *tile.Op) []*Site {
	r := a.bodies[loop]
	return a.Sites[r[0]:r[1]]
}
