package emit

import (
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// storeMatrices stores the elements of a tile that are from one place of all to another, in an array from an index on, and
// returns what that costs in wavefronts.
func (l *emitter) storeMatrices(array *simt.Shared, run int, s *mma.Stores, r regs, lo, hi, from int) (cost int) {
	thread, copies := l.threadCoord(s.At, 0), s.At.FreeBits(layout.Register)
	for first := range r.dist.Size(layout.Register) {
		if first&s.Chooses() != 0 {
			continue
		}
		registers, row := s.Registers(first)
		to := s.At.Index(row, 0)
		if row&copies != 0 || to < lo || to >= hi {
			continue
		}
		words := make([]*simt.Value, len(registers)/2)
		for i := range words {
			words[i] = l.packed([]*simt.Value{r.element(l.b, registers[2*i]), r.element(l.b, registers[2*i+1])}, array.Elem)
		}
		op := l.b.StoreMatrix(array, run, l.offsetTo(s.At, thread, to-lo+from), l.b.Compose(words...), s.Transposed)
		op.Cost = l.wavefronts(array.Elem, mma.RowElems, 0, func(thread int) int { return s.At.Index(row, thread) - lo })
		cost += op.Cost
	}
	return cost
}

// isLoaded reports whether a value is what a load gave, which an asynchronous copy may bring to shared memory.
func isLoaded(v *simt.Value) bool {
	for v.Op != nil && (v.Op.Kind == simt.Unpack || v.Op.Kind == simt.Extract || v.Op.Kind == simt.Compose) {
		v = v.Op.Args[0]
	}
	return v.Op != nil && v.Op.Kind == simt.Load
}
