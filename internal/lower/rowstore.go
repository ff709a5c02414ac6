package lower

import (
	"fmt"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Rows of narrow elements that begin anywhere in memory are stored in wide accesses, too, as unaligned.go loads them. The block goes through shared
// memory in its own elements. From there each thread takes vectors of a row that are aligned in memory, wherever their elements lie in the
// block: those are shifted out of two vectors of shared memory. What a row has before its first aligned vector and behind its last is stored
// element by element.
//
//	row in memory  ..|...45678|01234567|01234567|012.....|..    | between aligned vectors
//	stored by         singles  vector   vector   singles
//
// A block goes in parts of some of its rows, which two arrays hold in turn, so that a large one needs no more room than a small one.

// rowPartBytes is what parts should not exceed.
const rowPartBytes = 16 << 10

// rowStore is a store of rows of narrow elements to aligned vectors of memory.
type rowStore struct {
	shape   []int // of the block's two dimensions that are longer than 1
	dims    []int // those dimensions
	along   int   // the one of the two along which elements lie side by side
	elem    dtype.Type
	wide    int // elements of a vector
	aligned int // rows begin at multiples of so many elements
	threads int
	reason  string
}

// rowStoreOf is how the block of an op is stored so, nil if it is none for that.
func (p *Accesses) rowStoreOf(op *tile.Op) *rowStore {
	if op.Kind != tile.OpStore || simt.PerWord(op.View.Elem) == 0 || p.caps.Language != target.CUDA || p.thrifty {
		return nil
	}
	f, t := p.facts.Views[op.View.Index], op.AccessType()
	s := &rowStore{elem: op.View.Elem, wide: maxVector(op.View.Elem), aligned: f.Offset, threads: p.threads}
	for d, n := range t.Shape {
		if n > 1 {
			s.shape, s.dims = append(s.shape, n), append(s.dims, d)
		}
	}
	dim, whole, reason := vectorWidth(f, t, op.Inside)
	if len(s.shape) != 2 || f.Dims[dim].Kind != axis.UnitStride || whole >= s.wide {
		return nil
	}
	for d, dimension := range f.Dims {
		if d != dim && dimension.Kind != axis.ZeroStride {
			s.aligned = min(s.aligned, dimension.Stride)
		}
	}
	if s.along, s.reason = 0, reason; s.dims[1] == dim {
		s.along = 1
	}
	vectors := s.shape[s.along] / s.wide
	if vectors < 2 || vectors > s.threads || vectors*s.shape[1-s.along] < s.threads {
		return nil
	}
	return s
}

// shifts reports whether rows may begin within a vector.
func (s *rowStore) shifts() bool { return s.aligned < s.wide }

// singles is how many elements of a row are stored one by one at most.
func (s *rowStore) singles() int {
	if s.shifts() {
		return 2 * s.wide
	}
	return s.wide
}

// rowParts is how a block, whose elements lie over registers and threads, goes through shared memory.
type rowParts struct {
	at    layout.Linear // from an element's coordinates to its place, part by part
	to    layout.Linear // the vectors that threads take: those of one part after those of another
	parts int
	size  int // elements of one
}

// split makes parts of rows that only registers tell apart.
func (s *rowStore) split(from layout.Linear) rowParts {
	rows, cols := 1-s.along, s.shape[s.along]
	p := rowParts{parts: 1, size: cols * s.shape[rows]}
	var within, apart [][]int // rows
	for row := s.shape[rows] / 2; row > 0; row /= 2 {
		bit := findBasis(from, rows, row)
		small := p.size*s.elem.Size() <= rowPartBytes || p.size/2/s.wide < s.threads
		if small || bit < 0 || !separate(from, rows, bits.Len(uint(row))-1, bit) {
			within = append(units(rows, row, 2*row), within...)
			continue
		}
		apart, p.parts, p.size = append(units(rows, row, 2*row), apart...), 2*p.parts, p.size/2
	}
	order := append(within, apart...)
	plain := swizzledRows(s.shape, s.along, s.elem.Size(), true)
	var bases [2][][]int
	for bit := range plain.Bits(layout.DimName(s.along)) {
		bases[s.along] = append(bases[s.along], plain.Basis(layout.DimName(s.along), bit))
	}
	bases[rows] = make([][]int, len(order))
	for bit, row := range order {
		bases[rows][bits.Len(uint(row[rows]))-1] = plain.Basis(layout.DimName(rows), bit)
	}
	vectors := append(units(s.along, s.wide, cols), order...)
	onThreads := bits.Len(uint(s.threads)) - 1
	p.at, p.to = matrixPlaces(s.shape, bases), mustLinear(s.shape, append(units(s.along, 1, s.wide), vectors[onThreads:]...), vectors[:onThreads])
	return p
}

// rowStore is what it costs to store a block so that lies in a distribution.
func (c *costs) rowStore(s *rowStore, l layout.Linear) int {
	l = reshape(l, s.shape)
	p, size := s.split(l), s.elem.Size()
	total := p.parts * p.size
	cost := l.Size(layout.Register)*c.owners(l)/c.storedTogether(p.at, l, s.elem)*costRequest + total*size/bankBytes*costWavefront
	vector := costRequest + c.group*accessBytes/bankBytes*costWavefront
	if s.shifts() {
		vector = 2*vector + s.wide*bits.Len(uint(s.wide/s.aligned))*costInstr
	}
	cost += total / s.wide / c.group * (vector + c.request(p.to, s.along, size))
	single := 2*costRequest + costWavefront + costSegment + costLine + 4*costInstr
	cost += max(1, s.singles()*s.shape[1-s.along]/c.group) * single
	return cost + (p.parts+1)*costBarrier
}

// storeRows stores a block so, if that costs less than from where it lies.
func (l *lowerer) storeRows(op *tile.Op) bool {
	c, dist := l.assigned.costs, l.assigned.opAt(op)
	s := c.rowStoreOf(op)
	if s == nil || c.rowStore(s, dist) >= c.direct(op, dist) {
		return false
	}
	r := l.in(op.Args[0], dist)
	r.dist = reshape(r.dist, s.shape)
	p := s.split(r.dist)
	w := l.newRowWriter(op, s, p)
	places := placesIn(p.at, r.dist)
	arrays := make([]*simt.Shared, min(p.parts, 2))
	for i := range arrays {
		arrays[i] = l.newShared("rows_"+op.View.Name, s.elem, p.size, "on their way out")
	}
	for part := range p.parts {
		w.array = arrays[part%len(arrays)]
		l.fillPart(w.array, r, places, part*p.size, (part+1)*p.size, 0)
		w.part(part)
	}
	l.note("%s by vectors of %d %v that are aligned in memory, through shared memory in %d parts: %s", op.View.Name, s.wide, s.elem, p.parts, s.reason)
	w.access.noteMasks()
	return true
}

// rowWriter stores parts of a block that lie in shared memory.
type rowWriter struct {
	*rowStore
	rowParts
	l      *lowerer
	access *access
	buffer *simt.Buffer
	places layout.Linear // where the vectors lie
	array  *simt.Shared
	column *simt.Value // of this thread's vectors in their rows
	row    *simt.Value // where this thread's first row lies
	limit  *simt.Value // columns of the block that are in the view
	whole  *simt.Value // mask of the block along rows; nil if it always holds
	place  int
}

func (l *lowerer) newRowWriter(op *tile.Op, s *rowStore, p rowParts) *rowWriter {
	a := l.newAddresses(op, op.Args[1:], op.AccessType().Shape, reshape(p.to, op.AccessType().Shape))
	w := &rowWriter{rowStore: s, rowParts: p, l: l, access: a, buffer: l.buffers[a.facts.Buffer], places: placesIn(p.at, p.to)}
	w.place = l.placeOf(fmt.Sprint("rows", op.View.Index, s.shape, p.to))
	w.column = l.threadCoord(p.to, s.along)
	bases := threadBases(w.places, 0)
	for bit := range bases {
		if p.to.BasisAlong(layout.Thread, bit, s.along) != 0 {
			bases[bit] = 0
		}
	}
	w.row = l.threadSum(bases)
	dim := s.dims[s.along]
	w.limit, w.whole = l.b.Int(s.shape[s.along]), a.inside[dim]
	if a.proven>>dim&1 == 0 && w.whole == nil {
		start := l.b.Binary(simt.Sub, a.first[dim], w.column)
		w.whole = l.below(start, a.sizes[dim])
		w.limit = l.b.Binary(simt.Min, w.limit, l.b.Binary(simt.Sub, a.sizes[dim], start))
	}
	return w
}

// part stores the rows of a part.
func (w *rowWriter) part(part int) {
	all := w.to.Size(layout.Register)
	for first := part * all / w.parts; first < (part+1)*all/w.parts; first += w.wide {
		w.vector(first, w.places.Index(first, 0)-part*w.size)
	}
}

// vector stores the vector of a row that begins with a register, and some of the row's single elements; at is where the register's row lies in
// the array, without the thread's part.
func (w *rowWriter) vector(register, at int) {
	l, b := w.l, w.l.b
	index, mask := w.rowIndex(register)
	shift := b.Int(0)
	if w.shifts() {
		shift = b.Binary(simt.And, b.Binary(simt.Sub, b.Int(0), index), b.Int(w.wide-1))
	}
	words := w.words(w.column, at, 0)
	if w.shifts() {
		next := b.Binary(simt.And, b.Binary(simt.Add, w.column, b.Int(w.wide)), b.Int(w.shape[w.along]-1))
		words = l.shiftDown(append(words, w.words(next, at, w.wide)...), shift, w.elem, w.wide, w.aligned)
	}
	last := b.Binary(simt.Add, b.Binary(simt.Add, w.column, shift), b.Int(w.wide-1))
	inside := l.and(b.Binary(simt.Lt, last, w.limit), mask)
	b.StoreWords(w.buffer, b.Binary(simt.Add, index, shift), b.Compose(words...), inside).Index = w.place

	// Elements before the first vector, and from the last one on.
	vectors := w.shape[w.along] / w.wide
	slot := b.Binary(simt.Div, w.column, b.Int(w.wide))
	head := b.Binary(simt.Min, shift, w.limit)
	tail := b.Binary(simt.And, b.Binary(simt.Sub, w.limit, shift), b.Int(-w.wide))
	tail = b.Binary(simt.Add, b.Binary(simt.Max, tail, b.Int(0)), shift)
	row := b.Binary(simt.Sub, index, w.column)
	for from := 0; from < w.singles(); from += vectors {
		column, end := b.Binary(simt.Add, slot, b.Int(from)), head
		behind := b.Binary(simt.Add, tail, column)
		switch {
		case !w.shifts():
			column, end = behind, w.limit
		case from >= w.wide:
			column, end = b.Binary(simt.Sub, behind, b.Int(w.wide)), w.limit
		case vectors > w.wide:
			first := b.Binary(simt.Lt, column, b.Int(w.wide))
			column = b.Select(first, column, b.Binary(simt.Sub, behind, b.Int(w.wide)))
			end = b.Select(first, head, w.limit)
		}
		x := b.SharedLoad(w.array, w.placeOf(b.Binary(simt.And, column, b.Int(w.shape[w.along]-1)), at), 1)
		b.Store(w.buffer, b.Binary(simt.Add, row, column), x, l.and(b.Binary(simt.Lt, column, end), mask)).Index = w.place
	}
}

// rowIndex is the index of this thread's vector in the view, if the row began with one, and the mask of the row.
func (w *rowWriter) rowIndex(register int) (index, mask *simt.Value) {
	index, mask = w.access.base, w.whole
	for d, c := range registerCoord(w.access.dist, register) {
		if d == w.dims[w.along] {
			continue
		}
		index = w.l.b.Binary(simt.Add, index, w.l.b.Binary(simt.Mul, w.access.strides[d], w.l.b.Int(c)))
		inside := w.access.inside[d]
		if inside == nil && w.access.proven>>d&1 == 0 {
			inside = w.l.below(w.access.coordinate(d, c), w.access.sizes[d])
		}
		mask = w.l.and(mask, inside)
	}
	return index, mask
}

// placeOf is where an element lies in the array, given its column.
func (w *rowWriter) placeOf(column *simt.Value, at int) *simt.Value {
	return w.l.offsetTo(w.places, w.l.b.Binary(simt.Xor, w.row, column), at)
}

// words are the vector of shared memory from a column on, which is the thread's first, or by so many further.
func (w *rowWriter) words(column *simt.Value, at, by int) []*simt.Value {
	v := w.l.b.SharedLoadWords(w.array, w.placeOf(column, at), accessBytes/registerBytes)
	cols := w.shape[w.along]
	v.Op.Cost = w.l.wavefronts(w.elem, w.wide, 0, func(thread int) int {
		own := w.to.AtAlong(0, thread, w.along)
		return w.places.Index(0, thread) ^ at ^ own ^ (own+by)%cols
	})
	return w.l.lanes(v)
}
