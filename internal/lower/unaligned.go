package lower

import (
	"fmt"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Rows of narrow elements may begin anywhere in a word, and end anywhere. A thread that holds a run of such elements
// still loads it in wide accesses: of the vector that holds the run's first element and of the one that holds its last, which
// are one or neighbours. The elements are shifted to their places by selecting, for each bit of the run's offset
// in the first vector. A vector is read if the run has an element of the view in it; it may reach beyond the view then, but not
// beyond the buffer's memory, which is whole vectors (see package simt).

// minUnaligned is the least run in words that is worth it: two accesses take the place of four or more.
const minUnaligned = 2

// cover is how a thread's runs of a block are read in vectors that begin or end elsewhere.
type cover struct {
	dim, width int  // a run: so many elements along a dimension
	aligned    int  // runs begin at multiples of so many elements
	cut        bool // the view may end within a run
	reason     string
}

// coverOf is the cover of a load in a distribution, if it would take accesses of less than a word without. Memory that the kernel
// changes is read element by element.
func (p *Accesses) coverOf(op *tile.Op, dist layout.Linear) (v cover, ok bool) {
	elem, f := op.View.Elem, p.facts.Views[op.View.Index]
	per := simt.PerWord(elem)
	if op.Kind != tile.OpLoad || per == 0 || p.written[f.Buffer] {
		return v, false
	}
	dim, whole, reason := vectorWidth(f, tile.TileOf(elem, dist.Shape()...), op.Inside)
	if f.Dims[dim].Kind != axis.UnitStride || whole >= per {
		return v, false
	}
	v = cover{dim: dim, width: 1 << len(runBits(dist, dim, maxVector(elem))), aligned: f.Offset, reason: reason}
	for d, dimension := range f.Dims {
		if d != dim && dimension.Kind != axis.ZeroStride {
			v.aligned = min(v.aligned, dimension.Stride)
		}
	}
	v.cut = op.Inside>>dim&1 == 0 && f.Dims[dim].Size < v.width
	return v, v.width >= minUnaligned*per
}

// writtenBuffers are the buffers that a kernel writes.
func writtenBuffers(k *tile.Func, facts axis.Facts) map[int]bool {
	written := map[int]bool{}
	for i, v := range k.Views {
		if v.Access&tile.Out != 0 {
			written[facts.Views[i].Buffer] = true
		}
	}
	return written
}

// shifted reports whether runs may begin within a vector.
func (c cover) shifted() bool { return c.aligned < c.width }

// accesses is how many a run takes.
func (c cover) accesses() int {
	if c.shifted() {
		return 2
	}
	return 1
}

// steps is how many instructions a run takes beside its accesses, about.
func (c cover) steps() (n int) {
	if c.shifted() {
		n = c.width * bits.Len(uint(c.width/c.aligned))
	}
	if c.cut {
		n += 2 * c.width
	}
	return n
}

// note explains.
func (c cover) note(op *tile.Op) string {
	how := "whose last elements may lie outside"
	if c.shifted() {
		how = "that begin anywhere, shifted out of two"
	}
	return fmt.Sprintf("%s by vectors of %d %v %s: %s", op.View.Name, c.width, op.View.Elem, how, c.reason)
}

// loadCovered loads a run of registers, and returns its elements. The first element of a run lies in its first vector, so that both are inside
// of the view or not. Runs begin at multiples of their length from the view's first element on: none begins before it and ends behind.
func (a *access) loadCovered(c cover, buf *simt.Buffer, run []int, fill float64, place int) []*simt.Value {
	l, n := a.l, len(run)
	index, mask := a.at(run[0])
	words := func(index, mask *simt.Value) []*simt.Value {
		return l.loadWords(buf, index, mask, n, fill, a.view.Name, place)
	}
	var list []*simt.Value
	if !c.shifted() {
		list = words(index, mask)
	} else {
		whole := l.b.Int(-n)
		last := l.b.Binary(simt.And, l.b.Binary(simt.Add, index, l.b.Int(n-1)), whole)
		list = append(words(l.b.Binary(simt.And, index, whole), mask), words(last, a.reaches(c, run[0], index, last, mask))...)
		list = l.shiftDown(list, l.b.Binary(simt.And, index, l.b.Int(n-1)), buf.Elem, n, c.aligned)
	}
	elements := l.unpackWords(list, buf.Elem, a.view.Name)
	if c.cut {
		left := l.b.Binary(simt.Sub, a.sizes[c.dim], a.coordinate(c.dim, registerCoord(a.dist, run[0])[c.dim]))
		for i, x := range elements[1:] {
			elements[1+i] = l.b.Select(l.b.Binary(simt.Gt, left, l.b.Int(1+i)), x, l.b.Const(x.Type, fill))
		}
	}
	return elements
}

// reaches is the mask of a run's last vector, given that of its first.
func (a *access) reaches(c cover, register int, index, last, mask *simt.Value) *simt.Value {
	if !c.cut {
		return mask
	}
	l := a.l
	at := l.b.Binary(simt.Add, a.coordinate(c.dim, registerCoord(a.dist, register)[c.dim]), l.b.Binary(simt.Sub, last, index))
	return l.and(mask, l.b.Binary(simt.Lt, at, a.sizes[c.dim]))
}

// shiftDown moves n elements to the beginning of the words that hold them from an offset below n on, which is a multiple of aligned.
func (l *lowerer) shiftDown(words []*simt.Value, offset *simt.Value, elem dtype.Type, n, aligned int) []*simt.Value {
	per := simt.PerWord(elem)
	u32 := simt.Scalar(dtype.U32)
	bit := func(kind simt.Kind, word *simt.Value, by int) *simt.Value {
		return l.b.Binary(kind, word, l.b.Const(u32, float64(by)))
	}
	for step := n / 2; step >= aligned; step /= 2 {
		moves := l.b.Binary(simt.Ne, l.b.Binary(simt.And, offset, l.b.Int(step)), l.b.Int(0))
		keep := min(len(words), (n+step-aligned+per-1)/per) // with what the steps below this one still bring
		moved := make([]*simt.Value, keep)
		for i := range moved {
			from := words[i]
			if step >= per {
				if at := i + step/per; at < len(words) {
					from = words[at]
				}
			} else {
				size := 8 * elem.Size() * step
				from = bit(simt.Shr, from, size)
				if i+1 < len(words) {
					from = l.b.Binary(simt.Or, from, bit(simt.Shl, words[i+1], 32-size))
				}
			}
			moved[i] = l.b.Select(moves, from, words[i])
		}
		words = moved
	}
	return words
}
