package tile

import (
	"iter"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Var is a variable that loops carry from one iteration to the next: what a
// loop's body sets is what the next iteration, and the code after the loop, gets.
type Var struct {
	value *Value
	k     *Builder
}

// Var makes a variable with its initial value.
func (k *Builder) Var(init *Value) *Var {
	if init == nil {
		k.fail(fault.New(fault.ErrKernel, "var", "the initial value is nil"))
		init = k.newValue(Type{}, nil)
	}
	if !k.owns("var", init) {
		init = k.newValue(Type{}, nil)
	}
	v := &Var{value: init, k: k}
	k.vars = append(k.vars, v)
	return v
}

// Get is the variable's value at this point of the kernel.
func (v *Var) Get() *Value { return v.value }

// Set changes the variable's value from this point on; the type must not change.
func (v *Var) Set(x *Value) {
	if x == nil {
		v.k.fail(fault.New(fault.ErrKernel, "set", "the value is nil"))
		return
	}
	if !v.k.owns("set", x) || x.typ.Elem == dtype.Invalid {
		return // reported where it arose
	}
	if v.value.typ.Elem != dtype.Invalid && !x.typ.Equal(v.value.typ) {
		kind := fault.ErrShape
		if x.typ.Elem != v.value.typ.Elem {
			kind = fault.ErrKernel
		}
		v.k.fail(fault.New(kind, "set", "the variable is %v, the new value %v, want one type", v.value.typ, x.typ))
		return
	}
	v.value = x
}

// Range describes a loop for i = 0, 1, … n-1, for use with Go's range statement:
//
//	acc := k.Var(k.Zeros(dtype.F32, 64, 64))
//	for i := range k.Range(n) {
//		acc.Set(tile.Dot(a.Load(row, i), b.Load(i, col), acc.Get(), tile.IEEE))
//	}
//
// The Go body runs once, to describe the loop's body; break and return in it
// are errors.
func (k *Builder) Range(n Operand) iter.Seq[*Value] { return k.RangeStep(0, n, 1) }

// RangeStep describes a loop for i = lo, lo+step, … while i < hi. It ends where i would not fit 32 bits. step must be
// positive: a launch checks it if it is computed from sizes and scalars and the loop stands outside of
// others; otherwise the interpreter does, and GPUs make no iteration.
func (k *Builder) RangeStep(lo, hi, step Operand) iter.Seq[*Value] {
	name := calledOp() // Range and others call RangeStep
	return func(yield func(*Value) bool) {
		bounds := make([]*Value, 3)
		k.named(name, func() *Value {
			bounds[0], bounds[1], bounds[2] = k.operand("lo", lo, dtype.I32), k.operand("hi", hi, dtype.I32), k.operand("step", step, dtype.I32)
			return nil
		})
		op := &Op{Kind: OpFor, Args: bounds, Body: &Region{}, Pos: callerPos()}
		for _, b := range bounds {
			if b.typ.Elem == dtype.Invalid {
				return
			}
		}
		if c := constant(bounds[2]); c != nil && *c <= 0 {
			k.fail(fault.New(fault.ErrKernel, name, "the step is %v, want more than 0", *c).At(op.Pos.String()))
			return
		}
		outer, vars := k.region, k.vars
		index := k.newValue(ScalarOf(dtype.I32), nil)
		before, args := k.enterLoop(vars)
		k.region, k.depth = op.Body, k.depth+1
		if !yield(index) {
			k.fail(fault.New(fault.ErrKernel, name, "the loop is left by break or return; its body runs once, to be described").At(op.Pos.String()))
			return
		}
		k.depth--
		k.closeLoop(name, op, outer, index, vars, before, args)
	}
}

// enterLoop gives the variables values of the loop's body and returns those and
// what they held before.
func (k *Builder) enterLoop(vars []*Var) (before, args []*Value) {
	for _, v := range vars {
		before = append(before, v.value)
		v.value = k.newValue(v.value.typ, nil)
		args = append(args, v.value)
	}
	return before, args
}

// closeLoop ends a loop's body: variables that it set become carried values,
// the others keep the value that they had before the loop. Its errors have the name by which the description called for the loop.
func (k *Builder) closeLoop(name string, op *Op, outer *Region, index *Value, vars []*Var, before, args []*Value) {
	if index != nil {
		op.Body.Args = []*Value{index}
	}
	end := &Op{Kind: OpYield, Pos: op.Pos}
	op.Body.Ops = append(op.Body.Ops, end)
	var carried []*Var
	for i, v := range vars {
		if v.value != args[i] {
			op.Args = append(op.Args, before[i])
			op.Body.Args = append(op.Body.Args, args[i])
			end.Args = append(end.Args, v.value)
			carried = append(carried, v)
		}
	}
	for i, v := range vars { // the body may have set a variable to what another one held
		if v.value == args[i] {
			replaceUses(op.Body, args[i], before[i])
			v.value = before[i]
		}
	}
	k.region, k.vars = outer, vars // variables made in the body end with it
	for _, v := range carried {
		out := k.newValue(v.value.typ, op)
		op.Out = append(op.Out, out)
		v.value = out
	}
	if _, err := op.Kind.Fact().rule(op, Type{}); err != nil {
		e := err.(*fault.Error).At(op.Pos.String())
		e.Op = name
		k.fail(e)
		return
	}
	outer.Ops = append(outer.Ops, op)
}

// replaceUses replaces a value in all operands of a region, nested ones included.
func replaceUses(r *Region, from, to *Value) {
	for _, op := range r.Ops {
		for i, a := range op.Args {
			if a == from {
				op.Args[i] = to
			}
		}
		for _, body := range op.Regions() {
			replaceUses(body, from, to)
		}
	}
}

// constant returns the number of a scalar constant, nil for other values.
func constant(v *Value) *float64 {
	if v.op != nil && v.op.Kind == OpConst && v.typ.IsScalar() {
		return &v.op.Number
	}
	return nil
}
