package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// group is ops that become one loop, in their order.
type group struct {
	ops     []*tile.Op
	shape   []int // of the elements of the first op
	made    map[*tile.Value]bool
	reduced map[*tile.Value]bool // of what is made, results of reductions, which only others take
	stores  bool
	fixed   bool   // there are reductions or gathers, whose loops are along the shape
	space   *space // of the elements
	even    int    // the first ops, all of the shape, whose rows are those of the loop
	mixed   *mixing
}

// grouped is a region's needed ops in an order in which each group's are consecutive, and the groups by their first ops.
type grouped struct {
	ops   []*tile.Op
	first map[*tile.Op]*group
}

// grouper finds the groups of a region. An op joins the group that is open if its elements can be computed with those of the group. The group ends before an op
// that takes what it makes, or that has an effect: the ops between have stood before it since then. Ops that but rearrange elements, or repeat one, wait for the first one
// that takes what they make. Ops on smaller tiles that take nothing of the open group have a group of their own, which precedes it.
type grouper struct {
	grouped
	*life
	open, aside *group
	waiting     []*tile.Op
}

// groupsOf finds the groups of a region's needed ops.
func groupsOf(r *tile.Region, l *life) grouped {
	p := &grouper{grouped: grouped{first: map[*tile.Op]*group{}}, life: l}
	for _, op := range r.Ops {
		if l.needed[op] {
			p.take(op)
		}
	}
	p.end()
	p.emit(slices.Clone(p.waiting)...)
	return p.grouped
}

// take puts an op where it belongs.
func (p *grouper) take(op *tile.Op) {
	if len(op.Regions()) > 0 { // whose ops may take anything
		p.end()
		p.emit(append(slices.Clone(p.waiting), op)...)
		return
	}
	list := append(p.awaited(op), op)
	ok := p.fusable(op)
	switch {
	case ok && p.open != nil && p.open.join(list):
		p.stopWaiting(list)
		return
	case rearranges(op), ok && (op.Kind == tile.OpConst || op.Kind == tile.OpSplat):
		if p.open != nil && p.open.makes(op.Args) {
			p.end()
		}
		p.waiting = append(p.waiting, op)
		return
	case ok && p.open != nil && p.putAside(op, list):
		return
	}
	if p.open != nil && (ok || p.open.before(op, p.args(op))) {
		p.end()
		list = append(p.awaited(op), op) // with what the end left over
	}
	if g := newGroup(); ok && g.join(list) {
		p.stopWaiting(list)
		p.open = g
		return
	}
	p.emit(list...)
}

func (p *grouper) fusable(op *tile.Op) bool {
	switch op.Kind {
	case tile.OpGather:
		if p.how != withGathers {
			return false
		}
	case tile.OpJoin, tile.OpSplit:
		return fusedElem(op.Result().Type().Elem) && op.Result().Type().Len() >= leastFused
	}
	_, ok := fusedShape(op)
	return ok || rearranges(op)
}

// putAside puts an op on a smaller tile than those of the open group into a group before that.
func (p *grouper) putAside(op *tile.Op, list []*tile.Op) bool {
	v := op.Result()
	if v == nil || p.open.before(op, p.args(op)) || v.Type().Len() >= (tile.Type{Shape: p.open.shape}).Len() || reduces(op) {
		return false
	}
	if p.aside == nil || !p.aside.join(list) {
		p.endAside()
		list = append(p.awaited(op), op)
		g := newGroup()
		if !g.join(list) {
			return false
		}
		p.aside = g
	}
	p.stopWaiting(list)
	return true
}

// awaited lists the waiting ops that an op needs.
func (p *grouper) awaited(op *tile.Op) (list []*tile.Op) {
	for _, v := range p.args(op) {
		if at := slices.Index(p.waiting, v.Op()); at >= 0 && !slices.Contains(list, v.Op()) {
			for _, x := range append(p.awaited(v.Op()), v.Op()) {
				if !slices.Contains(list, x) {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

func (p *grouper) stopWaiting(list []*tile.Op) {
	p.waiting = slices.DeleteFunc(p.waiting, func(op *tile.Op) bool { return slices.Contains(list, op) })
}

// emit puts ops after all others, with those before them that wait.
func (p *grouper) emit(ops ...*tile.Op) {
	if p.aside != nil && slices.ContainsFunc(ops, func(op *tile.Op) bool { return p.aside.makes(p.args(op)) }) {
		p.endAside()
	}
	p.stopWaiting(ops)
	for _, op := range ops {
		if list := p.awaited(op); len(list) > 0 {
			p.emit(list...)
		}
		p.ops = append(p.ops, op)
	}
}

// endAside ends the group that precedes the open one, to which nothing of it may come: the open one may take what it makes.
func (p *grouper) endAside() {
	if g := p.aside; g != nil {
		open := p.open
		p.aside, p.open = nil, nil
		p.close(g)
		p.open = open
	}
}

// end ends the open group.
func (p *grouper) end() {
	p.endAside()
	if g := p.open; g != nil {
		p.open = nil
		p.close(g)
	}
}

// close puts a group after all other ops. What its loop cannot take of its last ops comes afterwards, as if it were new.
func (p *grouper) close(g *group) {
	n := g.longest(p.users)
	rest := g.ops[n:]
	if n > 0 {
		g.ops = g.ops[:n]
		if g.isCopy() || p.how > copying && g.worthwhile() {
			p.first[g.ops[0]] = g
		}
		p.emit(g.ops...)
	} else {
		p.emit(rest[0])
		rest = rest[1:]
	}
	for _, op := range rest {
		p.take(op)
	}
	if len(rest) > 0 {
		p.end()
	}
}

func newGroup() *group {
	return &group{made: map[*tile.Value]bool{}, reduced: map[*tile.Value]bool{}, space: newSpace()}
}

// makes reports whether one of some values is of the group.
func (g *group) makes(args []*tile.Value) bool {
	return slices.ContainsFunc(args, func(v *tile.Value) bool { return g.made[v] })
}

// join adds an op and those before it that it needs, if that can be.
func (g *group) join(list []*tile.Op) bool {
	op := list[len(list)-1]
	if g.shape == nil && rearranges(op) {
		return false // for which no loop is needed
	}
	even := g.even == len(g.ops) && g.takesEven(list)
	if !even && !g.takes(list) {
		return false
	}
	trial := g.space.clone()
	for _, op := range list {
		if op.Kind == tile.OpJoin && g.work() > mostRepeated || !trial.add(op) {
			return false
		}
	}
	v := op.Result()
	if v == nil || reduces(op) {
		v = op.Args[0]
	}
	if x := g.alike(v); !trial.unify(trial.operand(v), trial.operand(x)) || !trial.sound() {
		return false
	}
	if g.shape == nil {
		g.shape = v.Type().Shape
	}
	g.space = trial
	for _, op := range list {
		g.add(op)
	}
	if even {
		g.even = len(g.ops)
	}
	return true
}

func (g *group) add(op *tile.Op) {
	g.ops = append(g.ops, op)
	g.stores = g.stores || op.Kind == tile.OpStore
	reduction := reduces(op)
	g.fixed = g.fixed || reduction || op.Kind == tile.OpGather
	if v := op.Result(); v != nil {
		g.made[v] = true
		g.reduced[v] = reduction
	}
}

// takesEven reports whether ops may join a group that is along one shape: what they take of the group is of that shape, and broadcasts from outside
// are by rows.
func (g *group) takesEven(list []*tile.Op) bool {
	along := g.shape
	for i, op := range list {
		shape, ok := fusedShape(op)
		if along == nil {
			along = shape
		}
		if !ok || !slices.Equal(shape, along) || !g.takesOne(op) {
			return false
		}
		if op.Kind == tile.OpBroadcast && (g.makes(op.Args) || slices.Contains(list[:i], op.Args[0].Op())) {
			return false
		}
		if op.Kind == tile.OpIota && shape[len(shape)-1] == 1 {
			return false // rows of one element each
		}
	}
	return true
}

// takes reports whether ops may join a group in which elements are rearranged.
func (g *group) takes(list []*tile.Op) bool {
	linked := g.shape == nil
	for _, op := range list {
		if reduces(op) || op.Kind == tile.OpGather || !g.takesOne(op) {
			return false
		}
		linked = linked || g.makes(op.Args)
	}
	op := list[len(list)-1]
	return !g.fixed && (linked || op.Result() != nil && g.alike(op.Result()) != op.Result())
}

// mostRepeated is how many ops may be done for each half of the elements of a join, rather than once before it.
const mostRepeated = 16

// work is how many ops compute elements.
func (g *group) work() (n int) {
	for _, op := range g.ops {
		switch op.Kind.Fact().Class {
		case tile.Unary, tile.Binary, tile.Compare, tile.Ternary:
			n++
		}
	}
	return n
}

// alike is the group's first tile of a shape, v if there is none.
func (g *group) alike(v *tile.Value) *tile.Value {
	for _, op := range g.ops {
		if x := op.Result(); x != nil && !g.reduced[x] && slices.Equal(x.Type().Shape, v.Type().Shape) {
			return x
		}
	}
	return v
}

// takesOne reports whether an op may join: it takes no result of a reduction, and it reads no memory that the group writes.
func (g *group) takesOne(op *tile.Op) bool {
	for i, v := range op.Args {
		if g.reduced[v] || g.made[v] && (op.Kind == tile.OpLoad || op.Kind == tile.OpStore && i > 0) {
			return false
		}
	}
	return op.Kind != tile.OpLoad && op.Kind != tile.OpGather || !g.stores
}

// before reports whether a group has to run before an op that is not one of it, and takes these.
func (g *group) before(op *tile.Op, args []*tile.Value) bool {
	class := op.Kind.Fact().Class
	return op.Kind.HasEffect() || len(op.Regions()) > 0 || (class == tile.Memory || class == tile.Matrix) && g.stores || g.makes(args)
}

// longest is how many of the group's first ops have a loop.
func (g *group) longest(users map[*tile.Value][]*tile.Op) int {
	if g.even == len(g.ops) {
		return g.even
	}
	for n := len(g.ops); n > g.even; n-- {
		if s, ok := g.mixedOf(g.ops[:n], users); ok {
			g.mixed = s
			return n
		}
	}
	return g.even
}
