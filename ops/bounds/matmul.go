package bounds

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// MatMul is the largest error of one element of a product over k terms,
// given the exact element of the rounded operands and the sum of its terms'
// magnitudes: sums in F32 in any order, then one rounding to the result's element type.
// TF32 products add 2^-9 of the magnitudes, since matrix instructions cut both operands off, and TF32x3 products 2^-20, for
// operands whose magnitudes are between 2^-116 and 2^127. Sums of integers are exact while their magnitudes stay
// below 2^31: k is 0 for them, or 1 if the result is a float type, to which they are converted by way of F32.
func MatMul(elem weft.DType, precision tile.Precision, k int, element, magnitudes float64) float64 {
	sums := ProductSum(elem, precision, k, magnitudes)
	return sums + elem.Epsilon()*(math.Abs(element)+sums) + Smallest(elem)
}

// MatMulSum is the part of MatMul that the sums have before they are rounded to the
// result's type: what an epilogue gets. Each linear step then adds a rounding of F32 of its result.
func MatMulSum(precision tile.Precision, k int, magnitudes float64) float64 {
	if k <= 0 {
		return 0
	}
	products := map[tile.Precision]float64{tile.TF32: 0x1p-9, tile.TF32x3: 0x1p-20}[precision]
	return (RelativeSum(k) + products) * magnitudes
}

// ProductSum is MatMulSum of operands whose results have an element type, for F64 of sums in F64.
func ProductSum(elem weft.DType, precision tile.Precision, k int, magnitudes float64) float64 {
	switch {
	case elem != weft.F64:
		return MatMulSum(precision, k, magnitudes)
	case k <= 0:
		return 0
	}
	return relativeSum(elem, k) * magnitudes
}

// RelativeSum is the error of an F32 sum of n terms, relative to the sum of their
// magnitudes: n roundings at worst. For many terms it takes the roundings to be
// independent, as they are for data without structure; then the error stays below
// 8 sqrt(n) units with a probability that leaves no practical doubt (Higham and
// Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019).
func RelativeSum(n int) float64 {
	x := float64(max(n, 0)) + 1
	return min(x, 8*math.Sqrt(x)) * dtype.F32.Epsilon()
}

// relativeSum is RelativeSum of elements of a type, which for F64 is one in F64. References in float64 have errors of that size
// themselves, so that the bound is twice as large.
func relativeSum(elem weft.DType, n int) float64 {
	unit := 1.0
	if elem == weft.F64 {
		unit = 2 * elem.Epsilon() / dtype.F32.Epsilon()
	}
	return unit * RelativeSum(n)
}
