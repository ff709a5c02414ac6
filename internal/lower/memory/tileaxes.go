package memory

import (
	"github.com/weftgpu/weft/tile"
)

// tileAxis is an axis of a tile.
type tileAxis struct {
	value *tile.Value
	dim   int
}

// axisUser is an op that knows of an axis: it loads or stores along it, or counts.
type axisUser struct {
	op  *tile.Op
	dim int
}

// tileAxes are the axes of a kernel's tiles, in classes: what is at a place along one is where it is along the others. Axes of size 1 are in none.
type tileAxes struct {
	parents map[tileAxis]tileAxis
	users   []axisUser
	fixed   []tileAxis              // places along these have a meaning: no other order will do
	folds   map[tileAxis][]tileAxis // of axes that are split into two: the first of those
	order   map[*tile.Op]int        // of the kernel's text
	inner   map[*tile.Value]bool    // within loops and branches
}

func axesOf(k *tile.Func) *tileAxes {
	t := &tileAxes{parents: map[tileAxis]tileAxis{}, folds: map[tileAxis][]tileAxis{}, order: map[*tile.Op]int{}, inner: map[*tile.Value]bool{}}
	t.region(k.Body, false)
	return t
}

// root stands for the class of an axis.
func (t *tileAxes) root(a tileAxis) tileAxis {
	for {
		parent, found := t.parents[a]
		if !found {
			return a
		}
		a = parent
	}
}

func (t *tileAxes) join(a, b tileAxis) {
	if x, y := t.root(a), t.root(b); x != y {
		t.parents[x] = y
	}
}

// class are the users of an axis's class; ok is false if places along it have a meaning.
func (t *tileAxes) class(a tileAxis) (users []axisUser, ok bool) {
	root, folds := t.root(a), map[tileAxis]bool{}
	for axis, parts := range t.folds {
		if t.root(axis) == root {
			for _, part := range parts {
				folds[t.root(part)] = true
			}
		}
	}
	if folds[root] {
		return nil, false
	}
	for _, x := range t.fixed {
		if r := t.root(x); r == root || folds[r] {
			return nil, false
		}
	}
	for _, u := range t.users {
		switch r := t.root(tileAxis{userValue(u.op), u.dim}); {
		case folds[r]:
			return nil, false
		case r == root:
			users = append(users, u)
		}
	}
	return users, true
}

func userValue(op *tile.Op) *tile.Value {
	if op.Kind == tile.OpIota {
		return op.Result()
	}
	return blockValue(op)
}

func (t *tileAxes) region(r *tile.Region, inner bool) {
	for _, v := range r.Args {
		t.inner[v] = inner
	}
	for _, op := range r.Ops {
		t.order[op] = len(t.order) + 1
		for _, v := range op.Out {
			t.inner[v] = inner
		}
		t.op(op)
		for _, body := range op.Regions() {
			t.region(body, true)
		}
	}
}

// op joins the axes of an op's operands and results.
func (t *tileAxes) op(op *tile.Op) {
	switch op.Kind {
	case tile.OpConst, tile.OpSplat:
		return
	case tile.OpIota:
		t.users = append(t.users, axisUser{op, op.Axis})
		return
	case tile.OpLoad, tile.OpStore:
		for d := range op.View.Rank {
			t.users = append(t.users, axisUser{op, d})
		}
		return
	case tile.OpReshape:
		t.reshape(op.Args[0], op.Result())
		return
	case tile.OpPermute:
		for d, from := range op.Perm {
			t.link(tileAxis{op.Args[0], from}, tileAxis{op.Result(), d})
		}
		return
	case tile.OpFor:
		t.carried(op, op.Args[3:], op.Body.Args[1:])
		return
	case tile.OpWhile:
		t.carried(op, op.Args, op.Body.Args)
		return
	case tile.OpIf:
		for _, body := range op.Regions() {
			t.alike(yielded(body), op.Out)
		}
		return
	case tile.OpYield, tile.OpCondition: // see the ops that they end
		return
	case tile.OpReduce, tile.OpScan:
		tiles := op.Args[:len(op.Out)]
		for i, v := range op.Out {
			t.same(tiles[0], tiles[i])
			t.same(tiles[0], v)
		}
		if op.Kind == tile.OpScan {
			t.fixed = append(t.fixed, tileAxis{tiles[0], op.Axis})
		}
		return
	}
	switch op.Kind.Fact().Class {
	case tile.Unary, tile.Binary, tile.Compare, tile.Ternary, tile.Reduction:
		for _, x := range op.Args {
			t.same(x, op.Result())
		}
		return
	}
	if op.Kind == tile.OpBroadcast {
		t.same(op.Args[0], op.Result())
		return
	}
	for _, list := range [][]*tile.Value{op.Args, op.Out} {
		for _, v := range list {
			for d := range v.Type().Shape {
				t.fixed = append(t.fixed, tileAxis{v, d})
			}
		}
	}
}

// carried joins what a loop carries.
func (t *tileAxes) carried(op *tile.Op, initial, args []*tile.Value) {
	t.alike(initial, args)
	t.alike(yielded(op.Body), args)
	t.alike(args, op.Out)
}

func yielded(r *tile.Region) []*tile.Value { return r.Ops[len(r.Ops)-1].Args }

func (t *tileAxes) alike(a, b []*tile.Value) {
	for i, v := range a {
		t.same(v, b[i])
	}
}

// same joins the axes of two tiles, as far as they are as long.
func (t *tileAxes) same(a, b *tile.Value) {
	if a.Type().IsScalar() || b.Type().IsScalar() {
		return
	}
	for d := range a.Type().Shape {
		t.link(tileAxis{a, d}, tileAxis{b, d})
	}
}

func (a tileAxis) size() int { return a.value.Type().Shape[a.dim] }

func (t *tileAxes) link(a, b tileAxis) {
	if a.size() > 1 && a.size() == b.size() {
		t.join(a, b)
	}
}

// reshape joins the axes that a tile keeps in another shape. An axis that becomes two is the last of them, rotated by as much modulo its size, and
// places along the first one are in no order.
func (t *tileAxes) reshape(from, to *tile.Value) {
	a, b := axesLonger(from), axesLonger(to)
	for len(a) > 0 && len(b) > 0 {
		i, j, m, n := 1, 1, a[0].size(), b[0].size()
		for m != n {
			if m < n {
				m *= a[i].size()
				i++
			} else {
				n *= b[j].size()
				j++
			}
		}
		switch {
		case i == 1 && j == 1:
			t.join(a[0], b[0])
		case i == 1 && j == 2:
			t.join(a[0], b[1])
			t.folds[a[0]] = append(t.folds[a[0]], b[0])
		default:
			t.fixed = append(append(t.fixed, a[:i]...), b[:j]...)
		}
		a, b = a[i:], b[j:]
	}
}

// axesLonger are the axes of a tile that are longer than 1.
func axesLonger(v *tile.Value) (list []tileAxis) {
	for d, n := range v.Type().Shape {
		if n > 1 {
			list = append(list, tileAxis{v, d})
		}
	}
	return list
}
