package emit

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// exchangeMatrices brings a matrix that was loaded in pieces of whole words, for matrix instructions alone, into a distribution in which LoadMatrix spreads them over threads, such as that of an operand of a batch of
// matrix instructions. The pieces stay whole in shared memory, so that asynchronous copies can bring them there. It is not ok where the distributions are others.
func (l *emitter) exchangeMatrices(v *tile.Value, r regs, to layout.Linear) (out regs, ok bool) {
	elem := v.Type().Elem
	along, fits := l.assigned.Costs.RowsOfMatrices(r.dist, to, elem)
	if op := v.Op(); !fits || op == nil || op.Kind != tile.OpLoad || !l.assigned.Multiplied(op) {
		return regs{}, false
	}
	shape := to.Shape()
	s := stagedMatrix{along: along, k: along, at: distribution.SwizzledRows(shape, along, elem.Size(), true)}
	s.array = l.newShared("exchange", elem, shape[0]*shape[1], "elements change threads")
	l.note("elements change threads through shared memory as rows of matrices, %v to %v", r.dist, to)
	owner, run := l.owner(r.dist), l.newSet()
	for _, a := range l.accesses(s.at, r.dist, elem, distribution.MatrixRow, r.dist.FreeBits(layout.Thread)) {
		l.storeNarrow(s.array, run, a, r, owner)
	}
	register, thread := bases(to, layout.Register), bases(to, layout.Thread)
	together := min(2, len(register)-1) // bits of the words of one load
	rows := append(slices.Clone(thread[2:5]), register[1:1+together]...)
	for len(rows) < 5 { // lanes that name no rows
		rows = append(rows, []int{0, 0})
	}
	places := distribution.Offsets(s.at, distribution.MustLinear(shape, register[1+together:], append(rows, thread[5:]...)))
	at, held := l.threadCoord(places, 0), make([]*simt.Value, 0, to.Size(layout.Register))
	for load := range places.Size(layout.Register) {
		v := l.b.LoadMatrix(s.array, l.offset(places, at, load), 1<<together, false)
		v.Op.Cost = l.wavefronts(elem, distribution.MatrixRow, 0, func(thread int) int { return places.Index(load, thread) })
		for _, word := range l.lanes(v) { // one by one: most are given to instructions as they are
			held = append(held, l.unpackWords([]*simt.Value{word}, elem, s.array.Name)...)
		}
	}
	return l.filled(to, func(register int) *simt.Value { return held[register] }), true
}
