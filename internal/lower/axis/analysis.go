package axis

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Facts of an axis are what is known of the elements of a value from the way in which it is
// computed. Along each axis of a tile, whose elements are cut into aligned groups there:
//
//   - contiguity: within each group of so many elements, each is one more than the one before;
//   - divisibility: of the first element of each such group;
//   - constancy: all elements of each group of so many are equal.
//
// All three are powers of two, and 1 says nothing. With them comes a range in which all
// elements are. Arithmetic wraps: a fact holds for the wrapped values. (The three measures
// are those of Triton's AxisInfo; here they are rules for the closed set of tile ops.)

// Analysis holds the facts of a kernel's values.
type Analysis struct {
	facts  Facts
	kernel *tile.Func
	values []Value                   // by number; without a shape where nothing is known
	Args   map[*tile.Op][]Value      // of operands of memory ops, with what hints say at their place
	Proven map[*tile.Op][]string     // of blocks and points, for each dimension: why they are within the view; "" if that is not known
	Ranges map[*tile.Op]uint8        // of blocks: the dimensions, by bits, along which the first element's index fits 32 bits
	sizes  map[Dimension]*tile.Value // the first value that is a view's size, for all of them
	equal  map[Dimension]Dimension   // as long as another one, as the kernel requires
	host   map[*tile.Value]bool      // computed before launch without overflow: they are the grid's
	cuts   map[*tile.Value]bool      // at least 1: factors of a grid that has programs
	args   []Value                   // of the op at hand
}

// maxSize is the largest size of a view's dimension (tile.Func.Words).
const maxSize = math.MaxInt32 - tile.MaxTileElements

// Dimension is one of a view's.
type Dimension struct {
	View *tile.View
	Dim  int
}

// Analyse finds the facts of all values of a kernel.
func Analyse(k *tile.Func, facts Facts) *Analysis {
	a := &Analysis{facts: facts, kernel: k, values: make([]Value, numbers(k.Body)), Args: map[*tile.Op][]Value{}, Proven: map[*tile.Op][]string{},
		Ranges: map[*tile.Op]uint8{}, sizes: map[Dimension]*tile.Value{}, equal: map[Dimension]Dimension{}, host: map[*tile.Value]bool{}, cuts: map[*tile.Value]bool{}}
	a.requirements()
	for _, g := range k.Grid {
		if g != nil {
			a.hostValue(g)
			a.factors(g)
		}
	}
	a.region(k.Body)
	return a
}

// numbers is above the numbers of all values of a region.
func numbers(r *tile.Region) (n int) {
	for _, v := range r.Args {
		n = max(n, v.ID()+1)
	}
	for _, op := range r.Ops {
		for _, v := range op.Out {
			n = max(n, v.ID()+1)
		}
		for _, body := range op.Regions() {
			n = max(n, numbers(body))
		}
	}
	return n
}

// hostValue finds the facts of what a grid is computed from, where that stands in the body.
func (a *Analysis) hostValue(v *tile.Value) {
	if a.host[v] || v.Op() == nil {
		return
	}
	a.host[v] = true
	for _, x := range v.Op().Args {
		a.hostValue(x)
	}
	a.op(v.Op())
}

// factors marks the factors of a grid's size, which it returns: there is a program, so that none is 0. A
// negative size counts as 0 programs, but two negative factors do not.
func (a *Analysis) factors(v *tile.Value) []*tile.Value {
	a.cuts[v] = true
	if op := v.Op(); op.Kind == tile.OpMul && a.Of(op.Args[0]).NonNegative() && a.Of(op.Args[1]).NonNegative() {
		return append(a.factors(op.Args[0]), a.factors(op.Args[1])...)
	}
	return []*tile.Value{v}
}

// least is the range of a value that may be a factor of a grid, which is at least 1.
func (a *Analysis) least(v *tile.Value) Span {
	s := a.Of(v).Span
	if a.cuts[v] && s.Known {
		s.Lo = max(s.Lo, 1)
	}
	return s
}

// same is the value that stands for v: all that are one size are one.
func (a *Analysis) same(v *tile.Value) *tile.Value {
	op := v.Op()
	if op == nil || op.Kind != tile.OpDim {
		return v
	}
	key := a.dimension(Dimension{op.View, op.Axis})
	if a.sizes[key] == nil {
		a.sizes[key] = v
	}
	return a.sizes[key]
}

// requirements finds the dimensions that the kernel requires to be as long as each other. What follows an Exit need not be checked.
func (a *Analysis) requirements() {
	var visit func(cond *tile.Value)
	visit = func(cond *tile.Value) {
		op := cond.Op()
		switch {
		case op == nil:
		case op.Kind == tile.OpAnd:
			visit(op.Args[0])
			visit(op.Args[1])
		case op.Kind == tile.OpEq:
			x, y := op.Args[0].Op(), op.Args[1].Op()
			if x == nil || y == nil || x.Kind != tile.OpDim || y.Kind != tile.OpDim {
				return
			}
			one, other := a.dimension(Dimension{x.View, x.Axis}), a.dimension(Dimension{y.View, y.Axis})
			if one != other {
				a.equal[other] = one
			}
		}
	}
	for _, op := range a.kernel.Body.Ops {
		if op.Kind == tile.OpExit {
			return
		}
		if op.Kind == tile.OpRequire {
			visit(op.Args[0])
		}
	}
}

// dimension stands for all that are as long as d.
func (a *Analysis) dimension(d Dimension) Dimension {
	for {
		other, found := a.equal[d]
		if !found {
			return d
		}
		d = other
	}
}

// Of is what is known Of a value.
func (a *Analysis) Of(v *tile.Value) Value {
	v = a.same(v)
	if a.knows(v) {
		return a.values[v.ID()]
	}
	return nothing(v.Type())
}

// knows reports whether there are facts of a value: there are none of one that came after the analysis.
func (a *Analysis) knows(v *tile.Value) bool {
	return v.ID() < len(a.values) && a.values[v.ID()].shape != nil
}

// set keeps what is known of a value.
func (a *Analysis) set(v *tile.Value, f Value) {
	if more := v.ID() + 1 - len(a.values); more > 0 { // of a grid's size
		a.values = append(a.values, make([]Value, more)...)
	}
	a.values[v.ID()] = f
}

// all appends what is known of values.
func (a *Analysis) all(out []Value, vs []*tile.Value) []Value {
	for _, v := range vs {
		out = append(out, a.Of(v))
	}
	return out
}

// region finds the facts of a body's values. What hints say holds to its end.
func (a *Analysis) region(r *tile.Region) {
	before := map[*tile.Value]Value{} // of values that an Assume refined
	for _, op := range r.Ops {
		if op.Kind == tile.OpAssume || op.Kind == tile.OpRequire {
			a.assume(op.Args[0], before)
			continue
		}
		a.op(op)
	}
	for v, f := range before {
		a.set(v, f)
	}
}

func (a *Analysis) op(op *tile.Op) {
	switch op.Kind {
	case tile.OpFor:
		a.loop(op)
		return
	case tile.OpWhile:
		a.carry(op, op.Args, op.Body.Args)
		return
	case tile.OpIf:
		a.region(op.Body)
		a.region(op.Else)
		then, otherwise := yieldOf(op.Body), yieldOf(op.Else)
		for i, v := range op.Out {
			a.set(v, a.Of(then[i]).join(a.Of(otherwise[i])))
		}
		return
	}
	if op.Kind.Fact().Class == tile.Memory {
		a.Args[op] = a.all(a.Args[op][:0], op.Args) // those of the last round of a loop stay
		a.prove(op)
	}
	rule := axisRules[op.Kind]
	if rule == nil || len(op.Out) != 1 {
		return // nothing is known of results
	}
	v := op.Result()
	if op.Kind == tile.OpDim && a.knows(a.same(v)) {
		return // an Assume may have told more
	}
	a.args = a.all(a.args[:0], op.Args)
	f := rule(a, op, a.args)
	f.Span = f.Span.within(v.Type().Elem)
	if f.Known && a.host[v] && v.Type().Elem == dtype.I32 {
		f.Span = a.exact(op, f.Span)
	}
	a.set(v, f)
}

func yieldOf(r *tile.Region) []*tile.Value { return r.Ops[len(r.Ops)-1].Args }

// exact is the range of a value that is known not to overflow: its ends are cut off at the type's.
func (a *Analysis) exact(op *tile.Op, wrapped Span) Span {
	t := spanOf(dtype.I32)
	if wrapped != t || op.Kind != tile.OpAdd && op.Kind != tile.OpSub && op.Kind != tile.OpMul {
		return wrapped
	}
	s := arithmeticSpan[op.Kind](a.Of(op.Args[0]).Span, a.Of(op.Args[1]).Span)
	if !s.Known {
		return wrapped
	}
	return Span{true, min(max(s.Lo, t.Lo), t.Hi), max(min(s.Hi, t.Hi), t.Lo)}
}

// loop finds the facts of a counted loop.
func (a *Analysis) loop(op *tile.Op) {
	lo, hi, step := a.Of(op.Args[0]), a.Of(op.Args[1]), a.Of(op.Args[2])
	i := nothing(op.Body.Args[0].Type())
	i.Axes[0].Divisibility = min(lo.All(), step.All())
	if lo.Known && hi.Known {
		i.Span = Span{true, lo.Lo, max(lo.Lo, hi.Hi-1)}
	}
	i.below = a.cut(op.Args[1])
	a.set(op.Body.Args[0], i)
	a.carry(op, op.Args[3:], op.Body.Args[1:])
}

// carry finds the facts of a loop's body: those of the values that it carries hold for their
// initial values and after each iteration. Ranges that go on growing become those of their type.
func (a *Analysis) carry(op *tile.Op, initial, params []*tile.Value) {
	for i, p := range params {
		a.set(p, a.Of(initial[i]))
	}
	for round := 0; ; round++ {
		a.region(op.Body)
		changed := false
		for i, next := range yieldOf(op.Body) {
			was := a.Of(params[i])
			now := was.join(a.Of(next))
			if round > 1 && now.Span != was.Span {
				now.Span = spanOf(params[i].Type().Elem)
			}
			if !now.equal(was) {
				a.set(params[i], now)
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	for i, out := range op.Out {
		a.set(out, a.Of(params[i]))
	}
}

// cut recognises the number of blocks that cover a view along a dimension, as
// Builder.CDiv computes it.
func (a *Analysis) cut(v *tile.Value) tileBound {
	div := v.Op()
	if div == nil || div.Kind != tile.OpDiv {
		if div != nil && div.Kind == tile.OpDim { // blocks of 1
			return tileBound{Dimension{div.View, div.Axis}, 1}
		}
		return tileBound{}
	}
	size, ok := a.Of(div.Args[1]).Constant()
	add := div.Args[0].Op()
	if !ok || size < 1 {
		return tileBound{}
	}
	dim := div.Args[0].Op()
	if size > 1 {
		if add == nil || add.Kind != tile.OpAdd {
			return tileBound{}
		}
		more, ok := a.Of(add.Args[1]).Constant()
		if dim = add.Args[0].Op(); !ok || more != size-1 {
			return tileBound{}
		}
	}
	if dim == nil || dim.Kind != tile.OpDim {
		return tileBound{}
	}
	return tileBound{Dimension{dim.View, dim.Axis}, size}
}

// assume refines the facts of scalars by a comparison that holds, and keeps in before what they were.
func (a *Analysis) assume(cond *tile.Value, before map[*tile.Value]Value) {
	op := cond.Op()
	if op == nil {
		return
	}
	if op.Kind == tile.OpAnd {
		a.assume(op.Args[0], before)
		a.assume(op.Args[1], before)
		return
	}
	if op.Kind.Fact().Class != tile.Compare || !op.Args[0].Type().Elem.IsInt() {
		return
	}
	a.bound(op.Args[0], op.Kind, op.Args[1], before)
	a.bound(op.Args[1], Flipped[op.Kind], op.Args[0], before)
}

// Flipped is the comparison with its operands swapped.
var Flipped = map[tile.Kind]tile.Kind{tile.OpEq: tile.OpEq, tile.OpNe: tile.OpNe,
	tile.OpLt: tile.OpGt, tile.OpGt: tile.OpLt, tile.OpLe: tile.OpGe, tile.OpGe: tile.OpLe}

// bound notes that a comparison of v with another value holds.
func (a *Analysis) bound(v *tile.Value, kind tile.Kind, limit *tile.Value, before map[*tile.Value]Value) {
	v = a.same(v)
	f, y := a.Of(v), a.Of(limit)
	if !f.Known || !y.Known {
		return
	}
	s, below := f.Span, f.below
	switch kind {
	case tile.OpLt:
		s.Hi = min(s.Hi, y.Hi-1)
		if cut := a.cut(limit); below.size == 0 {
			below = cut
		}
	case tile.OpLe:
		s.Hi = min(s.Hi, y.Hi)
	case tile.OpGt:
		s.Lo = max(s.Lo, y.Lo+1)
	case tile.OpGe:
		s.Lo = max(s.Lo, y.Lo)
	case tile.OpEq:
		s.Lo, s.Hi = max(s.Lo, y.Lo), min(s.Hi, y.Hi)
	case tile.OpNe:
		if c, ok := y.Constant(); ok && c == s.Lo {
			s.Lo++
		}
	}
	if s == f.Span && below == f.below || s.Lo > s.Hi { // a promise that cannot hold says nothing
		return
	}
	if _, ok := before[v]; !ok {
		before[v] = f
	}
	f.Span, f.below = s, below
	a.set(v, f)
}

// prove finds the dimensions along which a block, or all points, are within their view.
func (a *Analysis) prove(op *tile.Op) {
	switch op.Kind {
	case tile.OpGather, tile.OpScatter, tile.OpAtomic:
		a.provePoints(op)
		return
	case tile.OpLoad, tile.OpStore:
	default:
		return
	}
	shape, coords := op.AccessType().Shape, op.Args[len(op.Args)-op.View.Rank:]
	why := make([]string, len(coords))
	a.Ranges[op] = 0
	for d, c := range coords {
		f, size := a.Of(c), a.size(op.View, d)
		n := int64(shape[d])
		if f.Known && f.Lo*n >= math.MinInt32 && f.Hi*n <= math.MaxInt32 {
			a.Ranges[op] |= 1 << d
		}
		divisible := a.facts.Views[op.View.Index].Dims[d].Size%shape[d] == 0
		switch {
		case !f.NonNegative():
		case f.Hi < size.Lo/n:
			why[d] = fmt.Sprintf("coordinate %d is at most %d and the size at least %d", d, f.Hi, size.Lo)
		case divisible && f.below.size >= n && a.dimension(f.below.Dimension) == a.dimension(Dimension{op.View, d}):
			why[d] = fmt.Sprintf("coordinate %d counts blocks of %d, which divides the size", d, n)
		}
	}
	a.Proven[op] = why
}

// provePoints finds the dimensions along which indices are within the view.
func (a *Analysis) provePoints(op *tile.Op) {
	_, indices, _ := op.Points()
	why := make([]string, len(indices))
	for d, v := range indices {
		f := a.Of(v)
		switch {
		case !f.NonNegative():
		case f.below.size >= 1 && a.dimension(f.below.Dimension) == a.dimension(Dimension{op.View, d}):
			why[d] = fmt.Sprintf("index %d is at least 0 and below the size", d)
		}
	}
	a.Proven[op] = why
}

// size is the range of a view's size.
func (a *Analysis) size(v *tile.View, dim int) Span {
	if x := a.sizes[a.dimension(Dimension{v, dim})]; x != nil {
		return a.Of(x).Span
	}
	return Span{true, 0, maxSize}
}
