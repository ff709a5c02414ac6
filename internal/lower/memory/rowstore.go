package memory

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Rows of narrow elements that begin anywhere in memory are stored in wide accesses, too, as unaligned.go loads them, and so are, in SPIR-V, rows that
// are aligned but of which a thread has only parts of vectors: there the arrays take the memory of others (simtpass/pack.go). The block goes through shared
// memory in its own elements. From there each thread takes vectors of a row that are aligned in memory, wherever their elements are in the
// block: those are shifted out of two vectors of shared memory. What a row has before its first aligned vector and after its last is stored
// element by element.
//
//	row in memory  ..|...45678|01234567|01234567|012.....|..    | between aligned vectors
//	stored by         singles  vector   vector   singles
//
// A block is stored in parts of some of its rows. Two arrays hold alternate parts, so that a large block needs no more room than a small one.

// rowPartBytes is what parts should not exceed.
const rowPartBytes = 16 << 10

// RowStore is a store of rows of narrow elements to aligned vectors of memory.
type RowStore struct {
	Shape   []int // of the block's two dimensions that are longer than 1
	Dims    []int // those dimensions
	Along   int   // the one of the two along which elements are consecutive
	Elem    dtype.Type
	Wide    int  // elements of a vector
	Aligned int  // rows begin at multiples of so many elements
	Whole   bool // a vector is inside of the view or outside, and begins where one may
	threads int
	Reason  string
}

// RowStoreOf is how the block of an op is stored so, nil if it is none for that.
func (p *Accesses) RowStoreOf(op *tile.Op) *RowStore {
	if rotation, _ := p.RotationOf(op); rotation != nil || op.Kind != tile.OpStore || simt.PerWord(op.View.Elem) == 0 || p.Caps.Language == target.WGSL || p.AvoidShared {
		return nil
	}
	f, t := p.Facts.Views[op.View.Index], op.AccessType()
	s := &RowStore{Elem: op.View.Elem, Wide: MaxVector(op.View.Elem), Aligned: f.Offset, threads: p.Threads}
	for d, n := range t.Shape {
		if n > 1 {
			s.Shape, s.Dims = append(s.Shape, n), append(s.Dims, d)
		}
	}
	dim, whole, reason := VectorWidth(f, t, op.Inside)
	if len(s.Shape) != 2 || f.Dims[dim].Kind != axis.UnitStride || whole >= s.Wide && p.Caps.Language != target.SPIRV {
		return nil
	}
	if s.Whole = whole >= s.Wide; s.Whole {
		reason = "the sums of a thread are no vectors"
	}
	for d, dimension := range f.Dims {
		if d != dim && dimension.Kind != axis.ZeroStride {
			s.Aligned = min(s.Aligned, dimension.Stride)
		}
	}
	if s.Along, s.Reason = 0, reason; s.Dims[1] == dim {
		s.Along = 1
	}
	vectors := s.Shape[s.Along] / s.Wide
	if vectors < 2 || vectors > s.threads || vectors*s.Shape[1-s.Along] < s.threads {
		return nil
	}
	return s
}

// Shifts reports whether rows may begin within a vector.
func (s *RowStore) Shifts() bool { return s.Aligned < s.Wide }

// Singles is how many elements of a row are stored one by one at most.
func (s *RowStore) Singles() int {
	switch {
	case s.Whole:
		return 0
	case s.Shifts():
		return 2 * s.Wide
	}
	return s.Wide
}

// RowParts is how a block that is distributed over registers and threads goes through shared memory.
type RowParts struct {
	At    layout.Linear // from an element's coordinates to its place, part by part
	To    layout.Linear // the vectors that threads take: those of one part after those of another
	Parts int
	Size  int // elements of one
}

// Split makes parts of rows that only registers tell apart.
func (s *RowStore) Split(from layout.Linear) RowParts {
	rows, cols := 1-s.Along, s.Shape[s.Along]
	p := RowParts{Parts: 1, Size: cols * s.Shape[rows]}
	var within, apart [][]int // rows
	for row := s.Shape[rows] / 2; row > 0; row /= 2 {
		bit := distribution.FindBasis(from, rows, row)
		small := p.Size*s.Elem.Size() <= rowPartBytes || p.Size/2/s.Wide < s.threads
		if small || bit < 0 || !distribution.Separate(from, rows, bits.Len(uint(row))-1, bit) {
			within = append(distribution.Units(rows, row, 2*row), within...)
			continue
		}
		apart, p.Parts, p.Size = append(distribution.Units(rows, row, 2*row), apart...), 2*p.Parts, p.Size/2
	}
	order := append(within, apart...)
	plain := distribution.SwizzledRows(s.Shape, s.Along, s.Elem.Size(), true)
	var bases [2][][]int
	for bit := range plain.Bits(layout.DimName(s.Along)) {
		bases[s.Along] = append(bases[s.Along], plain.Basis(layout.DimName(s.Along), bit))
	}
	bases[rows] = make([][]int, len(order))
	for bit, row := range order {
		bases[rows][bits.Len(uint(row[rows]))-1] = plain.Basis(layout.DimName(rows), bit)
	}
	vectors := append(distribution.Units(s.Along, s.Wide, cols), order...)
	onThreads := bits.Len(uint(s.threads)) - 1
	p.At, p.To = distribution.MatrixOffsets(s.Shape, bases), distribution.MustLinear(s.Shape, append(distribution.Units(s.Along, 1, s.Wide), vectors[onThreads:]...), vectors[:onThreads])
	return p
}
