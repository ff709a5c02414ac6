package tile

import "github.com/weftgpu/weft/dtype"

// Hints are promises about values. The compiler may rely on them from their place
// on: where one is broken, what the kernel computes from the value is
// undefined on a GPU. The interpreter checks them and fails with fault.ErrKernel.

// MultipleOf is v, a scalar I32, with the promise that n, a power of two, divides it.
func (v *Value) MultipleOf(n int) *Value {
	return v.b.emit(&Op{Kind: OpMultipleOf, Args: []*Value{v}, Number: float64(n)}, Type{})
}

// Assume promises that a scalar Bool holds. What is understood are comparisons of
// scalars of I32, of numbers too: k.Assume(n.Gt(0).And(n.Lt(m))).
func (k *Builder) Assume(cond *Value) { k.emit(&Op{Kind: OpAssume, Args: []*Value{cond}}, Type{}) }

// Contiguous is v, an I32 tile, with the promise that along its last dimension the elements
// come in runs of n, a power of two: the first of a run is a multiple of n, and each of the
// others is one more than the one before. Points at such indices are read and written by vectors.
func (v *Value) Contiguous(n int) *Value {
	return v.b.emit(&Op{Kind: OpContiguous, Args: []*Value{v}, Number: float64(n)}, Type{})
}

func ruleContiguous(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	if t.IsScalar() || t.Elem != dtype.I32 {
		return Type{}, kernelError(op, "the operand is %v, want a tile of i32", t)
	}
	if n, last := int(op.Number), t.Shape[len(t.Shape)-1]; n < 1 || n&(n-1) != 0 || float64(n) != op.Number || n > last {
		return Type{}, kernelError(op, "%v is not a power of two up to the %d elements of the last dimension", op.Number, last)
	}
	return t, nil
}

func ruleMultipleOf(op *Op, _ Type) (Type, error) {
	if n := int(op.Number); n < 1 || n > 1<<30 || n&(n-1) != 0 || float64(n) != op.Number {
		return Type{}, kernelError(op, "%v is not a power of two up to 2^30", op.Number)
	}
	if t := op.Args[0].typ; !t.Equal(ScalarOf(dtype.I32)) {
		return Type{}, kernelError(op, "the operand is %v, want a scalar i32", t)
	}
	return op.Args[0].typ, nil
}
