package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/simt"
)

// Integers times scales of F32 stay pairs of 16 bits: a scale is the sum of two floats of that type, of which the second is what the rounding of the first
// leaves, and has nearly twice the bits. Of n·high + n·low the first product is fused with the sum, which is rounded once; the rounding of n·low is 2^-11 of that,
// or 2^-7 of BF16's.
//
// The range of F16 is short: low would be subnormal, and lose bits, for scales that are common. So the integers are multiplied by a power of two where they become
// floats, which takes nothing more and is exact, and the scale by its inverse.

//
// A scale that is a power of two is itself and has no second part.

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
	mostPower  = 0x1p15
)

// pairScale is a scale for pairs of a type; nil is 1. The pairs are to be multiplied by a factor besides, of which times has a part, or all of it.
func (l *emitter) pairScale(scale *simt.Value, e dtype.Type, factor float64) (s pairScale) {
	twice := func(x *simt.Value) *simt.Value { return l.b.Pack(l.b.Splat(x, 2), e) }
	power := scale != nil && isPowerOfTwo(scale)
	switch {
	case scale == nil:
		return s
	case isOf(scale, e):
		return pairScale{high: twice(scale)}
	case e == dtype.F16:
		number := func(x float64) *simt.Value { return l.b.Const(scale.Type, x) }
		most := min(largePower, mostPower/factor)
		large := l.b.Binary(simt.Ge, l.b.Unary(simt.Abs, scale), number(largeScale))
		times := l.b.Select(large, number(factor*most), number(factor*shortPower))
		scale = l.b.Binary(simt.Mul, scale, l.b.Select(large, number(1/most), number(1/shortPower)))
		for _, sign := range []float64{1, -1} { // products are infinite beyond, but not those of 0
			limit, beyond := number(sign*mostF16), simt.Gt
			if sign < 0 {
				beyond = simt.Lt
			}
			over := l.b.Binary(beyond, scale, limit)
			scale = l.b.Select(over, limit, scale)
			if most < largePower {
				times = l.b.Select(over, number(mostF16), times)
			}
			if power {
				break
			}
		}
		s.times = twice(times)
	}
	if s.high = twice(scale); !power {
		s.low = twice(l.b.Binary(simt.Sub, scale, l.b.Extract(l.b.Unpack(s.high, e), 0)))
	}
	return s
}

// takesFactor reports whether pairScale's times can have all of the factor of numbers of which that is the least but 0, positive: where the products of a scale that is a
// power of two are infinite, so are those of what replaces both.
func takesFactor(e dtype.Type, factor, least float64) bool {
	return e == dtype.F16 && factor*shortPower >= 1/mostPower && factor <= mostPower && least*min(largePower, mostPower/factor) >= 1 && least/factor >= 1/mostPower
}

// isPowerOfTwo reports whether a float without a sign is made of bits of the exponent alone: a power of two, or NaN. The least one is 2^-127, which is subnormal.
func isPowerOfTwo(v *simt.Value) bool {
	v, i := simt.LaneOf(v, 0)
	return v.Op != nil && v.Op.Kind == simt.Bitcast && v.Type.Elem == dtype.F32 && areExponents(v.Op.Args[0], i)
}

// areExponents reports it of bits.
func areExponents(v *simt.Value, i int) bool {
	const mantissa, least = 23, 1 << 22
	v, i = simt.LaneOf(v, i)
	if x, ok := codes.Word(v, i); ok {
		return x == least || x&(1<<mantissa-1) == 0 || math.IsNaN(float64(math.Float32frombits(x)))
	}
	if v.Op == nil {
		return false
	}
	switch args := v.Op.Args; v.Op.Kind {
	case simt.Select:
		return areExponents(args[1], i) && areExponents(args[2], i)
	case simt.Max:
		return areExponents(args[0], i) && areExponents(args[1], i)
	case simt.Shl:
		by, ok := codes.Word(args[1], i)
		return ok && by >= mantissa && by < 32
	}
	return false
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
	return l.b.PairFMA(e, x, y, l.constantWord(simt.FillWord(e, math.Copysign(0, -1)))) // -0 changes no sum
}
