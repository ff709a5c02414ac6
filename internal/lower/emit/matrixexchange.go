package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// matrixRow is how many elements of 16 bits of a row LoadMatrix reads.
const matrixRow = distribution.AccessBytes / 2

// exchangeMatrices brings a matrix that was loaded in pieces of 16 bytes into a distribution in which LoadMatrix spreads them over threads, such as that of an operand of a batch of
// matrix instructions. The pieces stay whole in shared memory, so that asynchronous copies can bring them there. It is not ok where the distributions are others.
func (l *emitter) exchangeMatrices(r regs, to layout.Linear, elem dtype.Type) (out regs, ok bool) {
	along, fits := rowsOfWords(to)
	if !fits || !l.caps.Matrix.Has(elem) || elem.Size() != 2 || !isLoaded(r.vecs[0]) || len(distribution.Runs(r.dist, along, matrixRow)[0]) < matrixRow {
		return regs{}, false
	}
	shape := to.Shape()
	s := stagedMatrix{along: along, k: along, at: distribution.SwizzledRows(shape, along, elem.Size(), true)}
	s.array = l.newShared("exchange", elem, shape[0]*shape[1], "elements change threads")
	l.note("elements change threads through shared memory as rows of matrices, %v to %v", r.dist, to)
	owner, run := l.owner(r.dist), l.newSet()
	for _, a := range l.accesses(s.at, r.dist, elem, matrixRow, r.dist.FreeBits(layout.Thread)) {
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
		v.Op.Cost = l.wavefronts(elem, matrixRow, 0, func(thread int) int { return places.Index(load, thread) })
		for _, word := range l.lanes(v) { // one by one: most are given to instructions as they are
			held = append(held, l.unpackWords([]*simt.Value{word}, elem, s.array.Name)...)
		}
	}
	return l.filled(to, func(register int) *simt.Value { return held[register] }), true
}

// rowsOfWords reports whether threads of a distribution of a matrix hold words of rows along a dimension as LoadMatrix gives them: two neighbours in the first register bit, four words of a row in
// neighbouring threads, and rows of their own in the next eight groups of those.
func rowsOfWords(to layout.Linear) (along int, ok bool) {
	if to.Rank() != 2 || to.Bits(layout.Thread) < 5 || to.Bits(layout.Register) == 0 || to.FreeBits(layout.Register) != 0 {
		return 0, false
	}
	register, thread := bases(to, layout.Register), bases(to, layout.Thread)
	if along = 0; register[0][1] == 1 {
		along = 1
	}
	words := [][]int{register[0], thread[0], thread[1]}
	for i, want := range distribution.Units(along, 1, matrixRow) {
		if !slices.Equal(words[i], want) {
			return 0, false
		}
	}
	for _, basis := range slices.Concat(register[1:], thread[2:]) {
		if basis[along]%matrixRow != 0 {
			return 0, false
		}
	}
	zero := func(basis []int) bool { return basis[0] == 0 && basis[1] == 0 }
	return along, !slices.ContainsFunc(thread[2:5], zero)
}
