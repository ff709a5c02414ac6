package reference

import "math"

// Blocks is a matrix of Rows × Cols whose blocks of Block elements share a number; a
// Block of 0 is all of a dimension.
type Blocks struct {
	Rows, Cols int
	Block      [2]int
}

// Of is the number of the block of element i of the matrix, counted row by row, and how many blocks there are.
func (b Blocks) Of(i int) (block, blocks int) {
	count, at := [2]int{1, 1}, [2]int{i / max(b.Cols, 1), i % max(b.Cols, 1)}
	for d, size := range [2]int{b.Rows, b.Cols} {
		if b.Block[d] == 0 {
			at[d] = 0
		} else {
			at[d] /= b.Block[d]
			count[d] = size / b.Block[d]
		}
	}
	return at[0]*count[1] + at[1], count[0] * count[1]
}

// Quantize returns the affine quantisation of a matrix: the quotients x/scale before they are rounded, and scales and zero points of its
// blocks. Ranges are widened to hold 0; those without zero points are symmetric and leave out the least integer.
func Quantize(b Blocks, x []float64, bits int, asymmetric bool) (quotients, scales, zeros []float64) {
	_, n := b.Of(0)
	lo, hi := make([]float64, n), make([]float64, n)
	for i, v := range x {
		at, _ := b.Of(i)
		lo[at], hi[at] = min(lo[at], v), max(hi[at], v)
	}
	scales, zeros = make([]float64, n), make([]float64, n)
	for i := range scales {
		if asymmetric {
			scales[i] = max((hi[i]-lo[i])/(math.Exp2(float64(bits))-1), 0x1p-126)
			zeros[i] = math.RoundToEven(-lo[i] / scales[i])
		} else {
			scales[i] = max(max(hi[i], -lo[i])/(math.Exp2(float64(bits-1))-1), 0x1p-126)
		}
	}
	quotients = make([]float64, len(x))
	for i, v := range x {
		at, _ := b.Of(i)
		quotients[i] = v / scales[at]
	}
	return quotients, scales, zeros
}

// Dequantize returns (q - zero) · scale; without zero points they are 0.
func Dequantize(b Blocks, q, scales, zeros []float64) []float64 {
	y := make([]float64, len(q))
	for i, v := range q {
		at, _ := b.Of(i)
		if zeros != nil {
			v -= zeros[at]
		}
		y[i] = v * scales[at]
	}
	return y
}

// QuantizeCodes is Quantize for numbers of which the largest magnitude is given, such as those of a code book. Scales are
// powers of two if that is asked for, by section 6.3 of OCP's "Microscaling Formats (MX) Specification", version 1.0.
func QuantizeCodes(b Blocks, x []float64, largest float64, powersOfTwo bool) (quotients, scales []float64) {
	_, n := b.Of(0)
	scales = make([]float64, n)
	for i, v := range x {
		at, _ := b.Of(i)
		scales[at] = max(scales[at], math.Abs(v))
	}
	for i, v := range scales {
		switch {
		case !powersOfTwo:
			scales[i] = max(v/largest, 0x1p-126)
		case v == 0:
			scales[i] = 0x1p-127
		default:
			scales[i] = math.Ldexp(1, max(math.Ilogb(v)-math.Ilogb(largest), -127))
		}
	}
	quotients = make([]float64, len(x))
	for i, v := range x {
		at, _ := b.Of(i)
		quotients[i] = v / scales[at]
	}
	return quotients, scales
}

// Float8 is the float E4M3 of a code, by table 1 of OCP's "8-bit Floating Point Specification (OFP8)", version 1.0: (-1)^S · 2^(E-7) · (1 + 2^-3 · M), or
// (-1)^S · 2^-6 · (0 + 2^-3 · M) where E is 0. The codes of NaN count on.
func Float8(code int) float64 {
	s, e, m := code>>7, code>>3&15, float64(code&7)/8
	x := math.Ldexp(1+m, e-7)
	if e == 0 {
		x = math.Ldexp(m, -6)
	}
	return math.Copysign(x, 0.5-float64(s))
}

// Nearest is the code of the number in a book that is nearest to x. Between two it is the even code, or else the lesser one; of
// numbers that are equal it is one with the sign of x, or else the least.
func Nearest(book []float32, x float64) (code int) {
	better := func(i, j int) bool {
		a, b := float64(book[i]), float64(book[j])
		near, far := math.Abs(x-a), math.Abs(x-b)
		switch {
		case near != far:
			return near < far
		case a == b:
			right := math.Signbit(a) == math.Signbit(x)
			return right && math.Signbit(b) != math.Signbit(x)
		case i%2 != j%2:
			return i%2 == 0
		}
		return i < j
	}
	for i := range book {
		if better(i, code) {
			code = i
		}
	}
	return code
}
