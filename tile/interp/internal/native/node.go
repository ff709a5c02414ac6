package native

import (
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// node makes the code of one node, for a whole vector or for one at the edge, of which each stream has a part.
func (g *generator) node(i, u int, whole bool) {
	n := g.nodes[i]
	g.current = i
	switch n.kind {
	case output:
		x, spare := g.in(n.x), g.spare()
		if whole || g.streams[n.stream].pairs {
			g.store(int(n.stream), u, x, spare)
		} else {
			g.storeEdge(int(n.stream), x, spare)
		}
		g.done()
		return
	case reduce:
		x, c := g.in(n.x), combines[n.number]
		if sums := g.sums[i]; whole {
			g.Three(c.op, sums[u], sums[u], x)
		} else {
			g.combineEdge(c.op, sums[0], x, c.identity)
		}
		g.done()
		return
	}
	if len(g.uses[i]) == 0 {
		return
	}
	switch n.kind {
	case input:
		if st := g.streams[n.stream]; whole || st.repeat || st.pairs {
			g.load(g.result(), int(n.stream), u)
		} else {
			g.loadEdge(int(n.stream))
		}
	case column:
		g.columnNumbers(g.result(), u)
	case odd:
		g.Load(g.result(), g.oddLanes())
	case double:
		x := g.in(n.x)
		g.Double(g.result(), x, n.number == 1)
	case words:
		g.gather(n, whole)
	case high:
		x, y, d, spare := g.in(n.x), g.in(n.y), g.spare(), g.spare()
		g.MulHigh(d, x, y, spare)
		g.Move(g.result(), d)
	case halves:
		x, spare := g.in(n.x), g.spare()
		g.FromHalves(g.result(), x, spare)
	case three:
		g.three(n)
	case two:
		x := g.in(n.x)
		g.Two(n.op, g.result(), x)
	case fma:
		g.fma(n)
	case round:
		x := g.in(n.x)
		g.Round(g.result(), x, vector.Rounding(n.number))
	case shift:
		x := g.in(n.x)
		g.Shift(n.op, g.result(), x, byte(n.number))
	case halve:
		x := g.in(n.x)
		g.RoundHalf(g.result(), x)
	case compare:
		x, y := g.in(n.x), g.in(n.y)
		g.Compare(vector.Comparison(n.number), g.result(), x, y)
	case equal:
		x, y := g.in(n.x), g.in(n.y)
		g.CompareEqual(g.result(), x, y)
	case greater:
		x, y := g.in(n.x), g.in(n.y)
		g.CompareGreater(g.result(), x, y)
	case choose:
		x, y, z := g.in(n.x), g.in(n.y), g.in(n.z)
		g.Select(g.result(), z, x, y)
	}
}

// gather loads words, at the edge for the columns that there are.
func (g *generator) gather(n node, whole bool) {
	x, y, mask, d := g.in(n.x), g.in(n.y), g.spare(), g.spare()
	if whole {
		g.Move(mask, y)
	} else {
		g.first(mask, frameColumns)
		g.Three(vector.And, mask, mask, y)
	}
	g.Gather(d, g.rowOf(int(n.stream), 0).Base, x, mask)
	g.Move(g.result(), d)
}

// columnNumbers makes the numbers of a vector's columns.
func (g *generator) columnNumbers(d vector.Vec, u int) {
	g.SpreadReg(d, g.regs.Index)
	g.ThreeMem(vector.AddI, d, d, g.laneNumbers(u))
}

// three is an operation of two operands, of which the last may be in memory.
func (g *generator) three(n node) {
	if _, ok := g.inMemory(n.x); ok && n.op.Commutes() {
		n.x, n.y = n.y, n.x
	}
	m, ok := g.inMemory(n.y)
	x := g.in(n.x)
	if ok && n.y != n.x {
		g.ThreeMem(n.op, g.result(), x, m)
		return
	}
	y := g.in(n.y)
	g.Three(n.op, g.result(), x, y)
}

// fma is x*y + z or z - x*y in the form that writes over an operand which dies, or over a copy.
func (g *generator) fma(n node) {
	overX, byX, overZ := vector.MulThenAdd, vector.MulByThenAdd, vector.AddProduct
	if n.number == 1 {
		overX, byX, overZ = vector.MulThenSubIn, vector.MulByThenSubIn, vector.SubProduct
	}
	if _, ok := g.inMemory(n.x); ok {
		n.x, n.y = n.y, n.x
	}
	my, yInMemory := g.inMemory(n.y)
	mz, zInMemory := g.inMemory(n.z)
	x := g.in(n.x)
	switch {
	case !zInMemory && g.dies(n.z) && n.z != n.x && n.z != n.y:
		d := g.over(n.z)
		g.withLast(overZ, d, x, n.y, my, yInMemory)
	case g.FusesAny() && g.dies(n.x) && n.x != n.y && n.x != n.z && !(yInMemory && zInMemory):
		var y, z vector.Vec
		if yInMemory {
			z = g.in(n.z)
			d := g.over(n.x)
			g.ThreeMem(overX, d, z, my)
			break
		}
		y = g.in(n.y)
		if zInMemory {
			d := g.over(n.x)
			g.ThreeMem(byX, d, y, mz)
			break
		}
		z = g.in(n.z)
		d := g.over(n.x)
		g.Three(byX, d, y, z)
	default:
		d := g.take()
		g.locked = append(g.locked, d)
		if zInMemory {
			g.Load(d, mz)
		} else {
			g.Move(d, g.in(n.z))
		}
		g.withLast(overZ, d, x, n.y, my, yInMemory)
		g.done()
		g.where[Value(g.current)] = d
		return
	}
	g.done()
}

// over makes the register of an operand that dies the result's.
func (g *generator) over(v Value) vector.Vec {
	r := g.where[v]
	g.locked = append(g.locked, r)
	delete(g.where, v)
	g.where[Value(g.current)] = r
	return r
}

// withLast is an operation whose last operand is y, in memory or in a register.
func (g *generator) withLast(op vector.Op, d, x vector.Vec, y Value, m vector.Mem, inMemory bool) {
	if inMemory {
		g.ThreeMem(op, d, x, m)
		return
	}
	g.Three(op, d, x, g.in(y))
}
