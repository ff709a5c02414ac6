package emit

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Tiles go through shared memory when their elements change threads. Each use has an
// array of its own, filled by one run of stores; the pass allocate lets arrays share
// memory. A layout says where an element is, chosen by the wavefronts that
// layout counts for the threads that store and for those that load; each access carries
// what it costs (simt.Op.Cost).
//
// Elements of 16 and 8 bits that only change threads, one for one, are shared as they are, which takes half the room and half the accesses or less. Others
// are shared in the type that registers hold, f32 or i32: what one thread stores many load, so it is converted once instead of
// by every reader. So are all in WGSL, whose memory consists of words, so that threads could not store halves
// of one. Truths are shared as u32, for the same reason.

// warp is the number of threads whose accesses layout counts together.
const warp = 32

// newShared declares a shared array of n elements for the op at hand; the note says what it is for.
func (l *emitter) newShared(name string, elem dtype.Type, n int, format string, args ...any) *simt.Shared {
	s := l.b.NewShared(name, elem, n)
	s.Line, s.Note = l.op.Pos.String(), fmt.Sprintf(format, args...)
	return s
}

// sharedStore stores a value; cost is the access's wavefronts.
func (l *emitter) sharedStore(s *simt.Shared, run int, index, value, mask *simt.Value, cost int) {
	l.b.SharedStore(s, run, index, l.b.Convert(value, s.Elem), mask).Cost = cost
}

// sharedLoad loads width elements as registers of a type.
func (l *emitter) sharedLoad(s *simt.Shared, elem dtype.Type, index *simt.Value, width, cost int) *simt.Value {
	v := l.b.SharedLoad(s, index, width)
	v.Op.Cost = cost
	return l.b.Convert(v, simt.Register(elem))
}

// maxPiece is the bytes of the widest access of one thread.
const maxPiece = 16

// pieceOf is the most elements of a shared array that one access covers.
func pieceOf(elem dtype.Type) int { return min(distribution.RegisterLanes, maxPiece/elem.Size()) }

// wavefronts is what one access costs all warps, each of whose threads reaches width
// elements from at on; threads that have a bit of idle set stay away. The
// warps' addresses differ by what moves all of a warp alike.
func (l *emitter) wavefronts(elem dtype.Type, width, idle int, at func(thread int) int) int {
	addresses := make([]int, min(warp, l.threads))
	for t := range addresses {
		addresses[t] = -1
		if t&idle == 0 {
			addresses[t] = at(t) * elem.Size()
		}
	}
	pieces := max(1, width*elem.Size()/maxPiece)
	n, err := layout.Wavefronts(addresses, width*elem.Size()/pieces)
	if err != nil {
		panic(err) // vectors are aligned by construction
	}
	return pieces * n * max(1, l.threads/warp>>bits.OnesCount(uint(idle/warp)))
}

// exchange chooses the array through which a tile goes from one distribution to another.
func (l *emitter) exchange(from, to layout.Linear, elem dtype.Type) layout.Exchange {
	key := fmt.Sprint(from, to, elem.Size())
	e, ok := l.exchanges[key]
	if !ok {
		var err error
		if e, err = layout.NewExchange(from, to, elem.Size()); err != nil {
			panic(err) // both distribute one tile over registers and threads
		}
		l.exchanges[key] = e
	}
	return e
}

// redistribute brings a tile from the threads that own its elements into a
// distribution, through shared memory.
func (l *emitter) redistribute(r regs, to layout.Linear, elem dtype.Type) regs {
	inArray := plan.ExchangeElem(l.caps, elem)
	e := l.exchange(r.dist, to, inArray)
	s := l.newShared("exchange", inArray, e.Array.Shape()[0], "elements change threads")
	l.note("elements change threads through shared memory, %v to %v, %s", r.dist, to, costOf(e))
	if s.Elem == dtype.F32 && l.caps.Language == target.CUDA {
		l.ofBytes[s] = !slices.ContainsFunc(r.vecs, func(v *simt.Value) bool { return !l.areBytes(v) })
	}
	wide := pieceOf(s.Elem)
	if simt.PerWord(s.Elem) > 0 {
		wide = memory.MaxVector(s.Elem)
	}
	owner, run, width := l.owner(r.dist), l.newSet(), wide
	for _, a := range l.accesses(e.Array, r.dist, s.Elem, width, r.dist.FreeBits(layout.Thread)) {
		l.storeAccess(s, run, a, r, owner)
		width = min(width, len(a.registers))
	}
	if l.caps.Language != target.WGSL { // whose vectors have to be those that were stored
		width = wide
	}
	elements := make([]*simt.Value, to.Size(layout.Register))
	for _, a := range l.accesses(e.Array, to, s.Elem, width, 0) {
		for i, x := range l.loadAccess(s, elem, a) {
			elements[a.registers[i]] = x
		}
	}
	copies := to.FreeBits(layout.Register)
	return l.filled(to, func(register int) *simt.Value { return elements[register&^copies] })
}

// storeAccess stores some registers of a tile in an array of the type that registers hold, or of the tile's own.
func (l *emitter) storeAccess(s *simt.Shared, run int, a sharedAccess, r regs, owner *simt.Value) {
	if simt.PerWord(s.Elem) > 0 {
		l.storeNarrow(s, run, a, r, owner)
		return
	}
	l.sharedStore(s, run, a.index, l.gather(r, a.registers), owner, a.cost)
}

// loadAccess loads neighbours as registers of a type, from an array of that in whole words where there are.
func (l *emitter) loadAccess(s *simt.Shared, elem dtype.Type, a sharedAccess) []*simt.Value {
	n, per := len(a.registers), simt.PerWord(s.Elem)
	if per == 0 || n < per {
		return l.lanes(l.sharedLoad(s, elem, a.index, n, a.cost))
	}
	words := l.b.SharedLoadWords(s, a.index, n/per)
	words.Op.Cost = a.cost
	return l.unpackWords(l.lanes(words), s.Elem, s.Name)
}

func costOf(e layout.Exchange) string {
	text := fmt.Sprintf("%d+%d wavefronts", e.Write.Wavefronts, e.Read.Wavefronts)
	if least := e.Write.Least + e.Read.Least; !e.Free() {
		text += fmt.Sprintf(" of which %d by conflicts of banks", e.Write.Wavefronts+e.Read.Wavefronts-least)
	}
	return text
}

// sharedAccess is one access of every thread to a tile in shared memory.
type sharedAccess struct {
	registers []int // in the order of the elements
	index     *simt.Value
	cost      int
}

// accesses lists how a distribution accesses an array, copies in registers left out.
func (l *emitter) accesses(array, dist layout.Linear, elem dtype.Type, width, idle int) (list []sharedAccess) {
	names := make([]string, dist.Rank())
	for d := range names {
		names[d] = layout.DimName(d)
	}
	places, err := dist.Compose(array, names...)
	if err != nil {
		panic(err) // the array is one of the tile's
	}
	thread, copies := l.threadCoord(places, 0), places.FreeBits(layout.Register)
	for _, run := range distribution.Runs(places, 0, width) {
		if run[0]&copies != 0 {
			continue
		}
		list = append(list, sharedAccess{run, l.coordinate(places, 0, thread, run[0]),
			l.wavefronts(elem, len(run), idle, func(thread int) int { return places.Index(run[0], thread) })})
	}
	return list
}

// threadSum is the exclusive or of the bases of the bits that are set in the thread's
// number. Bits that move by one distance move together, by one mask and shift.
func (l *emitter) threadSum(bases []int) *simt.Value {
	masks := map[int]int{} // by distance
	var distances []int    // by the lowest bit that moves so far
	for bit, x := range bases {
		for ; x != 0; x &= x - 1 {
			d := bits.TrailingZeros(uint(x)) - bit
			if masks[d] == 0 {
				distances = append(distances, d)
			}
			masks[d] |= 1 << bit
		}
	}
	sum, covered := l.b.Int(0), 0 // bits of the sum that are decided so far
	for _, d := range distances {
		moved, v := moveBits(masks[d], d), l.shift(l.thread, min(d, 0))
		if mask := moveBits(masks[d], min(d, 0)); mask != moveBits(l.threads-1, min(d, 0)) {
			v = l.b.Binary(simt.And, v, l.b.Int(mask))
		}
		kind := simt.Add
		if covered&moved != 0 {
			kind = simt.Xor
		}
		covered |= moved
		sum = l.b.Binary(kind, sum, l.shift(v, max(d, 0)))
	}
	return sum
}

func moveBits(x, distance int) int {
	if distance < 0 {
		return x >> -distance
	}
	return x << distance
}

// mapped applies a function to each of some numbers.
func mapped(xs []int, f func(int) int) []int {
	out := slices.Clone(xs)
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}
