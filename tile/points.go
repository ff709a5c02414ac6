package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Points are elements of a view at computed indices, one tile of indices for
// each dimension. Indices count elements. Those outside of the view are left
// out: they read as the fill value and are not written.
type Points struct {
	view    *View
	indices []*Value
	mask    *Value // nil for none
	fill    float64
	block   bool        // they are the elements of a block
	order   MemoryOrder // of atomic ops
}

// At selects the elements at I32 indices, one operand for each dimension of the
// view. The operands are broadcast to one shape, as those of arithmetic are:
//
//	x.At(rows, k.Arange(64)).Gather()
//
// If all of them are scalars, the points are one element, and what Gather
// and the atomic ops return is a scalar.
func (v *View) At(indices ...Operand) Points {
	return Points{view: v, indices: v.b.coords("index", indices)}
}

// Mask leaves out the points at which the Bool mask does not hold.
func (p Points) Mask(mask *Value) Points {
	if p.mask != nil {
		mask = p.mask.And(mask)
	}
	p.mask = mask
	return p
}

// Fill returns the points with a number other than zero for those left out; see Block.Fill.
func (p Points) Fill(x Number) Points { p.fill = p.view.b.fill(p.view.Elem, x); return p }

// Gather reads the points.
func (p Points) Gather() *Value {
	return p.view.b.emit(&Op{Kind: OpGather, Order: p.order, View: p.view, Args: p.args(), Number: p.fill, OfBlock: p.block}, Type{})
}

// Scatter writes a value, or a number, to the points. Where several points are
// one element, one of the values is written, whichever.
func (p Points) Scatter(value Operand) {
	k := p.view.b
	k.emit(&Op{Kind: OpScatter, Order: p.order, View: p.view, Args: p.args(k.operand("value", value, p.view.Elem)), OfBlock: p.block}, Type{})
}

// args lists the operands of an op on points, broadcast to one shape: values
// first, then the indices, then the mask.
func (p Points) args(values ...*Value) []*Value {
	list := append(values, p.indices...)
	if p.mask != nil {
		list = append(list, p.mask)
	}
	return alike(list)
}

// alike broadcasts values of any element types to one shape. What cannot be is
// left for the op's rule to report.
func alike(vs []*Value) []*Value {
	var shape []int
	for _, v := range vs {
		if v == nil {
			return vs
		}
		if shape == nil {
			shape = slices.Clone(v.typ.Shape)
		}
		if len(v.typ.Shape) == len(shape) {
			for d, n := range v.typ.Shape {
				shape[d] = max(shape[d], n)
			}
		}
	}
	out := slices.Clone(vs)
	for i, v := range vs {
		switch {
		case v.typ.Elem == dtype.Invalid || slices.Equal(v.typ.Shape, shape):
		case v.typ.IsScalar():
			out[i] = v.Splat(shape...)
		case len(v.typ.Shape) == len(shape) && fits(v.typ.Shape, shape):
			out[i] = v.Broadcast(shape...)
		}
	}
	return out
}

// fits reports whether a shape can be broadcast to a larger one of its rank.
func fits(from, to []int) bool {
	for d, n := range from {
		if n != to[d] && n != 1 {
			return false
		}
	}
	return true
}

// Points returns the operands of an op on points: the values that it takes, the
// indices, one for each dimension of the view, and the mask. The mask is nil if there is none.
func (op *Op) Points() (values, indices []*Value, mask *Value) {
	n := 0
	switch op.Kind {
	case OpScatter:
		n = 1
	case OpAtomic:
		n = op.RMW.Operands()
	}
	rank := op.View.Rank
	if len(op.Args) > n+rank {
		mask = op.Args[n+rank]
	}
	return op.Args[:n], op.Args[n : n+rank], mask
}

func ruleGather(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.View.Access&In == 0 {
		return Type{}, kernelError(op, "the view is declared Out, want In or InOut to read it")
	}
	return rulePoints(op, 0)
}

func ruleScatter(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.View.Access&Out == 0 {
		return Type{}, kernelError(op, "the view is declared In, want Out or InOut to write it")
	}
	_, err := rulePoints(op, 1)
	return Type{}, err
}

// rulePoints checks an op on points with n values and returns the type of what it reads.
func rulePoints(op *Op, n int) (Type, error) {
	if op.Kind != OpAtomic && op.Order != Relaxed {
		return Type{}, kernelError(op, "%v of a %v, want an atomic op: AtomicOr(0) reads, and AtomicExchange writes", op.Order, op.Kind)
	}
	rank := op.View.Rank
	if len(op.Args) < n+rank || len(op.Args) > n+rank+1 {
		return Type{}, shapeError(op, "view %s has rank %d, %s given", op.View.Name, rank, fault.Count(len(op.Args)-n, "index"))
	}
	if !op.View.Elem.IsFloat() && !dtype.Holds(op.View.Elem, op.Number) {
		return Type{}, kernelError(op, "fill %v is not a value of %v", op.Number, op.View.Elem)
	}
	t := Type{Elem: op.View.Elem, Shape: op.Args[0].typ.Shape}
	for i, a := range op.Args {
		elem, what := dtype.I32, "index"
		switch {
		case i < n:
			elem, what = t.Elem, "value"
		case i == n+rank:
			elem, what = dtype.Bool, "mask"
		}
		if a.typ.Elem != elem {
			return Type{}, kernelError(op, "%s %v is %v, want %v", what, a, a.typ, elem)
		}
		if !a.typ.Equal(Type{Elem: elem, Shape: t.Shape}) {
			return Type{}, shapeError(op, "the operands are %s, want one shape", typeList(op.Args))
		}
	}
	return t, nil
}
