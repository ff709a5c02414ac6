package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Integers times scales of F32 stay pairs of 16 bits: a scale is the sum of two floats of that type, of which the second is what the rounding of the first
// leaves, and has nearly twice the bits. Of n·high + n·low the first product is fused with the sum, which is rounded once; the rounding of n·low is 2^-11 of that,
// or 2^-7 of BF16's.
//
// The range of F16 is short: low would be subnormal, and lose bits, for scales that are common. So the integers are multiplied by a power of two where they become
// floats, which takes nothing more and is exact, and the scale by its inverse.

// pairScale is what pairs of integers are multiplied by.
type pairScale struct {
	high, low *simt.Value // words of two equal floats; nil for 1, and without low
	times     *simt.Value // such a word, the power of two that the integers have been multiplied by; nil for 1
}

const (
	shortPower = 0x1p-8 // of integers of at most 8 bits, which low is then exact enough for
	largeScale = 0x1p7  // whose product with the inverse of that would not be far from what F16 holds
	largePower = 0x1p3  // of large ones: no product of an integer and a scale beyond 65504·8 is finite
	mostF16    = 65504
)

// pairScale is a scale for pairs of a type; nil is 1.
func (l *emitter) pairScale(scale *simt.Value, e dtype.Type) (s pairScale) {
	twice := func(x *simt.Value) *simt.Value { return l.b.Pack(l.b.Splat(x, 2), e) }
	switch {
	case scale == nil:
		return s
	case isOf(scale, e):
		return pairScale{high: twice(scale)}
	case e == dtype.F16:
		number := func(x float64) *simt.Value { return l.b.Const(scale.Type, x) }
		large := l.b.Binary(simt.Ge, l.b.Unary(simt.Abs, scale), number(largeScale))
		s.times = twice(l.b.Select(large, number(largePower), number(shortPower)))
		scale = l.b.Binary(simt.Mul, scale, l.b.Select(large, number(1/largePower), number(1/shortPower)))
		for _, sign := range []float64{1, -1} { // products are infinite beyond, but not those of 0
			most, beyond := number(sign*mostF16), simt.Gt
			if sign < 0 {
				beyond = simt.Lt
			}
			scale = l.b.Select(l.b.Binary(beyond, scale, most), most, scale)
		}
	}
	s.high = twice(scale)
	s.low = twice(l.b.Binary(simt.Sub, scale, l.b.Extract(l.b.Unpack(s.high, e), 0)))
	return s
}

// of is a word of two integers, times what they have been multiplied by, times the scale.
func (s pairScale) of(l *emitter, w *simt.Value, e dtype.Type) *simt.Value {
	switch {
	case s.high == nil:
		return w
	case s.low == nil:
		return l.pairProduct(e, w, s.high)
	}
	return l.b.PairFMA(e, w, s.high, l.pairProduct(e, w, s.low))
}

// pairProduct is the product of pairs, of which y may be nil for 1.
func (l *emitter) pairProduct(e dtype.Type, x, y *simt.Value) *simt.Value {
	if y == nil {
		return x
	}
	return l.b.PairFMA(e, x, y, l.constantWord(fillWord(e, math.Copysign(0, -1)))) // -0 changes no sum
}
