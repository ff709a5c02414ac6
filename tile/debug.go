package tile

import "github.com/weftgpu/weft/fault"

// Aids for finding errors. They act in the interpreter (tile/interp, the cpu
// device) and change nothing of what a kernel computes: GPUs drop them, with a note among
// the choices that lowering explains.

// Assert demands that a Bool, a scalar or every element of a tile, holds. Where it
// does not, the launch fails with fault.ErrKernel, the line, the message, the
// program, and the element's coordinates and those of the values in args of its shape.
func (k *Builder) Assert(cond *Value, message string, args ...*Value) {
	k.emit(&Op{Kind: OpAssert, Text: message, Args: append([]*Value{cond}, args...)}, Type{})
}

// Print writes a value under a name, in the programs in which all scalar Bool
// conditions hold:
//
//	k.Print("row maximum", top, k.ProgramID(0).Eq(3))
func (k *Builder) Print(name string, value *Value, when ...*Value) {
	k.emit(&Op{Kind: OpPrint, Text: name, Args: append([]*Value{value}, when...)}, Type{})
}

// Break is a breakpoint: the interpreter calls back with the values given or, if
// none is, with what the variables in scope hold, in order of their creation.
func (k *Builder) Break(values ...*Value) {
	if len(values) == 0 {
		for _, v := range k.vars {
			values = append(values, v.value)
		}
	}
	k.emit(&Op{Kind: OpBreakpoint, Args: values}, Type{})
}

func ruleAssert(op *Op, _ Type) (Type, error) {
	if len(op.Args) == 0 || !bools.has(op.Args[0].typ.Elem) {
		return Type{}, kernelError(op, "the condition is nil or not a bool")
	}
	return Type{}, nil
}

func rulePrint(op *Op, _ Type) (Type, error) {
	if len(op.Args) == 0 {
		return Type{}, kernelError(op, "the value is nil")
	}
	for _, a := range op.Args[1:] {
		if !a.typ.IsScalar() || !bools.has(a.typ.Elem) {
			return Type{}, fault.New(fault.ErrKernel, op.Kind.String(), "the condition is %v, want a scalar bool", a.typ)
		}
	}
	return Type{}, nil
}

func ruleBreakpoint(op *Op, _ Type) (Type, error) {
	if len(op.Args) == 0 {
		return Type{}, kernelError(op, "nothing to show: no value is given and no variable is in scope")
	}
	return Type{}, nil
}
