package tile

import (
	"github.com/weftgpu/weft/dtype"
)

// At is the element of a tile at I32 indices, one for each dimension, as a scalar; meant for
// small tiles, such as the result of a reduction. A computed index counts modulo the
// dimension's size; a Go number must be within it.
//
//	total := v.Sum(1).Sum(0).At(0, 0)
func (v *Value) At(indices ...Operand) *Value {
	op := &Op{Kind: OpAt, Args: append([]*Value{v}, v.b.coords("index", indices)...)}
	for d, x := range indices {
		if n := dtype.NumberOf(x); n.Kind == dtype.IntNumber && d < len(v.typ.Shape) && (n.Negative || n.Magnitude >= uint64(v.typ.Shape[d])) {
			v.b.failOp(shapeError(op, "index %v is outside of dimension %d of %v", x, d, v.typ))
			return v.b.newValue(Type{}, nil)
		}
	}
	return v.b.emit(op, Type{})
}

func ruleAt(op *Op, _ Type) (Type, error) {
	if len(op.Args) == 0 || op.Args[0].typ.IsScalar() || len(op.Args) != 1+len(op.Args[0].typ.Shape) {
		return Type{}, shapeError(op, "the operands are %s, want a tile and an index for each dimension", typeList(op.Args))
	}
	for _, i := range op.Args[1:] {
		if !i.typ.Equal(ScalarOf(dtype.I32)) {
			return Type{}, kernelError(op, "index %v is %v, want i32", i, i.typ)
		}
	}
	return ScalarOf(op.Args[0].typ.Elem), nil
}
