package lower

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// Products in the precision TF32x3 take each operand x in two parts: big is x rounded to the 11 bits of TF32, and small is x - big,
// which F32 holds exactly and of which the instruction drops one bit at most. Of x * y, small * small is left out: 2^-22 of the
// product. The instruction adds with less than IEEE's rounding, so each step along the sums is added up by itself and
// then to the accumulator by an F32 addition (Ootomo and Yokota 2022, see tile.TF32x3).

// partPieces is how many pieces of the accumulator are computed side by side: the three products of one depend on each other.
const partPieces = 4

// tf32Bits are the low bits of an F32 that TF32 lacks.
const tf32Bits = 13

// splitPieces adds to the sums of an accumulator the products of one step, from k on.
func (l *lowerer) splitPieces(acc layout.Linear, k int, a, b *fragments, sums []*simt.Value) {
	zero := l.b.Const(simt.Scalar(dtype.F32), 0)
	for from := 0; from < len(sums); from += 4 * partPieces {
		list := make([]*simt.Value, 0, partPieces)
		for product, which := range [3][2]int{{1, 0}, {0, 1}, {0, 0}} { // the parts of a and of b: the least products first
			for i := 0; i < partPieces && from+4*i < len(sums); i++ {
				at := registerCoord(acc, from+4*i)
				x, y := a.pieceParts([]int{at[0], k}, 4), b.pieceParts([]int{k, at[1]}, 2)
				if product == 0 {
					list = append(list, l.b.Compose(zero, zero, zero, zero))
				}
				list[i] = l.b.MMA(dtype.F32, x[which[0]], y[which[1]], list[i])
			}
		}
		for i, sum := range list {
			for j := range 4 {
				at := from + 4*i + j
				sums[at] = l.b.Binary(simt.Add, sums[at], l.b.Extract(sum, j))
				sums[at].Hint = "acc"
			}
		}
	}
}

// pieceParts are the big and the small parts of a piece's words.
func (f *fragments) pieceParts(at []int, n int) [2]*simt.Value {
	first := f.loaded(at, n)
	parts, ok := f.parts[first]
	if !ok {
		var words [2][]*simt.Value
		for _, word := range f.words[first : first+n] {
			big, small := f.l.tf32Parts(word)
			words[0], words[1] = append(words[0], big), append(words[1], small)
		}
		parts = [2]*simt.Value{f.l.b.Compose(words[0]...), f.l.b.Compose(words[1]...)}
		f.parts[first] = parts
	}
	return parts
}

// tf32Parts splits an F32, given by its bits, into a TF32 and what is left.
func (l *lowerer) tf32Parts(word *simt.Value) (big, small *simt.Value) {
	bits := func(n uint32) *simt.Value { return l.b.Const(simt.Scalar(dtype.U32), float64(n)) }
	half := l.b.Binary(simt.Add, word, bits(1<<(tf32Bits-1))) // rounds halves away from zero
	big = l.b.Binary(simt.And, half, bits(^uint32(1<<tf32Bits-1)))
	small = l.b.Binary(simt.Sub, l.bitsAs(word, dtype.F32), l.bitsAs(big, dtype.F32))
	return big, l.bitsAs(small, dtype.U32)
}
