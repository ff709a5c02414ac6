package gomlx

import (
	"math"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// elementFunc computes an element-wise op within a kernel. The operands have the op's types; to is that of the result.
type elementFunc func(in []*tile.Value, to weft.DType) *tile.Value

func unary(f func(*tile.Value) *tile.Value) elementFunc {
	return func(in []*tile.Value, _ weft.DType) *tile.Value { return f(in[0]) }
}

func binary(f func(*tile.Value, tile.Operand) *tile.Value) elementFunc {
	return func(in []*tile.Value, _ weft.DType) *tile.Value { return f(in[0], in[1]) }
}

// ordered compares the keys of elements in the total order of floats.
func ordered(f func(*tile.Value, tile.Operand) *tile.Value) elementFunc {
	return func(in []*tile.Value, _ weft.DType) *tile.Value { return f(totalOrder(in[0]), totalOrder(in[1])) }
}

// elementwise is the table of element-wise ops.
var elementwise = map[backends.OpType]elementFunc{
	backends.OpTypeAbs:        unary(absolute),
	backends.OpTypeNeg:        unary((*tile.Value).Neg),
	backends.OpTypeSign:       upToF32("sign", func(in []*tile.Value) *tile.Value { return sign(in[0]) }),
	backends.OpTypeExp:        unary((*tile.Value).Exp),
	backends.OpTypeExpm1:      unary((*tile.Value).Expm1),
	backends.OpTypeLog:        unary((*tile.Value).Log),
	backends.OpTypeLog1p:      unary((*tile.Value).Log1p),
	backends.OpTypeLogistic:   unary((*tile.Value).Sigmoid),
	backends.OpTypeSqrt:       unary((*tile.Value).Sqrt),
	backends.OpTypeRsqrt:      unary((*tile.Value).Rsqrt),
	backends.OpTypeSin:        unary((*tile.Value).Sin),
	backends.OpTypeCos:        unary((*tile.Value).Cos),
	backends.OpTypeTanh:       unary((*tile.Value).Tanh),
	backends.OpTypeErf:        unary((*tile.Value).Erf),
	backends.OpTypeFloor:      unary((*tile.Value).Floor),
	backends.OpTypeCeil:       unary((*tile.Value).Ceil),
	backends.OpTypeRound:      unary((*tile.Value).Round),
	backends.OpTypeIsNaN:      unary((*tile.Value).IsNaN),
	backends.OpTypeIsFinite:   upToF32("is_finite", func(in []*tile.Value) *tile.Value { return isFinite(in[0]) }),
	backends.OpTypeLogicalNot: unary((*tile.Value).Not),
	backends.OpTypeBitwiseNot: unary((*tile.Value).Not),
	backends.OpTypeBitCount:   weftOp("bit_count"),
	backends.OpTypeClz:        weftOp("clz"),
	backends.OpTypeConvertDType: func(in []*tile.Value, to weft.DType) *tile.Value {
		return convert(in[0], to)
	},
	backends.OpTypeBitcast: func(in []*tile.Value, to weft.DType) *tile.Value { return in[0].Bitcast(to) },

	backends.OpTypeAdd: binary((*tile.Value).Add),
	backends.OpTypeSub: binary((*tile.Value).Sub),
	backends.OpTypeMul: binary((*tile.Value).Mul),
	backends.OpTypeDiv: binary((*tile.Value).Div),
	backends.OpTypeRem: upToF32("rem", func(in []*tile.Value) *tile.Value { return remainder(in[0], in[1]) }),
	backends.OpTypePow: weftOp("pow"),
	backends.OpTypeMax: func(in []*tile.Value, _ weft.DType) *tile.Value {
		return extreme(in, (*tile.Value).Maximum, (*tile.Value).Or)
	},
	backends.OpTypeMin: func(in []*tile.Value, _ weft.DType) *tile.Value {
		return extreme(in, (*tile.Value).Minimum, (*tile.Value).And)
	},
	backends.OpTypeBitwiseAnd:           binary((*tile.Value).And),
	backends.OpTypeBitwiseOr:            binary((*tile.Value).Or),
	backends.OpTypeBitwiseXor:           binary((*tile.Value).Xor),
	backends.OpTypeLogicalAnd:           binary((*tile.Value).And),
	backends.OpTypeLogicalOr:            binary((*tile.Value).Or),
	backends.OpTypeLogicalXor:           binary((*tile.Value).Xor),
	backends.OpTypeShiftLeft:            shifts((*tile.Value).Shl, false, false),
	backends.OpTypeShiftRightArithmetic: shifts((*tile.Value).Shr, true, true),
	backends.OpTypeShiftRightLogical:    shifts((*tile.Value).Shr, true, false),

	backends.OpTypeEqual:                    binary((*tile.Value).Eq),
	backends.OpTypeNotEqual:                 binary((*tile.Value).Ne),
	backends.OpTypeGreaterOrEqual:           binary((*tile.Value).Ge),
	backends.OpTypeGreaterThan:              binary((*tile.Value).Gt),
	backends.OpTypeLessOrEqual:              binary((*tile.Value).Le),
	backends.OpTypeLessThan:                 binary((*tile.Value).Lt),
	backends.OpTypeEqualTotalOrder:          ordered((*tile.Value).Eq),
	backends.OpTypeNotEqualTotalOrder:       ordered((*tile.Value).Ne),
	backends.OpTypeGreaterOrEqualTotalOrder: ordered((*tile.Value).Ge),
	backends.OpTypeGreaterThanTotalOrder:    ordered((*tile.Value).Gt),
	backends.OpTypeLessOrEqualTotalOrder:    ordered((*tile.Value).Le),
	backends.OpTypeLessThanTotalOrder:       ordered((*tile.Value).Lt),

	backends.OpTypeWhere: func(in []*tile.Value, _ weft.DType) *tile.Value {
		return in[0].Builder().Where(in[0], in[1], in[2])
	},
}

func absolute(x *tile.Value) *tile.Value {
	if !x.Type().Elem.IsSigned() {
		return x
	}
	return x.Abs()
}

// sign is that of F64; it keeps the sign of a zero, and a NaN.
func sign(x *tile.Value) *tile.Value {
	k := x.Builder()
	return k.Where(x.Gt(0), k.Const(weft.F64, 1), k.Where(x.Lt(0), k.Const(weft.F64, -1), x))
}

// isFinite is that of F64.
func isFinite(x *tile.Value) *tile.Value {
	return x.Bitcast(weft.U64).And(uint64(math.MaxInt64)).Lt(uint64(0x7ff) << 52)
}

// convert is Cast, but for conversions to Bool, which keep whether an element is 0.
func convert(x *tile.Value, to weft.DType) *tile.Value {
	if from := x.Type().Elem; to == weft.Bool && from != weft.Bool {
		return x.Ne(x.Builder().Const(from, 0))
	}
	return x.Cast(to)
}

// extreme is the larger or the smaller one; of floats one that is NaN.
func extreme(in []*tile.Value, numbers, bools func(*tile.Value, tile.Operand) *tile.Value) *tile.Value {
	x, y := in[0], in[1]
	switch t := x.Type().Elem; {
	case t == weft.Bool:
		return bools(x, y)
	case !t.IsFloat():
		return numbers(x, y)
	}
	k := x.Builder()
	return k.Where(x.IsNaN(), x, k.Where(y.IsNaN(), y, numbers(x, y)))
}

// remainder is that of F64; it is exact and has the sign of x, as fmod does. It divides fractions of 53 bits, and then shifts in what the exponents differ
// by, 11 bits at a time: no step rounds.
func remainder(x, y *tile.Value) *tile.Value {
	const fraction, infinity = uint64(1) << 52, uint64(0x7ff) << 52
	k := x.Builder()
	size := func(v *tile.Value) *tile.Value { return v.Bitcast(weft.U64).And(uint64(math.MaxInt64)) }
	exponent := func(size *tile.Value) *tile.Value { return size.Shr(52).Maximum(1).Cast(weft.I32) }
	digits := func(size *tile.Value) *tile.Value {
		return size.And(fraction - 1).Or(k.Where(size.Ge(fraction), k.Const(weft.U64, fraction), k.Const(weft.U64, 0)))
	}
	sizeX, sizeY := size(x), size(y)
	undefined := sizeX.Ge(infinity).Or(sizeY.Gt(infinity)).Or(sizeY.Eq(0))
	by := digits(sizeY)
	rest, bits := k.Var(digits(sizeX).Rem(by)), k.Var(k.Where(undefined, 0, exponent(sizeX).Sub(exponent(sizeY)).Maximum(0)))
	for range k.Range(186) { // exponents differ by 2045 at most
		step := bits.Get().Minimum(11)
		rest.Set(rest.Get().Shl(step.Cast(weft.U64)).Rem(by))
		bits.Set(bits.Get().Sub(step))
	}
	unit := exponent(sizeY).Cast(weft.U64).Shl(52).Bitcast(weft.F64) // of the fraction, times 2^52
	r := size(rest.Get().Cast(weft.F64).Mul(0x1p-52).Mul(unit)).Or(x.Bitcast(weft.U64).And(uint64(1) << 63)).Bitcast(weft.F64)
	r = k.Where(sizeX.Lt(sizeY), x, r)
	return k.Where(undefined, k.Const(weft.F64, math.NaN()), r)
}

// weftOp is an element-wise op of weft.
func weftOp(name string) elementFunc {
	for _, o := range ops.Elementwise() {
		if o.Name == name {
			return func(in []*tile.Value, _ weft.DType) *tile.Value { return o.Tiles(in) }
		}
	}
	return func(in []*tile.Value, _ weft.DType) *tile.Value {
		in[0].Builder().Fail(name, "weft has no such op")
		return in[0]
	}
}

// upToF32 is an element-wise op of weft for types other than F64, for which it is f.
func upToF32(name string, f func([]*tile.Value) *tile.Value) elementFunc {
	op := weftOp(name)
	return func(in []*tile.Value, to weft.DType) *tile.Value {
		if in[0].Type().Elem == weft.F64 {
			return f(in)
		}
		return op(in, to)
	}
}

// unsigned reads integers as bits.
func unsigned(x *tile.Value) *tile.Value {
	switch x.Type().Elem.Size() {
	case 1:
		return x.Bitcast(weft.U8)
	case 2:
		return x.Bitcast(weft.U16)
	case 8:
		return x.Bitcast(weft.U64)
	}
	return x.Bitcast(weft.U32)
}

// shifts gives shifts by the size of the type and more their mathematical result, where weft takes the number of bits modulo that.
func shifts(shift func(*tile.Value, tile.Operand) *tile.Value, right, keepSign bool) elementFunc {
	return func(in []*tile.Value, to weft.DType) *tile.Value {
		x, n, k := in[0], unsigned(in[1]), in[0].Builder()
		t := x.Type().Elem
		most := 8*t.Size() - 1
		inside := n.Le(most)
		if right && keepSign && t.IsSigned() {
			return shift(x, k.Where(inside, in[1], k.Const(t, most)))
		}
		if t.Size() < 4 { // weft's shifts are of 32 bits
			wide := unsigned(x).Cast(weft.U32)
			y := shift(wide, k.Where(inside, n, k.Const(n.Type().Elem, 0)).Cast(weft.U32))
			return k.Where(inside, y, k.Const(weft.U32, 0)).Cast(t)
		}
		bits := unsigned(x)
		y := shift(bits, n)
		return k.Where(inside, y, k.Const(bits.Type().Elem, 0)).Bitcast(t)
	}
}

// totalOrder is an integer for each element that has the order -NaN < -Inf < … < -0 < 0 < … < Inf < NaN.
func totalOrder(x *tile.Value) *tile.Value {
	if !x.Type().Elem.IsFloat() {
		return x
	}
	if x.Type().Elem == weft.F64 {
		bits := x.Bitcast(weft.I64)
		return bits.Xor(bits.Shr(63).And(math.MaxInt64))
	}
	bits := x.Cast(weft.F32).Bitcast(weft.I32)
	return bits.Xor(bits.Shr(31).And(math.MaxInt32))
}

// isElementwise reports whether a node computes each element from those at its place.
func (n *node) isElementwise() bool {
	if n.op == backends.OpTypeBitcast && !sameDims(n.shape, n.in[0].shape) {
		return false
	}
	_, ok := elementwise[n.op]
	return ok
}

// elem is the element type of a node's result.
func (n *node) elem() weft.DType { return elem(n.shape.DType) }
