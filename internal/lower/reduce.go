package lower

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

var combines = map[tile.Kind]simt.Kind{
	tile.OpReduceSum: simt.Add, tile.OpReduceMax: simt.Max, tile.OpReduceMin: simt.Min,
	tile.OpReduceProd: simt.Mul, tile.OpReduceAny: simt.Or, tile.OpReduceAll: simt.And,
}

// reduce combines the elements along an axis: first those of one thread, then
// those of a subgroup by shuffles where the target has them, then those of the
// workgroup through shared memory. Every thread ends with the result, combined
// in the same order.
func (l *lowerer) reduce(op *tile.Op) {
	c := l.combiner(op)
	in := l.inputs(op, len(op.Out))
	g := l.reduceRegisters(in, op.Axis, c)
	along := threadsAlong(in[0].dist, op.Axis)
	along = l.shuffleReduce(g, along, c)
	if along != 0 {
		l.sharedReduce(g, along, c)
	}
	l.results(op, g)
}

// reduceRegisters combines within each thread, vectors first and then their lanes.
func (l *lowerer) reduceRegisters(g group, axis int, c combiner) group {
	in := g[0]
	out := emptyGroup(emptyRegs(in.dist.Drop(axis)), len(g))
	elements := make([]bundle, out[0].dist.Size(layout.Register))
	if in.width == out[0].width && dropsVectors(in, axis) {
		vectors := make([]bundle, len(out[0].vecs))
		for i := range in.vecs {
			to := in.dist.DropRegister(axis, i*in.width) / in.width
			vectors[to] = c.join(vectors[to], g.at(i))
		}
		for i, v := range vectors {
			out.set(i, v)
		}
		return out
	}
	vectors := map[int]bundle{} // by result register: the vectors whose lanes all go there
	for i := range in.vecs {
		to := in.dist.DropRegister(axis, i*in.width)
		if in.width > 1 && in.dist.DropRegister(axis, i*in.width+in.width-1) == to {
			vectors[to] = c.join(vectors[to], g.at(i))
			continue
		}
		for lane := range in.width {
			to := in.dist.DropRegister(axis, i*in.width+lane)
			elements[to] = c.join(elements[to], l.lane(g.at(i), lane))
		}
	}
	for to := range elements {
		if v := vectors[to]; v != nil {
			elements[to] = l.reduceLanes(c, v)
		}
	}
	out.fill(l.b, func(register int) bundle { return elements[register] })
	return out
}

// dropsVectors reports whether the axis leaves the lanes of a vector apart.
func dropsVectors(in regs, axis int) bool {
	for lane := range in.width {
		if in.dist.DropRegister(axis, lane) != lane {
			return false
		}
	}
	return true
}

// reduceLanes combines the lanes of vectors pairwise.
func (l *lowerer) reduceLanes(c combiner, v bundle) bundle {
	lanes := make([]bundle, v[0].Type.Width)
	for i := range lanes {
		lanes[i] = l.lane(v, i)
	}
	for n := len(lanes) / 2; n > 0; n /= 2 {
		for i := range n {
			lanes[i] = c.apply(lanes[i], lanes[i+n])
		}
	}
	return lanes[0]
}

// shuffleReduce combines along the thread bits within a subgroup and returns
// the bits that remain.
func (l *lowerer) shuffleReduce(g group, along int, c combiner) int {
	within := along & (l.caps.SubgroupSize - 1)
	if l.caps.SubgroupSize == 0 || within == 0 {
		return along
	}
	l.note("shuffles within subgroups of %d", l.caps.SubgroupSize)
	for mask := within; mask != 0; mask &= mask - 1 {
		bit := bits.TrailingZeros(uint(mask))
		for i := range g[0].vecs {
			mine := g.at(i)
			low, high := mine, l.shuffle(mine, bit)
			if !c.symmetric {
				low, high = l.inOrder(bit, low, high)
			}
			g.set(i, c.apply(low, high))
		}
	}
	return along &^ within
}

// shuffle is the bundle of the thread whose number differs in a bit.
func (l *lowerer) shuffle(b bundle, bit int) bundle {
	return l.each(b, func(_ int, v *simt.Value) *simt.Value {
		return l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, Index: 1 << bit}, v.Type)
	})
}

// maxParts bounds the elements of an array of partial results.
const maxParts = 1024

// maxDirect is the most partial results that each thread combines by itself;
// more are combined in two steps.
const maxDirect = 16

// sharedReduce combines along thread bits through shared memory, one vector
// at a time. The P threads that take part in one result put their parts side by side; with many of them
// each first combines about sqrt(P) parts, and then every thread the rest.
func (l *lowerer) sharedReduce(g group, along int, c combiner) {
	r := g[0]
	subgroup := 0 // after shuffles the threads of a subgroup hold the same
	if l.caps.SubgroupSize > 0 {
		subgroup = r.dist.FreeBits(layout.Thread) & (l.caps.SubgroupSize - 1) &^ along
	}
	parts := 1 << bits.OnesCount(uint(along))
	all := l.threads - 1
	others := all &^ along &^ subgroup
	row := l.b.Binary(simt.Mul, l.compress(others), l.b.Int(parts))
	part := l.compress(along)
	steps := 1
	if parts > maxDirect {
		steps = 1 << (bits.Len(uint(parts)) / 2)
	}
	l.note("%d parts through shared memory", parts)
	n := parts << bits.OnesCount(uint(others))
	width := r.vecs[0].Type.Width
	together := max(1, min(width, maxParts/n)) // lanes that share barriers
	p := sharedParts{row: row, part: part, parts: parts, steps: steps, size: n, arrays: l.scratchArrays("parts", g, together*n)}
	if steps > 1 {
		p.second = l.scratchArrays("sums", g, together*n/parts*steps)
	}
	for i := range r.vecs {
		lanes := make([]bundle, width)
		for lane := range lanes {
			lanes[lane] = l.lane(g.at(i), lane)
		}
		for first := 0; first < width; first += together {
			copy(lanes[first:], l.reduceParts(c, lanes[first:first+together], p, subgroup))
		}
		g.set(i, l.each(g.at(i), func(j int, _ *simt.Value) *simt.Value {
			list := make([]*simt.Value, len(lanes))
			for lane := range lanes {
				list[lane] = lanes[lane][j]
			}
			return compose(l.b, list)
		}))
	}
}

// scratchArrays is an array of at least n elements for each tile of a group.
func (l *lowerer) scratchArrays(name string, g group, n int) []*simt.Shared {
	arrays := make([]*simt.Shared, len(g))
	for i, r := range g {
		if i > 0 {
			name = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i+1)
		}
		arrays[i] = l.scratchArray(name, r.vecs[0].Type.Elem, n)
	}
	return arrays
}

// sharedParts is the arrangement of partial results in shared memory: the parts
// of this thread's result lie in each tile's array from row on; where they are combined in
// two steps, the steps results of the first lie in second. Lanes lie size elements apart.
type sharedParts struct {
	row, part          *simt.Value
	parts, steps, size int
	arrays, second     []*simt.Shared
}

// reduceParts combines some lanes of the partial results.
func (l *lowerer) reduceParts(c combiner, lanes []bundle, s sharedParts, subgroup int) []bundle {
	var mask *simt.Value
	if subgroup != 0 {
		mask = l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(subgroup)), l.b.Int(0))
	}
	l.storeShared(s.arrays, l.b.Binary(simt.Add, s.row, s.part), s.size, lanes, mask)
	if s.steps == 1 {
		return l.combineShared(c, s.arrays, s.row, s.size, len(lanes), 1, s.parts)
	}
	mine := l.b.Binary(simt.And, s.part, l.b.Int(s.steps-1))
	first := l.combineShared(c, s.arrays, l.b.Binary(simt.Add, s.row, mine), s.size, len(lanes), s.steps, s.parts/s.steps)
	row, size := l.shift(s.row, bits.Len(uint(s.steps))-bits.Len(uint(s.parts))), s.size/s.parts*s.steps
	l.storeShared(s.second, l.b.Binary(simt.Add, row, mine), size, first, l.and(mask, l.b.Binary(simt.Lt, s.part, l.b.Int(s.steps))))
	return l.combineShared(c, s.second, row, size, len(lanes), 1, s.steps)
}

// storeShared stores lanes from an index on, apart from each other.
func (l *lowerer) storeShared(arrays []*simt.Shared, at *simt.Value, apart int, lanes []bundle, mask *simt.Value) {
	for i, array := range arrays {
		run := l.newRun()
		for lane, x := range lanes {
			l.b.SharedStore(array, run, l.b.Binary(simt.Add, at, l.b.Int(lane*apart)), x[i], mask)
		}
	}
}

// combineShared combines for each lane n elements of shared memory from at on, step apart.
func (l *lowerer) combineShared(c combiner, arrays []*simt.Shared, at *simt.Value, apart, lanes, step, n int) []bundle {
	out := make([]bundle, lanes)
	for lane := range out {
		for i := range n {
			x := make(bundle, len(arrays))
			for j, s := range arrays {
				x[j] = l.b.SharedLoad(s, l.b.Binary(simt.Add, at, l.b.Int(lane*apart+i*step)), 1)
			}
			out[lane] = c.join(out[lane], x)
		}
	}
	return out
}

// compress packs some bits of the thread number together.
func (l *lowerer) compress(mask int) *simt.Value {
	n := bits.Len(uint(l.threads)) - 1
	out, at := l.b.Const(simt.Scalar(dtype.I32), 0), 0
	for bit := 0; bit < n; {
		if mask>>bit&1 == 0 {
			bit++
			continue
		}
		last := bit
		for last+1 < n && mask>>(last+1)&1 != 0 {
			last++
		}
		out = l.b.Binary(simt.Or, out, l.threadBits(bit, last-bit+1, n, 1<<at))
		at += last - bit + 1
		bit = last + 1
	}
	return out
}
