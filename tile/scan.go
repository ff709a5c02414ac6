package tile

import (
	"math"

	"github.com/weftgpu/weft/dtype"
)

// CumSum is the cumulative sum along an axis: element i is the sum of elements 0 to
// i. F16 and BF16 are summed in F32 and rounded at the end; integers wrap.
func (v *Value) CumSum(axis int) *Value { return v.cumulate(axis, false, 0, (*Value).Add) }

// CumSumExclusive is the cumulative sum of the elements before each one: element
// i is the sum of elements 0 to i-1, element 0 is 0.
func (v *Value) CumSumExclusive(axis int) *Value { return v.cumulate(axis, true, 0, (*Value).Add) }

// CumProd is the cumulative product along an axis: element i is the product of
// elements 0 to i. F16 and BF16 are multiplied in F32 and rounded at the end; integers wrap.
func (v *Value) CumProd(axis int) *Value { return v.cumulate(axis, false, 1, (*Value).Mul) }

// CumProdExclusive is the cumulative product of the elements before each one; element 0 is 1.
func (v *Value) CumProdExclusive(axis int) *Value { return v.cumulate(axis, true, 1, (*Value).Mul) }

// CumMax is the largest of elements 0 to i along an axis; as Max it may lose a NaN.
func (v *Value) CumMax(axis int) *Value { return v.cumulate(axis, false, 0, (*Value).Max) }

// CumMaxExclusive is the largest of the elements before each one; element 0 is
// -infinity, for integers the least of the type.
func (v *Value) CumMaxExclusive(axis int) *Value {
	return v.cumulate(axis, true, least(v.typ.Elem), (*Value).Max)
}

// cumulate scans by an op of two operands.
func (v *Value) cumulate(axis int, exclusive bool, identity float64, f func(v *Value, x Operand) *Value) *Value {
	return inF32(v, func(v *Value) *Value {
		combine := func(x, y []*Value) []*Value { return []*Value{f(x[0], y[0])} }
		if exclusive {
			return ScanExclusive([]*Value{v}, []Operand{identity}, axis, combine)[0]
		}
		return Scan([]*Value{v}, axis, combine)[0]
	})
}

// least is the smallest value of a type.
func least(e dtype.Type) float64 {
	switch {
	case e.IsFloat():
		return math.Inf(-1)
	case e.IsSigned():
		return -math.Ldexp(1, 8*e.Size()-1)
	}
	return 0
}
