package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Reduce combines the elements of tiles of one shape along an axis, which remains
// with size 1. An element is one scalar of each tile; combine describes, once, how
// two of them become one, by element-wise ops on scalars, among them scalars from
// outside:
//
//	// the largest element and the sum of exp(element - largest), in one pass
//	online := tile.Reduce([]*tile.Value{v, k.Full(dtype.F32, 1, 4, 64)}, 1, func(x, y []*tile.Value) []*tile.Value {
//		top := x[0].Max(y[0])
//		return []*tile.Value{top, x[1].Mul(x[0].Sub(top).Exp()).Add(y[1].Mul(y[0].Sub(top).Exp()))}
//	})
//
// combine must be associative and commutative up to rounding: in which order and
// in which pairs elements are combined is not defined.
func Reduce(values []*Value, axis int, combine func(x, y []*Value) []*Value) []*Value {
	return combined(OpReduce, values, nil, axis, false, combine)
}

// ScanOption changes a scan.
type ScanOption uint8

// The options of scans.
const (
	Reverse   ScanOption = 1 << iota // from the last element to the first: what has the higher coordinate stands before
	Exclusive                        // without the element itself
)

func scanOptions(list []ScanOption) (o ScanOption) {
	for _, x := range list {
		o |= x
	}
	return o
}

// Scan combines along an axis what stands before each element and the element
// itself: element i of the results is elements 0 to i combined, or, with Reverse,
// the last element down to element i. See Reduce for what
// combine is; here it must be associative up to rounding and need not be commutative:
// x always stands before y. In which pairs elements are combined is not defined.
// A scan that is Exclusive needs an identity: see ScanExclusive.
func Scan(values []*Value, axis int, combine func(x, y []*Value) []*Value, options ...ScanOption) []*Value {
	o := scanOptions(options)
	if o&Exclusive != 0 && len(values) > 0 && values[0] != nil {
		values[0].b.failOp(fault.New(fault.ErrKernel, "scan", "an exclusive scan needs an identity: call ScanExclusive"))
	}
	return combined(OpScan, values, nil, axis, o&Reverse != 0, combine)
}

// ScanExclusive is Scan without the element itself: element i of the results is what stands before it
// combined, and the first is identity, one number or scalar for
// each tile. identity is not combined with anything.
func ScanExclusive(values []*Value, identity []Operand, axis int, combine func(x, y []*Value) []*Value, options ...ScanOption) []*Value {
	if len(identity) != len(values) && len(values) > 0 && values[0] != nil {
		values[0].b.failOp(fault.New(fault.ErrKernel, "scan", "%s given for %s, want one for each", fault.Count(len(identity), "identity"), fault.Count(len(values), "tile")))
		identity = make([]Operand, len(values))
	}
	return combined(OpScan, values, identity, axis, scanOptions(options)&Reverse != 0, combine)
}

// IsExclusive reports whether a Scan leaves out the element itself.
func (op *Op) IsExclusive() bool { return op.Kind == OpScan && len(op.Args) == 2*len(op.Out) }

func combined(kind Kind, values []*Value, identity []Operand, axis int, reverse bool, combine func(x, y []*Value) []*Value) []*Value {
	if len(values) == 0 || values[0] == nil {
		return make([]*Value, len(values))
	}
	k, n := values[0].b, len(values)
	axis = axisOf(axis, len(values[0].typ.Shape))
	op := &Op{Kind: kind, Args: slices.Clone(values), Axis: axis, Reverse: reverse, Body: &Region{}, Pos: callerPos()}
	out := make([]*Value, n)
	for i, v := range values {
		if v == nil || !k.owns("", v) || v.typ.Elem == dtype.Invalid {
			k.failOp(fault.New(fault.ErrKernel, kind.String(), "value %d is nil", i).For("values")) // unless it is the result of an earlier error
			for i := range out {
				out[i] = k.newValue(Type{}, nil)
			}
			return out
		}
	}
	if combine == nil {
		k.failOp(fault.New(fault.ErrKernel, kind.String(), "the function is nil").For("combine"))
		for i := range out {
			out[i] = k.newValue(Type{}, nil)
		}
		return out
	}
	for i, x := range identity {
		op.Args = append(op.Args, k.operandAt("identity", i, x, values[i].typ.Elem))
	}
	for range 2 {
		for _, v := range values {
			op.Body.Args = append(op.Body.Args, k.newValue(ScalarOf(v.typ.Elem), nil))
		}
	}
	outer := k.region
	k.region, k.depth = op.Body, k.depth+1
	results := combine(op.Body.Args[:n:n], op.Body.Args[n:])
	k.region, k.depth = outer, k.depth-1
	op.Body.Ops = append(op.Body.Ops, &Op{Kind: OpYield, Args: results, Pos: op.Pos})
	for i, v := range values {
		t := v.typ
		if kind == OpReduce {
			t.Shape = reduced(t.Shape, axis)
		}
		out[i] = k.newValue(t, op)
	}
	op.Out = out
	if err := checkCombine(op); err != nil {
		k.failOp(err.(*fault.Error).At(op.Pos.String()))
		return out
	}
	outer.Ops = append(outer.Ops, op)
	return out
}

// reduced is a shape after a reduction; the op's rule reports an axis that it does not have.
func reduced(shape []int, axis int) []int {
	shape = slices.Clone(shape)
	if axis >= 0 && axis < len(shape) {
		shape[axis] = 1
	}
	return shape
}

// checkCombine checks an op and what its body yields.
func checkCombine(op *Op) error {
	if _, err := ruleCombine(op, Type{}); err != nil {
		return err
	}
	end := op.Body.Ops[len(op.Body.Ops)-1]
	if len(end.Args) != len(op.Out) {
		return kernelError(op, "the combine returns %s for %s, want one for each", fault.Count(len(end.Args), "value"), fault.Count(len(op.Out), "tile"))
	}
	for i, v := range end.Args {
		if want := op.Body.Args[i].typ; v == nil || !v.typ.Equal(want) {
			return kernelError(op, "value %d that the combine returns is %v, want %v", i, describeType(v), want)
		}
	}
	return nil
}

func describeType(v *Value) string {
	if v == nil {
		return "nothing"
	}
	return v.typ.String()
}

func ruleCombine(op *Op, _ Type) (Type, error) {
	n := len(op.Out)
	if n == 0 || op.Body == nil || op.Reverse && op.Kind != OpScan || len(op.Body.Args) != 2*n || len(op.Args) != n && !op.IsExclusive() {
		return Type{}, kernelError(op, "the op has the wrong number of operands, results or arguments of its body")
	}
	first := op.Args[0].typ
	if op.Axis < 0 || op.Axis >= len(first.Shape) {
		return Type{}, axisError(op, op.Axis, first)
	}
	for i, v := range op.Args[:n] {
		want, scalar := v.typ, ScalarOf(v.typ.Elem)
		if !slices.Equal(want.Shape, first.Shape) {
			return Type{}, shapeError(op, "the operands are %s, want tiles of one shape", typeList(op.Args[:n]))
		}
		if op.Kind == OpReduce {
			want.Shape = reduced(want.Shape, op.Axis)
		}
		if !op.Out[i].typ.Equal(want) || !op.Body.Args[i].typ.Equal(scalar) || !op.Body.Args[n+i].typ.Equal(scalar) {
			return Type{}, shapeError(op, "value %d is %v, combined as %v, and becomes %v, want one element type", i, v.typ, op.Body.Args[i].typ, op.Out[i].typ)
		}
		if op.IsExclusive() && !op.Args[n+i].typ.Equal(scalar) {
			return Type{}, kernelError(op, "identity %d is %v, want %v", i, op.Args[n+i].typ, scalar)
		}
	}
	return Type{}, nil
}

// combine verifies a Reduce or a Scan: its body computes scalars from scalars.
func (v *verifier) combine(op *Op) error {
	if _, err := ruleCombine(op, Type{}); err != nil {
		return err
	}
	if _, err := v.body(op, op.Body); err != nil {
		return err
	}
	for _, inner := range op.Body.Ops {
		switch c := inner.Kind.Fact().Class; {
		case inner.Kind == OpYield:
		case inner.Kind != OpConst && c != Unary && c != Binary && c != Compare && c != Ternary:
			return located(inner, kernelError(inner, "the op cannot be in a combine, want element-wise ops"))
		case !inner.Result().typ.IsScalar():
			return located(inner, kernelError(inner, "the result is %v, want a scalar", inner.Result().typ))
		}
	}
	return checkCombine(op)
}

// combine prints a Reduce or a Scan with its body.
func (p *printer) combine(op *Op) {
	n := len(op.Out)
	head := names(op.Out) + " = " + op.Kind.String() + attributes(op) + " " + names(op.Args[:n])
	if op.IsExclusive() {
		head += " from " + names(op.Args[n:])
	}
	p.line(op.Pos, "%s by (%s), (%s) : %s {", head, names(op.Body.Args[:n]), names(op.Body.Args[n:]), typeList(op.Out))
	p.indent++
	p.region(op.Body)
	p.indent--
	p.line(Pos{}, "}")
}

// Widen returns the body of a Reduce or a Scan as it combines many elements at
// once: its values are tiles of a shape in place of scalars, and scalars from outside
// are splat. The op stays what it is.
func (op *Op) Widen(shape ...int) *Region {
	wide := &Region{}
	of := map[*Value]*Value{}
	tiled := func(v *Value, id int, by *Op) *Value {
		return &Value{id: id, typ: TileOf(v.typ.Elem, shape...), op: by, b: v.b}
	}
	for _, a := range op.Body.Args {
		of[a] = tiled(a, a.id, nil)
		wide.Args = append(wide.Args, of[a])
	}
	for _, inner := range op.Body.Ops {
		copied := *inner
		copied.Args, copied.Out = nil, nil
		for _, a := range inner.Args {
			if of[a] == nil {
				splat := &Op{Kind: OpSplat, Args: []*Value{a}, Pos: inner.Pos}
				of[a] = tiled(a, -1-len(of), splat)
				splat.Out = []*Value{of[a]}
				wide.Ops = append(wide.Ops, splat)
			}
			copied.Args = append(copied.Args, of[a])
		}
		for _, v := range inner.Out {
			of[v] = tiled(v, v.id, &copied)
			copied.Out = append(copied.Out, of[v])
		}
		wide.Ops = append(wide.Ops, &copied)
	}
	return wide
}
