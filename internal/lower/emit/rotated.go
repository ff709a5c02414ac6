package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/simt"
)

// rotation is by how many places tiles are rotated: how many elements a row begins after a vector.
func (l *emitter) rotation(r *memory.Rotation) *simt.Value {
	v, f, shape := r.Op.View, l.facts.Views[r.Op.View.Index], r.Op.AccessType().Shape
	at := l.param(l.kernel.ViewWord(v))
	for d, c := range r.Coordinates() {
		if d == r.Dim || f.Dims[d].Kind == axis.ZeroStride || f.Dims[d].Stride >= r.Width {
			continue
		}
		start := l.blockStart(r.Op, d, l.scalars[c], shape[d])
		at = l.b.Binary(simt.Add, at, l.b.Binary(simt.Mul, start, l.strideOf(v, f, d)))
	}
	at = l.b.Binary(simt.And, at, l.b.Int(r.Width-1))
	at.Suggest("rotation")
	return at
}

// rotatedRun is a run of registers that one access covers. Of the run of places 0 and up, the first elements are the last ones of the block: they end at
// the first vector that begins within it.
type rotatedRun struct {
	a        *access
	n        int         // elements of the run
	row      *simt.Value // where the block's first element of the row is in memory
	mask     *simt.Value // of the row, nil if it always holds
	start    *simt.Value // coordinate of that element
	from     *simt.Value // the first element's coordinate in the block if it is none of those
	wrapped  *simt.Value // how many of those the run has; nil if none
	size     int         // of the block along the row
	rotation *simt.Value
}

func (a *access) rotatedRun(run []int) *rotatedRun {
	l := a.l
	r := &rotatedRun{a: a, n: len(run), size: a.shape[a.dim], rotation: l.rotation(a.rotation), start: a.starts[a.dim], mask: a.inside[a.dim]}
	r.row = l.b.Binary(simt.Add, l.param(l.kernel.ViewWord(a.view)), r.start)
	for d, c := range distribution.RegisterCoord(a.dist, run[0]) {
		at := a.coordinate(d, c)
		if d == a.dim {
			place := l.b.Binary(simt.Add, l.threadCoord(a.dist, d), l.b.Int(c))
			r.from = l.b.Binary(simt.Sub, place, r.rotation)
			if c < a.rotation.Width {
				r.wrapped = l.b.Binary(simt.Max, l.b.Binary(simt.Sub, l.b.Int(0), r.from), l.b.Int(0))
			}
			continue
		}
		r.row = l.b.Binary(simt.Add, r.row, l.b.Binary(simt.Mul, at, a.strides[d]))
		inside := a.inside[d]
		if inside == nil && a.proven>>d&1 == 0 {
			inside = l.below(at, a.sizes[d])
		}
		r.mask = l.and(r.mask, inside)
	}
	return r
}

// cut reports whether the view may end within the row.
func (r *rotatedRun) cut() bool { return r.a.proven>>r.a.dim&1 == 0 && r.a.inside[r.a.dim] == nil }

// inside is whether the view has an element of the block, nil if it always has.
func (r *rotatedRun) inside(at *simt.Value) *simt.Value {
	if !r.cut() {
		return nil
	}
	return r.a.l.below(r.a.l.b.Binary(simt.Add, r.start, at), r.a.sizes[r.a.dim])
}

// index is where an element of the block is in memory.
func (r *rotatedRun) index(at *simt.Value) *simt.Value { return r.a.l.b.Binary(simt.Add, r.row, at) }

// element is the coordinate in the block of an element of the run.
func (r *rotatedRun) element(i int) *simt.Value {
	b := r.a.l.b
	at := b.Binary(simt.Add, r.from, b.Int(i))
	if r.wrapped != nil {
		at = b.Binary(simt.And, at, b.Int(r.size-1))
	}
	return at
}

// loadRotated loads a run of registers, and returns its elements. The vector that a row begins in has elements of the view, or is not read.
func (a *access) loadRotated(buf *simt.Buffer, run []int, fill float64, alias int) []*simt.Value {
	l, r := a.l, a.rotatedRun(run)
	if r.n == 1 {
		at := r.element(0)
		return l.loadRun(buf, r.index(at), l.and(r.mask, r.inside(at)), 1, fill, a.view.Name, alias)
	}
	var words []*simt.Value
	if a.shifted {
		words = a.shiftedWords(r, buf, fill, alias)
	} else {
		words = a.rotatedWords(r, buf, fill, alias)
	}
	elements := l.unpackWords(words, buf.Elem, a.view.Name)
	if !r.cut() {
		return elements
	}
	// Elements of the view that the run has: with those at its beginning that are the block's last ones, there may be two ends.
	left := l.b.Binary(simt.Sub, a.sizes[a.dim], l.b.Binary(simt.Add, r.start, r.from))
	for i, x := range elements {
		end := left
		if r.wrapped != nil && i < r.n-1 {
			end = l.b.Select(l.b.Binary(simt.Gt, r.wrapped, l.b.Int(i)), l.b.Binary(simt.Sub, left, l.b.Int(r.size)), left)
		}
		elements[i] = l.b.Select(l.b.Binary(simt.Gt, end, l.b.Int(i)), x, l.b.Const(x.Type, fill))
	}
	return elements
}

// rotatedWords are the words of a run that is aligned in memory.
func (a *access) rotatedWords(r *rotatedRun, buf *simt.Buffer, fill float64, alias int) []*simt.Value {
	l, first := a.l, r.from
	if r.wrapped != nil {
		first = l.b.Binary(simt.Max, first, l.b.Int(0))
	}
	words := l.loadWords(buf, r.index(r.from), l.and(r.mask, r.inside(first)), r.n, fill, a.view.Name, alias)
	if r.wrapped == nil {
		return words
	}
	// One thread of all reads another vector, too.
	some := l.b.Binary(simt.Gt, r.wrapped, l.b.Int(0))
	return l.b.Branch(some, func() []*simt.Value {
		last := l.b.Binary(simt.Sub, l.b.Int(r.size), r.rotation)
		others, both := l.loadWords(buf, r.index(last), l.and(r.mask, r.inside(last)), r.n, fill, a.view.Name, alias), make([]*simt.Value, len(words))
		for i, x := range words {
			both[i] = l.blend(x, others[i], r.leading(i, buf.Elem))
		}
		return both
	}, func() []*simt.Value { return words })
}

// shiftedWords are the words of a run of a row that begins with a vector: those of the vector at the run's place, and of the one before it, around the block.
func (a *access) shiftedWords(r *rotatedRun, buf *simt.Buffer, fill float64, alias int) []*simt.Value {
	l := a.l
	place := l.b.Binary(simt.Add, r.from, r.rotation)
	offset := l.b.Binary(simt.And, l.b.Binary(simt.Sub, l.b.Int(0), r.rotation), l.b.Int(r.n-1))
	before := l.b.Binary(simt.And, l.b.Binary(simt.Sub, place, l.b.Int(r.n)), l.b.Int(r.size-1))
	before = l.b.Select(l.b.Binary(simt.Eq, offset, l.b.Int(0)), place, before)
	words := func(at *simt.Value) []*simt.Value {
		return l.loadWords(buf, r.index(at), l.and(r.mask, r.inside(at)), r.n, fill, a.view.Name, alias)
	}
	return l.shiftDown(append(words(before), words(place)...), offset, buf.Elem, r.n, 1)
}

// leading are the bits of a word of the run in which elements are that are the last ones of the block.
func (r *rotatedRun) leading(word int, elem dtype.Type) *simt.Value {
	b, per := r.a.l.b, simt.PerWord(elem)
	u32 := simt.Scalar(dtype.U32)
	count := b.Binary(simt.Max, b.Binary(simt.Sub, r.wrapped, b.Int(word*per)), b.Int(0))
	bits := b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{b.Binary(simt.Mul, b.Binary(simt.And, count, b.Int(per-1)), b.Int(8*elem.Size()))}}, u32)
	some := b.Binary(simt.Sub, b.Binary(simt.Shl, b.Const(u32, 1), bits), b.Const(u32, 1))
	return b.Select(b.Binary(simt.Lt, count, b.Int(per)), some, b.Const(u32, 1<<32-1))
}

// blend has the bits of y that a mask has, and the others of x.
func (l *emitter) blend(x, y, mask *simt.Value) *simt.Value {
	return l.b.Binary(simt.Xor, x, l.b.Binary(simt.And, l.b.Binary(simt.Xor, x, y), mask))
}

// storeRotated stores a run of registers: a vector if the view has all of it at one place, and element by element otherwise.
func (a *access) storeRotated(buf *simt.Buffer, value regs, run []int, owner *simt.Value, order ordering) {
	l, r := a.l, a.rotatedRun(run)
	mask := l.and(owner, r.mask)
	if r.n == 1 {
		at := r.element(0)
		l.storeRun(buf, r.index(at), l.gatherVectors(value, run), l.and(mask, r.inside(at)), order)
		return
	}
	whole := l.and(r.inside(r.from), r.inside(l.b.Binary(simt.Add, r.from, l.b.Int(r.n-1))))
	if r.wrapped != nil {
		whole = l.and(whole, l.b.Binary(simt.Eq, r.wrapped, l.b.Int(0)))
	}
	l.storeRun(buf, r.index(r.from), l.gatherVectors(value, run), l.and(mask, whole), order)
	if whole == nil {
		return
	}
	l.b.If(l.b.Unary(simt.Not, whole), func() {
		for i := range run {
			element, at := l.gatherVectors(value, run[i:i+1]), l.b.Binary(simt.Add, r.from, l.b.Int(i))
			inside := l.and(mask, r.inside(at))
			if r.wrapped != nil && i < r.n-1 { // two stores with one register for the addresses of all
				wraps, last := l.b.Binary(simt.Gt, r.wrapped, l.b.Int(i)), l.b.Binary(simt.Add, at, l.b.Int(r.size))
				l.storeRun(buf, r.index(last), slices.Clone(element), l.and(l.and(mask, wraps), r.inside(last)), order)
				inside = l.and(inside, l.b.Unary(simt.Not, wraps))
			}
			l.storeRun(buf, r.index(at), element, inside, order)
		}
	})
}
