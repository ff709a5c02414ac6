package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Pow returns a to the power b, for floats and integers, with NumPy's (C99, annex F.10.4.4) special values:
// x^0 and 1^x are 1 even for NaN; a negative base with a whole exponent keeps its sign if that is odd, with another
// exponent it gives NaN; 0 with a negative exponent is infinite. Integers wrap; a negative exponent
// of one gives 1/x^|b| truncated, and 0 for x = 0.
//
// Floats are computed in F32, F64 in F64: by multiplications for whole exponents up to 15, exact as long as no product needs
// rounding, else as 2^(b·log₂|a|). The error is that of ElementwiseOp.Bound: the multiplications' roundings, or those of
// log₂ and exp2 as WGSL allows them, which grow with |b| and with the result's logarithm.
func Pow(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("pow", a, b) }

// PowInto is Pow into a given tensor.
func PowInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("pow", out, a, b) }

// multiplied is the largest exponent for which floats are multiplied, 2^n - 1.
const multiplied = 15

func pow(in []*tile.Value) *tile.Value {
	a, b := in[0], in[1]
	switch elem := a.Type().Elem; {
	case elem.IsInt():
		return powInt(a, b)
	case elem != elem.Accumulator():
		return powFloat(a.Cast(dtype.F32), b.Cast(dtype.F32)).Cast(elem)
	}
	return powFloat(a, b)
}

// powInt squares and multiplies in a loop, over the bits of b.
func powInt(a, b *tile.Value) *tile.Value {
	k, elem := a.Builder(), a.Type().Elem
	zero := a.Sub(a)
	one := zero.Add(1)
	result, x, rest := k.Var(one), k.Var(a), k.Var(b)
	for range k.Range(8 * elem.Size()) {
		result.Set(k.Where(rest.Get().And(1).Ne(0), result.Get().Mul(x.Get()), result.Get()))
		x.Set(x.Get().Mul(x.Get()))
		rest.Set(rest.Get().Shr(1))
	}
	if !elem.IsSigned() {
		return result.Get()
	}
	odd := b.And(1).Ne(0)
	negative := k.Where(a.Eq(1), one, k.Where(a.Eq(-1), k.Where(odd, a, one), zero))
	return k.Where(b.Lt(0), negative, result.Get())
}

// powFormat is what powFloat knows of a type of floats: the integers of as many bits, patterns of them, the digits of the mantissa, and
// the logarithms of results that are infinite, and those that are 0 below.
type powFormat struct {
	bits                dtype.Type
	one, infinity, sign uint64
	digits              int
	over, under         float64
}

var powFormats = map[dtype.Type]powFormat{
	dtype.F32: {dtype.U32, 0x7f << 23, 0xff << 23, 1 << 31, 24, 128, -150},
	dtype.F64: {dtype.U64, 0x3ff << 52, 0x7ff << 52, 1 << 63, 53, 1024, -1075},
}

func powFloat(a, b *tile.Value) *tile.Value {
	k, size, exponent, elem := a.Builder(), a.Abs(), b.Abs(), a.Type().Elem
	f := powFormats[elem]
	bits := func(x *tile.Value) *tile.Value { return x.Bitcast(f.bits) }
	isNaN := func(x *tile.Value) *tile.Value { return bits(x).And(f.sign - 1).Gt(f.infinity) }
	constant := func(pattern uint64) *tile.Value { return bits(a).And(0).Or(pattern).Bitcast(elem) }
	zero, one, inf := constant(0), constant(f.one), constant(f.infinity)

	whole := exponent.Ge(math.Ldexp(1, f.digits-1)).Or(b.Floor().Eq(b)) // where all floats are
	half := b.Mul(0.5)
	odd := whole.And(exponent.Lt(math.Ldexp(1, f.digits))).And(half.Floor().Ne(half))

	// The size of the result: 2^(b·log₂|a|), clear of what devices make of logarithms of 0 and of infinities.
	log := b.Mul(size.Log2())
	result := k.Where(log.Ge(f.over), inf, k.Where(log.Lt(f.under), zero, log.Exp2()))
	n, x, power := exponent.Minimum(multiplied).Cast(dtype.I32), size, one
	for bit := 1; bit <= multiplied; bit *= 2 {
		power = k.Where(n.And(bit).Ne(0), power.Mul(x), power)
		x = x.Mul(x)
	}
	result = k.Where(whole.And(exponent.Le(multiplied)), k.Where(b.Lt(0), one.Div(power), power), result)
	up := size.Gt(1).Eq(b.Gt(0)) // it grows with |b|
	huge := bits(exponent).Eq(f.infinity)
	extreme := size.Eq(0).Or(bits(size).Eq(f.infinity)).Or(huge)
	result = k.Where(extreme, k.Where(up, inf, zero), result)

	result = k.Where(odd.And(bits(a).Ge(f.sign)), result.Neg(), result)
	undefined := a.Lt(0).And(whole.Not()).And(bits(size).Lt(f.infinity))
	result = k.Where(undefined.Or(isNaN(a)).Or(isNaN(b)), constant(f.infinity|f.infinity>>1), result)
	return k.Where(size.Eq(1).And(a.Gt(0).Or(huge)).Or(bits(exponent).Eq(0)), one, result)
}

// powUlps is the error of Pow in F32: a rounding and a half for each of |b| multiplications and a division; or b
// times the error of the logarithm, which is 3 units and 2^-21 absolute near 1, and that of exp2, 3 + 2·|log₂| units.
func powUlps(x []float64) float64 {
	a, b := math.Abs(x[0]), math.Abs(x[1])
	if b == math.Floor(b) && b <= multiplied {
		return b + 3
	}
	return 3 + 4*b + 6*b*math.Abs(math.Log2(a))
}

// exactPow is Pow of floats, and of integers that float64 holds.
func exactPow(x []float64) float64 { return math.Pow(x[0], x[1]) }
