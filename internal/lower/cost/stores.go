package cost

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// storedTogether is how many registers of a tile one instruction stores in an array of the tile's elements.
func (c *Model) storedTogether(array, dist layout.Linear, elem dtype.Type) int {
	places := distribution.Offsets(array, dist)
	if s := mma.StoresOf(c.Caps, places, elem, array.Shape()[0]); s != nil {
		return 2 << len(s.Words)
	}
	return 1 << len(distribution.RunBits(places, 0, distribution.AccessBytes/elem.Size()))
}

// RowStore is what it costs to store a block so from a distribution.
func (c *Model) RowStore(s *memory.RowStore, l layout.Linear) int {
	l = distribution.Reshape(l, s.Shape)
	p, size := s.Split(l), s.Elem.Size()
	total := p.Parts * p.Size
	cost := l.Size(layout.Register)*c.Owners(l)/c.storedTogether(p.At, l, s.Elem)*costRequest + total*size/distribution.BankBytes*costWavefront
	vector := costRequest + c.group*distribution.AccessBytes/distribution.BankBytes*costWavefront
	if s.Shifts() {
		vector = 2*vector + s.Wide*bits.Len(uint(s.Wide/s.Aligned))*costInstr
	}
	cost += total / s.Wide / c.group * (vector + c.request(p.To, s.Along, size))
	if !s.Whole {
		single := 2*costRequest + costWavefront + costSegment + costLine + 4*costInstr
		cost += max(1, s.Singles()*s.Shape[1-s.Along]/c.group) * single
	}
	return cost + (p.Parts+1)*costBarrier
}

// TensorStore is what a store by a tensor map costs the threads: all that they do is to fill shared memory.
func (c *Model) TensorStore(t *memory.TensorStore, op *tile.Op, l layout.Linear) int {
	size := op.View.Elem.Size()
	bytes := op.AccessType().Len() * size
	l = distribution.Reshape(l, t.Shape)
	requests := l.Size(layout.Register) * c.Owners(l) / c.storedTogether(distribution.Swizzled128(t.Shape, t.Along, size), l, op.View.Elem)
	return requests*costRequest + bytes/distribution.BankBytes*costWavefront + 2*bytes/(t.M.Box[0]*t.Lines()*size)*costBarrier
}
