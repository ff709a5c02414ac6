package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// loadCovered loads a run of registers, and returns its elements. The first element of a run is in its first vector, so that both are inside
// of the view or not. Runs begin at multiples of their length from the view's first element on: none begins before it and ends after.
func (a *access) loadCovered(c memory.Unaligned, buf *simt.Buffer, run []int, fill float64, alias int) []*simt.Value {
	l, n := a.l, len(run)
	index, mask := a.at(run[0])
	words := func(index, mask *simt.Value) []*simt.Value {
		return l.loadWords(buf, index, mask, n, fill, a.view.Name, alias)
	}
	var list []*simt.Value
	if !c.Shifted() {
		list = words(index, mask)
	} else {
		whole := l.b.Int(-n)
		last := l.b.Binary(simt.And, l.b.Binary(simt.Add, index, l.b.Int(n-1)), whole)
		list = append(words(l.b.Binary(simt.And, index, whole), mask), words(last, a.reaches(c, run[0], index, last, mask))...)
		list = l.shiftDown(list, l.b.Binary(simt.And, index, l.b.Int(n-1)), buf.Elem, n, c.Aligned)
	}
	elements := l.unpackWords(list, buf.Elem, a.view.Name)
	if c.Cut {
		left := l.b.Binary(simt.Sub, a.sizes[c.Dim], a.coordinate(c.Dim, distribution.RegisterCoord(a.dist, run[0])[c.Dim]))
		for i, x := range elements[1:] {
			elements[1+i] = l.b.Select(l.b.Binary(simt.Gt, left, l.b.Int(1+i)), x, l.b.Const(x.Type, fill))
		}
	}
	return elements
}

// reaches is the mask of a run's last vector, given that of its first.
func (a *access) reaches(c memory.Unaligned, register int, index, last, mask *simt.Value) *simt.Value {
	if !c.Cut {
		return mask
	}
	l := a.l
	at := l.b.Binary(simt.Add, a.coordinate(c.Dim, distribution.RegisterCoord(a.dist, register)[c.Dim]), l.b.Binary(simt.Sub, last, index))
	return l.and(mask, l.b.Binary(simt.Lt, at, a.sizes[c.Dim]))
}

// shiftDown moves n elements to the beginning of the words that hold them from an offset below n on, which is a multiple of aligned.
func (l *emitter) shiftDown(words []*simt.Value, offset *simt.Value, elem dtype.Type, n, aligned int) []*simt.Value {
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
			} else if l.caps.Language == target.CUDA && i+1 < len(words) { // in one instruction, whether they move or not
				moved[i] = l.b.PickBytes(from, words[i+1], l.b.Select(moves, l.b.Const(u32, float64(0x3210+0x1111*step*elem.Size())), l.b.Const(u32, 0x3210)))
				continue
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
