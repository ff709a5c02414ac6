package kernels

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// normal is the transform of Box and Muller, A Note on the Generation of Random Normal Deviates, 1958:
// two words give radius and angle of a point of the plane. It counts in integers, since floats are rounded in ways
// of each device's own. Below Q26 stands for words that count steps of 2^-26.
func normal(k *tile.Builder, cfg RandomConfig, w [4]*tile.Value) []*tile.Value {
	if cfg.Elem == dtype.F64 {
		return normal64(k, onceRounded(cfg.Apart), w)
	}
	z := make([]*tile.Value, 4)
	f := fixed{k, w[0].Type().Shape}
	for i := 0; i < 4; i += 2 {
		root, shift := f.radius(w[i])
		quadrant, cosine, sine := f.direction(w[i+1])
		half := f.word(1).Shl(shift.Sub(1))
		x := root.MulHi(cosine).Add(half).Shr(shift).Bitcast(dtype.I32) // Q21, to the nearest
		y := root.MulHi(sine).Add(half).Shr(shift).Bitcast(dtype.I32)
		odd := quadrant.And(1).Eq(1)
		x, y = k.Where(odd, y, x), k.Where(odd, x, y)
		x = k.Where(quadrant.Add(1).And(2).Eq(2), x.Neg(), x)
		y = k.Where(quadrant.Ge(2), y.Neg(), y)
		for j, v := range []*tile.Value{x, y} {
			z[i+j] = v.Cast(dtype.F32).Mul(0x1p-21).Cast(cfg.Elem) // below 2^24 steps: exact in F32
		}
	}
	return z
}

// fixed computes with tiles of U32 of one shape.
type fixed struct {
	k     *tile.Builder
	shape []int
}

// word is a tile of one number.
func (f fixed) word(x uint32) *tile.Value { return f.k.Full(dtype.U32, float64(x), f.shape...) }

// neg is -v, and so 1-v in Q32.
func (f fixed) neg(v *tile.Value) *tile.Value { return f.word(0).Sub(v) }

// radius is √(-2 ln u) for u = (w|1)/2^32, as root · 2^(8-shift) with root in Q30, from ½ to 1 or 0.
func (f fixed) radius(w *tile.Value) (root, shift *tile.Value) {
	const (
		log2   = 93032640 // 2 ln 2 in Q26
		log4_3 = 38612034 // 2 ln 4/3 in Q26
	)
	u, zeros := f.normalized(w.Or(1), 1)
	low := u.Lt(3 << 30) // below ¾, which 4/3 brings up, so that the series is short
	t := f.neg(f.k.Where(low, u.Add(u.MulHi(0x55555555)), u))
	// -ln(1-t)/t for t up to 1/3, in Q31: interpolation at Chebyshev's points, exact to 2^-31
	log := t.MulHi(f.horner(t, 2147483648, 1073741631, 715843190, 536408076, 436428952, 300522885, 578627599, -444783536, 1124302513))

	near := zeros.Eq(0).And(low.Not()) // the square is small: Q30 holds it
	square := zeros.Mul(log2).Add(f.k.Where(low, f.word(log4_3), 0)).Add(log.Shr(4))
	y, pairs := f.normalized(f.k.Where(near, log, square), 2)
	// 1/√y in Q30, by Newton's method from the line that is best from ¼ to 1
	inverse := f.word(2289754408).Sub(y.MulHi(1307280671))
	for range 4 {
		inverse = inverse.MulHi(f.word(3 << 30).Sub(inverse.MulHi(inverse).MulHi(y).Shl(2))).Shl(1)
	}
	return y.MulHi(inverse), pairs.Add(f.k.Where(near, f.word(7), 5))
}

// normalized shifts v left until one of its upper step bits is set, by count times step bits, where step is 1 or 2.
func (f fixed) normalized(v *tile.Value, step int) (shifted, count *tile.Value) {
	count = f.word(0)
	for bits := 16; bits >= step; bits /= 2 {
		small := v.Lt(1 << (32 - bits))
		v, count = f.k.Where(small, v.Shl(bits), v), f.k.Where(small, count.Add(bits/step), count)
	}
	return v, count
}

// direction takes w for the angle of (w+½)/2^32 revolutions: its quadrant, and cosine and sine within that, in Q31.
func (f fixed) direction(w *tile.Value) (quadrant, cosine, sine *tile.Value) {
	// sin(πx/2)/x in x², in Q31: interpolation at Chebyshev's points, exact to 2^-35
	sin := func(x *tile.Value) *tile.Value {
		return x.MulHi(f.horner(x.MulHi(x), 3373259426, -1387197332, 171138563, -10053783, 344144, -7370))
	}
	x := w.Shl(2).Or(2)
	return w.Shr(30), sin(f.neg(x)), sin(x)
}

// horner evaluates a polynomial of x in Q32, whose partial sums must have the signs of the coefficients.
func (f fixed) horner(x *tile.Value, coefficients ...int) *tile.Value {
	var sum *tile.Value
	negative := false
	for i := len(coefficients) - 1; i >= 0; i-- {
		c := coefficients[i]
		size := f.word(uint32(max(c, -c)))
		switch {
		case sum == nil:
			sum = size
		case negative == (c < 0):
			sum = size.Add(sum.MulHi(x))
		default:
			sum = size.Sub(sum.MulHi(x))
		}
		negative = c < 0
	}
	return sum
}
