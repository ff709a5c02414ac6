package tile

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// Operand is a value of a kernel, a *Value, or a Go number of any type, also one defined
// like type Count int32. A number takes the element type of the other operand, which must
// hold it; floats are rounded to it. Next to Bool values a Go bool is a number, too.
//
// Numbers without a value next to them are I32 if they are integers, Bool if they are bools and
// F32 otherwise.
type Operand = any

// Number is a Go number of any type, also one defined like type Count int32; for Bool it may be a Go bool.
// Floats are rounded to the element type that they are for, once and to nearest even, and a type of integers must hold the
// number: 2.0 is one of I32, 2.5 and 1e10 are not.
type Number = any

// number is a constant of a type.
func (k *Builder) number(op string, t Type, x Number) *Value {
	switch n := dtype.NumberOf(x); {
	case n.Kind == dtype.NoNumber, n.Kind == dtype.BoolNumber && t.Elem != dtype.Bool:
		k.failOp(fault.New(fault.ErrKernel, op, "a %T is not a number of %v", x, t.Elem).For("x"))
		return k.newValue(Type{}, nil)
	case n.Kind == dtype.IntNumber:
		return k.integer(t, n)
	default:
		return k.constant(t, n.Float64())
	}
}

// fill is the number for elements of a view that are not read.
func (k *Builder) fill(elem dtype.Type, x Number) float64 {
	n := dtype.NumberOf(x)
	switch {
	case n.Kind == dtype.NoNumber, n.Kind == dtype.BoolNumber && elem != dtype.Bool:
		k.fail(fault.New(fault.ErrKernel, "fill", "a %T is not a number of %v", x, elem))
	case n.Kind == dtype.IntNumber && elem.IsInt() && !exactFloat(n.Magnitude):
		k.fail(fault.New(fault.ErrLimit, "fill", "%v has more than 53 binary digits", x))
	}
	return n.Float64()
}

// Where is x where the Bool cond holds and y elsewhere, element by element:
//
//	k.Where(v.Gt(0), v, 0)
//	k.Where(v.Gt(0), 1, -1) // of I32: see Operand
func (k *Builder) Where(cond *Value, x, y Operand) *Value {
	if cond == nil {
		k.fail(fault.New(fault.ErrKernel, "", "the value is nil").For("cond"))
		return k.newValue(Type{}, nil)
	}
	list := k.operands(xy, x, y)
	a, b := list[0].unify("y", list[1])
	c, a := k.operand("cond", cond, dtype.Bool).unify("x", a) // of shapes alone: the condition's type is another
	_, b = c.unify("y", b)
	return k.emit(&Op{Kind: OpSelect, Args: []*Value{c, a, b}}, Type{})
}

// xy are the names of two operands.
var xy = []string{"x", "y"}

// Sub is x - y, Value.Sub for a number on the left: k.Sub(1, v).
func (k *Builder) Sub(x, y Operand) *Value { return k.binary(OpSub, x, y) }

// Div is x / y, Value.Div for a number on the left: k.Div(1, v).
func (k *Builder) Div(x, y Operand) *Value { return k.binary(OpDiv, x, y) }

// Rem is the remainder of x / y, Value.Rem for a number on the left.
func (k *Builder) Rem(x, y Operand) *Value { return k.binary(OpRem, x, y) }

// Shl shifts x left by y bits, Value.Shl for a number on the left: k.Shl(1, v).
func (k *Builder) Shl(x, y Operand) *Value { return k.binary(OpShl, x, y) }

// Shr shifts x right by y bits, Value.Shr for a number on the left.
func (k *Builder) Shr(x, y Operand) *Value { return k.binary(OpShr, x, y) }

// binary appends an element-wise op of two operands of one element type.
func (k *Builder) binary(kind Kind, x, y Operand) *Value {
	list := k.operands(xy, x, y)
	return list[0].binary(kind, list[1])
}

// CDiv is the ceiling of x / y for integers x >= 0 and y > 0, scalars or tiles of one
// type; x + y - 1 must be a value of the type.
func (k *Builder) CDiv(x, y Operand) *Value {
	list := k.operands(xy, x, y)
	n, d := list[0], list[1]
	if e := n.typ.Elem; e.Valid() && !e.IsInt() {
		k.fail(fault.New(fault.ErrKernel, "", "the operands are %s, want integers", typeList(list)))
		return k.newValue(Type{}, nil)
	}
	return n.Add(d.Sub(1)).Div(d)
}

// operands converts operands of one element type, the arguments of the given names, to values; see Operand.
func (k *Builder) operands(names []string, list ...Operand) []*Value {
	elem := dtype.Invalid
	for _, x := range list {
		if v, ok := x.(*Value); ok && v != nil {
			elem = v.typ.Elem
			break
		}
		switch n := dtype.NumberOf(x); {
		case n.Kind == dtype.BoolNumber && !elem.Valid():
			elem = dtype.Bool
		case n.Kind == dtype.FloatNumber:
			elem = dtype.F32
		case n.Kind == dtype.IntNumber && elem != dtype.F32:
			elem = dtype.I32
		}
	}
	values := make([]*Value, len(list))
	for i, x := range list {
		values[i] = k.operand(names[i], x, elem)
	}
	return values
}

// advice says how something that is given in place of a value by mistake becomes one; "" if there is no advice.
func advice(x any) string {
	switch x.(type) {
	case *Var:
		return "a Var is not a value: read it with Get"
	case *View:
		return "a View is not a value: read it with Block and Load, or At and Gather"
	case Block:
		return "a Block is not a value: read it with Load"
	case Points:
		return "Points are not a value: read them with Gather"
	case interface{ Layout() layout.Layout }:
		return "a tensor is not a value: declare a view for it with In, and give the tensor to the launch"
	}
	return ""
}

// operand converts an Operand, an argument of the op that was called, to a value; numbers become constants of elem.
func (k *Builder) operand(arg string, x Operand, elem dtype.Type) *Value {
	if v, ok := x.(*Value); x == nil || ok && v == nil {
		return k.noOperand(arg, "the value is nil")
	}
	if v, ok := x.(*Value); ok {
		if !k.owns("", v) {
			return k.newValue(Type{}, nil)
		}
		return v
	}
	if text := advice(x); text != "" {
		return k.noOperand(arg, "%s", text)
	}
	switch n := dtype.NumberOf(x); {
	case n.Kind == dtype.IntNumber:
		return k.integer(ScalarOf(elem), n)
	case n.Kind == dtype.FloatNumber:
		return k.constant(ScalarOf(elem), n.Float)
	case n.Kind == dtype.BoolNumber && elem == dtype.Bool:
		return k.constant(ScalarOf(elem), n.Float64())
	case n.Kind == dtype.BoolNumber:
		return k.noOperand(arg, "%v is a bool, the other operand is %v", x, elem)
	}
	return k.noOperand(arg, "a %s is not a value or a number", fmt.Sprintf("%T", x))
}

// operandAt is operand for one of a list of arguments.
func (k *Builder) operandAt(name string, i int, x Operand, elem dtype.Type) *Value {
	before := k.err
	v := k.operand(name, x, elem)
	if e, ok := k.err.(*fault.Error); ok && before == nil && e.Arg == name {
		e.Arg = fmt.Sprintf("%s %d", name, i)
	}
	return v
}

// noOperand fails and returns a value without a type.
func (k *Builder) noOperand(arg, format string, args ...any) *Value {
	k.fail(fault.New(fault.ErrKernel, "", format, args...).For(arg))
	return k.newValue(Type{}, nil)
}

// arguments are the names of operands that are values alone.
var arguments = map[Kind][]string{
	OpStore: {"value"}, OpJoin: {"v", "x"}, OpDot: {"a", "b", "acc"}, OpPrint: {"value", "when"}, OpAssert: {"cond", "args"}, OpExit: {"cond"},
	OpCondition: {"cond"}, OpAssume: {"cond"}, OpRequire: {"cond"}, OpBreakpoint: {"values"},
}

// argument is the name of an operand; of the last list of arguments all operands have its name.
func (op *Op) argument(i int) string {
	names := arguments[op.Kind]
	if len(names) == 0 {
		return fmt.Sprintf("operand %d", i)
	}
	return names[min(i, len(names)-1)]
}
