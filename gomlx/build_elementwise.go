package gomlx

import (
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/shapeinference"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// The element-wise ops. What they compute is in elementwise.go.

// LogicalNot is the op of that name.
func (b *Builder) LogicalNot(x backends.Op) (backends.Op, error) {
	return b.unary(backends.OpTypeLogicalNot, x)
}

// BitwiseNot is the op of that name.
func (b *Builder) BitwiseNot(x backends.Op) (backends.Op, error) {
	return b.unary(backends.OpTypeBitwiseNot, x)
}

// BitCount is the op of that name.
func (b *Builder) BitCount(x backends.Op) (backends.Op, error) {
	return b.unary(backends.OpTypeBitCount, x)
}

// Clz is the op of that name.
func (b *Builder) Clz(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeClz, x) }

// Erf is the op of that name.
func (b *Builder) Erf(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeErf, x) }

// Exp is the op of that name.
func (b *Builder) Exp(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeExp, x) }

// Expm1 is the op of that name.
func (b *Builder) Expm1(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeExpm1, x) }

// Log is the op of that name.
func (b *Builder) Log(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeLog, x) }

// Log1p is the op of that name.
func (b *Builder) Log1p(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeLog1p, x) }

// Logistic is the op of that name.
func (b *Builder) Logistic(x backends.Op) (backends.Op, error) {
	return b.unary(backends.OpTypeLogistic, x)
}

// Ceil is the op of that name.
func (b *Builder) Ceil(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeCeil, x) }

// Floor is the op of that name.
func (b *Builder) Floor(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeFloor, x) }

// Round is the op of that name.
func (b *Builder) Round(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeRound, x) }

// Rsqrt is the op of that name.
func (b *Builder) Rsqrt(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeRsqrt, x) }

// Sqrt is the op of that name.
func (b *Builder) Sqrt(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeSqrt, x) }

// Cos is the op of that name.
func (b *Builder) Cos(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeCos, x) }

// Sin is the op of that name.
func (b *Builder) Sin(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeSin, x) }

// Tanh is the op of that name.
func (b *Builder) Tanh(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeTanh, x) }

// Abs is the op of that name.
func (b *Builder) Abs(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeAbs, x) }

// Neg is the op of that name.
func (b *Builder) Neg(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeNeg, x) }

// Sign is the op of that name.
func (b *Builder) Sign(x backends.Op) (backends.Op, error) { return b.unary(backends.OpTypeSign, x) }

// Add is the op of that name.
func (b *Builder) Add(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeAdd, x, y)
}

// Sub is the op of that name.
func (b *Builder) Sub(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeSub, x, y)
}

// Mul is the op of that name.
func (b *Builder) Mul(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeMul, x, y)
}

// Div is the op of that name.
func (b *Builder) Div(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeDiv, x, y)
}

// Pow is the op of that name.
func (b *Builder) Pow(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypePow, x, y)
}

// Rem is the op of that name.
func (b *Builder) Rem(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeRem, x, y)
}

// BitwiseAnd is the op of that name.
func (b *Builder) BitwiseAnd(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeBitwiseAnd, x, y)
}

// BitwiseOr is the op of that name.
func (b *Builder) BitwiseOr(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeBitwiseOr, x, y)
}

// BitwiseXor is the op of that name.
func (b *Builder) BitwiseXor(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeBitwiseXor, x, y)
}

// LogicalAnd is the op of that name.
func (b *Builder) LogicalAnd(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeLogicalAnd, x, y)
}

// LogicalOr is the op of that name.
func (b *Builder) LogicalOr(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeLogicalOr, x, y)
}

// LogicalXor is the op of that name.
func (b *Builder) LogicalXor(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeLogicalXor, x, y)
}

// Max is the op of that name.
func (b *Builder) Max(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeMax, x, y)
}

// Min is the op of that name.
func (b *Builder) Min(x, y backends.Op) (backends.Op, error) {
	return b.binary(backends.OpTypeMin, x, y)
}

// Equal is the op of that name.
func (b *Builder) Equal(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeEqual, x, y)
}

// NotEqual is the op of that name.
func (b *Builder) NotEqual(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeNotEqual, x, y)
}

// GreaterOrEqual is the op of that name.
func (b *Builder) GreaterOrEqual(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeGreaterOrEqual, x, y)
}

// GreaterThan is the op of that name.
func (b *Builder) GreaterThan(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeGreaterThan, x, y)
}

// LessOrEqual is the op of that name.
func (b *Builder) LessOrEqual(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeLessOrEqual, x, y)
}

// LessThan is the op of that name.
func (b *Builder) LessThan(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeLessThan, x, y)
}

// EqualTotalOrder is the op of that name.
func (b *Builder) EqualTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeEqualTotalOrder, x, y)
}

// GreaterOrEqualTotalOrder is the op of that name.
func (b *Builder) GreaterOrEqualTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeGreaterOrEqualTotalOrder, x, y)
}

// GreaterThanTotalOrder is the op of that name.
func (b *Builder) GreaterThanTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeGreaterThanTotalOrder, x, y)
}

// LessOrEqualTotalOrder is the op of that name.
func (b *Builder) LessOrEqualTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeLessOrEqualTotalOrder, x, y)
}

// LessThanTotalOrder is the op of that name.
func (b *Builder) LessThanTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.compare(backends.OpTypeLessThanTotalOrder, x, y)
}

// ShiftLeft is the op of that name.
func (b *Builder) ShiftLeft(x, y backends.Op) (backends.Op, error) {
	return b.shift(backends.OpTypeShiftLeft, x, y)
}

// ShiftRightArithmetic is the op of that name.
func (b *Builder) ShiftRightArithmetic(x, y backends.Op) (backends.Op, error) {
	return b.shift(backends.OpTypeShiftRightArithmetic, x, y)
}

// ShiftRightLogical is the op of that name.
func (b *Builder) ShiftRightLogical(x, y backends.Op) (backends.Op, error) {
	return b.shift(backends.OpTypeShiftRightLogical, x, y)
}

// NotEqualTotalOrder is the op of that name.
func (b *Builder) NotEqualTotalOrder(x, y backends.Op) (backends.Op, error) {
	return b.addOp(backends.OpTypeNotEqualTotalOrder, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.ComparisonOp(backends.OpTypeEqualTotalOrder, in[0].shape, in[1].shape)
	}, x, y)
}

// shift adds a shift, whose shapes are those of any op on the bits of two integers.
func (b *Builder) shift(op backends.OpType, x, y backends.Op) (backends.Op, error) {
	return b.addOp(op, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.BinaryOp(backends.OpTypeBitwiseAnd, in[0].shape, in[1].shape)
	}, x, y)
}

// IsFinite tells which elements are neither infinite nor NaN.
func (b *Builder) IsFinite(x backends.Op) (backends.Op, error) {
	return b.test(backends.OpTypeIsFinite, x)
}

// IsNaN tells which elements are NaN.
func (b *Builder) IsNaN(x backends.Op) (backends.Op, error) { return b.test(backends.OpTypeIsNaN, x) }

// test adds an op that tells something of each float.
func (b *Builder) test(op backends.OpType, x backends.Op) (backends.Op, error) {
	return b.addOp(op, nil, func(in []*node) (shapes.Shape, error) {
		shape := in[0].shape.Clone()
		if !shape.DType.IsFloat() {
			return shape, errors.Errorf("the elements are %s, want floats", shape.DType)
		}
		shape.DType = dtypes.Bool
		return shape, nil
	}, x)
}

// ConvertDType converts elements to another type.
func (b *Builder) ConvertDType(x backends.Op, dtype dtypes.DType) (backends.Op, error) {
	in, err := b.inputs("ConvertDType", x)
	if err != nil {
		return nil, err
	}
	if in[0].shape.DType == dtype {
		return in[0], nil
	}
	shape := in[0].shape.Clone()
	shape.DType = dtype
	return orNil(b.add(backends.OpTypeConvertDType, shape, nil, in[0]))
}

// Where chooses between elements by a condition.
func (b *Builder) Where(condition, onTrue, onFalse backends.Op) (backends.Op, error) {
	return b.addOp(backends.OpTypeWhere, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.WhereOp(in[0].shape, in[1].shape, in[2].shape)
	}, condition, onTrue, onFalse)
}

// Clamp limits elements to a range.
func (b *Builder) Clamp(lo, x, hi backends.Op) (backends.Op, error) {
	y, err := b.Max(lo, x)
	if err != nil {
		return nil, errors.WithMessage(err, "Clamp")
	}
	y, err = b.Min(y, hi)
	return y, errors.WithMessage(err, "Clamp")
}

// Bitcast reads the bits of elements as another type. Elements of a smaller type get a last axis of their own; those of a larger type
// are made of the elements of the last axis.
func (b *Builder) Bitcast(x backends.Op, dtype dtypes.DType) (backends.Op, error) {
	return b.addOp(backends.OpTypeBitcast, nil, func(in []*node) (shapes.Shape, error) {
		shape := in[0].shape.Clone()
		from := shape.DType
		shape.DType = dtype
		if !numbers(from) || !numbers(dtype) {
			return shape, errors.Errorf("from %s to %s, want numbers", from, dtype)
		}
		last := shape.Rank() - 1
		switch {
		case from.Size() > dtype.Size():
			shape.Dimensions = append(shape.Dimensions, from.Size()/dtype.Size())
		case from.Size() < dtype.Size():
			if last < 0 || shape.Dimensions[last] != dtype.Size()/from.Size() {
				return shape, errors.Errorf("from shape %s to %s, want %d elements in the last axis", in[0].shape, dtype, dtype.Size()/from.Size())
			}
			shape.Dimensions = shape.Dimensions[:last]
		}
		return shape, nil
	}, x)
}
