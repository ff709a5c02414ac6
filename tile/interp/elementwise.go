package interp

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// An element-wise op is a function over whole registers; the result may be one
// of the operands.
type (
	unaryFunc[T value]   func(d, x []T)
	binaryFunc[T value]  func(d, x, y []T)
	compareFunc[T value] func(d []bool, x, y []T)
)

// elementwise compiles ops of one to three operands. The result takes the
// register of an operand that is not needed any more.
func (c *compiler) elementwise(op *tile.Op) (step, error) {
	out := op.Result().Type()
	args := c.indices(op.Args)
	from := banks[classOf(op.Args[0].Type().Elem)]
	dst := c.take(op, op.Result(), op.Args...)
	var s step
	switch op.Kind.Fact().Class {
	case tile.Unary:
		switch op.Kind {
		case tile.OpCast:
			return cast(op.Args[0].Type().Elem, out.Elem, dst.index, args[0]), nil
		case tile.OpBitcast:
			return bitcast(op.Args[0].Type().Elem, out.Elem, dst.index, args[0]), nil
		case tile.OpIsNaN:
			if classOf(op.Args[0].Type().Elem) == doubles {
				return isNaN(doubleBank, dst.index, args[0]), nil
			}
			return isNaN(floatBank, dst.index, args[0]), nil
		}
		s = from.unary(op.Kind, dst.index, args[0])
	case tile.Binary:
		s = from.binary(op.Kind, dst.index, args[0], args[1])
	case tile.Compare:
		s = from.compare(op.Kind, dst.index, args[0], args[1])
	case tile.Ternary:
		switch op.Kind {
		case tile.OpSelect:
			return banks[dst.class].choose(dst.index, args[0], args[1], args[2]), nil
		case tile.OpFMA:
			if s = fma(dst.index, args[0], args[1], args[2]); dst.class == doubles {
				s = fmaDoubles(dst.index, args[0], args[1], args[2])
			}
		}
	}
	if s == nil {
		return nil, unknown(op)
	}
	return then(s, narrow(out.Elem, dst.index)), nil
}

// then joins two steps; the second may be nil.
func then(first, second step) step {
	if second == nil {
		return first
	}
	return func(w *worker) { first(w); second(w) }
}

// narrow rounds or wraps a register to an element type that is narrower than
// what the register holds; nil for the others.
func narrow(e dtype.Type, dst int) step {
	switch e {
	case dtype.F16:
		return func(w *worker) { narrowF16(w.f[dst]) }
	case dtype.BF16:
		return func(w *worker) { narrowBF16(w.f[dst]) }
	case dtype.I8:
		return func(w *worker) { each(w.i[dst], func(x int32) int32 { return int32(int8(x)) }) }
	case dtype.U8:
		return func(w *worker) { each(w.i[dst], func(x int32) int32 { return int32(uint8(x)) }) }
	case dtype.I16:
		return func(w *worker) { each(w.i[dst], func(x int32) int32 { return int32(int16(x)) }) }
	case dtype.U16:
		return func(w *worker) { each(w.i[dst], func(x int32) int32 { return int32(uint16(x)) }) }
	}
	return nil
}

func each[T value](d []T, f func(T) T) {
	for i, x := range d {
		d[i] = f(x)
	}
}

// Steps of one class of registers; nil where it lacks the op.

func (k bank[T]) unary(kind tile.Kind, d, x int) step {
	f := k.unaries(kind)
	if f == nil {
		return nil
	}
	return func(w *worker) {
		r := k.of(w)
		f(r[d], r[x][:len(r[d])])
	}
}

func (k bank[T]) binary(kind tile.Kind, d, x, y int) step {
	f := k.binaries(kind)
	if f == nil {
		return nil
	}
	return func(w *worker) {
		r := k.of(w)
		n := len(r[d])
		f(r[d], r[x][:n], r[y][:n])
	}
}

func (k bank[T]) compare(kind tile.Kind, d, x, y int) step {
	f := k.compares(kind)
	if f == nil {
		return nil
	}
	return func(w *worker) {
		r := k.of(w)
		n := len(w.b[d])
		f(w.b[d], r[x][:n], r[y][:n])
	}
}

// fma rounds once: the product is exact in float64, and so but for rare ties is the sum.
func fma(d, x, y, z int) step {
	return func(w *worker) {
		out := w.f[d]
		xs, ys, zs := w.f[x][:len(out)], w.f[y][:len(out)], w.f[z][:len(out)]
		for i := range out {
			out[i] = float32(float64(xs[i])*float64(ys[i]) + float64(zs[i]))
		}
	}
}

// fmaDoubles is fma of F64.
func fmaDoubles(d, x, y, z int) step {
	return func(w *worker) {
		out := w.d[d]
		xs, ys, zs := w.d[x][:len(out)], w.d[y][:len(out)], w.d[z][:len(out)]
		for i := range out {
			out[i] = math.FMA(xs[i], ys[i], zs[i])
		}
	}
}

// realUnary computes an elementary function in float64 and rounds it once.
func realUnary[T real](kind tile.Kind) unaryFunc[T] {
	if kind == tile.OpNeg {
		return func(d, x []T) {
			for i := range d {
				d[i] = -x[i]
			}
		}
	}
	f := functions[kind]
	if f == nil {
		return nil
	}
	return func(d, x []T) {
		for i := range d {
			d[i] = T(f(float64(x[i])))
		}
	}
}

// functions are those of a float.
var functions = [tile.NumKinds]func(float64) float64{
	tile.OpAbs: math.Abs, tile.OpExp: math.Exp, tile.OpExp2: math.Exp2, tile.OpLog: math.Log, tile.OpLog2: math.Log2,
	tile.OpSqrt: math.Sqrt, tile.OpRsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	tile.OpSin: math.Sin, tile.OpCos: math.Cos, tile.OpTanh: math.Tanh, tile.OpErf: math.Erf,
	tile.OpFloor: math.Floor, tile.OpCeil: math.Ceil, tile.OpRound: math.RoundToEven,
	tile.OpLog1p: math.Log1p, tile.OpExpm1: math.Expm1, tile.OpSigmoid: sigmoid,
}

func realBinary[T real](kind tile.Kind) binaryFunc[T] {
	if kind == tile.OpDiv {
		return func(d, x, y []T) {
			for i := range d {
				d[i] = x[i] / y[i]
			}
		}
	}
	return numberBinary[T](kind)
}

var boolUnary = [tile.NumKinds]unaryFunc[bool]{
	tile.OpNot: func(d, x []bool) {
		for i := range d {
			d[i] = !x[i]
		}
	},
}

var boolBinary = [tile.NumKinds]binaryFunc[bool]{
	tile.OpAnd: func(d, x, y []bool) {
		for i := range d {
			d[i] = x[i] && y[i]
		}
	},
	tile.OpOr: func(d, x, y []bool) {
		for i := range d {
			d[i] = x[i] || y[i]
		}
	},
	tile.OpXor: func(d, x, y []bool) {
		for i := range d {
			d[i] = x[i] != y[i]
		}
	},
}

var boolCompare = [tile.NumKinds]compareFunc[bool]{
	tile.OpEq: equal[bool],
	tile.OpNe: different[bool],
}
