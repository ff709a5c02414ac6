package tile

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Kind is the kind of an op. The set is closed: every layer switches over all
// of it, and a test checks that none is forgotten.
type Kind uint8

// The kinds of ops. Element-wise kinds take scalars or tiles of one shape.
const (
	Invalid Kind = iota

	// Leaves.
	OpConst       // a number, as a scalar or as every element of a tile
	OpProgramID   // I32: this program's coordinate in the grid, along Axis
	OpNumPrograms // I32: programs in the grid along Axis
	OpDim         // I32: size of View along Axis
	OpArg         // the scalar parameter Scalar
	OpIota        // I32 tile: each element's coordinate along Axis

	// Element-wise, one operand.
	OpNeg
	OpNot // Bool, or bits of an integer
	OpAbs
	OpExp
	OpExp2
	OpLog
	OpLog2
	OpSqrt
	OpRsqrt
	OpSin
	OpCos
	OpTanh
	OpFloor
	OpCeil
	OpRound   // to the nearest integer, ties to even
	OpErf     // the error function
	OpLog1p   // log(1+x), accurate near 0
	OpExpm1   // exp(x)-1, accurate near 0
	OpSigmoid // 1 / (1 + exp(-x))
	OpIsNaN   // of floats, with a Bool result
	OpCast    // to the element type of the result; float to integer truncates and saturates
	OpBitcast // the same bits as another element type of the same size

	// Element-wise, two operands of one type.
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpRem // integers only
	OpMin
	OpMax
	OpAnd // Bool and integers
	OpOr
	OpXor
	OpShl // integers
	OpShr // integers; arithmetic for signed ones

	// Comparisons of two operands of one type, with a Bool result.
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe

	// Element-wise, three operands.
	OpSelect // cond ? x : y
	OpFMA    // x*y + z, floats, rounded once where the hardware does

	// Shapes.
	OpSplat     // scalar to a tile of equal elements
	OpBroadcast // dimensions of size 1 to larger ones
	OpReshape   // the same elements in row-major order in another shape
	OpPermute   // dimension d of the result is dimension Perm[d] of the operand
	OpJoin      // two tiles along a new last dimension of size 2
	OpSplit     // element Axis of the last dimension, which has size 2 and goes

	// Reductions along Axis, which remains with size 1. Sums of F16 and BF16 accumulate in F32.
	OpReduceSum
	OpReduceMax
	OpReduceMin
	OpReduceProd
	OpReduceAny // of Bool
	OpReduceAll // of Bool

	// Reductions and scans along Axis of several tiles at once by a combine of scalars. The
	// arguments of Body are one element of each tile and then a second one, and it yields the
	// two combined. A Scan keeps the tiles' shape; one with as many scalars more as tiles is
	// exclusive, and these are what its first elements are.
	OpReduce
	OpScan

	// Dot is acc + a @ b for a [M,K], b [K,N], acc [M,N], or all with a batch dimension before, in F32 for floats, in I32 for I8 and U8.
	OpDot

	// Memory. Args are the tile coordinates, one per dimension of View; a Store's value comes first.
	OpLoad
	OpStore

	// Memory by computed indices: see Op.Points.
	OpGather
	OpScatter
	OpAtomic // what RMW says; the result is what the points held before

	// For runs Body for Args[0] <= i < Args[1] in steps of Args[2]; Args[3:] are
	// the carried values' initial values, Out their final ones.
	OpFor
	OpYield

	// If runs Body where the scalar Args[0] holds, else Else; both end with a Yield of Out.
	OpIf
	// While runs Body again and again until its Condition does not hold; Args
	// are the carried values' initial values, Out what the body's arguments hold then.
	OpWhile
	OpCondition // stands once in the body of a While
	OpExit      // ends the program if the scalar Args[0] holds

	// Aids for finding errors, which have no effect on what a kernel computes.
	OpAssert     // Args[0] holds; Text and Args[1:] say what is wrong otherwise
	OpPrint      // Args[0] under the name Text, where all of Args[1:] hold
	OpBreakpoint // shows Args

	// Promises about scalars.
	OpMultipleOf // Number divides the operand, which is the result
	OpAssume     // the operand holds

	NumKinds
)

// Class groups kinds that are handled alike.
type Class uint8

// The classes.
const (
	Leaf Class = iota
	Unary
	Binary
	Compare
	Ternary
	Shape
	Reduction
	Combine
	Matrix
	Memory
	Control
	Debug
	Hint
)

// typing checks an op's operands and attributes and returns the type of its
// result. For ops whose result type is free in part (Const, Cast, Splat,
// Broadcast, Load) want is the type asked for.
type typing func(op *Op, want Type) (Type, error)

// Fact is what there is to know of a kind.
type Fact struct {
	Name  string
	Class Class
	Arity int // operands; -1 if that depends on the op
	rule  typing
}

// facts is filled by init, since the rules print the kinds' names from it.
var facts [NumKinds]Fact

func init() {
	facts = [NumKinds]Fact{
		Invalid:       {"invalid", Leaf, 0, ruleInvalid},
		OpConst:       {"const", Leaf, 0, ruleConst},
		OpProgramID:   {"program_id", Leaf, 0, ruleGridAxis},
		OpNumPrograms: {"num_programs", Leaf, 0, ruleGridAxis},
		OpDim:         {"dim", Leaf, 0, ruleDim},
		OpArg:         {"arg", Leaf, 0, ruleArg},
		OpIota:        {"iota", Leaf, 0, ruleIota},

		OpNeg:     {"neg", Unary, 1, ruleSame(signed)},
		OpNot:     {"not", Unary, 1, ruleSame(bits)},
		OpAbs:     {"abs", Unary, 1, ruleSame(signed)},
		OpExp:     {"exp", Unary, 1, ruleSame(floats)},
		OpExp2:    {"exp2", Unary, 1, ruleSame(floats)},
		OpLog:     {"log", Unary, 1, ruleSame(floats)},
		OpLog2:    {"log2", Unary, 1, ruleSame(floats)},
		OpSqrt:    {"sqrt", Unary, 1, ruleSame(floats)},
		OpRsqrt:   {"rsqrt", Unary, 1, ruleSame(floats)},
		OpSin:     {"sin", Unary, 1, ruleSame(floats)},
		OpCos:     {"cos", Unary, 1, ruleSame(floats)},
		OpTanh:    {"tanh", Unary, 1, ruleSame(floats)},
		OpFloor:   {"floor", Unary, 1, ruleSame(floats)},
		OpCeil:    {"ceil", Unary, 1, ruleSame(floats)},
		OpCast:    {"cast", Unary, 1, ruleCast},
		OpRound:   {"round", Unary, 1, ruleSame(floats)},
		OpErf:     {"erf", Unary, 1, ruleSame(floats)},
		OpLog1p:   {"log1p", Unary, 1, ruleSame(floats)},
		OpExpm1:   {"expm1", Unary, 1, ruleSame(floats)},
		OpSigmoid: {"sigmoid", Unary, 1, ruleSame(floats)},
		OpIsNaN:   {"isnan", Unary, 1, ruleIsNaN},
		OpBitcast: {"bitcast", Unary, 1, ruleBitcast},

		OpAdd: {"add", Binary, 2, ruleSame(numbers)},
		OpSub: {"sub", Binary, 2, ruleSame(numbers)},
		OpMul: {"mul", Binary, 2, ruleSame(numbers)},
		OpDiv: {"div", Binary, 2, ruleSame(numbers)},
		OpRem: {"rem", Binary, 2, ruleSame(integers)},
		OpMin: {"min", Binary, 2, ruleSame(numbers)},
		OpMax: {"max", Binary, 2, ruleSame(numbers)},
		OpAnd: {"and", Binary, 2, ruleSame(bits)},
		OpOr:  {"or", Binary, 2, ruleSame(bits)},
		OpXor: {"xor", Binary, 2, ruleSame(bits)},
		OpShl: {"shl", Binary, 2, ruleSame(integers)},
		OpShr: {"shr", Binary, 2, ruleSame(integers)},

		OpEq: {"eq", Compare, 2, ruleCompare},
		OpNe: {"ne", Compare, 2, ruleCompare},
		OpLt: {"lt", Compare, 2, ruleCompare},
		OpLe: {"le", Compare, 2, ruleCompare},
		OpGt: {"gt", Compare, 2, ruleCompare},
		OpGe: {"ge", Compare, 2, ruleCompare},

		OpSelect: {"select", Ternary, 3, ruleSelect},
		OpFMA:    {"fma", Ternary, 3, ruleSame(floats)},

		OpSplat:     {"splat", Shape, 1, ruleSplat},
		OpBroadcast: {"broadcast", Shape, 1, ruleBroadcast},
		OpReshape:   {"reshape", Shape, 1, ruleReshape},
		OpPermute:   {"permute", Shape, 1, rulePermute},
		OpJoin:      {"join", Shape, 2, ruleJoin},
		OpSplit:     {"split", Shape, 1, ruleSplit},

		OpReduceSum: {"reduce.sum", Reduction, 1, ruleReduce},
		OpReduceMax: {"reduce.max", Reduction, 1, ruleReduce},
		OpReduceMin: {"reduce.min", Reduction, 1, ruleReduce},

		OpReduceProd: {"reduce.prod", Reduction, 1, ruleReduce},
		OpReduceAny:  {"reduce.any", Reduction, 1, ruleReduce},
		OpReduceAll:  {"reduce.all", Reduction, 1, ruleReduce},

		OpReduce: {"reduce", Combine, -1, ruleCombine},
		OpScan:   {"scan", Combine, -1, ruleCombine},

		OpDot: {"dot", Matrix, 3, ruleDot},

		OpLoad:  {"load", Memory, -1, ruleLoad},
		OpStore: {"store", Memory, -1, ruleStore},

		OpGather:  {"gather", Memory, -1, ruleGather},
		OpScatter: {"scatter", Memory, -1, ruleScatter},
		OpAtomic:  {"atomic", Memory, -1, ruleAtomic},

		OpFor:   {"for", Control, -1, ruleFor},
		OpYield: {"yield", Control, -1, ruleYield},

		OpIf:        {"if", Control, -1, ruleIf},
		OpWhile:     {"while", Control, -1, ruleWhile},
		OpCondition: {"condition", Control, -1, ruleOneCondition},
		OpExit:      {"exit", Control, -1, ruleOneCondition},

		OpAssert:     {"assert", Debug, -1, ruleAssert},
		OpPrint:      {"print", Debug, -1, rulePrint},
		OpBreakpoint: {"breakpoint", Debug, -1, ruleBreakpoint},

		OpMultipleOf: {"multiple_of", Hint, 1, ruleMultipleOf},
		OpAssume:     {"assume", Hint, 1, ruleCondition},
	}
}

// Fact returns what there is to know of k.
func (k Kind) Fact() Fact {
	if k >= NumKinds {
		return facts[Invalid]
	}
	return facts[k]
}

// String returns the kind's name in printed IR.
func (k Kind) String() string { return k.Fact().Name }

// HasEffect reports whether an op does more than produce its results.
func (k Kind) HasEffect() bool {
	switch k {
	case OpStore, OpScatter, OpAtomic, OpFor, OpYield, OpIf, OpWhile, OpCondition, OpExit, OpAssert, OpPrint, OpBreakpoint, OpAssume:
		return true
	}
	return false
}

// Classes of element types that an op takes.
type elemSet struct {
	name string
	has  func(dtype.Type) bool
}

var (
	numbers  = elemSet{"numbers", func(t dtype.Type) bool { return t.IsInt() || t.IsFloat() }}
	truths   = elemSet{"bool", func(t dtype.Type) bool { return t == dtype.Bool }}
	floats   = elemSet{"floats", dtype.Type.IsFloat}
	integers = elemSet{"integers", dtype.Type.IsInt}
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

func ruleInvalid(op *Op, _ Type) (Type, error) { return Type{}, kernelError(op, "no such op") }

func ruleConst(op *Op, want Type) (Type, error) {
	e := want.Elem
	if !e.Valid() {
		return Type{}, kernelError(op, "element type %v", e)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	if e.IsFloat() {
		return want, nil
	}
	if !representable(e, op.Number) {
		return Type{}, kernelError(op, "%v is not a value of %v", op.Number, e)
	}
	return want, nil
}

func representable(e dtype.Type, x float64) bool {
	buf, back := make([]byte, 4), make([]float64, 1)
	dtype.PutFloats(e, buf, []float64{x})
	dtype.Floats(e, back, buf)
	return back[0] == x
}

func ruleGridAxis(op *Op, _ Type) (Type, error) {
	if op.Axis < 0 || op.Axis > 2 {
		return Type{}, kernelError(op, "axis %d of a grid of 3 dimensions", op.Axis)
	}
	return ScalarOf(dtype.I32), nil
}

func ruleDim(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.Axis < 0 || op.Axis >= op.View.Rank {
		return Type{}, kernelError(op, "axis %d of view %s", op.Axis, describe(op.View))
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
		return Type{}, kernelError(op, "no scalar parameter")
	}
	return ScalarOf(op.Scalar.Elem), nil
}

// ruleSame is the rule of element-wise ops: all operands and the result have one type.
func ruleSame(set elemSet) typing {
	return func(op *Op, _ Type) (Type, error) {
		t := op.Args[0].typ
		for _, a := range op.Args[1:] {
			if !a.typ.Equal(t) {
				return Type{}, shapeError(op, "operands are %s", typeList(op.Args))
			}
		}
		if !set.has(t.Elem) {
			return Type{}, kernelError(op, "operand is %v, the op takes %s", t, set.name)
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
		return Type{}, kernelError(op, "cast to %v", want.Elem)
	}
	return Type{Elem: want.Elem, Shape: op.Args[0].typ.Shape}, nil
}

func ruleCompare(op *Op, _ Type) (Type, error) {
	x, y := op.Args[0].typ, op.Args[1].typ
	if !x.Equal(y) {
		return Type{}, shapeError(op, "operands are %v and %v", x, y)
	}
	if x.Elem == dtype.Bool && op.Kind != OpEq && op.Kind != OpNe {
		return Type{}, kernelError(op, "bool has no order")
	}
	return Type{Elem: dtype.Bool, Shape: x.Shape}, nil
}

func ruleSelect(op *Op, _ Type) (Type, error) {
	c, x, y := op.Args[0].typ, op.Args[1].typ, op.Args[2].typ
	if c.Elem != dtype.Bool {
		return Type{}, kernelError(op, "condition is %v, want bool", c)
	}
	if !x.Equal(y) || c.IsScalar() != x.IsScalar() || !slices.Equal(c.Shape, x.Shape) {
		return Type{}, shapeError(op, "operands are %s", typeList(op.Args))
	}
	return x, nil
}

func ruleSplat(op *Op, want Type) (Type, error) {
	if !op.Args[0].typ.IsScalar() || want.IsScalar() {
		return Type{}, kernelError(op, "%v to %v", op.Args[0].typ, want)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	return Type{Elem: op.Args[0].typ.Elem, Shape: want.Shape}, nil
}

func ruleBroadcast(op *Op, want Type) (Type, error) {
	from := op.Args[0].typ
	if from.IsScalar() {
		return Type{}, kernelError(op, "%v to shape %v: scalars are splat", from, want.Shape)
	}
	if err := checkShape(op, want.Shape); err != nil {
		return Type{}, err
	}
	if len(from.Shape) != len(want.Shape) {
		return Type{}, shapeError(op, "%v to shape %v: ranks differ", from, want.Shape)
	}
	for d, n := range from.Shape {
		if n != want.Shape[d] && n != 1 {
			return Type{}, shapeError(op, "%v to shape %v: dimension %d is neither equal nor 1", from, want.Shape, d)
		}
	}
	return Type{Elem: from.Elem, Shape: want.Shape}, nil
}

func ruleReduce(op *Op, _ Type) (Type, error) {
	t := op.Args[0].typ
	if op.Axis < 0 || op.Axis >= len(t.Shape) {
		return Type{}, kernelError(op, "axis %d of %v", op.Axis, t)
	}
	set := numbers
	if op.Kind == OpReduceAny || op.Kind == OpReduceAll {
		set = truths
	}
	if !set.has(t.Elem) {
		return Type{}, kernelError(op, "operand is %v, the op takes %s", t, set.name)
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
		return Type{}, shapeError(op, "a is %v, b is %v, acc is %v; want [M,K], [K,N], [M,N], or [B,M,K], [B,K,N], [B,M,N]", a, b, acc)
	}
	whole := a.Elem == dtype.I8 || a.Elem == dtype.U8
	if a.Elem != b.Elem || !whole && (!a.Elem.IsFloat() || acc.Elem != dtype.F32) || whole && acc.Elem != dtype.I32 {
		return Type{}, kernelError(op, "a is %v, b is %v, acc is %v; want floats of one type and an f32 acc, or i8 or u8 and an i32 acc", a, b, acc)
	}
	if whole && op.Precision == IEEE { // exact in any case
		return acc, nil
	}
	if whole || (a.Elem == dtype.F32) != (op.Precision != Float32Accumulate) || op.Precision > Float32Accumulate {
		return Type{}, kernelError(op, "precision %v for %v operands", op.Precision, a.Elem)
	}
	return acc, nil
}

func ruleLoad(op *Op, want Type) (Type, error) {
	if op.View == nil || op.View.Access&In == 0 {
		return Type{}, kernelError(op, "the view is not readable")
	}
	if !op.View.Elem.IsFloat() && !representable(op.View.Elem, op.Number) {
		return Type{}, kernelError(op, "fill %v is not a value of %v", op.Number, op.View.Elem)
	}
	t := Type{Elem: op.View.Elem, Shape: want.Shape}
	return t, checkAccess(op, t, op.Args)
}

func ruleStore(op *Op, _ Type) (Type, error) {
	if op.View == nil || op.View.Access&Out == 0 {
		return Type{}, kernelError(op, "the view is not writable")
	}
	if len(op.Args) == 0 {
		return Type{}, kernelError(op, "no value")
	}
	t := op.Args[0].typ
	if t.Elem != op.View.Elem {
		return Type{}, kernelError(op, "value is %v, view %s holds %v; cast it", t, op.View.Name, op.View.Elem)
	}
	return Type{}, checkAccess(op, t, op.Args[1:])
}

func checkAccess(op *Op, t Type, coords []*Value) error {
	if len(t.Shape) != op.View.Rank || len(coords) != op.View.Rank {
		return shapeError(op, "view %s has rank %d, the tile is %v with %d coordinates", op.View.Name, op.View.Rank, t, len(coords))
	}
	for _, c := range coords {
		if !c.typ.Equal(ScalarOf(dtype.I32)) {
			return kernelError(op, "coordinate %v is %v, want i32", c, c.typ)
		}
	}
	return checkShape(op, t.Shape)
}

func ruleFor(op *Op, _ Type) (Type, error) {
	if len(op.Args) < 3 || op.Body == nil || len(op.Out) != len(op.Args)-3 || len(op.Body.Args) != len(op.Args)-2 {
		return Type{}, kernelError(op, "malformed loop")
	}
	for _, a := range op.Args[:3] {
		if !a.typ.Equal(ScalarOf(dtype.I32)) {
			return Type{}, kernelError(op, "bounds and step are %s, want i32", typeList(op.Args[:3]))
		}
	}
	if index := op.Body.Args[0]; !index.typ.Equal(ScalarOf(dtype.I32)) {
		return Type{}, kernelError(op, "index %v is %v, want i32", index, index.typ)
	}
	for i, init := range op.Args[3:] {
		if !op.Out[i].typ.Equal(init.typ) || !op.Body.Args[i+1].typ.Equal(init.typ) {
			return Type{}, shapeError(op, "carried value %d starts as %v and goes on as %v", i, init.typ, op.Body.Args[i+1].typ)
		}
	}
	return Type{}, nil
}

func ruleYield(*Op, Type) (Type, error) { return Type{}, nil } // checked with its loop

// MaxTileElements bounds the elements of one tile.
const MaxTileElements = 1 << 20

func checkShape(op *Op, shape []int) error {
	if len(shape) > 5 {
		return shapeError(op, "shape %v has more than 5 dimensions", shape)
	}
	n := 1
	for _, s := range shape {
		if s <= 0 || s&(s-1) != 0 || s > MaxTileElements {
			return shapeError(op, "shape %v: sizes of a tile are powers of two up to %d", shape, MaxTileElements)
		}
		if n *= s; n > MaxTileElements {
			return shapeError(op, "shape %v has more than %d elements", shape, MaxTileElements)
		}
	}
	return nil
}
