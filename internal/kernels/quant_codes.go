package kernels

import (
	"math"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

const signBit = 1 << 31

// decode is the numbers in F32 that codes, of U32, stand for.
//
// Multiples of a power of two, such as FP4, are parts of a word, which a shift finds: six instructions. Shifting FP4's bits into those
// of a float would take one less, but makes ±0.5 a subnormal number, which shaders may take for 0.
//
// Other numbers are selected from constants by one bit after the other, in 20 instructions (11 and the sign's two where there is one), in
// registers. The compiler recognises what depends on 4 bits alone, and picks it from tables where that is faster: from registers or shared memory in CUDA, from shared memory in shaders.
func (b CodeBook) decode(k *tile.Builder, code *tile.Value) *tile.Value {
	if b == FP8 {
		return decodeFloat8(k, code)
	}
	values := b.Values()
	if !b.signed() {
		return selected(k, code, values)
	}
	var x *tile.Value
	if word, shift, ok := b.fixed(); ok {
		// The number becomes the lowest bits of 2^(23-shift): see magic. Shifts are modulo 32, which removes the sign.
		x = k.Shr(word, code.Shl(2)).And(15).Or(magicBits - shift<<23).Bitcast(dtype.F32).Sub(math.Ldexp(magic, -shift))
	} else {
		x = selected(k, code, values[:codes/2])
	}
	return x.Bitcast(dtype.U32).Xor(code.Shl(28).And(signBit)).Bitcast(dtype.F32)
}

// decodeCost is what decode takes more than integers do, in operations as work counts them; 0 of no code book. Shaders look numbers up, which takes as long as finding multiples.
func (b CodeBook) decodeCost(caps target.Caps) float64 {
	switch b {
	case CodeBook{}:
		return 0
	case FP8:
		return float8Cost * integerCost
	}
	if _, _, ok := b.fixed(); ok || plan.LooksUp(caps) {
		return 4 * integerCost
	}
	values, sign := codes, 0
	if b.signed() {
		values, sign = codes/2, 2
	}
	// Half of the choices are fused multiply-adds; each bit is tested, and the first one becomes a number.
	return float64(2*(values/2) + integerCost*(values/2-1+bits.Len(uint(values-1))+1+sign))
}

// isTable reports whether numbers are looked up or selected, and not found by shifts.
func (b CodeBook) isTable() bool {
	_, _, ok := b.fixed()
	return b.ofFour() && !ok
}

// encodeCost is the same of encode: a comparison and a select for each step.
func (b CodeBook) encodeCost() float64 {
	switch {
	case b == CodeBook{}:
		return 0
	case b == FP8:
		return float8Cost * integerCost
	case b.signed():
		return 2 * integerCost * codes / 2
	}
	return 2 * integerCost * codes
}

// selected is the values by the lowest bits of a code. Of two whose codes differ in the lowest bit, the second is the first and that bit times their
// difference, where this is exact: half of the instructions are then those of floats, which GPUs execute at twice the rate of selects, next to them.
func selected(k *tile.Builder, code *tile.Value, values []float32) *tile.Value {
	set := code.And(1).Ne(0)
	odd := k.Where(set, float32(1), float32(0))
	list := make([]*tile.Value, len(values)/2)
	for i := range list {
		even, next := values[2*i], values[2*i+1]
		if d := next - even; isSum(even, 0, even) && isSum(even, d, next) {
			list[i] = odd.FMA(d, even)
		} else {
			list[i] = k.Where(set, next, even)
		}
	}
	for bit := 2; len(list) > 1; bit *= 2 {
		set := code.And(bit).Ne(0)
		for i := range len(list) / 2 {
			list[i] = k.Where(set, list[2*i+1], list[2*i])
		}
		list = list[:len(list)/2]
	}
	return list[0]
}

// isSum reports whether x + y is z, in F32 and to the sign of 0.
func isSum(x, y, z float32) bool { return math.Float32bits(x+y) == math.Float32bits(z) }

// encode is the codes, of U32, of the numbers next to x, of F32; x beyond all numbers gets the outermost.
func (b CodeBook) encode(k *tile.Builder, x *tile.Value) *tile.Value {
	if b == FP8 {
		return encodeFloat8(k, x)
	}
	values, sign := b.Values(), (*tile.Value)(nil)
	if b.signed() {
		values, sign = values[:codes/2], x.Bitcast(dtype.U32).Shr(28).And(codes/2)
		x = x.Abs()
	}
	least, list := steps(values)
	code := k.Full(dtype.U32, least, x.Type().Shape...)
	for _, s := range list {
		above := x.Gt(s.limit)
		if s.included {
			above = x.Ge(s.limit)
		}
		code = k.Where(above, s.code, code)
	}
	if sign != nil {
		code = code.Or(sign)
	}
	return code
}

// powerOfTwo is the numbers 2^(s-127) of bytes s, E8M0 of the Microscaling specification, and NaN of 255.
func powerOfTwo(s *tile.Value) *tile.Value {
	s = s.Cast(dtype.U32)
	bits := s.Shl(23).Maximum(1 << 22) // 2^-127 is subnormal in F32
	return s.Builder().Where(s.Eq(255), 0x7fc00000, bits).Bitcast(dtype.F32)
}

// inverse is the numbers 2^(127-s), which products are exact by, where quotients are not on every device. Of NaN it is anything.
func inverse(s *tile.Value) *tile.Value {
	s = s.Cast(dtype.U32)
	return s.Builder().Sub(254, s).Shl(23).Maximum(1 << 22).Bitcast(dtype.F32)
}

// exponent is the byte of the largest power of two that is no larger than x ≥ 0, of F32, divided by 2^least, but from 2^-127 to 2^126, whose inverse is
// no subnormal number.
func exponent(x *tile.Value, least int) *tile.Value {
	return x.Bitcast(dtype.I32).Shr(23).Sub(least).Clamp(0, 253).Cast(dtype.U8)
}
