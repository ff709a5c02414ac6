package interp

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// copyNest is the step of a group of loads and of stores of what they load, which moves elements without a look at them.
type copyNest struct {
	nest
	from []int // of each access that stores, the one that loads its elements
}

// isCopy reports whether a group has but loads, and stores of what they load in its own type.
func (g *group) isCopy() bool {
	loads, stores := map[*tile.Value]*tile.Op{}, false
	for _, op := range g.ops {
		switch op.Kind {
		case tile.OpLoad:
			loads[op.Result()] = op
		case tile.OpStore:
			if load := loads[op.Args[0]]; load == nil || load.View.Elem != op.View.Elem || op.View.Elem == dtype.Bool { // whose bytes other than 0 become 1
				return false
			}
			stores = true
		default:
			return false
		}
	}
	return stores
}

// onlyCopies reports whether a group is a copy, of which no other op takes anything.
func (c *compiler) onlyCopies(g *group) bool {
	return g.isCopy() && !slices.ContainsFunc(g.ops, func(op *tile.Op) bool { return op.Result() != nil && c.usedOutside(op.Result(), g) })
}

// copies makes the step of a group that copies.
func (c *compiler) copies(g *group) step {
	n := &copyNest{nest: nest{shape: g.shape, rows: 1, columns: tile.Type{Shape: g.shape}.Len(), number: c.nests}}
	c.nests++
	at := map[*tile.Value]int{}
	for _, op := range g.ops {
		a := access{view: op.View.Index, elem: op.View.Elem, byElement: op.ByElement, store: op.Kind == tile.OpStore}
		from := -1
		if a.store {
			from, a.coords = at[op.Args[0]], c.indices(op.Args[1:])
		} else {
			at[op.Result()] = len(n.accesses)
			a.coords, a.fill = c.indices(op.Args), fillOf(op.View.Elem, op.Number)
		}
		n.from = append(n.from, from)
		n.accesses = append(n.accesses, a)
	}
	c.note(g.ops[0], "%s: elements of %d bytes are copied, runs at once and others in squares", fault.Count(len(g.ops)/2, "block"), g.ops[0].View.Elem.Size())
	return n.run
}

func (n *copyNest) run(w *worker) {
	s := w.loop(&n.nest)
	for i := range n.accesses {
		s.places[i].region = n.accesses[i].region(w, n.shape)
	}
	staged := n.overwrites(w)
	for i := range n.accesses {
		if a, p := &n.accesses[i], &s.places[i]; staged && !a.store {
			w.fetch(a, p, n.shape, s.stage(i, n.columns*a.elem.Size()))
		}
	}
	for i, from := range n.from {
		switch a, p := &n.accesses[i], &s.places[i]; {
		case from < 0 || p.empty:
		case staged:
			w.move(a, p, n.shape, s.staged[from])
		default:
			n.copyOf(w, i, from, p.region, s.places[from].region)
		}
	}
}

// copyOf copies what a store writes from what a load reads, and writes the fill value where that is nothing.
func (n *copyNest) copyOf(w *worker, store, load int, to, from region) {
	a, b := &n.accesses[store], &n.accesses[load]
	v, u := &w.views[a.view], &w.views[b.view]
	rank, size := len(n.shape), a.elem.Size()
	memory := func(r *region) block { // of what is stored
		at := block{v.data, to.at, v.stride}
		for d := range rank {
			at.at += (r.lo[d] - to.lo[d]) * v.stride[d]
		}
		return at
	}
	blank := func(r region) {
		x := block{data: zeroElement[:]}
		if b.fill != nil {
			x.data = b.fill
		}
		copyBlock(memory(&r), x, r.n[:rank], size)
	}
	inside := to
	for d := range rank {
		lo, past := inside.lo[d], inside.lo[d]+inside.n[d]
		first, last := max(lo, from.lo[d]), min(past, from.lo[d]+from.n[d])
		if from.empty || first >= last {
			blank(inside)
			return
		}
		part := inside
		if part.n[d] = first - lo; part.n[d] > 0 {
			blank(part)
		}
		part.lo[d] = last
		if part.n[d] = past - last; part.n[d] > 0 {
			blank(part)
		}
		inside.lo[d], inside.n[d] = first, last-first
	}
	source := block{u.data, from.at, u.stride}
	for d := range rank {
		source.at += (inside.lo[d] - from.lo[d]) * u.stride[d]
	}
	copyBlock(memory(&inside), source, inside.n[:rank], size)
}

var zeroElement [8]byte

// overwrites reports whether a buffer is both read and written.
func (n *copyNest) overwrites(w *worker) bool {
	for i := range n.accesses {
		for j := range n.accesses {
			if n.accesses[i].store && !n.accesses[j].store && unsafe.SliceData(w.views[n.accesses[i].view].data) == unsafe.SliceData(w.views[n.accesses[j].view].data) {
				return true
			}
		}
	}
	return false
}

// block compiles a load or a store that is in no loop, of elements that registers hold as memory does.
func (c *compiler) block(op *tile.Op) step {
	a := access{view: op.View.Index, elem: op.View.Elem, byElement: op.ByElement, store: op.Kind == tile.OpStore}
	value, coords := op.Result(), op.Args
	if a.store {
		value, coords = op.Args[0], op.Args[1:]
	}
	a.coords = c.indices(coords)
	shape := value.Type().Shape
	if !a.store {
		c.define(value)
		a.fill = fillOf(a.elem, op.Number)
	}
	r, bytes := c.where[value], a.elem.Size()*value.Type().Len()
	return func(w *worker) {
		p := place{region: a.region(w, shape)}
		tile := unsafe.Slice((*byte)(w.pointer(r)), bytes)
		switch {
		case !a.store:
			w.fetch(&a, &p, shape, tile)
		case !p.empty:
			w.move(&a, &p, shape, tile)
		}
	}
}
