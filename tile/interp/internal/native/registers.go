package native

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// registers says where values are: in vector registers, in memory, or in both.
type registers struct {
	unused []vector.Vec
	where  map[Value]vector.Vec
	slot   map[Value]int // of values that were spilled
	slots  int           // that there are
	next   int           // the first free slot
	locked []vector.Vec  // operands of the node at hand
	extra  []vector.Vec  // that hold copies for the node at hand
}

func (r *registers) init(n int) {
	r.where, r.slot = map[Value]vector.Vec{}, map[Value]int{}
	for i := n - 1; i >= 0; i-- {
		r.unused = append(r.unused, vector.Vec(i))
	}
}

// fork is a copy for a body, whose changes are dropped at its end.
func (r *registers) fork() registers {
	c := *r
	c.unused, c.where, c.slot = slices.Clone(r.unused), maps.Clone(r.where), maps.Clone(r.slot)
	return c
}

func (r *registers) release(v vector.Vec) { r.unused = append(r.unused, v) }

// take returns a register, for which a value may have to leave one: that which is used last of all, since others are needed before.
func (g *generator) take() vector.Vec {
	if len(g.unused) == 0 {
		g.spill(g.furthest())
	}
	v := g.unused[len(g.unused)-1]
	g.unused = g.unused[:len(g.unused)-1]
	return v
}

// furthest is the value in a register whose next use is the furthest away (Belady).
func (g *generator) furthest() Value {
	found, at := none, -1
	for v, r := range g.where {
		if g.fixed && g.pinned[v] || slices.Contains(g.locked, r) {
			continue
		}
		next := len(g.nodes)
		if i := slices.IndexFunc(g.uses[v], func(use int) bool { return use > g.current }); i >= 0 {
			next = g.uses[v][i]
		}
		if next > at || next == at && v > found {
			found, at = v, next
		}
	}
	return found
}

// spill stores a value, unless it is in memory already, and gives its register back.
func (g *generator) spill(v Value) {
	r := g.where[v]
	if _, ok := g.slot[v]; !ok {
		g.slot[v] = g.next
		g.next++
		g.slots = max(g.slots, g.next)
		g.Store(g.slotAt(g.slot[v]), r)
	}
	delete(g.where, v)
	g.release(r)
}

func (g *generator) slotAt(i int) vector.Mem {
	return vector.Mem{Base: g.regs.Frame, Disp: int32(8*g.spillWord() + 4*g.Lanes()*i)}
}

// keepConstants loads what columns use most into registers, as long as half of these are for the columns' own values.
func (g *generator) keepConstants() {
	var list []Value
	loads := map[Value]int{}
	for i, n := range g.nodes {
		if n.kind == constant {
			list, loads[Value(i)] = append(list, Value(i)), g.operandUses(Value(i))
		}
	}
	slices.SortStableFunc(list, func(a, b Value) int { return loads[b] - loads[a] })
	for _, v := range list {
		if loads[v] == 0 || len(g.unused) <= g.Registers()/2 {
			break
		}
		r := g.take()
		g.Load(r, g.constantAt(g.nodes[v].number))
		g.where[v], g.pinned[v] = r, true
	}
}

// operandUses is how many nodes of columns need a value in a register. What is added to a product is written over, and so is loaded each time.
func (g *generator) operandUses(v Value) (n int) {
	for _, i := range g.uses[v] {
		if node := g.nodes[i]; !g.invariant[i] && (node.kind != fma || node.x == v || node.y == v) {
			n++
		}
	}
	return n
}

// in is a register that holds a value, as long as the node at hand needs it.
func (g *generator) in(v Value) vector.Vec {
	r, ok := g.where[v]
	switch at, spilled := g.slot[v]; {
	case ok:
	case g.nodes[v].kind == constant:
		r = g.take()
		g.Load(r, g.constantAt(g.nodes[v].number))
		g.extra = append(g.extra, r)
	case spilled:
		r = g.take()
		g.Load(r, g.slotAt(at))
		if g.pinned[v] { // which has its place
			g.extra = append(g.extra, r)
		} else {
			g.where[v] = r
		}
	}
	g.locked = append(g.locked, r)
	return r
}

// spare is a register for the node at hand alone.
func (g *generator) spare() vector.Vec {
	r := g.take()
	g.extra, g.locked = append(g.extra, r), append(g.locked, r)
	return r
}

// dies reports whether the node at hand is the last that uses a value in a register.
func (g *generator) dies(v Value) bool {
	_, ok := g.where[v]
	return ok && !g.pinned[v] && g.uses[v][len(g.uses[v])-1] == g.current
}

// inMemory is where an operand is that need not be in a register.
func (g *generator) inMemory(v Value) (vector.Mem, bool) {
	if _, ok := g.where[v]; ok {
		return vector.Mem{}, false
	}
	if g.nodes[v].kind == constant {
		return g.constantAt(g.nodes[v].number), true
	}
	at, ok := g.slot[v]
	return g.slotAt(at), ok
}

// done ends the node at hand: operands that die give their registers back.
func (g *generator) done() {
	for _, v := range g.nodes[g.current].operands() {
		if g.dies(v) {
			g.release(g.where[v])
			delete(g.where, v)
		}
	}
	for _, r := range g.extra {
		g.release(r)
	}
	g.locked, g.extra = g.locked[:0], g.extra[:0]
}

// result is the register of the node's value, which may be that of an operand which dies.
func (g *generator) result() vector.Vec {
	g.done()
	r := g.take()
	g.where[Value(g.current)] = r
	return r
}
