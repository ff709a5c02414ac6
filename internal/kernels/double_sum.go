package kernels

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// productSum computes x*y + z of tiles of F64.
type productSum func(x, y, z *tile.Value) *tile.Value

// onceRounded is productSum with a single rounding: by one op, or by sums and products that are rounded alone where the op may round twice, as Vulkan's may. The
// second is an algorithm of S. Boldo and G. Melquiond, "Emulation of a FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd", 2008; nothing
// may overflow or be lost below the least normal number.
func onceRounded(apart bool) productSum {
	if !apart {
		return func(x, y, z *tile.Value) *tile.Value { return x.FMA(y, z) }
	}
	return func(x, y, z *tile.Value) *tile.Value {
		high, low := exactProduct(x, y)
		middle, least := exactSum(z, low)
		most, rest := exactSum(high, middle)
		return most.Add(oddSum(least, rest))
	}
}

// exactSum is x + y and what its rounding left out (D. E. Knuth, "The Art of Computer Programming", volume 2, theorem 4.2.2B).
func exactSum(x, y *tile.Value) (sum, rest *tile.Value) {
	sum = x.Add(y)
	part := sum.Sub(x)
	return sum, x.Sub(sum.Sub(part)).Add(y.Sub(part))
}

// exactProduct is x * y and what its rounding left out, by the products of halves (T. J. Dekker, "A Floating-Point Technique for Extending the Available
// Precision", 1971).
func exactProduct(x, y *tile.Value) (product, rest *tile.Value) {
	halves := func(x *tile.Value) (high, low *tile.Value) { // of 26 bits and a sign each
		high = x.Bitcast(dtype.U64).Add(1 << 26).Shr(27).Shl(27).Bitcast(dtype.F64)
		return high, x.Sub(high)
	}
	product = x.Mul(y)
	x1, x0 := halves(x)
	y1, y0 := halves(y)
	return product, x1.Mul(y1).Sub(product).Add(x1.Mul(y0)).Add(x0.Mul(y1)).Add(x0.Mul(y0))
}

// oddSum is x + y, or of the two numbers next to it the one whose last bit is 1.
func oddSum(x, y *tile.Value) *tile.Value {
	sum, rest := exactSum(x, y)
	bits := sum.Bitcast(dtype.U64)
	k := x.Builder()
	away := bits.Xor(rest.Bitcast(dtype.U64)).Shr(63).Eq(0) // the rest makes the sum larger in magnitude
	next := k.Where(away, bits.Add(1), bits.Sub(1))
	inexact := rest.Bitcast(dtype.U64).Shl(1).Ne(0)
	return k.Where(inexact.And(bits.And(1).Eq(0)), next, bits).Bitcast(dtype.F64)
}
