package native

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// A frame is what code is called with, in words of 64 bits: rows and columns, and how many columns all streams have, then the words of each stream, and then memory
// for values that are spilled.
const (
	frameRows = iota
	frameColumns
	frameInside
	frameStreams
	frameStream = 3 // words
)

// The words of a stream.
const (
	streamRow   = iota // where it begins
	streamStep         // how far the next one is, in bytes, or where a list says so
	streamWidth        // how many columns it has
)

// maxUnroll is how many vectors a loop processes at a time, at most.
const maxUnroll = 4

// generator makes the code of one loop.
type generator struct {
	vector.Machine
	regs      vector.General
	nodes     []node
	streams   []stream
	invariant []bool
	uses      [][]int // of each value, by node
	registers
	pool    []uint32 // constants, each a vector of equal lanes
	sums    map[int][]vector.Vec
	unroll  int
	pinned  map[Value]bool // the same for all columns, and used in them
	fixed   bool           // these stay where they are
	current int            // the node at hand
}

// generate makes the code of a loop, and returns how many bytes its frame has, and how many vectors it processes at a time.
func (l *Loop) generate(m vector.Machine) (code []byte, frame, vectors int) {
	g := &generator{Machine: m, regs: m.General(), nodes: l.nodes, streams: l.streams, sums: map[int][]vector.Vec{}, pinned: map[Value]bool{}}
	g.analyse()
	g.registers.init(g.Registers())
	address := g.AddressOf(g.regs.Pool)
	for i := range min(len(l.streams), len(g.regs.Streams)) {
		g.MovLoad(g.regs.Streams[i], g.word(streamWord(i)+streamRow))
	}
	row := g.Here()
	g.beginRow()
	g.columnLoop(g.unroll)
	if g.unroll > 1 {
		g.columnLoop(1)
	}
	g.edge()
	g.foldSums()
	g.endRow()
	g.AddConstTo(g.word(frameRows), -1)
	g.To(g.Jump(vector.NonZero), row)
	g.Return()
	g.Align(64)
	g.Land(address)
	for lane := range maxUnroll * g.Lanes() {
		g.Data(uint32(lane))
	}
	for lane := range g.Lanes() {
		g.Data(-uint32(lane % 2))
	}
	for _, c := range g.pool {
		for range g.Lanes() {
			g.Data(c)
		}
	}
	return g.Code(), 8*g.spillWord() + 4*g.Lanes()*g.slots, g.unroll
}

func streamWord(i int) int { return frameStreams + frameStream*i }

// spillWord is where values are spilled: at an even word, since vectors have two or more.
func (g *generator) spillWord() int { return (streamWord(len(g.streams)) + 1) &^ 1 }

func (g *generator) word(i int) vector.Mem { return vector.Mem{Base: g.regs.Frame, Disp: int32(8 * i)} }

// analyse finds which values are the same for all columns, where values are used, and how far to unroll.
func (g *generator) analyse() {
	g.invariant, g.uses = make([]bool, len(g.nodes)), make([][]int, len(g.nodes))
	work, sums := 0, 0
	for i, n := range g.nodes {
		switch n.kind {
		case constant:
			g.invariant[i] = true
			if !slices.Contains(g.pool, n.number) {
				g.pool = append(g.pool, n.number)
			}
			continue
		case input:
			g.invariant[i] = g.streams[n.stream].repeat
		case odd:
			g.invariant[i] = true
		case column, output, words:
		case reduce:
			sums++
		default:
			g.invariant[i] = true
			for _, v := range n.operands() {
				g.invariant[i] = g.invariant[i] && g.invariant[v]
			}
		}
		for _, v := range n.operands() {
			g.uses[v] = append(g.uses[v], i)
		}
		if !g.invariant[i] {
			work++
		}
	}
	for g.unroll = maxUnroll; g.unroll > 1 && (g.unroll*work > 64 || g.unroll*sums > g.Registers()/4); g.unroll /= 2 {
	}
}

func (n node) operands() (list []Value) {
	for _, v := range []Value{n.x, n.y, n.z} {
		if v != none {
			list = append(list, v)
		}
	}
	return list
}

// beginRow computes what is the same for all columns, keeps what is used in registers as long as there are enough, and clears sums.
func (g *generator) beginRow() {
	for i, n := range g.nodes {
		if n.kind == reduce {
			for range g.unroll {
				r := g.take()
				g.Load(r, g.constantAt(combines[n.number].identity))
				g.sums[i] = append(g.sums[i], r)
			}
		}
	}
	for i, n := range g.nodes {
		if g.invariant[i] && n.kind != constant {
			g.pinned[Value(i)] = slices.ContainsFunc(g.uses[i], func(use int) bool { return !g.invariant[use] })
			g.node(i, 0, true)
		}
	}
	for i := range g.nodes { // half of the registers are for the columns' own values
		if _, ok := g.where[Value(i)]; ok && len(g.unused) < g.Registers()/2 {
			g.spill(Value(i))
		}
	}
	if g.LoadsOperands() {
		g.keepConstants()
	}
	g.fixed = true
	g.MovConst(g.regs.Index, 0)
}

// columnLoop processes so many vectors at a time while there are as many.
func (g *generator) columnLoop(vectors int) {
	step := int32(vectors * g.Lanes())
	g.MovLoad(g.regs.Limit, g.word(frameInside))
	g.AddConst(g.regs.Limit, -step)
	g.CompareReg(g.regs.Index, g.regs.Limit)
	past := g.Jump(vector.Greater)
	again := g.Here()
	for u := range vectors {
		g.body(u, true)
	}
	g.AddConst(g.regs.Index, step)
	g.CompareReg(g.regs.Index, g.regs.Limit)
	g.To(g.Jump(vector.AtMost), again)
	g.Land(past)
}

// edge processes what is left, a vector at a time.
func (g *generator) edge() {
	g.MovLoad(g.regs.Limit, g.word(frameColumns))
	g.CompareReg(g.regs.Index, g.regs.Limit)
	past := g.Jump(vector.AtLeast)
	again := g.Here()
	g.body(0, false)
	g.AddConst(g.regs.Index, int32(g.Lanes()))
	g.CompareReg(g.regs.Index, g.regs.Limit)
	g.To(g.Jump(vector.Less), again)
	g.Land(past)
}

// body does what one vector, or one at the edge, needs.
func (g *generator) body(u int, whole bool) {
	before := g.registers.fork()
	for i := range g.nodes {
		if !g.invariant[i] {
			g.node(i, u, whole)
		}
	}
	before.slots = g.slots
	g.registers = before
}

// foldSums combines the lanes of sums into the first ones.
func (g *generator) foldSums() {
	for i, n := range g.nodes {
		if n.kind == reduce {
			c, list := combines[n.number], g.sums[i]
			for _, r := range list[1:] {
				g.Three(c.op, list[0], list[0], r)
			}
			spare := g.take()
			g.Fold(c.op, list[0], list[0], spare)
			g.release(spare)
		}
	}
}

// endRow stores sums and moves on.
func (g *generator) endRow() {
	for i, n := range g.nodes {
		if n.kind == reduce {
			sum := g.sums[i][0]
			g.StoreFirst(dtype.F32, g.rowOf(int(n.stream), 0), sum, sum)
		}
	}
	for s, st := range g.streams {
		g.MovLoad(g.regs.Scratch, g.word(streamWord(s)+streamStep))
		if st.listed {
			g.AddConstTo(g.word(streamWord(s)+streamStep), 8)
			g.MovLoad(g.regs.Scratch, vector.Mem{Base: g.regs.Scratch})
		}
		if s < len(g.regs.Streams) {
			g.Add(g.regs.Streams[s], g.regs.Scratch)
		} else {
			g.AddTo(g.word(streamWord(s)), g.regs.Scratch)
		}
	}
}

// rowOf is the memory some bytes after the begin of a stream's row.
func (g *generator) rowOf(s, disp int) vector.Mem {
	base := g.regs.Scratch
	if s < len(g.regs.Streams) {
		base = g.regs.Streams[s]
	} else {
		g.MovLoad(g.regs.Scratch, g.word(streamWord(s)))
	}
	return vector.Mem{Base: base, Disp: int32(disp)}
}

// elements is the memory of a vector's elements in a stream.
func (g *generator) elements(s, u int) vector.Mem {
	size := g.streams[s].elem.Size()
	if g.streams[s].pairs {
		return g.pairs(s, u*g.Lanes()/2*size, size)
	}
	m := g.rowOf(s, u*g.Lanes()*size)
	m.Index, m.Scale = g.regs.Index, uint8(size)
	return m
}

// pairs is elements' memory where each is of two columns.
func (g *generator) pairs(s, disp, size int) vector.Mem {
	half := g.regs.Scratch
	switch g.MovReg(half, g.regs.Index); size {
	case 1:
		g.HalveReg(half)
	case 4:
		g.Add(half, half)
	}
	if s < len(g.regs.Streams) {
		return vector.Mem{Base: g.regs.Streams[s], Index: half, Scale: 1, Disp: int32(disp)}
	}
	g.AddMem(half, g.word(streamWord(s)))
	return vector.Mem{Base: half, Disp: int32(disp)}
}

// constantAt is where a constant is, which the pool gets if it lacks it.
func (g *generator) constantAt(bits uint32) vector.Mem {
	i := slices.Index(g.pool, bits)
	if i < 0 {
		i, g.pool = len(g.pool), append(g.pool, bits)
	}
	return vector.Mem{Base: g.regs.Pool, Disp: int32(4 * g.Lanes() * (maxUnroll + 1 + i))}
}

// oddLanes is a mask of these, which follows the numbers of lanes.
func (g *generator) oddLanes() vector.Mem {
	return vector.Mem{Base: g.regs.Pool, Disp: int32(4 * g.Lanes() * maxUnroll)}
}

// laneNumbers are the numbers of a vector's lanes, which the pool begins with.
func (g *generator) laneNumbers(u int) vector.Mem {
	return vector.Mem{Base: g.regs.Pool, Disp: int32(4 * g.Lanes() * u)}
}

// load brings a stream's element or elements into lanes.
func (g *generator) load(d vector.Vec, s, u int) {
	switch st := g.streams[s]; {
	case st.repeat:
		g.LoadFirst(st.elem, d, g.rowOf(s, 0))
		g.Spread(d, d)
	case st.pairs:
		g.LoadPairs(st.elem, d, g.elements(s, u))
	default:
		g.LoadAs(st.elem, d, g.elements(s, u))
	}
}

// store is the inverse of load.
func (g *generator) store(s, u int, x, spare vector.Vec) {
	if st := g.streams[s]; st.pairs {
		g.StorePairs(st.elem, g.elements(s, u), x, spare)
	} else {
		g.StoreAs(st.elem, g.elements(s, u), x, spare)
	}
}
