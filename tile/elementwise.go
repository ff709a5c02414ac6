package tile

import (
	"github.com/weftgpu/weft/dtype"
)

// Round rounds to the nearest integer, ties to even.
func (v *Value) Round() *Value { return v.unary(OpRound) }

// Erf is the error function, 2/√π times the integral of exp(-t²) from 0 to v.
func (v *Value) Erf() *Value { return v.unary(OpErf) }

// Log1p is the natural logarithm of 1 + v, accurate for v near 0.
func (v *Value) Log1p() *Value { return v.unary(OpLog1p) }

// Expm1 is e to the power v, minus 1, accurate for v near 0.
func (v *Value) Expm1() *Value { return v.unary(OpExpm1) }

// Sigmoid is the logistic function, 1 / (1 + exp(-v)).
func (v *Value) Sigmoid() *Value { return v.unary(OpSigmoid) }

// IsNaN holds, as a Bool, where the float v is not a number.
func (v *Value) IsNaN() *Value { return v.unary(OpIsNaN) }

// Clamp is the smaller of hi and the larger of lo and v. For lo > hi it is hi; of
// a NaN it is lo, hi or NaN.
func (v *Value) Clamp(lo, hi Operand) *Value {
	return v.b.named("clamp", func() *Value { return v.Maximum(lo).Minimum(hi) })
}

// Bitcast reads the bits of v as another element type of the same size: among
// I32, U32 and F32, among I16, U16, F16 and BF16, among I64, U64 and F64, and between I8 and U8; v itself
// if it has that type. A NaN may come out as another NaN.
func (v *Value) Bitcast(elem dtype.Type) *Value {
	if v.typ.Elem == elem {
		return v
	}
	return v.b.emit(&Op{Kind: OpBitcast, Args: []*Value{v}}, Type{Elem: elem})
}

func ruleIsNaN(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	if !t.Elem.IsFloat() {
		return Type{}, kernelError(op, "the operand is %v, want floats", t)
	}
	return Type{Elem: dtype.Bool, Shape: t.Shape}, nil
}

func ruleBitcast(op *Op, want Type) (Type, error) {
	from, to := op.Args[0].typ.Elem, want.Elem
	if !to.Valid() || from == dtype.Bool || to == dtype.Bool || from.Size() != to.Size() {
		return Type{}, kernelError(op, "%v cannot be taken as bits of %v, want a type of the same size other than bool", op.Args[0].typ, to)
	}
	return Type{Elem: to, Shape: op.Args[0].typ.Shape}, nil
}
