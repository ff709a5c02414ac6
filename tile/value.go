package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// unary appends an element-wise op of one operand.
func (v *Value) unary(kind Kind) *Value { return v.b.emit(&Op{Kind: kind, Args: []*Value{v}}, Type{}) }

// Neg is -v.
func (v *Value) Neg() *Value { return v.unary(OpNeg) }

// Not is the logical negation of a Bool, the complement of an integer's bits.
func (v *Value) Not() *Value { return v.unary(OpNot) }

// Abs is the absolute value.
func (v *Value) Abs() *Value { return v.unary(OpAbs) }

// Exp is e to the power v.
func (v *Value) Exp() *Value { return v.unary(OpExp) }

// Exp2 is 2 to the power v.
func (v *Value) Exp2() *Value { return v.unary(OpExp2) }

// Log is the natural logarithm.
func (v *Value) Log() *Value { return v.unary(OpLog) }

// Log2 is the logarithm to base 2.
func (v *Value) Log2() *Value { return v.unary(OpLog2) }

// Sqrt is the square root.
func (v *Value) Sqrt() *Value { return v.unary(OpSqrt) }

// Rsqrt is 1 / sqrt(v).
func (v *Value) Rsqrt() *Value { return v.unary(OpRsqrt) }

// Sin is the sine of v radians.
func (v *Value) Sin() *Value { return v.unary(OpSin) }

// Cos is the cosine of v radians.
func (v *Value) Cos() *Value { return v.unary(OpCos) }

// Tanh is the hyperbolic tangent.
func (v *Value) Tanh() *Value { return v.unary(OpTanh) }

// Floor rounds down to an integer.
func (v *Value) Floor() *Value { return v.unary(OpFloor) }

// Ceil rounds up to an integer.
func (v *Value) Ceil() *Value { return v.unary(OpCeil) }

// Cast converts to an element type; v itself if it has that type. Floats round
// to nearest even; float to integer truncates toward zero and saturates.
func (v *Value) Cast(elem dtype.Type) *Value {
	if v.typ.Elem == elem {
		return v
	}
	return v.b.emit(&Op{Kind: OpCast, Args: []*Value{v}}, Type{Elem: elem})
}

// unify converts an operand, a named argument, to a value of the same kernel as v and broadcasts the two to one
// shape: scalars become tiles, dimensions of size 1 grow.
func (v *Value) unify(arg string, x Operand) (*Value, *Value) {
	y := v.b.operand(arg, x, v.typ.Elem)
	if v.typ.Elem == dtype.Invalid || y.typ.Elem == dtype.Invalid {
		return v, y
	}
	a, b := v.typ, y.typ
	switch {
	case a.IsScalar() == b.IsScalar() && slices.Equal(a.Shape, b.Shape):
		return v, y
	case a.IsScalar():
		return v.Splat(b.Shape...), y
	case b.IsScalar():
		return v, y.Splat(a.Shape...)
	case len(a.Shape) != len(b.Shape):
		return v, y // the op's rule reports it
	}
	shape := make([]int, len(a.Shape))
	for d := range shape {
		shape[d] = max(a.Shape[d], b.Shape[d])
		if a.Shape[d] != b.Shape[d] && min(a.Shape[d], b.Shape[d]) != 1 {
			return v, y
		}
	}
	return v.Broadcast(shape...), y.Broadcast(shape...)
}

// binary appends an element-wise op of two operands.
func (v *Value) binary(kind Kind, x Operand) *Value {
	a, b := v.unify("x", x)
	return v.b.emit(&Op{Kind: kind, Args: []*Value{a, b}}, Type{})
}

// Add is v + x.
func (v *Value) Add(x Operand) *Value { return v.binary(OpAdd, x) }

// Sub is v - x.
func (v *Value) Sub(x Operand) *Value { return v.binary(OpSub, x) }

// Mul is v * x, element by element.
func (v *Value) Mul(x Operand) *Value { return v.binary(OpMul, x) }

// Div is v / x; integers truncate toward zero.
func (v *Value) Div(x Operand) *Value { return v.binary(OpDiv, x) }

// Rem is the remainder of the integer division v / x, with the sign of v.
func (v *Value) Rem(x Operand) *Value { return v.binary(OpRem, x) }

// Minimum is the smaller of v and x.
func (v *Value) Minimum(x Operand) *Value { return v.binary(OpMin, x) }

// Maximum is the larger of v and x.
func (v *Value) Maximum(x Operand) *Value { return v.binary(OpMax, x) }

// And is the logical or bitwise conjunction.
func (v *Value) And(x Operand) *Value { return v.binary(OpAnd, x) }

// Or is the logical or bitwise disjunction.
func (v *Value) Or(x Operand) *Value { return v.binary(OpOr, x) }

// Xor is the logical or bitwise exclusive or.
func (v *Value) Xor(x Operand) *Value { return v.binary(OpXor, x) }

// Shl shifts left by x bits, modulo 32, or modulo 64 for 64-bit integers.
func (v *Value) Shl(x Operand) *Value { return v.binary(OpShl, x) }

// Shr shifts right by x bits, modulo as in Shl; arithmetic for signed types.
func (v *Value) Shr(x Operand) *Value { return v.binary(OpShr, x) }

// Eq is v == x.
func (v *Value) Eq(x Operand) *Value { return v.binary(OpEq, x) }

// Ne is v != x.
func (v *Value) Ne(x Operand) *Value { return v.binary(OpNe, x) }

// Lt is v < x.
func (v *Value) Lt(x Operand) *Value { return v.binary(OpLt, x) }

// Le is v <= x.
func (v *Value) Le(x Operand) *Value { return v.binary(OpLe, x) }

// Gt is v > x.
func (v *Value) Gt(x Operand) *Value { return v.binary(OpGt, x) }

// Ge is v >= x.
func (v *Value) Ge(x Operand) *Value { return v.binary(OpGe, x) }

// FMA is v*x + y with a single rounding where the hardware has it.
func (v *Value) FMA(x, y Operand) *Value {
	a, b := v.unify("x", x)
	a, c := a.unify("y", y)
	b, c = b.unify("y", c)
	return v.b.emit(&Op{Kind: OpFMA, Args: []*Value{a, b, c}}, Type{})
}

// Splat makes a tile whose elements all are the scalar v.
func (v *Value) Splat(shape ...int) *Value {
	return v.b.emit(&Op{Kind: OpSplat, Args: []*Value{v}}, Type{Elem: v.typ.Elem, Shape: slices.Clone(shape)})
}

// Broadcast repeats dimensions of size 1 to reach shape; v itself if it has that shape.
func (v *Value) Broadcast(shape ...int) *Value {
	if slices.Equal(v.typ.Shape, shape) {
		return v
	}
	return v.b.emit(&Op{Kind: OpBroadcast, Args: []*Value{v}}, Type{Elem: v.typ.Elem, Shape: slices.Clone(shape)})
}

func (v *Value) reduce(kind Kind, axis int) *Value {
	return v.b.emit(&Op{Kind: kind, Args: []*Value{v}, Axis: axisOf(axis, len(v.typ.Shape))}, Type{})
}

// Sum adds the elements along an axis, which remains with size 1.
func (v *Value) Sum(axis int) *Value { return v.reduce(OpReduceSum, axis) }

// Max is the largest element along an axis, which remains with size 1.
func (v *Value) Max(axis int) *Value { return v.reduce(OpReduceMax, axis) }

// Min is the smallest element along an axis, which remains with size 1.
func (v *Value) Min(axis int) *Value { return v.reduce(OpReduceMin, axis) }

// Dot is acc + a @ b for a of shape [M,K], b of shape [K,N] and an F32 acc of
// shape [M,N], or for each of B matrices: [B,M,K], [B,K,N] and [B,M,N]. a and b have one float type; precision names the least that is
// allowed and must be Float32Accumulate for F16 and BF16. For F64, acc is F64 and precision IEEE. a and b may also both be
// I8 or both U8 with an I32 acc, which wraps; precision is IEEE then. Products with elements that a load left out because they are
// outside of its view may be left out, too: they are zeros, but for an infinity or a NaN of the other operand.
func Dot(a, b, acc *Value, precision Precision) *Value {
	return a.b.emit(&Op{Kind: OpDot, Args: []*Value{a, b, acc}, Precision: precision}, Type{})
}

// Dim is the view's size along an axis; -1 is the last one.
func (v *View) Dim(axis int) *Value {
	return v.b.emit(&Op{Kind: OpDim, View: v, Axis: axisOf(axis, v.Rank)}, Type{})
}

// coords converts a list of I32 operands, an argument of a name each, to values.
func (k *Builder) coords(name string, list []Operand) []*Value {
	out := make([]*Value, len(list))
	for i, c := range list {
		out[i] = k.operandAt(name, i, c, dtype.I32)
	}
	return out
}
