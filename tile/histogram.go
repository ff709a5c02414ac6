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

// Rank is, for each element of v, which is of I32, how many of the elements before it are equal to it, of the run of adjacent elements in row-major order
// that it is in, and by the lowest bits alone, so many: the number of bins is 1<<bits, and run a power of two. With the number of elements that go before a run's of
// each bin, it gives the places of a stable sort by bins, for Reorder.
func (v *Value) Rank(run, bits int) *Value {
	return v.b.emit(&Op{Kind: OpRank, Args: []*Value{v}, Axis: bits, Number: float64(run)}, Type{})
}

// maxRankBits is the most bits by which elements are compared.
const maxRankBits = 16

func ruleRank(op *Op, _ Type) (Type, error) {
	t, run := op.Args[0].typ, int(op.Number)
	switch {
	case t.Elem != dtype.I32 || t.IsScalar():
		return Type{}, kernelError(op, "the operand is %v, want a tile of i32", t)
	case op.Axis < 1 || op.Axis > maxRankBits:
		return Type{}, kernelError(op, "%d bits, want 1 to %d", op.Axis, maxRankBits)
	case run < 1 || run&(run-1) != 0 || run > t.Len():
		return Type{}, kernelError(op, "runs of %d elements of %v, want a power of two up to all of them", run, t)
	}
	return t, nil
}

// Take picks elements of a tile: element i of the result is element at[i] of v, in row-major order. at is of I32 and counts modulo the
// number of elements of v; the result has its shape.
func (v *Value) Take(at *Value) *Value {
	return v.b.emit(&Op{Kind: OpTake, Args: []*Value{v, at}}, Type{})
}

func ruleTake(op *Op, _ Type) (Type, error) {
	v, at := op.Args[0].typ, op.Args[1].typ
	switch {
	case at.Elem != dtype.I32:
		return Type{}, kernelError(op, "the places %v are %v, want i32", op.Args[1], at)
	case v.IsScalar() || at.IsScalar():
		return Type{}, shapeError(op, "the operands are %s, want a tile and a tile of places", typeList(op.Args))
	}
	return Type{Elem: v.Elem, Shape: at.Shape}, nil
}
