package native

import "github.com/weftgpu/weft/tile/interp/internal/native/vector"

// Division of integers is that of Go, but by 0 the quotient is the dividend and the remainder 0. The quotient of two floats is near enough to begin with.

// DivideSmall divides integers of up to 24 bits: the rounded quotient of floats is no integer that the exact one is below.
func (l *Loop) DivideSmall(x, y Value) (quotient, remainder Value) {
	q := l.Two(vector.TruncateI, l.Div(l.Two(vector.FloatOfI, x), l.Two(vector.FloatOfI, y)))
	return l.unlessZero(x, y, q, l.Three(vector.SubI, x, l.Three(vector.MulI, q, y)))
}

// DivideWords divides integers without a sign. Twice a part of the quotient is found that is not too large, by floats that are lowered by more than their
// errors: 2^-20 of it is left at first, then less than 2.
func (l *Loop) DivideWords(x, y Value) (quotient, remainder Value) {
	scale := l.Div(l.Float(1-0x1p-20), l.FloatOfWord(y))
	q := l.wordOf(l.Mul(l.FloatOfWord(x), scale))
	r := l.Three(vector.SubI, x, l.Three(vector.MulI, q, y))
	more := l.wordOf(l.Mul(l.FloatOfWord(r), scale))
	q, r = l.Three(vector.AddI, q, more), l.Three(vector.SubI, r, l.Three(vector.MulI, more, y))
	sign := l.Bits(1 << 31)
	again := l.Not(l.Greater(l.Xor(y, sign), l.Xor(r, sign)))
	return l.unlessZero(x, y, l.Three(vector.SubI, q, again), l.Three(vector.SubI, r, l.And(again, y)))
}

// DivideInts divides integers with a sign, by their sizes.
func (l *Loop) DivideInts(x, y Value) (quotient, remainder Value) {
	negate := func(v, mask Value) Value { return l.Three(vector.SubI, l.Xor(v, mask), mask) }
	q, r := l.DivideWords(l.Two(vector.AbsI, x), l.Two(vector.AbsI, y))
	negative := l.Shift(vector.ShiftSigned, x, 31)
	return l.unlessZero(x, y, negate(q, l.Xor(negative, l.Shift(vector.ShiftSigned, y, 31))), negate(r, negative))
}

func (l *Loop) unlessZero(x, y, q, r Value) (quotient, remainder Value) {
	zero := l.Equal(y, l.Bits(0))
	return l.Select(zero, x, q), l.Select(zero, l.Bits(0), r)
}

// FloatOfWord is the float nearest to an integer without a sign: the sum of two halves is rounded once.
func (l *Loop) FloatOfWord(x Value) Value {
	high := l.Two(vector.FloatOfI, l.Shift(vector.ShiftRight, x, 16))
	low := l.Two(vector.FloatOfI, l.And(x, l.Bits(0xffff)))
	return l.FMA(high, l.Float(0x1p16), low)
}

// wordOf truncates a float from 0 to below 2^32.
func (l *Loop) wordOf(x Value) Value {
	upper := l.Xor(l.Two(vector.TruncateI, l.Sub(x, l.Float(0x1p31))), l.Bits(1<<31))
	return l.Select(l.Compare(vector.Le, l.Float(0x1p31), x), upper, l.Two(vector.TruncateI, x))
}
