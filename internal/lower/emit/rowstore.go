package emit

import (
	"fmt"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// storeRows stores a block in this way if that costs less than storing it from its distribution.
func (l *emitter) storeRows(op *tile.Op) bool {
	c, dist := l.assigned.Costs, l.assigned.OpAt(op)
	s := c.RowStoreOf(op)
	if s == nil || c.RowStore(s, dist) >= c.Direct(op, dist) {
		return false
	}
	r := l.in(op.Args[0], dist)
	r.dist = distribution.Reshape(r.dist, s.Shape)
	p := s.Split(r.dist)
	w := l.newRowWriter(op, s, p)
	places := distribution.Offsets(p.At, r.dist)
	arrays := make([]*simt.Shared, min(p.Parts, 2))
	for i := range arrays {
		arrays[i] = l.newShared("rows_"+op.View.Name, s.Elem, p.Size, "results to be stored")
	}
	for part := range p.Parts {
		w.array = arrays[part%len(arrays)]
		l.fillPart(w.array, r, places, part*p.Size, (part+1)*p.Size, 0)
		w.part(part)
	}
	l.note("%s by vectors of %d %v that are aligned in memory, through shared memory in %d parts: %s", op.View.Name, s.Wide, s.Elem, p.Parts, s.Reason)
	w.access.noteMasks()
	return true
}

// rowWriter stores parts of a block that are in shared memory.
type rowWriter struct {
	*memory.RowStore
	memory.RowParts
	l      *emitter
	access *access
	buffer *simt.Buffer
	places layout.Linear // where the vectors are
	array  *simt.Shared
	column *simt.Value // of this thread's vectors in their rows
	row    *simt.Value // where this thread's first row is
	limit  *simt.Value // columns of the block that are in the view
	whole  *simt.Value // mask of the block along rows; nil if it always holds
	alias  int
}

func (l *emitter) newRowWriter(op *tile.Op, s *memory.RowStore, p memory.RowParts) *rowWriter {
	a := l.newAddresses(op, op.Args[1:], op.AccessType().Shape, distribution.Reshape(p.To, op.AccessType().Shape))
	w := &rowWriter{RowStore: s, RowParts: p, l: l, access: a, buffer: l.buffers[a.facts.Buffer], places: distribution.Offsets(p.At, p.To)}
	w.alias = l.aliasOf(fmt.Sprint("rows", op.View.Index, s.Shape, p.To))
	w.column = l.threadCoord(p.To, s.Along)
	bases := distribution.ThreadBases(w.places, 0)
	for bit := range bases {
		if p.To.BasisAlong(layout.Thread, bit, s.Along) != 0 {
			bases[bit] = 0
		}
	}
	w.row = l.threadSum(bases)
	dim := s.Dims[s.Along]
	w.limit, w.whole = l.b.Int(s.Shape[s.Along]), a.inside[dim]
	if a.proven>>dim&1 == 0 && w.whole == nil {
		start := l.b.Binary(simt.Sub, a.first[dim], w.column)
		w.whole = l.below(start, a.sizes[dim])
		w.limit = l.b.Binary(simt.Min, w.limit, l.b.Binary(simt.Sub, a.sizes[dim], start))
	}
	return w
}

// part stores the rows of a part.
func (w *rowWriter) part(part int) {
	all := w.To.Size(layout.Register)
	for first := part * all / w.Parts; first < (part+1)*all/w.Parts; first += w.Wide {
		w.vector(first, w.places.Index(first, 0)-part*w.Size)
	}
}

// vector stores the vector of a row that begins with a register, and some of the row's single elements; at is where the register's row is in
// the array, without the thread's part.
func (w *rowWriter) vector(register, at int) {
	l, b := w.l, w.l.b
	index, mask := w.rowIndex(register)
	shift := b.Int(0)
	if w.Shifts() {
		shift = b.Binary(simt.And, b.Binary(simt.Sub, b.Int(0), index), b.Int(w.Wide-1))
	}
	words := w.words(w.column, at, 0)
	if w.Shifts() {
		next := b.Binary(simt.And, b.Binary(simt.Add, w.column, b.Int(w.Wide)), b.Int(w.Shape[w.Along]-1))
		words = l.shiftDown(append(words, w.words(next, at, w.Wide)...), shift, w.Elem, w.Wide, w.Aligned)
	}
	last := b.Binary(simt.Add, b.Binary(simt.Add, w.column, shift), b.Int(w.Wide-1))
	inside := l.and(b.Binary(simt.Lt, last, w.limit), mask)
	b.StoreWords(w.buffer, b.Binary(simt.Add, index, shift), b.Compose(words...), inside).Alias = w.alias

	if w.Whole {
		return
	}
	// Elements before the first vector, and from the last one on.
	vectors := w.Shape[w.Along] / w.Wide
	slot := b.Binary(simt.Div, w.column, b.Int(w.Wide))
	head := b.Binary(simt.Min, shift, w.limit)
	tail := b.Binary(simt.And, b.Binary(simt.Sub, w.limit, shift), b.Int(-w.Wide))
	tail = b.Binary(simt.Add, b.Binary(simt.Max, tail, b.Int(0)), shift)
	row := b.Binary(simt.Sub, index, w.column)
	for from := 0; from < w.Singles(); from += vectors {
		column, end := b.Binary(simt.Add, slot, b.Int(from)), head
		after := b.Binary(simt.Add, tail, column)
		switch {
		case !w.Shifts():
			column, end = after, w.limit
		case from >= w.Wide:
			column, end = b.Binary(simt.Sub, after, b.Int(w.Wide)), w.limit
		case vectors > w.Wide:
			first := b.Binary(simt.Lt, column, b.Int(w.Wide))
			column = b.Select(first, column, b.Binary(simt.Sub, after, b.Int(w.Wide)))
			end = b.Select(first, head, w.limit)
		}
		x := b.SharedLoad(w.array, w.placeOf(b.Binary(simt.And, column, b.Int(w.Shape[w.Along]-1)), at), 1)
		b.Store(w.buffer, b.Binary(simt.Add, row, column), x, l.and(b.Binary(simt.Lt, column, end), mask)).Alias = w.alias
	}
}

// rowIndex is the index of this thread's vector in the view, if the row began with one, and the mask of the row.
func (w *rowWriter) rowIndex(register int) (index, mask *simt.Value) {
	index, mask = w.access.base, w.whole
	for d, c := range distribution.RegisterCoord(w.access.dist, register) {
		if d == w.Dims[w.Along] {
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

// placeOf is where an element is in the array, given its column.
func (w *rowWriter) placeOf(column *simt.Value, at int) *simt.Value {
	return w.l.offsetTo(w.places, w.l.b.Binary(simt.Xor, w.row, column), at)
}

// words are the vector of shared memory from a column on, which is the thread's first, or by so many further.
func (w *rowWriter) words(column *simt.Value, at, by int) []*simt.Value {
	v := w.l.b.SharedLoadWords(w.array, w.placeOf(column, at), distribution.AccessBytes/distribution.RegisterBytes)
	cols := w.Shape[w.Along]
	v.Op.Cost = w.l.wavefronts(w.Elem, w.Wide, 0, func(thread int) int {
		own := w.To.AtAlong(0, thread, w.Along)
		return w.places.Index(0, thread) ^ at ^ own ^ (own+by)%cols
	})
	return w.l.lanes(v)
}
