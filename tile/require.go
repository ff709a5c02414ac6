package tile

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Require states a condition on the sizes of views and on scalar parameters:
//
//	k.Require(x.Dim(0).Eq(y.Dim(0)))
//
// cond is computed on the host at each launch, as the grid is, from sizes, I32 scalars and numbers. A launch
// for which it does not hold fails with fault.ErrShape, with the numbers and this line, and nothing runs. A
// requirement must be outside of loops and branches. The compiler relies on it.
func (k *Builder) Require(cond *Value) {
	if cond == nil {
		k.fail(fault.New(fault.ErrKernel, "require", "the condition is nil"))
		return
	}
	if k.depth > 0 {
		k.fail(fault.New(fault.ErrKernel, "require", "the requirement is within a loop or a branch, want it outside: it is checked once, before the launch"))
		return
	}
	k.emit(&Op{Kind: OpRequire, Args: []*Value{cond}}, Type{})
}

func ruleRequire(op *Op, _ Type) (Type, error) {
	if _, err := ruleCondition(op, Type{}); err != nil {
		return Type{}, err
	}
	if err := checkHostValue(op.Args[0], map[*Value]bool{}); err != nil {
		return Type{}, kernelError(op, "the condition varies within the kernel, want sizes, scalars of i32 and numbers: it is checked before the launch").(*fault.Error).Because(err)
	}
	return Type{}, nil
}

// check checks what a launch must fulfil: the kernel's requirements and the steps of its loops.
func (k *Func) check(h *host) error {
	for _, op := range k.hostChecked() {
		x := h.eval(hostOperand(op))
		if op.Kind == OpFor {
			if x <= 0 {
				return fault.New(fault.ErrKernel, k.Name, "the step of a loop is not positive: %s", h.told(op.Args[2])).At(op.Pos.String())
			}
			continue
		}
		if h.overflow {
			return fault.New(fault.ErrLimit, k.Name, "a number of the requirement %s is beyond 2^31-1", expression(op.Args[0], 0)).At(op.Pos.String())
		}
		if x == 0 {
			failed := h.failed(op.Args[0])
			return fault.New(fault.ErrShape, k.Name, "the kernel requires %s: %s", expression(failed, 0), h.told(failed)).At(op.Pos.String())
		}
	}
	return nil
}

// hostChecked lists the ops of which a launch checks something: requirements, and loops whose step can be computed before.
// Loops within branches and other loops may never begin.
func (k *Func) hostChecked() (list []*Op) {
	for _, op := range k.Body.Ops {
		switch {
		case op.Kind == OpExit:
			return list // what follows may never be reached
		case op.Kind == OpRequire,
			op.Kind == OpFor && constant(op.Args[2]) == nil && checkHostValue(op.Args[2], map[*Value]bool{}) == nil:
			list = append(list, op)
		}
	}
	return list
}

// hostOperand is what the host computes of such an op.
func hostOperand(op *Op) *Value {
	if op.Kind == OpFor {
		return op.Args[2]
	}
	return op.Args[0]
}

// failed is the part of a condition that does not hold: of what And joins, the first.
func (h *host) failed(cond *Value) *Value {
	if cond.op.Kind == OpAnd {
		for _, a := range cond.op.Args {
			if h.eval(a) == 0 {
				return h.failed(a)
			}
		}
	}
	return cond
}

// told says what the numbers in an expression are: of a comparison both sides, else what it is computed from.
func (h *host) told(v *Value) string {
	parts := []*Value{v}
	if v.typ.Elem == dtype.Bool {
		parts = nil
		if v.op.Kind.Fact().Class == Compare {
			parts = v.op.Args
		} else {
			inputs(v, &parts)
		}
	}
	var texts []string
	for _, p := range parts {
		if constant(p) == nil {
			texts = append(texts, fmt.Sprintf("%s is %d", expression(p, 0), h.eval(p)))
		}
	}
	return strings.Join(texts, " and ")
}

// inputs lists the sizes and scalars that a value is computed from, each once.
func inputs(v *Value, list *[]*Value) {
	if v.op.Kind == OpDim || v.op.Kind == OpArg {
		for _, x := range *list {
			if expression(x, 0) == expression(v, 0) {
				return
			}
		}
		*list = append(*list, v)
	}
	for _, a := range v.op.Args {
		inputs(a, list)
	}
}

// infix are the operators of expressions, with how tightly they bind.
var infix = map[Kind]struct {
	text  string
	level int
}{
	OpOr: {"or", 1}, OpXor: {"xor", 1}, OpAnd: {"and", 2},
	OpEq: {"==", 3}, OpNe: {"!=", 3}, OpLt: {"<", 3}, OpLe: {"<=", 3}, OpGt: {">", 3}, OpGe: {">=", 3},
	OpAdd: {"+", 4}, OpSub: {"-", 4}, OpMul: {"*", 5}, OpDiv: {"/", 5}, OpRem: {"%", 5},
}

// expression prints a value that the host computes as its description wrote it: "x.Dim(0) == 2 * y.Dim(1)". Within an operator
// that binds at a level, looser ones are put in parentheses.
func expression(v *Value, within int) string {
	op := v.op
	switch op.Kind {
	case OpConst:
		if v.typ.Elem == dtype.Bool {
			return fmt.Sprint(op.Number != 0)
		}
		return fmt.Sprint(int64(op.Number))
	case OpDim:
		return fmt.Sprintf("%s.Dim(%d)", op.View.Name, op.Axis)
	case OpArg:
		return op.Scalar.Name
	case OpMultipleOf:
		return expression(op.Args[0], within)
	}
	if i, ok := infix[op.Kind]; ok {
		text := fmt.Sprintf("%s %s %s", expression(op.Args[0], i.level), i.text, expression(op.Args[1], i.level+1))
		if i.level < within {
			text = "(" + text + ")"
		}
		return text
	}
	args := make([]string, len(op.Args))
	for i, a := range op.Args {
		args[i] = expression(a, 0)
	}
	return fmt.Sprintf("%v(%s)", op.Kind, strings.Join(args, ", "))
}
