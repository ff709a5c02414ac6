package gomlx

import (
	"math"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// wide is a value of a kernel on pairs of words: an integer of 64 bits as two of U32, or one of another type, which has no hi.
type wide struct {
	elem   weft.DType
	lo, hi *tile.Value
}

// wideOp computes an element-wise op of which an operand or the result is of 64 bits; to is the result's type.
type wideOp func(k *tile.Builder, in []wide, to weft.DType) wide

// wideOps is the table of element-wise ops on pairs of words.
var wideOps = map[backends.OpType]wideOp{
	backends.OpTypeAdd: func(k *tile.Builder, in []wide, _ weft.DType) wide { return in[0].add(k, in[1]) },
	backends.OpTypeSub: func(k *tile.Builder, in []wide, _ weft.DType) wide { return in[0].add(k, in[1].neg(k)) },
	backends.OpTypeMul: func(_ *tile.Builder, in []wide, _ weft.DType) wide {
		x, y := in[0], in[1]
		return wide{x.elem, x.lo.Mul(y.lo), x.lo.MulHi(y.lo).Add(x.lo.Mul(y.hi)).Add(x.hi.Mul(y.lo))}
	},
	backends.OpTypeDiv: func(k *tile.Builder, in []wide, _ weft.DType) wide {
		quotient, _ := in[0].divided(k, in[1])
		return quotient
	},
	backends.OpTypeRem: func(k *tile.Builder, in []wide, _ weft.DType) wide {
		_, remainder := in[0].divided(k, in[1])
		return remainder
	},
	backends.OpTypeNeg: func(k *tile.Builder, in []wide, _ weft.DType) wide { return in[0].neg(k) },
	backends.OpTypeAbs: func(k *tile.Builder, in []wide, _ weft.DType) wide { return in[0].magnitude(k) },
	backends.OpTypeSign: func(k *tile.Builder, in []wide, _ weft.DType) wide {
		x := in[0]
		return choose(k, x.negative(), wideNumber(k, x.elem, math.MaxUint64), wide{x.elem, x.truth().Cast(weft.U32), x.hi.And(0)})
	},
	backends.OpTypeMax:        func(k *tile.Builder, in []wide, _ weft.DType) wide { return choose(k, in[0].less(in[1]), in[1], in[0]) },
	backends.OpTypeMin:        func(k *tile.Builder, in []wide, _ weft.DType) wide { return choose(k, in[1].less(in[0]), in[1], in[0]) },
	backends.OpTypeBitwiseAnd: wideBits((*tile.Value).And),
	backends.OpTypeBitwiseOr:  wideBits((*tile.Value).Or),
	backends.OpTypeBitwiseXor: wideBits((*tile.Value).Xor),
	backends.OpTypeBitwiseNot: func(_ *tile.Builder, in []wide, _ weft.DType) wide {
		return wide{in[0].elem, in[0].lo.Not(), in[0].hi.Not()}
	},
	backends.OpTypeBitCount: func(k *tile.Builder, in []wide, to weft.DType) wide {
		count := weftOp("bit_count")
		n := count([]*tile.Value{in[0].lo}, weft.U32).Add(count([]*tile.Value{in[0].hi}, weft.U32))
		return wide{weft.U32, n, nil}.convert(k, to)
	},
	backends.OpTypeClz: func(k *tile.Builder, in []wide, to weft.DType) wide {
		clz := weftOp("clz")
		lo, hi := clz([]*tile.Value{in[0].lo}, weft.U32), clz([]*tile.Value{in[0].hi}, weft.U32)
		return wide{weft.U32, k.Where(in[0].hi.Eq(0), lo.Add(32), hi), nil}.convert(k, to)
	},
	backends.OpTypeShiftLeft: func(k *tile.Builder, in []wide, _ weft.DType) wide {
		x, n := in[0], in[1].lo.And(31)
		near := wide{x.elem, x.lo.Shl(n), x.hi.Shl(n).Or(x.lo.Shr(1).Shr(n.Xor(31)))}
		return in[1].shifted(k, near, wide{x.elem, x.lo.And(0), near.lo}, wideNumber(k, x.elem, 0))
	},
	backends.OpTypeShiftRightLogical:    wideShiftRight(false),
	backends.OpTypeShiftRightArithmetic: wideShiftRight(true),

	backends.OpTypeEqual:          wideTest(func(x, y wide) *tile.Value { return x.equal(y) }),
	backends.OpTypeNotEqual:       wideTest(func(x, y wide) *tile.Value { return x.equal(y).Not() }),
	backends.OpTypeLessThan:       wideTest(wide.less),
	backends.OpTypeGreaterThan:    wideTest(func(x, y wide) *tile.Value { return y.less(x) }),
	backends.OpTypeLessOrEqual:    wideTest(func(x, y wide) *tile.Value { return y.less(x).Not() }),
	backends.OpTypeGreaterOrEqual: wideTest(func(x, y wide) *tile.Value { return x.less(y).Not() }),

	backends.OpTypeWhere:        func(k *tile.Builder, in []wide, _ weft.DType) wide { return choose(k, in[0].lo, in[1], in[2]) },
	backends.OpTypeConvertDType: func(k *tile.Builder, in []wide, to weft.DType) wide { return in[0].convert(k, to) },
	backends.OpTypeBitcast:      func(_ *tile.Builder, in []wide, to weft.DType) wide { return wide{to, in[0].lo, in[0].hi} },
}

// evaluate computes a group. An op that has to do with no integer of 64 bits is as in any kernel.
func evaluate(k *tile.Builder, code []instruction, in []wide) wide {
	values := make([]wide, len(code))
	for i, c := range code {
		args, pairs := make([]wide, len(c.arg)), isWide(c.to)
		plain := make([]*tile.Value, len(c.arg))
		for j, a := range c.arg {
			switch {
			case a.number != nil && isWide(a.elem):
				n := dtype.NumberOf(a.number)
				bits := n.Magnitude
				if n.Negative {
					bits = -bits
				}
				args[j] = wideNumber(k, a.elem, bits)
			case a.number != nil:
				args[j] = wide{a.elem, k.Const(a.elem, a.number), nil}
			case a.input:
				args[j] = in[a.at]
			default:
				args[j] = values[a.at]
			}
			plain[j], pairs = args[j].lo, pairs || args[j].hi != nil
		}
		if pairs {
			values[i] = wideOps[c.op](k, args, c.to)
		} else {
			values[i] = wide{c.to, elementwise[c.op](plain, c.to), nil}
		}
	}
	return values[len(values)-1]
}

// wideNumber is a constant.
func wideNumber(k *tile.Builder, elem weft.DType, bits uint64) wide {
	return wide{elem, k.Const(weft.U32, uint32(bits)), k.Const(weft.U32, uint32(bits>>32))}
}

func wideBits(f func(*tile.Value, tile.Operand) *tile.Value) wideOp {
	return func(_ *tile.Builder, in []wide, _ weft.DType) wide {
		return wide{in[0].elem, f(in[0].lo, in[1].lo), f(in[0].hi, in[1].hi)}
	}
}

func wideTest(f func(x, y wide) *tile.Value) wideOp {
	return func(_ *tile.Builder, in []wide, _ weft.DType) wide { return wide{weft.Bool, f(in[0], in[1]), nil} }
}

func wideShiftRight(keepSign bool) wideOp {
	return func(k *tile.Builder, in []wide, _ weft.DType) wide {
		x, n := in[0], in[1].lo.And(31)
		high, fill := x.hi.Shr(n), x.hi.And(0)
		if signed := x.hi.Bitcast(weft.I32); keepSign && x.elem.IsSigned() {
			high, fill = signed.Shr(n.Bitcast(weft.I32)).Bitcast(weft.U32), signed.Shr(31).Bitcast(weft.U32)
		}
		near := wide{x.elem, x.lo.Shr(n).Or(x.hi.Shl(1).Shl(n.Xor(31))), high}
		return in[1].shifted(k, near, wide{x.elem, near.hi, fill}, wide{x.elem, fill, fill})
	}
}

// shifted chooses the result of a shift by x bits: by less than 32, by less than 64, or by more.
func (x wide) shifted(k *tile.Builder, near, far, beyond wide) wide {
	inside := x.hi.Eq(0).And(x.lo.Lt(64))
	return choose(k, inside, choose(k, x.lo.Lt(32), near, far), beyond)
}

// choose is x where a condition holds and y elsewhere.
func choose(k *tile.Builder, cond *tile.Value, x, y wide) wide {
	z := wide{x.elem, k.Where(cond, x.lo, y.lo), nil}
	if x.hi != nil {
		z.hi = k.Where(cond, x.hi, y.hi)
	}
	return z
}

func (x wide) add(_ *tile.Builder, y wide) wide {
	lo := x.lo.Add(y.lo)
	return wide{x.elem, lo, x.hi.Add(y.hi).Add(lo.Lt(x.lo).Cast(weft.U32))}
}

func (x wide) neg(k *tile.Builder) wide {
	return wide{x.elem, x.lo.Not(), x.hi.Not()}.add(k, wideNumber(k, x.elem, 1))
}

// negative reports whether x is below 0.
func (x wide) negative() *tile.Value {
	if x.elem.IsSigned() {
		return x.hi.Bitcast(weft.I32).Lt(0)
	}
	return x.hi.Lt(0)
}

// magnitude is |x|, of the least number itself.
func (x wide) magnitude(k *tile.Builder) wide {
	if !x.elem.IsSigned() {
		return x
	}
	return choose(k, x.negative(), x.neg(k), x)
}

// truth reports whether x is not 0.
func (x wide) truth() *tile.Value { return x.lo.Or(x.hi).Ne(0) }

func (x wide) equal(y wide) *tile.Value { return x.lo.Eq(y.lo).And(x.hi.Eq(y.hi)) }

func (x wide) less(y wide) *tile.Value {
	high := x.hi.Lt(y.hi)
	if x.elem.IsSigned() {
		high = x.hi.Bitcast(weft.I32).Lt(y.hi.Bitcast(weft.I32))
	}
	return high.Or(x.hi.Eq(y.hi).And(x.lo.Lt(y.lo)))
}

// convert is Cast with pairs of words for integers of 64 bits.
func (x wide) convert(k *tile.Builder, to weft.DType) wide {
	switch {
	case isWide(x.elem) && isWide(to):
		return wide{to, x.lo, x.hi}
	case isWide(x.elem) && to == weft.Bool:
		return wide{to, x.truth(), nil}
	case isWide(x.elem) && to.IsFloat():
		return wide{to, x.float(k).Cast(to), nil}
	case isWide(x.elem): // an integer of less bits: the low ones
		return wide{to, convert(x.lo, to), nil}
	case x.elem.IsFloat():
		return fromFloat(k, x.lo.Cast(weft.F32), to)
	case x.elem.IsSigned():
		v := x.lo.Cast(weft.I32)
		return wide{to, v.Bitcast(weft.U32), v.Shr(31).Bitcast(weft.U32)}
	}
	v := x.lo.Cast(weft.U32)
	return wide{to, v, v.And(0)}
}

// float is x in F32, rounded once: of 64 bits those from the first one on fit in a word, whose last bit says whether any of the others is 1.
func (x wide) float(k *tile.Builder) *tile.Value {
	m := x.magnitude(k)
	zeros := weftOp("clz")([]*tile.Value{m.hi}, weft.U32).And(31)
	word := m.hi.Shl(zeros).Or(m.lo.Shr(1).Shr(zeros.Xor(31)))
	word = word.Or(m.lo.Shl(zeros).Ne(0).Cast(weft.U32))
	scale := k.Const(weft.U32, 127+32).Sub(zeros).Shl(23).Bitcast(weft.F32)
	v := k.Where(m.hi.Eq(0), m.lo.Cast(weft.F32), word.Cast(weft.F32).Mul(scale))
	return k.Where(x.negative(), v.Neg(), v)
}

// fromFloat truncates F32 to an integer of 64 bits, the nearest one of a number out of range and 0 of a NaN.
func fromFloat(k *tile.Builder, x *tile.Value, to weft.DType) wide {
	size := x.Abs()
	hi := size.Mul(0x1p-32).Cast(weft.U32)
	m := wide{to, size.Sub(hi.Cast(weft.F32).Mul(0x1p32)).Cast(weft.U32), hi}
	least, most, limit := wideNumber(k, to, 0), wideNumber(k, to, math.MaxUint64), 0x1p64
	below := least // of negative numbers within the range
	if to.IsSigned() {
		least, most, limit = wideNumber(k, to, 1<<63), wideNumber(k, to, math.MaxInt64), 0x1p63
		below = choose(k, size.Ge(limit), least, m.neg(k))
	}
	m = choose(k, x.Lt(0), below, choose(k, size.Ge(limit), most, m))
	return choose(k, x.IsNaN(), wideNumber(k, to, 0), m)
}
