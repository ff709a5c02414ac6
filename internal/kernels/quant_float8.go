package kernels

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// The floats E4M3: 8 is the code of the least normal number, 2^-6, and numbers below it are multiples of 2^-9.
const (
	leastFloat8    = 0x1p-6
	leastCode8     = 8
	sign8          = 1 << 7
	mostFloat8     = 448
	mantissa8      = 20                   // bits of F32's mantissa below those of E4M3
	bias8          = (127 - 7) << 3       // what the exponents differ by, as codes
	subnormalMagic = 0x1p14               // whose last bit is 2^-9: see magic
	subnormalBits  = magicBits - 9<<23    // the same as bits of F32
	float8Cost     = 8                    // operations that a number takes more than an integer does, either way
	halfFloat8     = 1<<(mantissa8-1) - 1 // with the last bit that stays, what is added to round to the nearest
)

// float8Values are the numbers by code.
func float8Values() []float32 {
	values := make([]float32, 2*sign8)
	for code := range sign8 {
		exponent, mantissa := max(code>>3, 1), code&7
		if code >= leastCode8 {
			mantissa |= 8
		}
		x := float32(math.Ldexp(float64(mantissa), exponent-10))
		values[code], values[code|sign8] = x, float32(math.Copysign(float64(x), -1))
	}
	return values
}

// decodeFloat8 is the numbers in F32 that codes, of U32, stand for. What is subnormal in 8 bits is an integer: shaders may take a subnormal number of F32 for 0. The
// compiler recognises floats whose bits only have to be moved, and does that where it makes pairs of 16 bits.
func decodeFloat8(k *tile.Builder, code *tile.Value) *tile.Value {
	magnitude := code.And(sign8 - 1)
	normal := magnitude.Add(bias8).Shl(mantissa8).Bitcast(dtype.F32)
	subnormal := magnitude.Or(subnormalBits).Bitcast(dtype.F32).Sub(subnormalMagic)
	x := k.Where(magnitude.Lt(leastCode8), subnormal, normal)
	return x.Bitcast(dtype.U32).Xor(code.Shl(24).And(signBit)).Bitcast(dtype.F32)
}

// encodeFloat8 is the codes, of U32, of the numbers next to x, of F32, ties to even; x beyond the largest gets that.
func encodeFloat8(k *tile.Builder, x *tile.Value) *tile.Value {
	magnitude := x.Abs().Minimum(mostFloat8)
	bits := magnitude.Bitcast(dtype.U32)
	normal := bits.Add(bits.Shr(mantissa8).And(1).Add(halfFloat8)).Shr(mantissa8).Sub(bias8)
	subnormal := magnitude.Mul(leastCode8 / leastFloat8).Round().Cast(dtype.U32)
	return k.Where(magnitude.Lt(leastFloat8), subnormal, normal).Or(x.Bitcast(dtype.U32).Shr(24).And(sign8))
}
