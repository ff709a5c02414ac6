package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Classes of element types that an op takes.
type elemSet struct {
	name string
	has  func(dtype.Type) bool
}

var (
	numbers  = elemSet{"numbers", func(t dtype.Type) bool { return t.IsInt() || t.IsFloat() }}
	floats   = elemSet{"floats", dtype.Type.IsFloat}
	integers = elemSet{"integers", dtype.Type.IsInt}
	words    = elemSet{"u32", func(t dtype.Type) bool { return t == dtype.U32 }}
	signed   = elemSet{"signed numbers", dtype.Type.IsSigned}
	bools    = elemSet{"bool", func(t dtype.Type) bool { return t == dtype.Bool }}
	bits     = elemSet{"bool or integers", func(t dtype.Type) bool { return t == dtype.Bool || t.IsInt() }}
)

func kernelError(op *Op, format string, args ...any) error {
	return fault.New(fault.ErrKernel, op.Kind.String(), format, args...)
}

func shapeError(op *Op, format string, args ...any) error {
	return fault.New(fault.ErrShape, op.Kind.String(), format, args...)
}

// differ is the error of operands that should have one type: ErrKernel if it is their element types that differ.
func differ(op *Op, format string, args ...any) error {
	for _, v := range op.Args {
		if v.typ.Elem != op.Args[0].typ.Elem {
			return kernelError(op, format+", want one type: cast one with Cast", args...)
		}
	}
	return shapeError(op, format+", want one shape", args...)
}

func ruleInvalid(op *Op, _ Type) (Type, error) { return Type{}, kernelError(op, "the op is unknown") }

func ruleConst(op *Op, want Type) (Type, error) {
	e := want.Elem
	if !e.Valid() {
		return Type{}, kernelError(op, "%v is not an element type of values", e)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	if e.IsFloat() {
		return want, nil
	}
	if !dtype.Holds(e, op.Number) {
		return Type{}, kernelError(op, "%v is not a value of %v", op.Number, e)
	}
	return want, nil
}

func ruleGridAxis(op *Op, _ Type) (Type, error) {
	if op.Axis < 0 || op.Axis > 2 {
		return Type{}, kernelError(op, "axis %d of a grid does not exist, want 0 to 2", op.Axis)
	}
	return ScalarOf(dtype.I32), nil
}

func ruleDim(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.Axis < 0 || op.Axis >= op.View.Rank {
		return Type{}, kernelError(op, "axis %d of view %s does not exist", op.Axis, describe(op.View))
	}
	return ScalarOf(dtype.I32), nil
}

func describe(v *View) string {
	if v == nil {
		return "none"
	}
	return v.Name + " of rank " + string(rune('0'+v.Rank))
}

func ruleArg(op *Op, _ Type) (Type, error) {
	if op.Scalar == nil {
		return Type{}, kernelError(op, "the scalar parameter is missing")
	}
	return ScalarOf(op.Scalar.Elem), nil
}

// ruleSame is the rule of element-wise ops: all operands and the result have one type.
func ruleSame(set elemSet) typing {
	return func(op *Op, _ Type) (Type, error) {
		t := op.Args[0].typ
		for _, a := range op.Args[1:] {
			if !a.typ.Equal(t) {
				return Type{}, differ(op, "the operands are %s", typeList(op.Args))
			}
		}
		if !set.has(t.Elem) {
			return Type{}, kernelError(op, "the operand is %v, want %s", t, set.name)
		}
		return t, nil
	}
}

func typeList(vs []*Value) string {
	s := ""
	for i, v := range vs {
		if i > 0 {
			s += " and "
		}
		s += v.typ.String()
	}
	return s
}

func ruleCast(op *Op, want Type) (Type, error) {
	if !want.Elem.Valid() {
		return Type{}, kernelError(op, "a cast to %v is not possible", want.Elem)
	}
	return Type{Elem: want.Elem, Shape: op.Args[0].typ.Shape}, nil
}

func ruleCompare(op *Op, _ Type) (Type, error) {
	x, y := op.Args[0].typ, op.Args[1].typ
	if !x.Equal(y) {
		return Type{}, differ(op, "the operands are %v and %v", x, y)
	}
	if x.Elem == dtype.Bool && op.Kind != OpEq && op.Kind != OpNe {
		return Type{}, kernelError(op, "bool has no order, want Eq or Ne")
	}
	return Type{Elem: dtype.Bool, Shape: x.Shape}, nil
}

func ruleSelect(op *Op, _ Type) (Type, error) {
	c, x, y := op.Args[0].typ, op.Args[1].typ, op.Args[2].typ
	if c.Elem != dtype.Bool {
		return Type{}, kernelError(op, "the condition is %v, want bool", c)
	}
	if x.Elem != y.Elem {
		return Type{}, kernelError(op, "the operands are %s, want a bool and two of one type: cast one with Cast", typeList(op.Args))
	}
	if !x.Equal(y) || c.IsScalar() != x.IsScalar() || !slices.Equal(c.Shape, x.Shape) {
		return Type{}, shapeError(op, "the operands are %s, want one shape", typeList(op.Args))
	}
	return x, nil
}

func ruleSplat(op *Op, want Type) (Type, error) {
	if !op.Args[0].typ.IsScalar() || want.IsScalar() {
		return Type{}, kernelError(op, "%v to %v, want a scalar to a tile", op.Args[0].typ, want)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	return Type{Elem: op.Args[0].typ.Elem, Shape: want.Shape}, nil
}

func ruleBroadcast(op *Op, want Type) (Type, error) {
	from := op.Args[0].typ
	if from.IsScalar() {
		return Type{}, kernelError(op, "%v does not broadcast to shape %v by this op, want splat for a scalar", from, want.Shape)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	if len(from.Shape) != len(want.Shape) {
		return Type{}, shapeError(op, "%v does not broadcast to shape %v: the ranks differ", from, want.Shape)
	}
	for d, n := range from.Shape {
		if n != want.Shape[d] && n != 1 {
			return Type{}, shapeError(op, "%v does not broadcast to shape %v: dimension %d is neither equal nor 1", from, want.Shape, d)
		}
	}
	return Type{Elem: from.Elem, Shape: want.Shape}, nil
}

func ruleReduce(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	if op.Axis < 0 || op.Axis >= len(t.Shape) {
		return Type{}, axisError(op, op.Axis, t)
	}
	set := numbers
	if op.Kind == OpReduceAny || op.Kind == OpReduceAll {
		set = bools
	}
	if !set.has(t.Elem) {
		return Type{}, kernelError(op, "the operand is %v, want %s", t, set.name)
	}
	shape := slices.Clone(t.Shape)
	shape[op.Axis] = 1
	return Type{Elem: t.Elem, Shape: shape}, nil
}

func ruleDot(op *Op, _ Type) (Type, error) {
	a, b, acc := op.Args[0].typ, op.Args[1].typ, op.Args[2].typ
	n := len(a.Shape)
	if n < 2 || n > 3 || len(b.Shape) != n || !slices.Equal(a.Shape[:n-2], b.Shape[:n-2]) || a.Shape[n-1] != b.Shape[n-2] ||
		!slices.Equal(acc.Shape, append(slices.Clone(a.Shape[:n-1]), b.Shape[n-1])) {
		return Type{}, shapeError(op, "a is %v, b is %v, acc is %v, want shapes [M,K], [K,N], [M,N], or [B,M,K], [B,K,N], [B,M,N]", a, b, acc)
	}
	whole := a.Elem == dtype.I8 || a.Elem == dtype.U8
	if a.Elem != b.Elem || !whole && !a.Elem.IsFloat() || acc.Elem != a.Elem.Accumulator() {
		return Type{}, kernelError(op, "a is %v, b is %v, acc is %v, want floats of one type and an f32 acc, for f64 an f64 acc, or i8 or u8 and an i32 acc", a, b, acc)
	}
	allowed := []Precision{IEEE} // integers are exact in any case
	switch a.Elem {
	case dtype.F32:
		allowed = []Precision{IEEE, TF32, TF32x3}
	case dtype.F16, dtype.BF16:
		allowed = []Precision{Float32Accumulate}
	}
	if !slices.Contains(allowed, op.Precision) {
		return Type{}, kernelError(op, "precision %v is not for operands of %v, want one of %v", op.Precision, a.Elem, allowed)
	}
	return acc, nil
}

func ruleLoad(op *Op, want Type) (Type, error) {
	if op.View == nil || op.View.Access&In == 0 {
		return Type{}, kernelError(op, "the view is declared Out, want In or InOut to read it")
	}
	if !op.View.Elem.IsFloat() && !dtype.Holds(op.View.Elem, op.Number) {
		return Type{}, kernelError(op, "fill %v is not a value of %v", op.Number, op.View.Elem)
	}
	t := Type{Elem: op.View.Elem, Shape: want.Shape}
	return t, checkAccess(op, t, op.Args)
}

func ruleStore(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.View.Access&Out == 0 {
		return Type{}, kernelError(op, "the view is declared In, want Out or InOut to write it")
	}
	if len(op.Args) == 0 {
		return Type{}, kernelError(op, "the value is nil")
	}
	t := op.Args[0].typ
	if t.Elem != op.View.Elem {
		return Type{}, kernelError(op, "the value is %v, view %s holds %v: cast it with Cast", t, op.View.Name, op.View.Elem)
	}
	return Type{}, checkAccess(op, t, op.Args[1:])
}

func checkAccess(op *Op, t Type, coords []*Value) error {
	if len(t.Shape) != op.View.Rank || len(coords) != op.View.Rank {
		return shapeError(op, "view %s has rank %d, the tile is %v with %s, want one of each for each dimension", op.View.Name, op.View.Rank, t, fault.Count(len(coords), "coordinate"))
	}
	for _, c := range coords {
		if !c.typ.IsScalar() && c.typ.Elem == dtype.I32 {
			return kernelError(op, "coordinate %v is %v, want a scalar i32; View.At takes tiles of indices", c, c.typ)
		}
		if !c.typ.Equal(ScalarOf(dtype.I32)) {
			return kernelError(op, "coordinate %v is %v, want a scalar i32", c, c.typ)
		}
	}
	return checkShape(op, t.Shape)
}

func ruleFor(op *Op, _ Type) (Type, error) {
	if len(op.Args) < 3 || op.Body == nil || len(op.Out) != len(op.Args)-3 || len(op.Body.Args) != len(op.Args)-2 {
		return Type{}, kernelError(op, "the loop has the wrong number of operands, results or arguments of its body")
	}
	for _, a := range op.Args[:3] {
		if !a.typ.Equal(ScalarOf(dtype.I32)) {
			return Type{}, kernelError(op, "the bounds and the step are %s, want i32", typeList(op.Args[:3]))
		}
	}
	if index := op.Body.Args[0]; !index.typ.Equal(ScalarOf(dtype.I32)) {
		return Type{}, kernelError(op, "index %v is %v, want i32", index, index.typ)
	}
	for i, init := range op.Args[3:] {
		if !op.Out[i].typ.Equal(init.typ) || !op.Body.Args[i+1].typ.Equal(init.typ) {
			return Type{}, shapeError(op, "carried value %d starts as %v and goes on as %v, want one type", i, init.typ, op.Body.Args[i+1].typ)
		}
	}
	return Type{}, nil
}

func ruleYield(*Op, Type) (Type, error) { return Type{}, nil } // checked with its loop

// MaxTileElements bounds the elements of one tile.
const MaxTileElements = 1 << 20

func checkShape(op *Op, shape []int) error {
	if len(shape) > 5 {
		return shapeError(op, "shape %v has too many dimensions, want at most 5", shape)
	}
	n := 1
	for _, s := range shape {
		if s <= 0 || s&(s-1) != 0 || s > MaxTileElements {
			return shapeError(op, "shape %v, want sizes that are powers of two up to %d", shape, MaxTileElements)
		}
		if n *= s; n > MaxTileElements {
			return shapeError(op, "shape %v has too many elements, want at most %d", shape, MaxTileElements)
		}
	}
	return nil
}
