package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// staged is an operand of a Dot in shared memory. Its layout has the dimensions
// (batch, vector along k, element of the vector, chunk, element of the chunk), of which the last two are the
// operand's free dimension. Vectors along k have one element, but for a K-major operand that is copied as
// it is. Offsets are sums, not XORs, so that the loop over k adds only constants.
type staged struct {
	array       *simt.Shared
	elem        dtype.Type // there
	layout      layout.Layout
	dist        layout.Linear // of the threads that store
	acc         layout.Linear // of the accumulator, for whose elements threads load
	k, free     int           // the operand's dimensions; free is the accumulator's, too
	deep        int           // elements of a vector along k
	width       int           // elements along the free dimension that one load may cover
	stores      [][]int       // registers of each store
	loads       [][]int       // registers of the accumulator, for whose elements each load is
	store, load int           // wavefronts of one of them
	how         string        // many wavefronts all of them take
	other       int           // bytes of the other operand
}

// operands places both operands of a Dot, each in vectors along its free dimension.
func (l *emitter) operands(op *tile.Op) (left, right staged) {
	stages, acc := l.assigned.Stages[op], l.assigned.OpAt(op)
	last := acc.Rank() - 1
	at := [2]staged{{k: last, free: last - 1}, {k: last - 1, free: last}}
	for i := range at {
		at[i].dist, at[i].acc, at[i].elem, at[i].deep = l.assigned.In(stages[i]), acc, stagedElem(op.Args[i].Type().Elem), 1
		if l.assigned.KMajor(stages[i]) {
			at[i].deep = distribution.RegisterLanes
		}
	}
	left = l.place(at[0], cost.TileBytes(at[1].dist, at[1].elem))
	return left, l.place(at[1], left.bytes())
}

// stagedElem is the type that elements of an operand have in shared memory.
func stagedElem(e dtype.Type) dtype.Type {
	if e = plan.SharedElem(e); e == dtype.U32 { // of U8, whose products are of I32
		return dtype.I32
	}
	return e
}

// place finds where an operand is kept in shared memory, as all those of the same elements and threads are; other is the
// bytes of the other operand.
func (l *emitter) place(s staged, other int) staged {
	i := slices.IndexFunc(l.placed, func(p staged) bool {
		return p.other == other && p.elem == s.elem && p.k == s.k && p.deep == s.deep && p.dist.Equal(s.dist) && p.acc.Equal(s.acc)
	})
	if i >= 0 {
		return l.placed[i]
	}
	s.other, s.width = other, pieceOf(s.elem)
	switch s.stores = distribution.Runs(s.dist, s.free, s.width); {
	case s.deep > 1:
		s.stores, s.width = distribution.Runs(s.dist, s.k, s.deep), 1
	case l.caps.Language == target.WGSL: // whose vectors have to be those that were stored
		s.width = len(s.stores[0])
	}
	s.loads = s.eachLoad()
	s.layout, s.how = l.stageLayout(s)
	s.load, s.store = l.loadCost(s), l.storeCost(s)
	l.placed = append(l.placed, s)
	return s
}

// bytes is what the operand takes.
func (s staged) bytes() int { return s.elements() * s.elem.Size() }

// stage writes an operand to a shared array of its own.
func (l *emitter) stage(name string, s staged, r regs) staged {
	s.array = l.newShared("tile_"+name, s.elem, s.elements(), "operand %s of the product", name)
	shape := s.dist.Shape()
	l.padded = l.padded || s.layout.Stride(1) > s.deep*shape[s.free]
	if strides := s.layout.Strides(); s.deep > 1 {
		l.note("%s K-major (vector along k, element, chunk, row) by strides %v: %s", s.array.Name, strides[1:], s.how)
	} else {
		l.note("%s (k, chunk, element) by strides %v: %s", s.array.Name, []int{strides[1], strides[3], strides[4]}, s.how)
	}
	owner, run := l.owner(s.dist), l.newSet()
	for _, registers := range s.stores {
		l.sharedStore(s.array, run, l.storeIndex(s, registers[0]), l.gather(r, registers), owner, s.store)
	}
	return s
}

// stageLayout chooses the layout with the fewest wavefronts of all stores and loads.
func (l *emitter) stageLayout(s staged) (best layout.Layout, how string) {
	strides, chunks := l.rowLayouts(s)
	if s.deep > 1 {
		strides, chunks = l.vectorLayouts(s)
	}
	batch, steps, free := s.sizes()
	fewest, plain := -1, 0
	for i, stride := range strides {
		at, err := layout.Strided([]int{batch, steps / s.deep, s.deep, free / chunks[i], chunks[i]}, stride, 0)
		if err != nil {
			panic(err) // the tile fits an int
		}
		s.layout = at
		if room := l.caps.SharedBytes; i > 0 && room > 0 && s.other+s.bytes() > room {
			continue
		}
		total := len(s.stores)*l.storeCost(s) + steps/s.deep*len(s.loads)*l.loadCost(s)
		if i == 0 {
			plain = total
		}
		if fewest < 0 || total < fewest {
			best, fewest = at, total
		}
	}
	return best, fewer(fewest, plain)
}

// sizes are the operand's dimensions: of a batch, along k, and the free one.
func (s staged) sizes() (batch, steps, free int) {
	shape := s.dist.Shape()
	if batch = 1; len(shape) > 2 {
		batch = shape[0]
	}
	return batch, shape[s.k], shape[s.free]
}

// rowLayouts are k's rows one after the other, with some elements between them, or
// chunks of neighbours, or pairs of them, next to each other for all k.
func (l *emitter) rowLayouts(s staged) (strides [][]int, chunks []int) {
	_, steps, free := s.sizes()
	add := func(batch, k, chunk, n int) {
		strides, chunks = append(strides, []int{batch, k, 0, chunk, 1}), append(chunks, n)
	}
	chunk := min(free, pieceOf(s.elem))
	add(steps*free, free, chunk, chunk)
	for pad := chunk; pad < min(free, warp) && !l.dense; pad *= 2 {
		add(steps*(free+pad), free+pad, chunk, chunk)
	}
	for n := chunk; n <= min(free, 2*chunk); n *= 2 {
		add(steps*free, n, steps*n, n)
	}
	return strides, chunks
}

// vectorLayouts are of vectors along k. Neighbours that a thread loads are apart, so that those of different threads are
// next to each other, and there may be some vectors after each of a chunk's rows and after all of them.
func (l *emitter) vectorLayouts(s staged) (strides [][]int, chunks []int) {
	_, steps, free := s.sizes()
	chunk := 1 << len(distribution.RunBits(s.acc, s.free, pieceOf(s.elem)))
	for _, pad := range []int{0, 1, 2} {
		for _, after := range []int{0, 1, 2, 4} {
			row := s.deep * (free/chunk + pad)
			vector := chunk*row + s.deep*after
			strides, chunks = append(strides, []int{steps / s.deep * vector, vector, 1, s.deep, row}), append(chunks, chunk)
			if l.dense {
				return strides, chunks
			}
		}
	}
	return strides, chunks
}

func fewer(n, plain int) string {
	if n == plain {
		return fmt.Sprintf("%d wavefronts", n)
	}
	return fmt.Sprintf("%d wavefronts instead of %d", n, plain)
}

// elements is the length of the array.
func (s staged) elements() int {
	_, last := s.layout.Bounds()
	return last + 1
}

// offset is the offset of the first element that a thread has in a distribution, in row k.
func (s staged) offset(dist layout.Linear, thread, k int) int {
	batch, free, chunk := 0, dist.AtAlong(0, thread, s.free), s.layout.Size(4)
	if dist.Rank() > 2 {
		batch = dist.AtAlong(0, thread, 0)
	}
	return s.layout.At(batch, k/s.deep, k%s.deep, free/chunk, free%chunk)
}

// along is what a coordinate of the free dimension adds to an offset.
func (s staged) along(free int) int {
	chunk := s.layout.Size(4)
	return s.layout.At(0, 0, 0, free/chunk, free%chunk)
}

// storeCost and loadCost are the wavefronts of one access of all warps.
func (l *emitter) storeCost(s staged) int {
	return l.wavefronts(s.elem, len(s.stores[0]), s.dist.FreeBits(layout.Thread),
		func(thread int) int { return s.offset(s.dist, thread, s.dist.AtAlong(0, thread, s.k)) })
}

func (l *emitter) loadCost(s staged) int {
	return l.wavefronts(s.elem, s.deep*len(s.loads[0]), 0, func(thread int) int { return s.offset(s.acc, thread, 0) })
}

// eachLoad lists the registers of the accumulator whose elements along the free dimension
// one load covers each, those with the same elements once.
func (s staged) eachLoad() (list [][]int) {
	seen := map[place]bool{}
	for _, run := range distribution.Runs(s.acc, s.free, s.width) {
		if first := placeOf(distribution.RegisterCoord(s.acc, run[0]), s.free); !seen[first] {
			seen[first] = true
			list = append(list, run)
		}
	}
	return list
}

// storeIndex is where a register of the operand goes.
func (l *emitter) storeIndex(s staged, register int) *simt.Value {
	at, sum, constant := distribution.RegisterCoord(s.dist, register), l.b.Int(0), 0
	add := func(dim, times int, place func(int) int) {
		v, c := l.threadSum(mapped(distribution.ThreadBases(s.dist, dim), place)), place(at[dim])
		if !distribution.Disjoint(s.dist, dim, at[dim]) {
			v, c = l.b.Binary(simt.Xor, v, l.b.Int(c)), 0
		}
		sum = l.b.Binary(simt.Add, sum, l.b.Binary(simt.Mul, v, l.b.Int(times)))
		constant += c * times
	}
	same := func(x int) int { return x }
	if len(at) > 2 {
		add(0, s.layout.Stride(0), same)
	}
	add(s.k, s.layout.Stride(1)/s.deep, same) // a multiple of deep
	if chunk := s.layout.Size(4); s.deep > 1 {
		add(s.free, s.layout.Stride(3), func(x int) int { return x / chunk })
		add(s.free, s.layout.Stride(4), func(x int) int { return x % chunk })
	} else {
		add(s.free, 1, s.along)
	}
	return l.b.Binary(simt.Add, sum, l.b.Int(constant))
}

// loadSteps loads what a thread needs of an operand for some steps from k+u on, as many as the vectors of one of the operands have: for each
// coordinate along its free dimension that the accumulator's registers reach, the element.
func (l *emitter) loadSteps(s staged, k *simt.Value, u, steps int) []map[place]*simt.Value {
	out := make([]map[place]*simt.Value, steps)
	thread := l.threadSum(mapped(distribution.ThreadBases(s.acc, s.free), s.along))
	row := l.b.Binary(simt.Add, l.b.Binary(simt.Mul, k, l.b.Int(s.layout.Stride(1)/s.deep)), thread)
	if len(s.acc.Shape()) > 2 {
		row = l.b.Binary(simt.Add, l.b.Binary(simt.Mul, l.threadCoord(s.acc, 0), l.b.Int(s.layout.Stride(0))), row)
	}
	for i := 0; i < steps; i += s.deep {
		for j := range s.deep {
			out[i+j] = map[place]*simt.Value{}
		}
		for _, run := range s.loads {
			first := placeOf(distribution.RegisterCoord(s.acc, run[0]), s.free)
			constant := first.batch*s.layout.Stride(0) + (u+i)/s.deep*s.layout.Stride(1) + s.along(first.at)
			v := l.sharedLoad(s.array, s.elem, l.b.Binary(simt.Add, row, l.b.Int(constant)), s.deep*len(run), s.load)
			for n := range s.deep * len(run) {
				out[i+n%s.deep][placeOf(distribution.RegisterCoord(s.acc, run[n/s.deep]), s.free)] = l.b.Extract(v, n)
			}
		}
	}
	return out
}
