package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Histogram adds up weights by bins: element i of the result, a tile of shape [bins], is the sum of the weights of the elements of v, which is of I32, that
// are i. Elements below 0 and from bins on are left out, and so k.Where(mask, v, -1) leaves out those for which a mask does not hold. weight is 1 to count, or another
// number, a scalar, or a tile of v's shape; of I32, U32 or F32, which is the type of the result.
//
//	counts := digits.Histogram(16, 1)
//
// Sums of integers wrap. The order of sums of F32, and so their last bits, differ from run to run.
func (v *Value) Histogram(bins int, weight Operand) *Value {
	k := v.b
	w := k.operands([]string{"weight"}, weight)[0]
	if w.typ.Elem.Valid() && w.typ.IsScalar() && len(v.typ.Shape) > 0 {
		w = k.named("histogram", func() *Value { return w.Splat(v.typ.Shape...) })
	}
	return k.emit(&Op{Kind: OpHistogram, Args: []*Value{v, w}}, Type{Elem: w.typ.Elem, Shape: []int{bins}})
}

func ruleHistogram(op *Op, want Type) (Type, error) {
	v, w := op.Args[0].typ, op.Args[1].typ
	if len(want.Shape) != 1 {
		return Type{}, shapeError(op, "the result has shape %v, want one dimension", want.Shape)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	switch {
	case v.Elem != dtype.I32:
		return Type{}, kernelError(op, "the bins %v are %v, want i32", op.Args[0], v)
	case w.Elem != dtype.I32 && w.Elem != dtype.U32 && w.Elem != dtype.F32:
		return Type{}, kernelError(op, "the weights %v are %v, want i32, u32 or f32", op.Args[1], w)
	case v.IsScalar() || !slices.Equal(v.Shape, w.Shape):
		return Type{}, shapeError(op, "the operands are %s, want a tile and a weight for each of its elements", typeList(op.Args))
	}
	return Type{Elem: w.Elem, Shape: want.Shape}, nil
}
