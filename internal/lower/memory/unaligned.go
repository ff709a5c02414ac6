package memory

import (
	"fmt"
	"math/bits"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
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

// Unaligned is how a thread's runs of a block are read in vectors that begin or end elsewhere.
type Unaligned struct {
	Dim, Width int  // a run: so many elements along a dimension
	Aligned    int  // runs begin at multiples of so many elements
	Cut        bool // the view may end within a run
	reason     string
}

// UnalignedOf is the unaligned vector access of a load in a distribution, if it would take accesses of less than a word without. Memory that the kernel
// changes is read element by element.
func (p *Accesses) UnalignedOf(op *tile.Op, dist layout.Linear) (v Unaligned, ok bool) {
	elem, f := op.View.Elem, p.Facts.Views[op.View.Index]
	per := simt.PerWord(elem)
	if rotation, _ := p.RotationOf(op); rotation != nil || op.Kind != tile.OpLoad || per == 0 || p.Written[f.Buffer] {
		return v, false
	}
	dim, whole, reason := VectorWidth(f, tile.TileOf(elem, dist.Shape()...), op.Inside)
	if f.Dims[dim].Kind != axis.UnitStride || whole >= per {
		return v, false
	}
	v = Unaligned{Dim: dim, Width: 1 << len(distribution.RunBits(dist, dim, MaxVector(elem))), Aligned: f.Offset, reason: reason}
	for d, dimension := range f.Dims {
		if d != dim && dimension.Kind != axis.ZeroStride {
			v.Aligned = min(v.Aligned, dimension.Stride)
		}
	}
	v.Cut = op.Inside>>dim&1 == 0 && f.Dims[dim].Size < v.Width
	return v, v.Width >= minUnaligned*per
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

// Shifted reports whether runs may begin within a vector.
func (c Unaligned) Shifted() bool { return c.Aligned < c.Width }

// Accesses is how many a run takes.
func (c Unaligned) Accesses() int {
	if c.Shifted() {
		return 2
	}
	return 1
}

// Steps is how many instructions a run takes in addition to its accesses, about.
func (c Unaligned) Steps() (n int) {
	if c.Shifted() {
		n = c.Width * bits.Len(uint(c.Width/c.Aligned))
	}
	if c.Cut {
		n += 2 * c.Width
	}
	return n
}

// Note explains.
func (c Unaligned) Note(op *tile.Op) string {
	how := "whose last elements may be outside"
	if c.Shifted() {
		how = "that begin anywhere, shifted out of two"
	}
	return fmt.Sprintf("%s by vectors of %d %v %s: %s", op.View.Name, c.Width, op.View.Elem, how, c.reason)
}
