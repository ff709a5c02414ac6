package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// ReduceOp is what a reduction computes of the elements that one element of its result is of.
type ReduceOp uint8

// The reductions.
const (
	ReduceSum ReduceOp = iota
	ReduceMean
	ReduceProd
	ReduceMax
	ReduceMin
	ReduceArgMax
	ReduceArgMin
	ReduceVar
	ReduceAll
	ReduceAny
	ReduceAnd
	ReduceOr
	ReduceXor
	ReduceNorm1
	ReduceNorm2
	ReduceLogSumExp
)

// String returns the op's name as errors give it.
func (op ReduceOp) String() string { return Reducers[op].name }

// reducer says how a reduction is computed. Its state is one value or several for each element of
// a tile, to which elements of x come one after the other; at last the
// states of a tile become one.
type reducer struct {
	name    string
	Fill    bound                        // what elements beyond the edge of x read as
	States  func(elem weft.DType) []slot // for elements of a type
	lift    func(e element) []*tile.Value
	step    func(s []*tile.Value, e element) []*tile.Value // takes up an element; nil to combine with what was lifted
	combine func(x, y []*tile.Value) []*tile.Value
	gather  func(e element, s []*tile.Value, axes []int) []*tile.Value // combines the states of a tile along axes
	finish  func(s []*tile.Value) *tile.Value
	atOnce  bool // a tile is gathered as fast as its states are combined with others
	Divides bool // the result is divided by a number that the launch gives
}

// slot is one value of a state.
type slot struct {
	name  string // of the view that holds it between two passes
	Elem  weft.DType
	start bound // the state of no elements
}

// bound is a number that depends on the element type.
type bound uint8

// The bounds.
const (
	zero bound = iota
	one
	Least    // -infinity of floats
	Greatest // +infinity of floats
	ones     // all bits of an integer, true of Bool
	lowestOf // the least finite number of floats
)

// number is the bound of a type as a constant; the greatest 64-bit integers have none.
func (b bound) number(elem weft.DType) (x float64, ok bool) {
	bits := 8 * elem.Size()
	switch {
	case b == zero || b == Least && elem.IsInt() && !elem.IsSigned():
		return 0, true
	case b == one || b == ones && elem == weft.Bool:
		return 1, true
	case b == ones && elem.IsSigned():
		return -1, true
	case b == lowestOf && elem == weft.F64:
		return -math.MaxFloat64, true
	case b == lowestOf:
		return lowest, true
	case elem.IsFloat() && b == Least:
		return math.Inf(-1), true
	case elem.IsFloat():
		return math.Inf(1), true
	case b == Least:
		return -math.Ldexp(1, bits-1), true
	case elem.IsSigned():
		bits--
	}
	return math.Ldexp(1, bits) - 1, bits < 53
}

// full is a tile of the bound.
func (b bound) full(k *tile.Builder, elem weft.DType, shape []int) *tile.Value {
	if x, ok := b.number(elem); ok {
		return k.Full(elem, x, shape...)
	}
	x, _ := Least.number(elem)
	return k.Full(elem, x, shape...).Not()
}

// scalar is the bound of a type, in the type that its elements are combined in.
func (b bound) scalar(k *tile.Builder, elem, in weft.DType) *tile.Value {
	if x, ok := b.number(elem); ok {
		return k.Const(in, x)
	}
	x, _ := Least.number(in) // of 64 bits, which are combined as they are
	return k.Const(in, x).Not()
}

// Reducers are the reductions by ReduceOp.
var Reducers = [...]reducer{
	ReduceSum:    folding("sum", zero, wide, (*tile.Value).Add, (*tile.Value).Sum),
	ReduceMean:   divided(folding("mean", zero, wide, (*tile.Value).Add, (*tile.Value).Sum)),
	ReduceProd:   folding("prod", one, wide, (*tile.Value).Mul, (*tile.Value).Prod),
	ReduceMax:    extreme("max", Least, (*tile.Value).Maximum, (*tile.Value).Max),
	ReduceMin:    extreme("min", Greatest, (*tile.Value).Minimum, (*tile.Value).Min),
	ReduceArgMax: searching("argmax", Least, math.MaxInt32, (*tile.Value).Gt),
	ReduceArgMin: searching("argmin", Greatest, math.MinInt32, (*tile.Value).Lt),
	ReduceVar:    divided(spreading),

	ReduceAll:       folding("all", one, truth, (*tile.Value).Minimum, (*tile.Value).Min).lifting(isTrue),
	ReduceAny:       folding("any", zero, truth, (*tile.Value).Maximum, (*tile.Value).Max).lifting(isTrue),
	ReduceAnd:       folding("reduce_and", ones, wide, (*tile.Value).And, along((*tile.Value).And)),
	ReduceOr:        folding("reduce_or", zero, wide, (*tile.Value).Or, along((*tile.Value).Or)),
	ReduceXor:       folding("reduce_xor", zero, wide, (*tile.Value).Xor, along((*tile.Value).Xor)),
	ReduceNorm1:     folding("norm1", zero, wide, (*tile.Value).Add, (*tile.Value).Sum).lifting((*tile.Value).Abs),
	ReduceNorm2:     rooted(folding("norm2", zero, wide, (*tile.Value).Add, (*tile.Value).Sum).lifting(func(v *tile.Value) *tile.Value { return v.Mul(v) })),
	ReduceLogSumExp: exponential,
}

// wide is the type in which elements of a type are added up and compared.
func wide(elem weft.DType) weft.DType { return elem.Accumulator() }

// integerOf is the type of integers of as many bits as the floats in which elements of a type are compared.
func integerOf(elem weft.DType) weft.DType {
	if elem == weft.F64 {
		return weft.I64
	}
	return weft.I32
}

// folding is a reduction whose state is a value of the elements' kind.
func folding(name string, start bound, in func(weft.DType) weft.DType,
	combine func(v *tile.Value, x tile.Operand) *tile.Value, along func(v *tile.Value, axis int) *tile.Value) reducer {
	return reducer{
		name: name, Fill: start, atOnce: true,
		States:  func(elem weft.DType) []slot { return []slot{{"part", in(elem), start}} },
		lift:    func(e element) []*tile.Value { return []*tile.Value{e.value} },
		combine: func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{combine(x[0], y[0])} },
		gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
			return []*tile.Value{over(axes, s[0], along)}
		},
		finish: first,
	}
}

// lifting is a reduction of what a function makes of elements.
func (r reducer) lifting(f func(v *tile.Value) *tile.Value) reducer {
	r.lift = func(e element) []*tile.Value { return []*tile.Value{f(e.value)} }
	return r
}

// truth is the type in which elements of any type are true, 1, or false, 0.
func truth(weft.DType) weft.DType { return weft.I32 }

// isTrue is 1 for what is not 0, NaN among it, which is seen by its bits.
func isTrue(v *tile.Value) *tile.Value {
	switch elem := v.Type().Elem; {
	case elem == dtype.F64:
		v = magnitude(v)
	case elem.IsFloat():
		v = v.Bitcast(dtype.U32).And(math.MaxInt32)
	}
	return v.Ne(0).Cast(weft.I32)
}

// along reduces by an operation for which the language has no reduction of its own.
func along(f func(v *tile.Value, x tile.Operand) *tile.Value) func(v *tile.Value, axis int) *tile.Value {
	return func(v *tile.Value, axis int) *tile.Value {
		return tile.Reduce([]*tile.Value{v}, axis, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{f(x[0], y[0])} })[0]
	}
}

// rooted is the square root of a reduction.
func rooted(r reducer) reducer {
	r.finish = func(s []*tile.Value) *tile.Value { return s[0].Sqrt() }
	return r
}

// exponential is the reduction to ln(sum of e^x). Its state is the largest element and the sum of the exponentials, each divided by that of the largest
// element.
var exponential = reducer{
	name: "reduce_log_sum_exp", Fill: Least,
	States: func(elem weft.DType) []slot { return []slot{{"largest", wide(elem), Least}, {"sum", wide(elem), zero}} },
	lift: func(e element) []*tile.Value {
		return []*tile.Value{e.value, e.k.Full(wide(e.cfg.Elem), 1, e.shape...)}
	},
	combine: func(x, y []*tile.Value) []*tile.Value {
		largest := x[0].Maximum(y[0])
		shift := finite(largest)
		return []*tile.Value{largest, x[1].Mul(x[0].Sub(shift).Exp()).Add(y[1].Mul(y[0].Sub(shift).Exp()))}
	},
	gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
		largest := over(axes, s[0], (*tile.Value).Max)
		return []*tile.Value{largest, over(axes, s[1].Mul(s[0].Sub(finite(largest)).Exp()), (*tile.Value).Sum)}
	},
	finish: func(s []*tile.Value) *tile.Value { return finite(s[0]).Add(s[1].Log()) },
}

// finite is 0 in place of infinities, which nothing is to be subtracted from.
func finite(v *tile.Value) *tile.Value {
	return v.Builder().Where(magnitude(v).Eq(infinityOf(v.Type().Elem)), 0, v)
}

// magnitude is the bits of a float of F32 or F64 without its sign, as an integer.
func magnitude(v *tile.Value) *tile.Value {
	if v.Type().Elem == dtype.F64 {
		return v.Bitcast(dtype.I64).And(math.MaxInt64)
	}
	return v.Bitcast(dtype.I32).And(math.MaxInt32)
}

// infinityOf is the magnitude of an infinity; NaNs of either sign have larger ones.
func infinityOf(elem weft.DType) int64 {
	if elem == dtype.F64 {
		return 0x7ff << 52
	}
	return infinityBits
}

// extreme is a reduction to the largest or the smallest element. Devices differ in what they make of a number and a NaN, so that
// of floats the state also holds the largest magnitude as an integer, which is beyond that of infinity if there was a NaN.
func extreme(name string, start bound, combine func(v *tile.Value, x tile.Operand) *tile.Value, along func(v *tile.Value, axis int) *tile.Value) reducer {
	r := folding(name, start, wide, combine, along)
	part := r.States
	r.States = func(elem weft.DType) []slot {
		if !elem.IsFloat() {
			return part(elem)
		}
		return append(part(elem), slot{"magnitude", integerOf(elem), zero})
	}
	r.lift = func(e element) []*tile.Value {
		if !e.cfg.Elem.IsFloat() {
			return []*tile.Value{e.value}
		}
		return []*tile.Value{e.value, magnitude(e.value)}
	}
	r.combine = func(x, y []*tile.Value) []*tile.Value {
		out := []*tile.Value{combine(x[0], y[0])}
		for i := range x[1:] {
			out = append(out, x[1+i].Maximum(y[1+i]))
		}
		return out
	}
	r.gather = func(_ element, s []*tile.Value, axes []int) []*tile.Value {
		out := []*tile.Value{over(axes, s[0], along)}
		for _, v := range s[1:] {
			out = append(out, over(axes, v, (*tile.Value).Max))
		}
		return out
	}
	r.finish = func(s []*tile.Value) *tile.Value {
		if len(s) == 1 {
			return s[0]
		}
		elem := s[0].Type().Elem
		bits := s[0].Builder().Where(s[1].Gt(infinityOf(elem)), s[1], s[0].Bitcast(s[1].Type().Elem))
		return bits.Bitcast(elem)
	}
	return r
}

// infinityBits is F32's +infinity as an integer; NaNs of either sign have larger magnitudes.
const infinityBits = 0x7f800000

func over(axes []int, v *tile.Value, along func(v *tile.Value, axis int) *tile.Value) *tile.Value {
	for _, d := range axes {
		v = along(v, d)
	}
	return v
}

func first(s []*tile.Value) *tile.Value { return s[0] }

func divided(r reducer) reducer { r.Divides = true; return r }

// searching is a reduction to the index of an element. Its state is a key, which
// orders elements as integers do, and the index; a NaN has the key that is given. Where the key
// remains what it is at the start, all elements are equal, and the index 0 is right.
func searching(name string, start bound, nan int, before func(v *tile.Value, x tile.Operand) *tile.Value) reducer {
	lift := func(e element) []*tile.Value { return []*tile.Value{e.value.OrderKey(nan), e.index()} }
	combine := func(x, y []*tile.Value) []*tile.Value {
		better := before(y[0], x[0]).Or(y[0].Eq(x[0]).And(y[1].Lt(x[1])))
		k := better.Builder()
		return []*tile.Value{k.Where(better, y[0], x[0]), k.Where(better, y[1], x[1])}
	}
	return reducer{
		name: name, Fill: start, lift: lift, combine: combine,
		States: func(elem weft.DType) []slot {
			key := wide(elem)
			if elem.IsFloat() {
				key = integerOf(elem)
			}
			return []slot{{"key", key, start}, {"place", weft.I32, zero}}
		},
		step: func(s []*tile.Value, e element) []*tile.Value { // indices grow: what comes later must be better
			y := lift(e)
			better := before(y[0], s[0])
			return []*tile.Value{e.k.Where(better, y[0], s[0]), e.k.Where(better, y[1], s[1])}
		},
		gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
			for _, d := range axes {
				s = tile.Reduce(s, d, combine)
			}
			return s
		},
		finish: func(s []*tile.Value) *tile.Value { return s[1] },
	}
}

// spreading is the reduction to the sum of squared deviations from the mean. Its state is the number
// of elements, their mean and that sum, which Welford's method updates by one element (Note on a
// Method for Calculating Corrected Sums of Squares and Products, 1962) and that of Chan, Golub and
// LeVeque combines (Updating Formulae and a Pairwise Algorithm for Computing Sample Variances,
// 1979). The states of a tile are combined at once, by the mean of all and then the deviations from
// it; for a tile of single elements that is the two-pass method.
var spreading = reducer{
	name: "var", Fill: zero,
	States: func(elem weft.DType) []slot {
		return []slot{{"count", wide(elem), zero}, {"mean", wide(elem), zero}, {"squares", wide(elem), zero}}
	},
	lift: func(e element) []*tile.Value {
		n := e.inside().Cast(wide(e.cfg.Elem))
		return []*tile.Value{n, e.value, e.k.Zeros(wide(e.cfg.Elem), e.shape...)}
	},
	step: func(s []*tile.Value, e element) []*tile.Value {
		here := e.inside()
		n := s[0].Add(here.Cast(wide(e.cfg.Elem)))
		off := e.k.Where(here, e.value.Sub(s[1]), 0)
		mean := off.FMA(e.reciprocalOf(n), s[1])
		return []*tile.Value{n, mean, off.FMA(e.value.Sub(mean), s[2])}
	},
	combine: func(x, y []*tile.Value) []*tile.Value {
		n := x[0].Add(y[0])
		off, part := y[1].Sub(x[1]), y[0].Div(n.Maximum(1)) // no elements have a part of 0
		return []*tile.Value{n, off.FMA(part, x[1]), x[2].Add(y[2]).Add(off.Mul(off).Mul(part).Mul(x[0]))}
	},
	gather: func(e element, s []*tile.Value, axes []int) []*tile.Value {
		n, sum := over(axes, s[0], (*tile.Value).Sum), over(axes, s[0].Mul(s[1]), (*tile.Value).Sum)
		mean := (*tile.Value)(nil)
		if e.cfg.Pass == ReduceWhole { // n is known
			count := e.count().Maximum(1)
			n, mean = e.count().Splat(n.Type().Shape...), quotient(sum, count, e.k.Div(1, count))
		} else {
			mean = sum.Div(n.Maximum(1))
		}
		off := s[1].Sub(mean)
		return []*tile.Value{n, mean, over(axes, off.Mul(off).FMA(s[0], s[2]), (*tile.Value).Sum)}
	},
	finish: func(s []*tile.Value) *tile.Value { return s[2] },
}

// reciprocal is 1/n for a count, but for a rounding, and 1 for 1: a step of Newton's method from a square root. A division has a branch for rare operands in
// CUDA, across which no load of the next iteration moves. (Variance of 97 rows of 393176 on an H200: 65 µs with divisions and 2 elements of a thread in an
// iteration, 44 without and 8.)
func reciprocal(n *tile.Value) *tile.Value {
	r := n.Rsqrt()
	r = r.Mul(r)
	return n.Neg().FMA(r, 2).Mul(r)
}

// quotient divides by a number whose reciprocal is given. The second step makes up for the rounding of the first one, so that the mean
// of equal elements is one of them.
func quotient(x, y, reciprocal *tile.Value) *tile.Value {
	q := x.Mul(reciprocal)
	return q.Neg().FMA(y, x).FMA(reciprocal, q)
}

// Takes reports whether the reduction is one of an element type.
func (op ReduceOp) Takes(elem weft.DType) bool {
	switch op {
	case ReduceMean, ReduceVar, ReduceNorm1, ReduceNorm2, ReduceLogSumExp:
		return elem.IsFloat()
	case ReduceAll, ReduceAny:
		return true
	case ReduceAnd, ReduceOr, ReduceXor:
		return !elem.IsFloat()
	}
	return Numeric(elem)
}
