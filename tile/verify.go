package tile

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Verify checks a kernel: operands are defined before their use and in scope,
// types follow the rules of the ops, loops are well formed, and the grid is
// computable before launch. Lowering and the interpreter rely on it.
func Verify(k *Func) error {
	return (&verifier{kernel: k, seen: map[any]bool{}}).run()
}

type verifier struct {
	kernel *Func
	scope  []map[*Value]bool // values visible in each enclosing region
	seen   map[any]bool      // regions and values so far; each stands in one place
}

func (v *verifier) run() error {
	if len(v.kernel.Body.Args) != 0 {
		return fault.New(fault.ErrKernel, v.kernel.Name, "the body of the kernel has arguments")
	}
	if err := v.region(v.kernel.Body, nil); err != nil {
		return err
	}
	for _, view := range v.kernel.Views {
		if view.Cleared && view.Access != InOut {
			return fault.New(fault.ErrKernel, "view "+view.Name, "the view is cleared, and so read and written, but declared %v", view.Access)
		}
		if view.Streamed && view.Access != In {
			return fault.New(fault.ErrKernel, "view "+view.Name, "the view is streamed, and so only read, but declared %v", view.Access)
		}
	}
	for axis, g := range v.kernel.Grid {
		if g == nil {
			continue
		}
		if err := checkGrid(axis, g); err != nil {
			return err
		}
	}
	return nil
}

// twice reports whether a region or a value came before.
func (v *verifier) twice(x any) bool {
	before := v.seen[x]
	v.seen[x] = true
	return before
}

func (v *verifier) visible(x *Value) bool {
	return slices.ContainsFunc(v.scope, func(s map[*Value]bool) bool { return s[x] })
}

// region checks a body; of is the op that it belongs to, nil for the kernel's.
func (v *verifier) region(r *Region, of *Op) error {
	defined := map[*Value]bool{}
	for _, a := range r.Args {
		defined[a] = true
	}
	v.scope = append(v.scope, defined)
	defer func() { v.scope = v.scope[:len(v.scope)-1] }()
	for i, op := range r.Ops {
		if op.Kind == OpYield && (i != len(r.Ops)-1 || of == nil) {
			return located(op, kernelError(op, "a yield is not at the end of a body"))
		}
		if op.Kind == OpCondition && (of == nil || of.Kind != OpWhile) || (op.Kind == OpExit || op.Kind == OpRequire) && of != nil {
			return located(op, kernelError(op, "the op cannot be in this body"))
		}
		if op.Kind == OpPeer && (of != nil || v.kernel.Schedule.Cluster != 2 || slices.ContainsFunc(r.Ops, func(op *Op) bool { return op.Kind == OpExit })) {
			return located(op, kernelError(op, "programs exchange tiles in clusters of two, outside of loops and conditions, in kernels without an exit"))
		}
		if err := v.op(op); err != nil {
			return located(op, err)
		}
		for _, out := range op.Out {
			if out.op != op || v.twice(out) {
				return located(op, kernelError(op, "result %v belongs to another op", out))
			}
			defined[out] = true
		}
	}
	return nil
}

// located puts an op's line into an error that has none.
func located(op *Op, err error) error {
	if e, ok := err.(*fault.Error); ok && e.Pos == "" {
		e.Pos = op.Pos.String()
	}
	return err
}

func (v *verifier) op(op *Op) error {
	fact := op.Kind.Fact()
	if op.Kind == Invalid || op.Kind >= NumKinds {
		return kernelError(op, "the op is unknown")
	}
	if fact.Arity >= 0 && len(op.Args) != fact.Arity {
		return kernelError(op, "%s given, want %d", fault.Count(len(op.Args), "operand"), fact.Arity)
	}
	if op.View != nil && !v.owns(op.View) || op.Scalar != nil && !slices.Contains(v.kernel.Scalars, op.Scalar) {
		return kernelError(op, "the parameter belongs to another kernel")
	}
	for i, a := range op.Args {
		if a == nil || a.typ.Elem == dtype.Invalid {
			return kernelError(op, "operand %d is nil", i)
		}
		if !v.visible(a) {
			return kernelError(op, "%v is used outside of the loop or If that defines it; carry it out with a Var", a)
		}
	}
	switch {
	case op.Kind == OpFor || op.Kind == OpWhile || op.Kind == OpIf:
		return v.block(op)
	case fact.Class == Combine && op.Else == nil:
		return v.combine(op)
	}
	if op.Body != nil || op.Else != nil {
		return kernelError(op, "the op has a body, want one of loops, conditions, reductions and scans")
	}
	want := Type{}
	if len(op.Out) == 1 {
		want = op.Out[0].typ
	}
	got, err := fact.rule(op, want)
	if err != nil {
		return err
	}
	if len(op.Out) > 1 || (got.Elem == dtype.Invalid) != (len(op.Out) == 0) || len(op.Out) == 1 && !got.Equal(want) {
		return kernelError(op, "the result is %v, want %v", want, got)
	}
	return nil
}

// block checks an op with bodies.
func (v *verifier) block(op *Op) error {
	if _, err := op.Kind.Fact().rule(op, Type{}); err != nil {
		return err
	}
	if op.Else != nil && op.Kind != OpIf {
		return kernelError(op, "the loop has an else, which only an if has")
	}
	for _, body := range op.Regions() {
		end, err := v.body(op, body)
		if err != nil {
			return err
		}
		if len(end.Args) != len(op.Out) {
			return kernelError(op, "the body yields %s, want %d", fault.Count(len(end.Args), "value"), len(op.Out))
		}
		for i, a := range end.Args {
			if !a.typ.Equal(op.Out[i].typ) {
				return shapeError(op, "carried value %d is %v, the body yields %v, want one type", i, op.Out[i].typ, a.typ)
			}
		}
	}
	if op.Kind == OpWhile {
		n := 0
		for _, inner := range op.Body.Ops {
			if inner.Kind == OpCondition {
				n++
			}
		}
		if n != 1 {
			return kernelError(op, "the body has %s, want 1", fault.Count(n, "condition"))
		}
	}
	return nil
}

// body verifies a body of an op and returns its yield.
func (v *verifier) body(op *Op, body *Region) (*Op, error) {
	if v.twice(body) {
		return nil, kernelError(op, "the body belongs to another op")
	}
	for _, a := range body.Args {
		if a.op != nil || v.twice(a) {
			return nil, kernelError(op, "argument %v belongs to another op", a)
		}
	}
	if err := v.region(body, op); err != nil {
		return nil, err
	}
	n := len(body.Ops)
	if n == 0 || body.Ops[n-1].Kind != OpYield {
		return nil, kernelError(op, "the body does not end with a yield")
	}
	return body.Ops[n-1], nil
}

// owns reports whether a view is the one that the kernel has at its index.
func (v *verifier) owns(view *View) bool {
	return view.Index >= 0 && view.Index < len(v.kernel.Views) && v.kernel.Views[view.Index] == view
}

// checkGrid checks that a grid dimension depends on sizes, scalars and numbers alone.
func checkGrid(axis int, g *Value) error {
	err := checkHostValue(g, map[*Value]bool{})
	if !g.typ.Equal(ScalarOf(dtype.I32)) {
		err = fmt.Errorf("its type is %v, want i32", g.typ)
	}
	if err != nil {
		return fault.New(fault.ErrKernel, "grid", "dimension %d is not valid", axis).Because(err)
	}
	return nil
}

// checkHostValue checks a value and what it is computed from, each once.
func checkHostValue(v *Value, seen map[*Value]bool) error {
	if seen[v] {
		return nil
	}
	seen[v] = true
	if v.op == nil {
		return fmt.Errorf("%v varies within the kernel, want sizes, scalars and numbers", v)
	}
	switch c := v.op.Kind.Fact().Class; {
	case v.op.Kind == OpConst || v.op.Kind == OpDim || v.op.Kind == OpArg || v.op.Kind == OpMultipleOf:
	case c == Binary || c == Compare || c == Ternary:
	default:
		return fmt.Errorf("%v (%v) cannot be computed before the launch", v, v.op.Kind)
	}
	if v.typ.Elem != dtype.I32 && v.typ.Elem != dtype.Bool {
		return fmt.Errorf("%v is %v, want i32", v, v.typ)
	}
	for _, a := range v.op.Args {
		if err := checkHostValue(a, seen); err != nil {
			return err
		}
	}
	return nil
}
