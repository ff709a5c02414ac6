package tile

import "strings"

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
	OpRem   // integers only
	OpMulHi // the high 32 bits of a product of U32
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
	OpSplit     // element Axis of the last dimension, which has size 2 and is removed
	OpReorder   // element i of Args[0], in row-major order, goes to place Args[1][i] of the result
	OpRank      // how many elements before each are equal to it by Axis bits, of its run of Number elements
	OpTake      // element i is element Args[1][i] of Args[0], in row-major order
	OpHistogram // element i is the sum of those of Args[1] for which the elements of Args[0] are i
	OpPeer      // the tile that the other program of a cluster of two has for the operand
	OpAt        // the element at the scalar indices Args[1:], modulo the sizes, as a scalar

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

	// Dot is acc + a @ b for a [M,K], b [K,N], acc [M,N], or all with a batch dimension before, in F32 for floats, in F64 for F64, in I32 for I8 and U8.
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

	// Promises.
	OpMultipleOf // Number divides the operand, a scalar, which is the result
	OpAssume     // the operand, a scalar, holds
	OpRequire    // the operand, a scalar that the host computes, holds; the launch checks it
	OpContiguous // the operand's elements come in runs of Number along its last dimension (see Value.Contiguous); it is the result

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

// Fact describes a kind.
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

		OpAdd:   {"add", Binary, 2, ruleSame(numbers)},
		OpSub:   {"sub", Binary, 2, ruleSame(numbers)},
		OpMul:   {"mul", Binary, 2, ruleSame(numbers)},
		OpDiv:   {"div", Binary, 2, ruleSame(numbers)},
		OpRem:   {"rem", Binary, 2, ruleSame(integers)},
		OpMulHi: {"mulhi", Binary, 2, ruleSame(words)},
		OpMin:   {"min", Binary, 2, ruleSame(numbers)},
		OpMax:   {"max", Binary, 2, ruleSame(numbers)},
		OpAnd:   {"and", Binary, 2, ruleSame(bits)},
		OpOr:    {"or", Binary, 2, ruleSame(bits)},
		OpXor:   {"xor", Binary, 2, ruleSame(bits)},
		OpShl:   {"shl", Binary, 2, ruleSame(integers)},
		OpShr:   {"shr", Binary, 2, ruleSame(integers)},

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
		OpReorder:   {"reorder", Shape, 2, ruleReorder},
		OpRank:      {"rank", Shape, 1, ruleRank},
		OpTake:      {"take", Shape, 2, ruleTake},
		OpHistogram: {"histogram", Shape, 2, ruleHistogram},
		OpPeer:      {"peer", Shape, 1, rulePeer},
		OpAt:        {"at", Shape, -1, ruleAt},

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
		OpRequire:    {"require", Hint, 1, ruleRequire},
		OpContiguous: {"contiguous", Hint, 1, ruleContiguous},
	}
}

// Fact returns the description of k.
func (k Kind) Fact() Fact {
	if k >= NumKinds {
		return facts[Invalid]
	}
	return facts[k]
}

// String returns the kind's name in printed IR.
func (k Kind) String() string { return k.Fact().Name }

// method is the name by which descriptions call for an op of the kind: that in printed IR, but for a few.
func (k Kind) method() string {
	if k == OpSelect {
		return "where"
	}
	return strings.TrimPrefix(k.String(), "reduce.")
}

// HasEffect reports whether an op does more than produce its results.
func (k Kind) HasEffect() bool {
	switch k {
	case OpStore, OpScatter, OpAtomic, OpFor, OpYield, OpIf, OpWhile, OpCondition, OpExit, OpAssert, OpPrint, OpBreakpoint, OpAssume, OpRequire:
		return true
	}
	return false
}
