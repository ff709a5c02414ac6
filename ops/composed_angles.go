package ops

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// tan is the quotient of sine and cosine.
func tan(in []*tile.Value) *tile.Value { return in[0].Sin().Div(in[0].Cos()) }

// tanUlps follows from the absolute error 2^-22 of the two: where the tangent is above 1, it is relative to the cosine.
func tanUlps(x []float64) float64 {
	return 4 + 8/max(math.Abs(math.Cos(x[0]))-0x1p-21, 0x1p-40)
}

// atanPowers are the coefficients, from that of z⁴ on, of a polynomial p such that t·(1 + z·p(z)) with z = t² is within 2.4e-9·t of atan t for
// t up to tan(π/8): an interpolation at Chebyshev's points.
var atanPowers = []float64{-0.06451718869829073, 0.10743668325018578, -0.14263949753629818, 0.19999540314959052, -0.33333331760434565}

// atanOf is the arc tangent of t from 0 to 1. Above tan(π/8) it is π/4 + atan((t-1)/(t+1)).
func atanOf(t *tile.Value) *tile.Value {
	k := t.Builder()
	large := t.Gt(math.Sqrt2 - 1)
	u := k.Where(large, t.Sub(1).Div(t.Add(1)), t)
	z := u.Mul(u)
	p := z.FMA(atanPowers[0], atanPowers[1])
	for _, c := range atanPowers[2:] {
		p = p.FMA(z, c)
	}
	y := u.Mul(z).FMA(p, u)
	return k.Where(large, y.Add(math.Pi/4), y)
}

func atan(in []*tile.Value) *tile.Value {
	x := in[0]
	k, size := x.Builder(), x.Abs()
	large := size.Gt(1)
	y := atanOf(k.Where(large, f32(k, 1).Div(size), size))
	y = withSign(k.Where(large, f32(k, math.Pi/2).Sub(y), y), x)
	return k.Where(x.IsNaN(), x, y)
}

// atan2 is the angle of the point x, y: of zeros and infinities as in C99, annex F.
func atan2(in []*tile.Value) *tile.Value {
	y, x := in[0], in[1]
	k, a, b := y.Builder(), y.Abs(), x.Abs()
	large := a.Maximum(b)
	t := fraction(a.Minimum(b), large)
	t = k.Where(isInf(large), k.Where(a.Eq(b), f32(k, 1), f32(k, 0)), k.Where(large.Eq(0), f32(k, 0), t))
	angle := atanOf(t)
	angle = k.Where(a.Gt(b), f32(k, math.Pi/2).Sub(angle), angle)
	angle = k.Where(negative(x), f32(k, math.Pi).Sub(angle), angle)
	return k.Where(y.IsNaN().Or(x.IsNaN()), nan(k), withSign(angle, y))
}

// fraction is a quotient of at most 1 of numbers of any sizes: devices divide by those from 2^-126 to 2^126 alone.
func fraction(x, by *tile.Value) *tile.Value {
	k := x.Builder()
	scale := k.Where(by.Ge(0x1p64), f32(k, 0x1p-64), k.Where(by.Lt(0x1p-64), f32(k, 0x1p64), f32(k, 1)))
	return x.Mul(scale).Div(by.Mul(scale))
}

// leg is √(1-x²) of x from -1 to 1.
func leg(x *tile.Value) *tile.Value {
	return f32(x.Builder(), 1).Sub(x).Mul(x.Add(1)).Maximum(0).Sqrt()
}

// outside is y, but NaN where a condition does not hold, or x is one.
func outside(x, y, inside *tile.Value) *tile.Value {
	k := x.Builder()
	return k.Where(inside.And(x.IsNaN().Not()), y, nan(k))
}

func asin(in []*tile.Value) *tile.Value {
	x := in[0]
	return outside(x, atan2([]*tile.Value{x, leg(x)}), x.Abs().Le(1))
}

func acos(in []*tile.Value) *tile.Value {
	x := in[0]
	return outside(x, atan2([]*tile.Value{leg(x), x}), x.Abs().Le(1))
}

// halves are e^|x|/2 and e^-|x|/2, of which the first one overflows no sooner than the result.
func halves(x *tile.Value) (up, down *tile.Value) {
	root := x.Abs().Mul(0.5).Exp()
	return root.Mul(0.5).Mul(root), f32(x.Builder(), 0.5).Div(root).Div(root)
}

// sinh subtracts the halves where they differ enough, else it is (e + e/(e+1))/2 of e = e^|x| - 1.
func sinh(in []*tile.Value) *tile.Value {
	x := in[0]
	up, down := halves(x)
	e := x.Abs().Minimum(1).Expm1()
	near := e.Add(e.Div(e.Add(1))).Mul(0.5)
	k := x.Builder()
	return k.Where(x.IsNaN(), x, withSign(k.Where(x.Abs().Gt(1), up.Sub(down), near), x))
}

func cosh(in []*tile.Value) *tile.Value {
	up, down := halves(in[0])
	return up.Add(down)
}

const squares = 0x1p28 // from where on x² + 1 is x²

// asinh is ln(|x| + √(x²+1)), as 1 and what is added.
func asinh(in []*tile.Value) *tile.Value {
	x := in[0]
	k, size := x.Builder(), x.Abs()
	a := size.Minimum(squares)
	square := a.Mul(a)
	near := a.Add(square.Div(square.Add(1).Sqrt().Add(1))).Log1p()
	y := k.Where(size.Gt(squares), size.Log().Add(math.Ln2), near)
	return k.Where(x.IsNaN(), x, withSign(y, x))
}

// acosh is ln(x + √(x²-1)) of x from 1, as 1 and what is added.
func acosh(in []*tile.Value) *tile.Value {
	x := in[0]
	k := x.Builder()
	t := x.Minimum(squares).Sub(1).Maximum(0)
	near := t.Add(t.Mul(t.Add(2)).Sqrt()).Log1p()
	return outside(x, k.Where(x.Gt(squares), x.Log().Add(math.Ln2), near), x.Ge(1))
}

// atanh is ln((1+|x|) / (1-|x|))/2, as 1 and what is added.
func atanh(in []*tile.Value) *tile.Value {
	x := in[0]
	k, size := x.Builder(), x.Abs()
	y := size.Mul(2).Div(f32(k, 1).Sub(size)).Log1p().Mul(0.5)
	y = k.Where(size.Eq(1), k.Const(dtype.U32, infinityBits).Bitcast(dtype.F32), y)
	return outside(x, withSign(y, x), size.Le(1))
}
