package native

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/amd64"
)

// A frame is what code is called with, in words of 64 bits: rows and columns, then for each stream where its row begins and how far the next one is, in
// bytes, and then memory for values that are spilled.
const (
	frameRows = iota
	frameColumns
	frameStreams
	frameStream = 2 // words
)

// The registers that hold the same all the time.
const (
	atFrame = amd64.RDI
	atPool  = amd64.RBX // of constants
	index   = amd64.RCX // of the column
	columns = amd64.RDX
	limit   = amd64.RSI // of the index in a loop
	scratch = amd64.RAX
)

// streamRegisters hold where the rows of the first streams are.
var streamRegisters = []amd64.Reg{amd64.R8, amd64.R9, amd64.R10, amd64.R11, amd64.R12, amd64.R13, amd64.R14, amd64.R15}

// maxUnroll is how many vectors a loop processes at a time, at most.
const maxUnroll = 4

// generator makes the code of one loop.
type generator struct {
	amd64.Asm
	nodes     []node
	streams   []stream
	invariant []bool
	uses      [][]int // of each value, by node
	registers
	pool    []uint32 // constants, each a vector of equal lanes
	sums    map[int][]amd64.Vec
	unroll  int
	pinned  map[Value]bool // the same for all columns, and used in them
	fixed   bool           // these stay where they are
	current int            // the node at hand
}

// generate makes the code of a loop for vectors of 512 bits, or 256, and returns how many bytes its frame has, and how many vectors it processes at
// a time.
func (l *Loop) generate(wide bool) (code []byte, frame, vectors int) {
	g := &generator{nodes: l.nodes, streams: l.streams, Asm: amd64.Asm{Wide: wide}, sums: map[int][]amd64.Vec{}, pinned: map[Value]bool{}}
	g.analyse()
	g.registers.init(g.Registers())
	address := g.AddressOf(atPool)
	g.MovLoad(columns, g.word(frameColumns))
	for i := range min(len(l.streams), len(streamRegisters)) {
		g.MovLoad(streamRegisters[i], g.word(streamWord(i)))
	}
	row := g.Here()
	g.beginRow()
	g.columnLoop(g.unroll)
	if g.unroll > 1 {
		g.columnLoop(1)
	}
	g.foldSums()
	g.lanes()
	g.endRow()
	g.AddConstTo(g.word(frameRows), -1)
	g.To(g.Jump(amd64.NonZero), row)
	g.ZeroUpper()
	g.Return()
	for len(g.Code)%64 != 0 {
		g.Code = append(g.Code, 0)
	}
	g.Land(address)
	for lane := range maxUnroll * g.Lanes() {
		g.Code = binary.LittleEndian.AppendUint32(g.Code, uint32(lane))
	}
	for lane := range g.Lanes() {
		g.Code = binary.LittleEndian.AppendUint32(g.Code, []uint32{math.MaxUint32, 0}[min(lane, 1)])
	}
	for _, c := range g.pool {
		for range g.Lanes() {
			g.Code = binary.LittleEndian.AppendUint32(g.Code, c)
		}
	}
	return g.Code, 8*g.spillWord() + 4*g.Lanes()*g.slots, g.unroll
}

func streamWord(i int) int { return frameStreams + frameStream*i }

func (g *generator) spillWord() int { return streamWord(len(g.streams)) }

func (g *generator) word(i int) amd64.Mem { return amd64.Mem{Base: atFrame, Disp: int32(8 * i)} }

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
	for _, v := range []Value{n.x, n.y} {
		if v != none {
			list = append(list, v)
		}
	}
	if n.z != none && n.kind != shift {
		list = append(list, n.z)
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
	g.fixed = true
	g.MovConst(index, 0)
}

// columnLoop processes so many vectors at a time while there are as many.
func (g *generator) columnLoop(vectors int) {
	step := int32(vectors * g.Lanes())
	g.MovReg(limit, columns)
	g.AddConst(limit, -step)
	g.CompareReg(index, limit)
	past := g.Jump(amd64.Greater)
	again := g.Here()
	for u := range vectors {
		g.body(u, true)
	}
	g.AddConst(index, step)
	g.CompareReg(index, limit)
	g.To(g.Jump(amd64.AtMost), again)
	g.Land(past)
}

// lanes processes what is left, an element at a time.
func (g *generator) lanes() {
	g.CompareReg(index, columns)
	past := g.Jump(amd64.AtLeast)
	again := g.Here()
	g.body(0, false)
	g.AddConst(index, 1)
	g.CompareReg(index, columns)
	g.To(g.Jump(amd64.Less), again)
	g.Land(past)
}

// body does what one vector, or one lane, needs.
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
				g.Three(c.whole, list[0], list[0], r)
			}
			spare := g.take()
			g.Fold(c.whole, list[0], list[0], spare)
			g.release(spare)
		}
	}
}

// endRow stores sums and moves on.
func (g *generator) endRow() {
	for i, n := range g.nodes {
		if n.kind == reduce {
			g.StoreLane(g.rowOf(int(n.stream), 0), g.sums[i][0], 4)
		}
	}
	for s := range g.streams {
		g.MovLoad(scratch, g.word(streamWord(s)+1))
		if s < len(streamRegisters) {
			g.Add(streamRegisters[s], scratch)
		} else {
			g.AddTo(g.word(streamWord(s)), scratch)
		}
	}
}

// rowOf is the memory some bytes after the begin of a stream's row.
func (g *generator) rowOf(s, disp int) amd64.Mem {
	base := scratch
	if s < len(streamRegisters) {
		base = streamRegisters[s]
	} else {
		g.MovLoad(scratch, g.word(streamWord(s)))
	}
	return amd64.Mem{Base: base, Disp: int32(disp)}
}

// elements is the memory of a vector's elements in a stream.
func (g *generator) elements(s, u int) amd64.Mem {
	size := g.streams[s].elem.Size()
	m := g.rowOf(s, u*g.Lanes()*size)
	m.Index, m.Scale = index, uint8(size)
	return m
}

// constantAt is where a constant is, which the pool gets if it lacks it.
func (g *generator) constantAt(bits uint32) amd64.Mem {
	i := slices.Index(g.pool, bits)
	if i < 0 {
		i, g.pool = len(g.pool), append(g.pool, bits)
	}
	return amd64.Mem{Base: atPool, Disp: int32(4 * g.Lanes() * (maxUnroll + 1 + i))}
}

// firstLane is a mask of that lane, which follows the numbers of lanes.
func (g *generator) firstLane() amd64.Mem {
	return amd64.Mem{Base: atPool, Disp: int32(4 * g.Lanes() * maxUnroll)}
}

// laneNumbers are the numbers of a vector's lanes, which the pool begins with.
func (g *generator) laneNumbers(u int) amd64.Mem {
	return amd64.Mem{Base: atPool, Disp: int32(4 * g.Lanes() * u)}
}

// load brings a stream's element or elements into lanes.
func (g *generator) load(d amd64.Vec, s, u int, whole bool) {
	st := g.streams[s]
	switch {
	case st.repeat:
		g.loadLane(d, g.rowOf(s, 0), st.elem)
		g.Spread(d, d)
	case !whole:
		g.loadLane(d, g.elements(s, 0), st.elem)
	case st.elem.Size() == 4:
		g.Load(d, g.elements(s, u))
	case st.elem == dtype.F16:
		g.LoadHalf(d, g.elements(s, u))
	case st.elem == dtype.BF16:
		g.LoadWords(d, g.elements(s, u))
	default:
		g.LoadBytes(d, g.elements(s, u), st.elem == dtype.I8)
	}
}

func (g *generator) loadLane(d amd64.Vec, m amd64.Mem, elem dtype.Type) {
	if elem.Size() == 4 {
		g.LoadLane(d, m)
		return
	}
	g.LoadSmall(scratch, m, elem.Size(), elem == dtype.I8)
	g.LaneOf(d, scratch)
	if elem == dtype.F16 {
		g.FromHalf(d, d)
	}
}

// store is the inverse of load.
func (g *generator) store(s, u int, x, spare amd64.Vec, whole bool) {
	elem := g.streams[s].elem
	switch {
	case !whole && elem == dtype.F16:
		g.ToHalf(spare, x)
		g.StoreLane(g.elements(s, 0), spare, 2)
	case !whole:
		g.StoreLane(g.elements(s, 0), x, elem.Size())
	case elem.Size() == 4:
		g.Store(g.elements(s, u), x)
	case elem == dtype.F16:
		g.StoreHalf(g.elements(s, u), x)
	case elem.Size() == 2:
		g.StoreWords(g.elements(s, u), x, spare)
	default:
		g.StoreBytes(g.elements(s, u), x, spare)
	}
}
