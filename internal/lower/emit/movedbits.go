package emit

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Numbers of 4 or 8 bits that are floats of fewer bits than 16, a sign, exponent and mantissa, or integers with a sign, are no table: their bits are moved to where a longer
// float has its own, and what the exponents differ by is a factor, which is exact. What was subnormal in few bits is subnormal in 16, too, and hardware multiplies it.

const signOf16 = 1 << 15

// magnitude is the bits of a code below its sign.
func (x bitTable) magnitude() int { return len(x.numbers)/2 - 1 }

// movedBits is a word of two numbers whose bits are moved, and a factor that they are to be multiplied by; nil if they are no such floats.
func (l *emitter) movedBits(x bitTable, e dtype.Type) (w *simt.Value, factor float64) {
	at, factor, ok := x.asFloats(e)
	if !ok {
		return nil, 1
	}
	moved := func(from, to int, mask uint32) *simt.Value {
		w := x.word
		if from < to {
			w = l.b.Binary(simt.Shl, w, l.constantWord(uint32(to-from)))
		} else if from > to {
			w = l.b.Binary(simt.Shr, w, l.constantWord(uint32(from-to)))
		}
		return l.b.Binary(simt.And, w, l.constantWord(mask|mask<<16))
	}
	return l.b.Binary(simt.Or, moved(x.at+x.width-1, 15, signOf16), moved(x.at, at, uint32(x.magnitude())<<at)), factor
}

// asFloats tells at which bit of a float of 16 bits the magnitudes are, and what the numbers are more than such floats.
func (x bitTable) asFloats(e dtype.Type) (at int, factor float64, ok bool) {
	for at = 0; x.magnitude()<<at < signOf16; at++ {
		one := float16(e, 1<<at)
		factor = float64(math.Float32frombits(x.numbers[1])) / one
		if _, exponent := math.Frexp(factor); math.Abs(factor) == math.Ldexp(0.5, exponent) && isNormal(e, factor) && x.isMoved(e, at, factor) {
			return at, factor, true
		}
	}
	return 0, 0, false
}

// isMoved reports whether all numbers are bits at a place, times a factor.
func (x bitTable) isMoved(e dtype.Type, at int, factor float64) bool {
	for c, number := range x.numbers {
		moved := uint16(c&x.magnitude()) << at
		if c > x.magnitude() {
			moved |= signOf16
		}
		if math.Float32bits(float32(float16(e, moved)*factor)) != number {
			return false
		}
	}
	return true
}

// float16 is the float of a type of 16 bits.
func float16(e dtype.Type, bits uint16) float64 {
	var x [1]float64
	dtype.Floats(e, x[:], []byte{byte(bits), byte(bits >> 8)})
	return x[0]
}

// isNormal reports whether a power of two is a normal number of a type of 16 bits.
func isNormal(e dtype.Type, x float64) bool {
	least, most := 0x1p-14, 0x1p15
	if e == dtype.BF16 {
		least, most = 0x1p-126, 0x1p127
	}
	return math.Abs(x) >= least && math.Abs(x) <= most
}

// wideProducts is a word of the products of a pair and a factor with a scale of F32, rounded as those one by one are. Floats of 8 bits are so far apart that neither they nor
// their scales, times any power of two, are all within what F16 holds, as pairScale needs them.
func (l *emitter) wideProducts(w, scale *simt.Value, factor float64, e dtype.Type) *simt.Value {
	const huge = 0x1p100 // whose products are infinite with the factor and without, but for those of 0
	number := func(x float64) *simt.Value { return l.b.Const(scale.Type, x) }
	isHuge := l.b.Binary(simt.Ge, l.b.Unary(simt.Abs, scale), number(huge))
	scale = l.b.Select(isHuge, scale, l.b.Binary(simt.Mul, scale, number(factor)))
	return l.b.Pack(l.b.Binary(simt.Mul, l.b.Unpack(w, e), l.b.Splat(scale, 2)), e)
}
