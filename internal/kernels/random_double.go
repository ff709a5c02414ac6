package kernels

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// bits53 are two tiles of U64 of 53 bits each, the upper ones of pairs of words, of which the first one is the upper one.
func bits53(w [4]*tile.Value) [2]*tile.Value {
	pair := func(high, low *tile.Value) *tile.Value {
		return high.Cast(dtype.U64).Shl(32).Or(low.Cast(dtype.U64)).Shr(11)
	}
	return [2]*tile.Value{pair(w[0], w[1]), pair(w[2], w[3])}
}

// normal64 is normal of F64. Sums of products are fused alone, which are rounded in one way everywhere, as divisions and roots of F64 are.
func normal64(k *tile.Builder, fma productSum, w [4]*tile.Value) []*tile.Value {
	bits := bits53(w)
	radius := logOf53(k, fma, bits[0]).Mul(-2).Sqrt()
	quadrant := bits[1].Shr(51).Cast(dtype.I32)
	place := bits[1].And(1<<51 - 1).Shl(1).Or(1) // within the quadrant, in steps of 2^-52, an odd number
	one := k.Full(dtype.U64, 1<<52, place.Type().Shape...)
	cosine, sine := sineOf(fma, one.Sub(place)), sineOf(fma, place)
	odd := quadrant.And(1).Eq(1)
	x, y := k.Where(odd, sine, cosine), k.Where(odd, cosine, sine)
	x, y = radius.Mul(x), radius.Mul(y)
	return []*tile.Value{k.Where(quadrant.Add(1).And(2).Eq(2), x.Neg(), x), k.Where(quadrant.Ge(2), y.Neg(), y)}
}

// logOf53 is the logarithm of (n+1)·2^-53 for n of 53 bits: that of a power of two and twice the inverse hyperbolic tangent of (f-1)/(f+1) for a factor f
// from 1/√2 to √2, a series of which the eleventh term is below 2^-60 of the first.
func logOf53(k *tile.Builder, fma productSum, n *tile.Value) *tile.Value {
	word := n.Add(1).Cast(dtype.F64).Bitcast(dtype.U64)
	exponent := word.Shr(52).Cast(dtype.I32).Sub(1023 + 53)
	f := word.And(1<<52 - 1).Or(0x3ff << 52).Bitcast(dtype.F64)
	large := f.Gt(math.Sqrt2)
	f, exponent = k.Where(large, f.Mul(0.5), f), k.Where(large, exponent.Add(1), exponent)
	s := f.Sub(1).Div(f.Add(1))
	var series []float64
	for i := range 11 {
		series = append(series, 1/float64(2*i+1))
	}
	log := s.Mul(2).Mul(polynomial(fma, s.Mul(s), series))
	return fma(exponent.Cast(dtype.F64), k.Full(dtype.F64, math.Ln2, log.Type().Shape...), log)
}

// sineOf is the sine of n·2^-52 quarters of a revolution, n up to 2^52: its series, of which the twelfth term is below 2^-59.
func sineOf(fma productSum, n *tile.Value) *tile.Value {
	x := n.Cast(dtype.F64).Mul(0x1p-52)
	var series []float64
	for i, c := 0, math.Pi/2; i < 11; i++ {
		series = append(series, c)
		c *= -(math.Pi / 2) * (math.Pi / 2) / float64((2*i+2)*(2*i+3))
	}
	return x.Mul(polynomial(fma, x.Mul(x), series))
}

// polynomial is that of coefficients, the constant one first.
func polynomial(fma productSum, x *tile.Value, coefficients []float64) *tile.Value {
	number := func(i int) *tile.Value { return x.Builder().Full(dtype.F64, coefficients[i], x.Type().Shape...) }
	last := len(coefficients) - 1
	sum := number(last)
	for i := last - 1; i >= 0; i-- {
		sum = fma(sum, x, number(i))
	}
	return sum
}
