package emit

import (
	"math/bits"

	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
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
func (l *emitter) reduce(op *tile.Op) {
	c := l.combiner(op)
	in := l.inputs(op, len(op.Out))
	g := l.reduceRegisters(in, op.Axis, c)
	along := distribution.ThreadsAlong(in[0].dist, op.Axis)
	along = l.shuffleReduce(g, along, c)
	if along != 0 {
		l.sharedReduce(g, along, c)
	}
	l.results(op, g)
}

// reduceRegisters combines within each thread, vectors first and then their lanes.
func (l *emitter) reduceRegisters(g group, axis int, c combiner) group {
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
func (l *emitter) reduceLanes(c combiner, v bundle) bundle {
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
func (l *emitter) shuffleReduce(g group, along int, c combiner) int {
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
func (l *emitter) shuffle(b bundle, bit int) bundle {
	return l.each(b, func(_ int, v *simt.Value) *simt.Value {
		return l.b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, LaneMask: 1 << bit}, v.Type)
	})
}

// sharedReduce combines along thread bits through shared memory, one vector
// at a time. A part is stored at the number of its thread, packed to the bits that tell
// parts apart, so that neither stores nor loads have conflicts of banks. With many
// parts of one result each thread first combines about their square root, and
// then every thread the rest.
func (l *emitter) sharedReduce(g group, along int, c combiner) {
	r := g[0]
	subgroup := 0 // after shuffles the threads of a subgroup hold the same
	if l.caps.SubgroupSize > 0 {
		subgroup = r.dist.FreeBits(layout.Thread) & (l.caps.SubgroupSize - 1) &^ along
	}
	all := (l.threads - 1) &^ subgroup
	parts := 1 << bits.OnesCount(uint(along))
	l.note("%d parts through shared memory", parts)
	steps := []partsStep{{all: all, idle: subgroup, along: along}}
	if parts > cost.MaxDirect {
		low := lowBits(along, (bits.OnesCount(uint(along))+1)/2)
		steps[0].along &^= low
		steps = append(steps, partsStep{all: all &^ steps[0].along, idle: subgroup | steps[0].along, along: low})
	}
	width := r.vecs[0].Type.Width
	together := max(1, min(width, cost.MaxParts>>bits.OnesCount(uint(all)))) // lanes that share barriers
	for i := range r.vecs {
		lanes := make([]bundle, width)
		for lane := range lanes {
			lanes[lane] = l.lane(g.at(i), lane)
		}
		for first := 0; first < width; first += together {
			some := lanes[first : first+together]
			for _, s := range steps {
				some = l.reduceParts(c, some, s)
			}
			copy(lanes[first:], some)
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

// lowBits are the lowest n of the bits that are set.
func lowBits(x, n int) (low int) {
	for range n {
		low |= x & -x
		x &= x - 1
	}
	return low
}

// partsStep is one exchange of partial results, by bits of the thread's number: those
// that tell the parts in shared memory apart, those that have to be clear in the threads
// that store, and those along which each thread combines.
type partsStep struct{ all, idle, along int }

// reduceParts exchanges some lanes of partial results and combines them.
func (l *emitter) reduceParts(c combiner, lanes []bundle, s partsStep) []bundle {
	var mask *simt.Value
	switch {
	case s.idle == 0:
	case s.idle == (l.threads-1)&^(s.idle&-s.idle-1): // all upper bits
		mask = l.b.Binary(simt.Lt, l.thread, l.b.Int(s.idle&-s.idle))
	default:
		mask = l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(s.idle)), l.b.Int(0))
	}
	size := 1 << bits.OnesCount(uint(s.all)) // the distance of lanes
	arrays := l.sharedArrays("parts", lanes[0], len(lanes)*size)
	place := func(thread int) int { return pack(thread, s.all) }
	at := l.threadSum(packedBases(l.threads, s.all))
	for i, array := range arrays {
		run, cost := l.newSet(), l.wavefronts(array.Elem, 1, s.idle, place)
		for lane, x := range lanes {
			l.sharedStore(array, run, l.b.Binary(simt.Add, at, l.b.Int(lane*size)), x[i], mask, cost)
		}
	}
	out := make([]bundle, len(lanes))
	first := l.threadSum(mapped(packedBases(l.threads, s.all), func(x int) int { return x &^ place(s.along) }))
	costs := make([]int, len(arrays))
	for j, array := range arrays {
		costs[j] = l.wavefronts(array.Elem, 1, 0, func(thread int) int { return place(thread &^ s.along) })
	}
	for lane := range out {
		for part := range 1 << bits.OnesCount(uint(s.along)) {
			x := make(bundle, len(arrays))
			for j, array := range arrays {
				index := l.b.Binary(simt.Add, first, l.b.Int(lane*size+place(unpack(part, s.along))))
				x[j] = l.sharedLoad(array, lanes[0][j].Type.Elem, index, 1, costs[j])
			}
			out[lane] = c.join(out[lane], x)
		}
	}
	return out
}

// sharedArrays is an array of n elements for each value of a bundle.
func (l *emitter) sharedArrays(name string, like bundle, n int) []*simt.Shared {
	arrays := make([]*simt.Shared, len(like))
	for i, v := range like {
		arrays[i] = l.newShared(name, plan.SharedElem(v.Type.Elem), n, "partial results of %v", l.op.Kind)
	}
	return arrays
}

// pack moves the bits of x in a mask together, unpack undoes it.
func pack(x, mask int) (packed int) {
	for i := 0; mask != 0; i, mask = i+1, mask&(mask-1) {
		if x&mask&-mask != 0 {
			packed |= 1 << i
		}
	}
	return packed
}

func unpack(packed, mask int) (x int) {
	for ; mask != 0; packed, mask = packed>>1, mask&(mask-1) {
		if packed&1 != 0 {
			x |= mask & -mask
		}
	}
	return x
}

// packedBases are what the bits of the thread's number contribute to the bits of a mask, packed.
func packedBases(threads, mask int) []int {
	out := make([]int, bits.Len(uint(threads))-1)
	for bit := range out {
		out[bit] = pack(1<<bit, mask)
	}
	return out
}
