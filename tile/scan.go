package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// The cumulative ops scan along an axis. Element i is the result over elements 0 to i; with the option
// Reverse over elements i to the last, with Exclusive without element i itself, where the first one is
// the result over nothing.

// CumSum is the cumulative sum along an axis; over nothing it is 0. F16 and BF16 are summed
// in F32 and rounded at the end; integers wrap.
func (v *Value) CumSum(axis int, options ...ScanOption) *Value {
	return v.cumulate("cumsum", axis, options, 0, (*Value).Add)
}

// CumProd is the cumulative product along an axis; over nothing it is 1. F16 and BF16 are
// multiplied in F32 and rounded at the end; integers wrap.
func (v *Value) CumProd(axis int, options ...ScanOption) *Value {
	return v.cumulate("cumprod", axis, options, 1, (*Value).Mul)
}

// CumMax is the largest element so far along an axis; as Max it may lose a NaN. Over nothing
// it is -infinity, for integers the least of the type.
func (v *Value) CumMax(axis int, options ...ScanOption) *Value {
	return v.cumulate("cummax", axis, options, least(v.typ.Elem), (*Value).Maximum)
}

// CumMin is the smallest element so far along an axis; as Min it may lose a NaN. Over nothing
// it is +infinity, for integers the largest of the type.
func (v *Value) CumMin(axis int, options ...ScanOption) *Value {
	return v.cumulate("cummin", axis, options, greatest(v.typ.Elem), (*Value).Minimum)
}

// cumulate scans by an op of two operands.
func (v *Value) cumulate(name string, axis int, options []ScanOption, identity Operand, f func(v *Value, x Operand) *Value) *Value {
	sum := func(v *Value) *Value {
		combine := func(x, y []*Value) []*Value { return []*Value{f(x[0], y[0])} }
		if scanOptions(options)&Exclusive != 0 {
			return ScanExclusive([]*Value{v}, []Operand{identity}, axis, combine, options...)[0]
		}
		return Scan([]*Value{v}, axis, combine, options...)[0]
	}
	return v.b.named(name, func() *Value { return inF32(v, sum) })
}

// least and greatest are the limits of a type.
func least(e dtype.Type) Operand {
	switch {
	case e.IsFloat():
		return math.Inf(-1)
	case e.IsSigned():
		return int64(-1) << (8*e.Size() - 1)
	}
	return 0
}

func greatest(e dtype.Type) Operand {
	switch {
	case e.IsFloat():
		return math.Inf(1)
	case e.IsSigned():
		return int64(math.MaxInt64) >> (64 - 8*e.Size())
	}
	return uint64(math.MaxUint64) >> (64 - 8*e.Size())
}
