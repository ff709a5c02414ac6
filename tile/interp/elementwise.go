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
			return isNaN(dst.index, args[0]), nil
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
			s = fma(dst.index, args[0], args[1], args[2])
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

// math1 computes an elementary function in float64 and rounds it once.
func math1(f func(float64) float64) unaryFunc[float32] {
	return func(d, x []float32) {
		for i := range d {
			d[i] = float32(f(float64(x[i])))
		}
	}
}

var floatUnary = [tile.NumKinds]unaryFunc[float32]{
	tile.OpNeg: func(d, x []float32) {
		for i := range d {
			d[i] = -x[i]
		}
	},
	tile.OpAbs:     math1(math.Abs),
	tile.OpExp:     math1(math.Exp),
	tile.OpExp2:    math1(math.Exp2),
	tile.OpLog:     math1(math.Log),
	tile.OpLog2:    math1(math.Log2),
	tile.OpSqrt:    math1(math.Sqrt),
	tile.OpRsqrt:   math1(func(x float64) float64 { return 1 / math.Sqrt(x) }),
	tile.OpSin:     math1(math.Sin),
	tile.OpCos:     math1(math.Cos),
	tile.OpTanh:    math1(math.Tanh),
	tile.OpFloor:   math1(math.Floor),
	tile.OpCeil:    math1(math.Ceil),
	tile.OpRound:   math1(math.RoundToEven),
	tile.OpErf:     math1(math.Erf),
	tile.OpLog1p:   math1(math.Log1p),
	tile.OpExpm1:   math1(math.Expm1),
	tile.OpSigmoid: math1(sigmoid),
}

var floatBinary = [tile.NumKinds]binaryFunc[float32]{
	tile.OpAdd: add[float32],
	tile.OpSub: sub[float32],
	tile.OpMul: mul[float32],
	tile.OpDiv: func(d, x, y []float32) {
		for i := range d {
			d[i] = x[i] / y[i]
		}
	},
	tile.OpMin: least[float32],
	tile.OpMax: greatest[float32],
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
