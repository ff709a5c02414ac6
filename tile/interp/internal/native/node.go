package native

import (
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
)

// node makes the code of one node, for a whole vector or for its first lane.
func (g *generator) node(i, u int, whole bool) {
	n := g.nodes[i]
	g.current = i
	switch n.kind {
	case output:
		x, spare := g.in(n.x), g.spare()
		g.store(int(n.stream), u, x, spare, whole)
		g.done()
		return
	case reduce:
		x, c := g.in(n.x), combines[n.number]
		if sums := g.sums[i]; whole {
			g.Three(c.whole, sums[u], sums[u], x)
		} else {
			g.Lane(c.lane, sums[0], sums[0], x)
		}
		g.done()
		return
	}
	if len(g.uses[i]) == 0 {
		return
	}
	switch n.kind {
	case input:
		g.load(g.result(), int(n.stream), u, whole)
	case column:
		g.columnNumbers(g.result(), u)
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
		g.Two(n.inst, g.result(), x)
	case fma:
		g.fma(n)
	case round:
		x := g.in(n.x)
		g.Round(g.result(), x, byte(n.number))
	case shift:
		x := g.in(n.x)
		g.Shift(uint8(n.z), g.result(), x, byte(n.number))
	case halve:
		x := g.in(n.x)
		g.RoundHalf(g.result(), x)
	case compare:
		x, y := g.in(n.x), g.in(n.y)
		g.Compare(byte(n.number), g.result(), x, y)
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

// gather loads words, for the first lane alone if the vector is not whole.
func (g *generator) gather(n node, whole bool) {
	x, y, mask, d := g.in(n.x), g.in(n.y), g.spare(), g.spare()
	if g.Move(mask, y); !whole {
		g.ThreeMem(amd64.PAnd, mask, mask, g.firstLane())
	}
	g.Gather(d, g.rowOf(int(n.stream), 0).Base, x, mask)
	g.Move(g.result(), d)
}

// columnNumbers makes the numbers of a vector's columns.
func (g *generator) columnNumbers(d amd64.Vec, u int) {
	g.LaneOf(d, index)
	g.Spread(d, d)
	g.ThreeMem(amd64.PAddD, d, d, g.laneNumbers(u))
}

// three is an instruction of three operands, of which the last may be in memory.
func (g *generator) three(n node) {
	if _, ok := g.inMemory(n.x); ok && n.inst.Commutes() {
		n.x, n.y = n.y, n.x
	}
	m, ok := g.inMemory(n.y)
	x := g.in(n.x)
	if ok && n.y != n.x {
		g.ThreeMem(n.inst, g.result(), x, m)
		return
	}
	y := g.in(n.y)
	g.Three(n.inst, g.result(), x, y)
}

// fma is x*y + z or z - x*y in the form that writes over an operand which dies, or over a copy.
func (g *generator) fma(n node) {
	i132, i213, i231 := amd64.Fmadd132, amd64.Fmadd213, amd64.Fmadd231
	if n.number == 1 {
		i132, i213, i231 = amd64.Fnmadd132, amd64.Fnmadd213, amd64.Fnmadd231
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
		g.withLast(i231, d, x, n.y, my, yInMemory)
	case g.dies(n.x) && n.x != n.y && n.x != n.z && !(yInMemory && zInMemory):
		var y, z amd64.Vec
		if yInMemory {
			z = g.in(n.z)
			d := g.over(n.x)
			g.ThreeMem(i132, d, z, my)
			break
		}
		y = g.in(n.y)
		if zInMemory {
			d := g.over(n.x)
			g.ThreeMem(i213, d, y, mz)
			break
		}
		z = g.in(n.z)
		d := g.over(n.x)
		g.Three(i213, d, y, z)
	default:
		d := g.take()
		g.locked = append(g.locked, d)
		if zInMemory {
			g.Load(d, mz)
		} else {
			g.Move(d, g.in(n.z))
		}
		g.withLast(i231, d, x, n.y, my, yInMemory)
		g.done()
		g.where[Value(g.current)] = d
		return
	}
	g.done()
}

// over makes the register of an operand that dies the result's.
func (g *generator) over(v Value) amd64.Vec {
	r := g.where[v]
	g.locked = append(g.locked, r)
	delete(g.where, v)
	g.where[Value(g.current)] = r
	return r
}

// withLast is an instruction whose last operand is y, in memory or in a register.
func (g *generator) withLast(i amd64.Inst, d, x amd64.Vec, y Value, m amd64.Mem, inMemory bool) {
	if inMemory {
		g.ThreeMem(i, d, x, m)
		return
	}
	g.Three(i, d, x, g.in(y))
}
