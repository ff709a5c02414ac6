package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Where cooperative matrices are of BF16 and not of F32, an operand x of F32 is taken in two parts: big is x rounded to the 8 bits of BF16, and small is
// x - big, which F32 holds exactly, without its low bits. Of x, 2^-15 is lost at most, and small is at most 2^-8 of it. With small * small left out, a product
// is within 5 * 2^-16 of its magnitude; TF32 allows 2^-9. Big is finite, so that small is infinite, or NaN, where x is, and so is a sum of products of parts.

const (
	mostBFloat = 0x1.fep127 // the largest number of BF16
	bfloatMask = 0xffff0000 // the bits of F32 that BF16 has
)

// bfloatParts splits a tile into the two tiles of its parts, whose elements BF16 holds.
func (l *emitter) bfloatParts(x regs) []regs {
	big, small := emptyRegs(x.dist), emptyRegs(x.dist)
	for i, v := range x.vecs {
		bits := func(n float64) *simt.Value { return l.b.Const(simt.Vector(dtype.U32, v.Type.Width), n) }
		number := func(x float64) *simt.Value { return l.b.Const(v.Type, x) }
		masked := func(word *simt.Value) *simt.Value {
			return l.bitsAs(l.b.Binary(simt.And, word, bits(bfloatMask)), dtype.F32)
		}
		near := l.b.Binary(simt.Max, l.b.Binary(simt.Min, v, number(mostBFloat)), number(-mostBFloat))
		big.vecs[i] = masked(l.b.Binary(simt.Add, l.bitsAs(near, dtype.U32), bits(1<<15))) // rounds halves away from zero
		small.vecs[i] = masked(l.bitsAs(l.b.Binary(simt.Sub, v, big.vecs[i]), dtype.U32))
	}
	return []regs{big, small}
}
