package lower

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

var combines = map[tile.Kind]simt.Kind{
	tile.OpReduceSum: simt.Add, tile.OpReduceMax: simt.Max, tile.OpReduceMin: simt.Min,
}

// reduce combines the elements along an axis: first those of one thread, then
// those of a subgroup by shuffles where the target has them, then those of the
// workgroup through shared memory. Every thread ends with the result, combined
// in the same order.
func (l *lowerer) reduce(op *tile.Op) {
	kind := combines[op.Kind]
	in := l.tiles[op.Args[0]]
	r := l.reduceRegisters(in, op.Axis, kind)
	along := 0 // thread bits that run along the axis
	for bit := range in.dist.Bits(layout.Thread) {
		if in.dist.Basis(layout.Thread, bit)[op.Axis] != 0 {
			along |= 1 << bit
		}
	}
	along = l.shuffleReduce(r, along, kind)
	if along != 0 {
		l.sharedReduce(r, along, kind)
	}
	elem := op.Result().Type().Elem
	for i, v := range r.vecs {
		r.vecs[i] = l.wrap(v, elem)
	}
	l.tiles[op.Result()] = l.convert(r, l.dists.of(op.Result().Type().Shape), elem)
}

// reduceRegisters combines within each thread, vectors first and then their lanes.
func (l *lowerer) reduceRegisters(in regs, axis int, kind simt.Kind) regs {
	out := emptyRegs(in.dist.Drop(axis))
	if in.width == out.width && dropsVectors(in, axis) {
		for i, v := range in.vecs {
			to := in.dist.DropRegister(axis, i*in.width) / out.width
			out.vecs[to] = l.combine(kind, out.vecs[to], v)
		}
		return out
	}
	vectors := map[int]*simt.Value{} // by result register: the vectors whose lanes all go there
	elements := make([]*simt.Value, out.dist.Size(layout.Register))
	for i, v := range in.vecs {
		to := in.dist.DropRegister(axis, i*in.width)
		if in.width > 1 && in.dist.DropRegister(axis, i*in.width+in.width-1) == to {
			vectors[to] = l.combine(kind, vectors[to], v)
			continue
		}
		for lane := range in.width {
			to := in.dist.DropRegister(axis, i*in.width+lane)
			elements[to] = l.combine(kind, elements[to], l.b.Extract(v, lane))
		}
	}
	for to := range elements {
		if v := vectors[to]; v != nil {
			elements[to] = l.reduceLanes(kind, v)
		}
	}
	out.fill(l.b, func(register int) *simt.Value { return elements[register] })
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

func (l *lowerer) combine(kind simt.Kind, x, y *simt.Value) *simt.Value {
	if x == nil {
		return y
	}
	return l.b.Binary(kind, x, y)
}

// reduceLanes combines the lanes of a vector pairwise.
func (l *lowerer) reduceLanes(kind simt.Kind, v *simt.Value) *simt.Value {
	lanes := make([]*simt.Value, v.Type.Width)
	for i := range lanes {
		lanes[i] = l.b.Extract(v, i)
	}
	for n := len(lanes) / 2; n > 0; n /= 2 {
		for i := range n {
			lanes[i] = l.b.Binary(kind, lanes[i], lanes[i+n])
		}
	}
	return lanes[0]
}

// shuffleReduce combines along the thread bits within a subgroup and returns
// the bits that remain.
func (l *lowerer) shuffleReduce(r regs, along int, kind simt.Kind) int {
	within := along & (l.caps.SubgroupSize - 1)
	if l.caps.SubgroupSize == 0 || within == 0 {
		return along
	}
	l.note("shuffles within subgroups of %d", l.caps.SubgroupSize)
	for bits := within; bits != 0; bits &= bits - 1 {
		step := bits & -bits
		for i, v := range r.vecs {
			other := l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, Index: step}, v.Type)
			r.vecs[i] = l.b.Binary(kind, v, other)
		}
	}
	return along &^ within
}

// maxDirect is the most partial results that each thread combines by itself;
// more are combined in two steps.
const maxDirect = 16

// sharedReduce combines along thread bits through shared memory, one register
// at a time. The P threads that take part in one result put their parts side by side; with many of them
// each first combines about sqrt(P) parts, and then every thread the rest.
func (l *lowerer) sharedReduce(r regs, along int, kind simt.Kind) {
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
	elem := r.vecs[0].Type.Elem
	n := parts << bits.OnesCount(uint(others))
	p := sharedParts{row: row, part: part, parts: parts, steps: steps, array: l.scratchArray("parts", elem, n)}
	if steps > 1 {
		p.second = l.scratchArray("sums", elem, n/parts*steps)
	}
	for i, v := range r.vecs {
		lanes := make([]*simt.Value, v.Type.Width)
		for lane := range lanes {
			x := l.b.Extract(v, lane)
			lanes[lane] = l.reduceParts(kind, x, p, subgroup)
		}
		r.vecs[i] = compose(l.b, lanes)
	}
}

// sharedParts is the arrangement of partial results in shared memory: the parts
// of this thread's result lie in array from row on; where they are combined in
// two steps, the steps results of the first lie in second.
type sharedParts struct {
	row, part     *simt.Value
	parts, steps  int
	array, second *simt.Shared
}

func (l *lowerer) reduceParts(kind simt.Kind, x *simt.Value, s sharedParts, subgroup int) *simt.Value {
	var mask *simt.Value
	if subgroup != 0 {
		mask = l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(subgroup)), l.b.Int(0))
	}
	l.b.SharedStore(s.array, l.newRun(), l.b.Binary(simt.Add, s.row, s.part), x, mask)
	if s.steps == 1 {
		return l.combineShared(kind, s.array, s.row, 1, s.parts)
	}
	mine := l.b.Binary(simt.And, s.part, l.b.Int(s.steps-1))
	first := l.combineShared(kind, s.array, l.b.Binary(simt.Add, s.row, mine), s.steps, s.parts/s.steps)
	row := l.shift(s.row, bits.Len(uint(s.steps))-bits.Len(uint(s.parts)))
	l.b.SharedStore(s.second, l.newRun(), l.b.Binary(simt.Add, row, mine), first, l.and(mask, l.b.Binary(simt.Lt, s.part, l.b.Int(s.steps))))
	return l.combineShared(kind, s.second, row, 1, s.steps)
}

// combineShared combines n elements of shared memory from at on, step apart.
func (l *lowerer) combineShared(kind simt.Kind, scratch *simt.Shared, at *simt.Value, step, n int) *simt.Value {
	var sum *simt.Value
	for i := range n {
		sum = l.combine(kind, sum, l.b.SharedLoad(scratch, l.b.Binary(simt.Add, at, l.b.Int(i*step)), 1))
	}
	return sum
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
