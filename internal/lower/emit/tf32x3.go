package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Products in the precision TF32x3 take each operand x in two parts: big is x rounded to the 11 bits of TF32, and small is x - big,
// which F32 holds exactly and of which the instruction drops one bit at most. Of x * y, small * small is left out: 2^-22 of the
// product. The instruction adds with less than IEEE's rounding, so each step along K is added up by itself and
// then to the accumulator by an F32 addition (Ootomo and Yokota 2022, see tile.TF32x3).

// Warpgroups take the left operand's parts from registers and the right one's from shared memory: it is staged as it is, of which the
// instruction takes the high bits, so that what it drops is the small part, which goes to an array of its own, rounded. Of the product those are
// 2^-21 that small * small is and 2^-22 by which the right operand's small part is rounded. In a loop that has the room, small parts are made an
// iteration ahead (see ahead).

// partPieces is how many pieces of the accumulator are computed side by side: the three products of one depend on each other.
const partPieces = 4

// tf32Bits are the low bits of an F32 that TF32 lacks.
const tf32Bits = 13

// splitPieces adds the products of one step, from k on, to an accumulator.
func (l *emitter) splitPieces(m mma.Product, acc layout.Linear, k int, a, b *fragments, sums []*simt.Value) {
	zero := l.b.Const(simt.Scalar(dtype.F32), 0)
	held := m.C.Held()
	for from := 0; from < len(sums); from += held * partPieces {
		list := make([]*simt.Value, 0, partPieces)
		for product, which := range [3][2]int{{1, 0}, {0, 1}, {0, 0}} { // the parts of a and of b: the least products first
			for i := 0; i < partPieces && from+held*i < len(sums); i++ {
				at := distribution.RegisterCoord(acc, from+held*i)
				x, y := a.pieceParts([]int{at[0], k}), b.pieceParts([]int{k, at[1]})
				if product == 0 {
					list = append(list, l.b.Compose(slices.Repeat([]*simt.Value{zero}, held)...))
				}
				list[i] = l.b.MMA(dtype.F32, x[which[0]], y[which[1]], list[i])
			}
		}
		for i, sum := range list {
			for j := range held {
				at := from + held*i + j
				sums[at] = l.b.Binary(simt.Add, sums[at], l.b.Extract(sum, j))
				sums[at].Suggest("acc")
			}
		}
	}
}

// splitGroups lowers a Dot to products of parts by warpgroups, if the right operand is staged along K.
func (l *emitter) splitGroups(op *tile.Op, m mma.Product, acc regs, depth int) bool {
	shape := op.Args[1].Type().Shape
	held := l.in(op.Args[1], l.assigned.In(l.assigned.Stages[op][1]))
	if held.dist.Equal(m.Operand(1, acc.dist, depth)) || mma.StagedAlong(held.dist, m, 0) != 0 || !m.ReadsLines(shape, 0, 0) || shape[0]*shape[1] < l.threads {
		return false
	}
	l.note("by warpgroups: wgmma, of big and small parts: the left ones in registers")
	left := l.fragments(op, 0, m, acc.dist)
	right := l.stageMatrix("tile_b", held, m, 0, true)
	zeros := l.splat(l.b.Const(simt.Scalar(dtype.F32), 0), acc.dist)
	part := func(which int) func(row, k int) *simt.Value {
		return func(row, k int) *simt.Value { return left.pieceParts([]int{row, k})[which] }
	}
	// The smallest products come first, of operands that are there already, while the small part is computed; each starts as soon as its left operand is split.
	c := l.groupParts(zeros)
	for k := 0; k < shape[0]; k += m.Step() {
		l.groupSteps(m, zeros, c, shape, k, k+m.Step(), groupFactors{left: part(1), right: right})
	}
	small := l.smallPart(right)
	l.groupSteps(m, zeros, c, shape, 0, shape[0], groupFactors{left: part(0), right: small})
	l.groupSteps(m, zeros, c, shape, 0, shape[0], groupFactors{left: part(0), right: right})
	sum := l.groupSums(zeros, c)
	out := l.filled(acc.dist, func(register int) *simt.Value {
		v := l.b.Binary(simt.Add, acc.element(l.b, register), sum.element(l.b, register))
		v.Suggest("acc")
		return v
	})
	l.tiles[op.Result()] = out
	return true
}

// smallPart stores what the instruction drops of an operand in shared memory to another array of the same layout, rounded.
func (l *emitter) smallPart(s stagedMatrix) stagedMatrix {
	small := s
	small.array = l.b.NewShared(s.array.Name+"_small", dtype.F32, s.array.Len)
	small.array.Line, small.array.Note = s.array.Line, s.array.Note+", what TF32 lacks of it"
	run, n := l.newSet(), min(distribution.AccessBytes/small.array.Elem.Size(), s.array.Len/l.threads)
	bits := simt.Vector(dtype.U32, n)
	type part struct {
		x, at *simt.Value
		cost  int
	}
	var parts []part
	for first := 0; first < s.array.Len; first += n * l.threads { // all loads before the stores, after which they would have to wait
		at := l.b.Binary(simt.Add, l.b.Binary(simt.Mul, l.thread, l.b.Int(n)), l.b.Int(first))
		cost := l.wavefronts(dtype.F32, n, 0, func(thread int) int { return first + n*thread })
		parts = append(parts, part{l.sharedLoad(s.array, dtype.F32, at, n, cost), at, cost})
	}
	for _, p := range parts {
		big := l.b.Binary(simt.And, l.bitsAs(p.x, dtype.U32), l.b.Const(bits, float64(^uint32(1<<tf32Bits-1))))
		rest := l.b.Binary(simt.Sub, p.x, l.bitsAs(big, dtype.F32))
		rounded := l.b.Binary(simt.Add, l.bitsAs(rest, dtype.U32), l.b.Const(bits, 1<<(tf32Bits-1))) // halves away from zero
		l.sharedStore(small.array, run, p.at, l.bitsAs(rounded, dtype.F32), nil, p.cost)
	}
	return small
}

// pieceParts are the big and the small parts of a piece's words.
func (f *fragments) pieceParts(at []int) [2]*simt.Value {
	first := f.loaded(at)
	parts, ok := f.parts[first]
	if !ok {
		var words [2][]*simt.Value
		for _, word := range f.words[first : first+f.held] {
			big, small := f.l.tf32Parts(word)
			words[0], words[1] = append(words[0], big), append(words[1], small)
		}
		parts = [2]*simt.Value{f.l.b.Compose(words[0]...), f.l.b.Compose(words[1]...)}
		f.parts[first] = parts
	}
	return parts
}

// tf32Parts splits an F32, given by its bits, into a TF32 and what is left.
func (l *emitter) tf32Parts(word *simt.Value) (big, small *simt.Value) {
	bits := func(n uint32) *simt.Value { return l.b.Const(simt.Scalar(dtype.U32), float64(n)) }
	half := l.b.Binary(simt.Add, word, bits(1<<(tf32Bits-1))) // rounds halves away from zero
	big = l.b.Binary(simt.And, half, bits(^uint32(1<<tf32Bits-1)))
	small = l.b.Binary(simt.Sub, l.bitsAs(word, dtype.F32), l.bitsAs(big, dtype.F32))
	return big, l.bitsAs(small, dtype.U32)
}
