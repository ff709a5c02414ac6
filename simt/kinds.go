package simt

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/dtype"
)

// Kind is the kind of an op; the set is closed.
type Kind uint8

// The kinds of ops. Element-wise kinds take scalars or vectors of one width.
const (
	Invalid Kind = iota

	// Leaves.
	Const       // Number in every lane of the result type; infinities and NaN included
	Param       // launch parameter Word
	ThreadID    // I32: thread within the workgroup, or within its group of consumers where there are several
	ConsumerID  // I32: which group of consumers a thread belongs to, in their role
	WorkgroupID // I32: workgroup in the physical grid, along Axis

	// Element-wise, one operand.
	Neg
	Not
	Abs
	Exp
	Exp2
	Log
	Log2
	Sqrt
	Rsqrt
	Sin
	Cos
	Tanh
	Floor
	Ceil
	Round // to the nearest integer, ties to even
	Erf
	Log1p   // log(1+x), accurate near 0
	Expm1   // exp(x)-1, accurate near 0
	Convert // to the result's element type; float to integer truncates and saturates; to Bool is x != 0
	Bitcast // the same bits as another element type of the same size
	Round16 // F32 rounded to the nearest F16 or BF16 (Elem), kept in F32

	// Element-wise, two operands.
	Add
	Sub
	Mul
	Div
	Rem
	MulHi // the high 32 bits of a product of U32
	Min
	Max
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	// Element-wise, three operands.
	Select // condition (Bool of the same width), value where true, value where false
	FMA    // a*b + c

	// Vectors.
	Splat   // scalar to a vector
	Extract // Lane of a vector
	Unpack  // words of U32 to the elements that they hold of the 8- or 16-bit type Elem, lowest bits first
	Pack    // the inverse: rounds floats to nearest even, truncates integers
	Compose // scalars to a vector

	// Memory. Args: index, [mask] for loads; index, value, [mask] for stores. Masks are scalar.
	Load
	Store
	SharedLoad
	SharedStore
	Atomic // args: index, value, [value to compare with], [mask]; the result is the old element, Fill where the mask is false

	// Threads.
	Barrier        // every thread of the workgroup arrives, and their accesses to shared arrays, with Buffers to those too, are ordered
	ClusterBarrier // all threads of a cluster wait for each other
	ShuffleXor     // value of the thread whose number differs in the bits of LaneMask, within a subgroup

	// Warps, see matrix.go.
	MMA         // args: a, b, c; c + a @ b for operands of the element type Elem
	LoadMatrix  // args: index; words of a shared array, 8 rows of 16 bytes for each
	StoreMatrix // args: index, words; the inverse
	GroupMMA    // c + the sum of a @ b for pairs of operands, by a warpgroup, see group.go
	GroupWait   // args: sums on their way; waits for all GroupMMAs but the latest Pending
	MatrixPlace // args: index; where a matrix lies in a shared array
	CopyAsync   // args: index in the shared array, index in the buffer, [mask]; Count elements
	CopyCommit  // makes a group of the copies since the last
	CopyWait    // waits for all groups but the latest Pending

	// Copies by the hardware, see tensormap.go.
	TensorCopy  // args: index in the shared array, index of the barrier, coordinates
	TensorStore // args: index in the shared array, coordinates
	StoreWait   // waits for all TensorStores but the latest Pending
	Expect      // args: index of the barrier; arrives and expects Bytes
	Arrive      // args: index of the barrier, [condition]; each warp arrives, if a condition holds that is the same in all
	Wait        // args: index of the barrier, parity

	// Control.
	For   // i from Args[0] while i < Args[1] in steps of Args[2]; Args[3:] initial carried values
	Yield // ends a loop's body with the next carried values
	If    // Body if the scalar Args[0] holds; no results
	Exit  // ends the workgroup if the scalar Args[0], which is uniform, holds

	// Control that all threads pass alike, so that barriers may stand in it: conditions are uniform.
	Branch // Body if the scalar Args[0] holds, else Else; both end with a Yield of the results
	While  // Body again and again, up to its one Break; Args: initial carried values, the results are what the body's arguments hold at the Break
	Break  // leaves the While in whose body it stands if the scalar Args[0] holds

	Roles // Body by one thread beside the others, which execute Else; at the end of a kernel

	NumKinds
)

// operands that a kind takes, by element type.
type operand uint8

const (
	anyElem  operand = iota
	floatOp          // F32
	intOp            // I32, U32, I64, U64
	bitsOp           // Bool and integers
	numberOp         // integers and F32
	signedOp         // I32, I64, F32
	wordOp           // U32
)

type fact struct {
	name  string
	arity int // -1: depends
	elem  operand
}

var facts = [NumKinds]fact{
	Invalid: {"invalid", 0, anyElem},
	Const:   {"const", 0, anyElem}, Param: {"param", 0, anyElem}, ThreadID: {"thread", 0, anyElem}, ConsumerID: {"consumer", 0, anyElem}, WorkgroupID: {"workgroup", 0, anyElem},
	Neg: {"neg", 1, signedOp}, Not: {"not", 1, bitsOp}, Abs: {"abs", 1, signedOp},
	Exp: {"exp", 1, floatOp}, Exp2: {"exp2", 1, floatOp}, Log: {"log", 1, floatOp}, Log2: {"log2", 1, floatOp},
	Sqrt: {"sqrt", 1, floatOp}, Rsqrt: {"rsqrt", 1, floatOp}, Sin: {"sin", 1, floatOp}, Cos: {"cos", 1, floatOp},
	Tanh: {"tanh", 1, floatOp}, Floor: {"floor", 1, floatOp}, Ceil: {"ceil", 1, floatOp},
	Round: {"round", 1, floatOp}, Erf: {"erf", 1, floatOp}, Log1p: {"log1p", 1, floatOp}, Expm1: {"expm1", 1, floatOp},
	Convert: {"convert", 1, anyElem}, Bitcast: {"bitcast", 1, anyElem}, Round16: {"round16", 1, floatOp},
	Add: {"add", 2, numberOp}, Sub: {"sub", 2, numberOp}, Mul: {"mul", 2, numberOp}, Div: {"div", 2, numberOp}, Rem: {"rem", 2, intOp}, MulHi: {"mulhi", 2, wordOp},
	Min: {"min", 2, numberOp}, Max: {"max", 2, numberOp}, And: {"and", 2, bitsOp}, Or: {"or", 2, bitsOp}, Xor: {"xor", 2, bitsOp},
	Shl: {"shl", 2, intOp}, Shr: {"shr", 2, intOp},
	Eq: {"eq", 2, anyElem}, Ne: {"ne", 2, anyElem}, Lt: {"lt", 2, numberOp}, Le: {"le", 2, numberOp}, Gt: {"gt", 2, numberOp}, Ge: {"ge", 2, numberOp},
	Select: {"select", 3, anyElem}, FMA: {"fma", 3, floatOp},
	Splat: {"splat", 1, anyElem}, Extract: {"extract", 1, anyElem}, Unpack: {"unpack", 1, anyElem}, Pack: {"pack", 1, anyElem}, Compose: {"compose", -1, anyElem},
	Load: {"load", -1, anyElem}, Store: {"store", -1, anyElem}, SharedLoad: {"shared.load", -1, anyElem}, SharedStore: {"shared.store", -1, anyElem},
	Atomic:  {"atomic", -1, anyElem},
	Barrier: {"barrier", 0, anyElem}, ClusterBarrier: {"cluster.barrier", 0, anyElem}, ShuffleXor: {"shuffle.xor", 1, anyElem},
	MMA: {"mma", 3, anyElem}, LoadMatrix: {"load.matrix", 1, anyElem}, StoreMatrix: {"store.matrix", 2, anyElem},
	GroupMMA: {"group.mma", -1, anyElem}, GroupWait: {"group.wait", -1, anyElem}, MatrixPlace: {"matrix.place", 1, anyElem},
	CopyAsync: {"copy.async", -1, anyElem}, CopyCommit: {"copy.commit", 0, anyElem}, CopyWait: {"copy.wait", 0, anyElem},
	TensorCopy: {"tensor.copy", -1, anyElem}, TensorStore: {"tensor.store", -1, anyElem}, StoreWait: {"store.wait", 0, anyElem}, Expect: {"barrier.expect", 1, anyElem}, Arrive: {"barrier.arrive", -1, anyElem}, Wait: {"barrier.wait", 2, anyElem},
	For: {"for", -1, anyElem}, Yield: {"yield", -1, anyElem}, If: {"if", 1, anyElem}, Exit: {"exit", 1, anyElem},
	Branch: {"branch", 1, anyElem}, While: {"while", -1, anyElem}, Break: {"break", 1, anyElem}, Roles: {"roles", 0, anyElem},
}

// String returns the kind's name in printed IR.
func (k Kind) String() string {
	if k >= NumKinds {
		k = Invalid
	}
	return facts[k].name
}

// IsCompare reports whether the result is Bool for operands of another type.
func (k Kind) IsCompare() bool { return k >= Eq && k <= Ge }

// IsElementwise reports whether the op works lane by lane.
func (k Kind) IsElementwise() bool { return k >= Neg && k <= FMA }

// IsPure reports whether the op's result depends on its operands alone, so
// that it may be dropped, merged with an equal one, or printed where it is used.
func (k Kind) IsPure() bool {
	return k >= Const && k <= Compose
}

// HasEffect reports whether an op does something beside computing its results, so that it must stay where nothing uses those; what is in the bodies of
// loops and conditions has effects of its own.
func (op *Op) HasEffect() bool {
	switch op.Kind {
	case Store, SharedStore, StoreMatrix, Atomic, Barrier, Exit, Break, CopyAsync, CopyCommit, CopyWait,
		TensorCopy, TensorStore, StoreWait, Expect, Arrive, Wait, ClusterBarrier:
		return true
	case GroupWait: // for products whose sums it does not give
		return len(op.Out) == 0
	}
	return false
}

// Expr is equal for pure ops that compute the same value.
type Expr struct {
	kind             Kind
	t                Type
	number           uint64 // its bits: 0 and -0 are two constants
	word, axis, lane int
	elem             dtype.Type
	args             [4]*Value
}

// Expr says what a pure op computes.
func (op *Op) Expr() Expr {
	e := Expr{kind: op.Kind, t: op.Result().Type, number: math.Float64bits(op.Number), word: op.Word, axis: op.Axis, lane: op.Lane, elem: op.Elem}
	copy(e.args[:], op.Args)
	return e
}

func (o operand) accepts(e dtype.Type) bool {
	switch o {
	case floatOp:
		return e == dtype.F32
	case intOp:
		return e.IsInt()
	case bitsOp:
		return e == dtype.Bool || e.IsInt()
	case numberOp:
		return e != dtype.Bool
	case signedOp:
		return e.IsSigned()
	case wordOp:
		return e == dtype.U32
	}
	return true
}

// maxShuffle is the largest mask of lanes: the largest subgroups have 128 threads.
const maxShuffle = 127

// check verifies one op by itself, without its surroundings.
func check(op *Op) error {
	if op.Kind == Invalid || op.Kind >= NumKinds {
		return fmt.Errorf("no such op")
	}
	f := facts[op.Kind]
	if f.arity >= 0 && len(op.Args) != f.arity {
		return fmt.Errorf("%d operands, want %d", len(op.Args), f.arity)
	}
	for _, a := range op.Args {
		if !f.elem.accepts(a.Type.Elem) {
			return fmt.Errorf("operand is %v", a.Type)
		}
	}
	if a, ok := strange(op); ok {
		return fmt.Errorf("it has an attribute %v", attributes[a].name)
	}
	if err := checkResults(op); err != nil {
		return err
	}
	if r := op.Result(); r != nil {
		if e := r.Type.Elem; Register(e) != e || !e.Valid() || r.Type.Width != 1 && r.Type.Width != 2 && r.Type.Width != 4 {
			return fmt.Errorf("result is %v, which no register holds", r.Type)
		}
	}
	if op.Shared != nil && op.Shared.Arrivals > 0 && (op.Kind < Expect || op.Kind > Wait) {
		return fmt.Errorf("an access to barriers")
	}
	for _, x := range [...]float64{op.Number, op.Fill} { // of which a kind has one
		if r := op.Result(); r != nil && !holds(r.Type.Elem, x) {
			return fmt.Errorf("%v is not a number of %v", x, r.Type)
		}
	}
	switch {
	case op.Kind == ThreadID || op.Kind == ConsumerID || op.Kind == WorkgroupID:
		if t := op.Result().Type; t != Scalar(dtype.I32) {
			return fmt.Errorf("result is %v, not i32", t)
		}
		if op.Axis < 0 || op.Axis > 2 {
			return fmt.Errorf("axis %d", op.Axis)
		}
	case op.Kind == ShuffleXor:
		if t := op.Result().Type; t != op.Args[0].Type {
			return fmt.Errorf("result is %v for %v", t, op.Args[0].Type)
		}
		if op.LaneMask < 1 || op.LaneMask > maxShuffle {
			return fmt.Errorf("mask of lanes is %d", op.LaneMask)
		}
	case op.Kind.IsElementwise():
		return checkElementwise(op)
	case op.Kind == Splat || op.Kind == Extract || op.Kind == Compose:
		return checkVector(op)
	case op.Kind == Unpack || op.Kind == Pack:
		return checkPacked(op)
	case op.Kind >= Load && op.Kind <= Atomic:
		return checkMemory(op)
	case op.Kind == GroupMMA:
		return checkGroup(op)
	case op.Kind == GroupWait:
		return checkGroupWait(op)
	case op.Kind == MatrixPlace:
		return checkPlace(op)
	case op.Kind >= TensorCopy && op.Kind <= Wait:
		return checkTensor(op)
	case op.Kind >= MMA && op.Kind <= CopyWait:
		return checkMatrix(op)
	case op.Kind == If || op.Kind == Exit || op.Kind == Branch || op.Kind == Break:
		if op.Args[0].Type != Scalar(dtype.Bool) {
			return fmt.Errorf("condition is %v", op.Args[0].Type)
		}
	}
	return nil
}

// strange is an attribute that an op has though those of its kind do not.
func strange(op *Op) (a attr, ok bool) {
	var own [numAttrs]bool
	for _, a := range attrsOf[op.Kind] {
		own[a] = true
	}
	for a := range numAttrs {
		if !own[a] && attributes[a].set(op) {
			return a, true
		}
	}
	return 0, false
}

// holds reports whether a number is one of an element type; floats are rounded to theirs.
func holds(e dtype.Type, x float64) bool {
	switch {
	case e == dtype.Bool:
		return x == 0 || x == 1
	case !e.IsInt():
		return true
	case e.IsSigned():
		limit := math.Ldexp(1, 8*e.Size()-1)
		return x == math.Trunc(x) && x >= -limit && x < limit
	}
	return x == math.Trunc(x) && x >= 0 && x < math.Ldexp(1, 8*e.Size())
}

// checkResults verifies how many results an op has; those of loops are as many
// as their carried values.
func checkResults(op *Op) error {
	want := 0
	switch {
	case op.Kind == For || op.Kind == Branch || op.Kind == While || op.Kind == GroupMMA || op.Kind == GroupWait:
		return nil
	case op.Kind.IsPure() || op.Kind == Load || op.Kind == SharedLoad || op.Kind == Atomic || op.Kind == ShuffleXor || op.Kind == MMA || op.Kind == LoadMatrix || op.Kind == MatrixPlace:
		want = 1
	}
	if len(op.Out) != want {
		return fmt.Errorf("%d results, want %d", len(op.Out), want)
	}
	return nil
}

func checkElementwise(op *Op) error {
	r, args := op.Result().Type, op.Args
	if op.Kind == Select {
		if args[0].Type != (Type{dtype.Bool, r.Width}) {
			return fmt.Errorf("condition is %v for %v", args[0].Type, r)
		}
		args = args[1:]
	}
	for _, a := range args[1:] {
		if a.Type != args[0].Type {
			return fmt.Errorf("operands are %v and %v", args[0].Type, a.Type)
		}
	}
	switch {
	case op.Kind == Round16 && op.Elem != dtype.F16 && op.Elem != dtype.BF16:
		return fmt.Errorf("rounds to %v", op.Elem)
	case op.Kind == Bitcast && (args[0].Type.Elem == dtype.Bool || r.Elem == dtype.Bool || args[0].Type.Elem.Size() != r.Elem.Size()):
		return fmt.Errorf("bits of %v as %v", args[0].Type, r)
	}
	want := args[0].Type
	switch {
	case op.Kind.IsCompare():
		want.Elem = dtype.Bool
	case op.Kind == Convert || op.Kind == Bitcast:
		want.Elem = r.Elem
	}
	if r != want {
		return fmt.Errorf("result is %v, want %v", r, want)
	}
	return nil
}

func checkVector(op *Op) error {
	r := op.Result().Type
	switch op.Kind {
	case Splat:
		if op.Args[0].Type != Scalar(r.Elem) {
			return fmt.Errorf("splat of %v to %v", op.Args[0].Type, r)
		}
	case Extract:
		if a := op.Args[0].Type; r != Scalar(a.Elem) || op.Lane < 0 || op.Lane >= a.Width {
			return fmt.Errorf("lane %d of %v", op.Lane, a)
		}
	case Compose:
		if len(op.Args) != r.Width {
			return fmt.Errorf("%d operands for %v", len(op.Args), r)
		}
		for _, a := range op.Args {
			if a.Type != Scalar(r.Elem) {
				return fmt.Errorf("operand is %v, not of %v", a.Type, r)
			}
		}
	}
	return nil
}

func checkMemory(op *Op) error {
	var elem dtype.Type
	switch {
	case op.Kind == Load || op.Kind == Store || op.Kind == Atomic:
		if op.Buffer == nil || op.Kind != Store && !op.Buffer.Read || op.Kind != Load && !op.Buffer.Write {
			return fmt.Errorf("no buffer, or not for this access")
		}
		elem = op.Buffer.Elem
	default:
		if op.Shared == nil {
			return errNoShared
		}
		elem = op.Shared.Elem
	}
	n := 1
	value := op.Result()
	if op.Kind == Store || op.Kind == SharedStore {
		n = 2
		if len(op.Args) >= 2 {
			value = op.Args[1]
		}
	}
	if op.Kind == Atomic {
		n += op.RMW.Operands()
	}
	if len(op.Args) < n || len(op.Args) > n+1 || value == nil {
		return fmt.Errorf("%d operands, want %d and perhaps a mask", len(op.Args), n)
	}
	if err := checkPlaces(op, 1); err != nil {
		return err
	}
	if op.Packed {
		return checkWords(value.Type, elem)
	}
	if value.Type.Elem != Register(elem) {
		return fmt.Errorf("value is %v, memory holds %v", value.Type, elem)
	}
	if op.Kind == Atomic {
		return checkAtomic(op, elem)
	}
	return nil
}

var errNoShared = fmt.Errorf("no shared array")

// checkPlaces verifies the first n operands of an access, which are indices, and its mask.
func checkPlaces(op *Op, n int) error {
	for _, a := range op.Args[:n] {
		if a.Type != Scalar(dtype.I32) {
			return fmt.Errorf("index is %v", a.Type)
		}
	}
	if m := op.Mask(); m != nil && m.Type != Scalar(dtype.Bool) {
		return fmt.Errorf("mask is %v", m.Type)
	}
	return nil
}
