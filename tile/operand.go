package tile

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Operand is a value of a kernel or a Go number: *Value, int, int64, uint64 or float64. A
// number takes the element type of the operand beside it.
type Operand = any

// Where is x where the Bool cond holds and y elsewhere, element by element. x and y may be
// numbers: one takes the element type of the other operand, and two are I32 if both are
// integers and F32 otherwise.
func (k *Builder) Where(cond *Value, x, y Operand) *Value {
	list := k.operands(x, y)
	if cond == nil {
		return k.emit(&Op{Kind: OpSelect, Args: append([]*Value{cond}, list...)}, Type{})
	}
	a, b := list[0].unify(list[1])
	c, a := k.operand(cond, dtype.Bool).unify(a) // of shapes alone: the condition's type is another
	_, b = c.unify(b)
	return k.emit(&Op{Kind: OpSelect, Args: []*Value{c, a, b}}, Type{})
}

// CDiv is the ceiling of x / y for integers x >= 0 and y > 0, scalars or tiles of one
// type; x + y - 1 must be a value of the type.
func (k *Builder) CDiv(x, y Operand) *Value {
	list := k.operands(x, y)
	n, d := list[0], list[1]
	return n.Add(d.Sub(1)).Div(d)
}

// operands turns operands of one element type into values. Numbers take the type of the
// first value among them. Numbers alone are I32 if all of them are integers, and F32 otherwise.
func (k *Builder) operands(list ...Operand) []*Value {
	elem := dtype.I32
	for _, x := range list {
		if _, float := x.(float64); float {
			elem = dtype.F32
		}
	}
	for _, x := range list {
		if v, ok := x.(*Value); ok && v != nil {
			elem = v.typ.Elem
			break
		}
	}
	values := make([]*Value, len(list))
	for i, x := range list {
		values[i] = k.operand(x, elem)
	}
	return values
}

// operand turns an Operand into a value; numbers become constants of elem.
func (k *Builder) operand(x Operand, elem dtype.Type) *Value {
	switch x := x.(type) {
	case *Value:
		if x == nil {
			break
		}
		if !k.owns("operand", x) {
			return k.newValue(Type{}, nil)
		}
		return x
	case int:
		return k.integer(elem, uint64(x), x < 0)
	case int64:
		return k.integer(elem, uint64(x), x < 0)
	case uint64:
		return k.integer(elem, x, false)
	case float64:
		return k.Const(elem, x)
	}
	k.fail(fault.New(fault.ErrKernel, "operand", "%s is not a value, an int, int64, uint64 or float64", fmt.Sprintf("%T", x)))
	return k.newValue(Type{}, nil)
}
