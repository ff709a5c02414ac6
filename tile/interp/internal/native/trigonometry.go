package native

import (
	"math"

	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// Sin and Cos are within 2^-22 for all numbers; of infinities they are NaN. A number is a multiple of π/2 and what remains, of which there are polynomials.
func (l *Loop) Sin(x Value) Value {
	quadrant, r := l.quarterTurns(l.Abs(x))
	return l.Xor(l.wave(x, quadrant, r), l.And(x, l.Bits(1<<31)))
}

func (l *Loop) Cos(x Value) Value {
	quadrant, r := l.quarterTurns(l.Abs(x))
	return l.wave(x, l.Three(vector.AddI, quadrant, l.Bits(1)), r)
}

// wave is the sine of quadrant·π/2 + r, or NaN where x is not finite. The polynomials are those of Cephes.
func (l *Loop) wave(x, quadrant, r Value) Value {
	z := l.Mul(r, r)
	sine := l.FMA(l.Mul(z, r), l.polynomial(z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1), r)
	cosine := l.FMA(l.Mul(z, z), l.polynomial(z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2), l.FNMA(z, l.Float(0.5), l.Float(1)))
	odd := l.Equal(l.And(quadrant, l.Bits(1)), l.Bits(1))
	y := l.Xor(l.Select(odd, cosine, sine), l.Shift(vector.ShiftLeft, l.And(quadrant, l.Bits(2)), 30))
	finite := l.Compare(vector.Lt, l.Abs(x), l.Float(float32(math.Inf(1))))
	return l.Select(finite, y, l.Bits(0x7fc00000))
}

// quarterTurns gives n, modulo 4, and r within about π/4 of 0 with x = n·π/2 + r, for x ≥ 0.
func (l *Loop) quarterTurns(x Value) (n, r Value) {
	// π/2 in parts, of which the first has so few bits that its product with n is exact together with x.
	const first, second, third = 0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50
	turns := l.Round(l.Mul(x, l.Float(2/math.Pi)), vector.Nearest)
	near := l.FNMA(turns, l.Float(third), l.FNMA(turns, l.Float(second), l.FNMA(turns, l.Float(first), x)))
	farN, far := l.farTurns(x)
	large := l.Compare(vector.Le, l.Float(0x1p16), x)
	return l.Select(large, farN, l.Two(vector.NearestI, turns)), l.Select(large, far, near)
}

// twoByPi are bits of 2/π after 32 zeros, by words.
var twoByPi = [...]uint32{0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041}

// farTurns is quarterTurns for numbers from 2^16 on, m·2^e with m of 24 bits (M. Payne and R. Hanek, Radian Reduction for Trigonometric Functions, 1983). Of the
// product of m and 2/π only the bits of 2/π matter that do not give multiples of 4: 64 of them are taken.
func (l *Loop) farTurns(x Value) (n, r Value) {
	const bias = 150                                                                 // of e
	at := l.Three(vector.SubI, l.Shift(vector.ShiftRight, x, 23), l.Bits(bias+2-32)) // of the first bit
	m := l.Or(l.And(x, l.Bits(1<<23-1)), l.Bits(1<<23))
	word, bit := l.Shift(vector.ShiftRight, at, 5), l.And(at, l.Bits(31))
	rest := l.Three(vector.SubI, l.Bits(32), bit)
	pick := func(after int) Value {
		w := l.Bits(twoByPi[after])
		for i := 1; i+after < len(twoByPi); i++ {
			w = l.Select(l.Equal(word, l.Bits(uint32(i))), l.Bits(twoByPi[i+after]), w)
		}
		return w
	}
	a, b, c := pick(0), pick(1), pick(2)
	high := l.Or(l.Three(vector.ShiftLeft, a, bit), l.Three(vector.ShiftRight, b, rest))
	low := l.Or(l.Three(vector.ShiftLeft, b, bit), l.Three(vector.ShiftRight, c, rest))
	turns := l.Three(vector.AddI, l.Three(vector.MulI, m, high), l.MulHigh(m, low)) // modulo 4, in units of 2^-30
	n = l.Shift(vector.ShiftRight, l.Three(vector.AddI, turns, l.Bits(1<<29)), 30)
	r = l.Two(vector.FloatOfI, l.Three(vector.SubI, turns, l.Shift(vector.ShiftLeft, n, 30)))
	return n, l.Mul(r, l.Float(math.Pi/2*0x1p-30))
}
