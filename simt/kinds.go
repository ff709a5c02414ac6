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
	WarpgroupID // I32: which of the warpgroups that ThreadID counts a thread belongs to
	WorkgroupID // I32: workgroup in the physical grid, along Axis

	// Element-wise, one operand.
	Neg
	Not
	Abs
	BitCount // of U32: how many bits are set
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
	Splat     // scalar to a vector
	Extract   // Lane of a vector
	Unpack    // words of U32 to the elements that they hold of the 8- or 16-bit type Elem, lowest bits first
	Pack      // the inverse: rounds floats to nearest even, truncates integers
	PairFMA   // a*b + c of the pairs of floats of the 16-bit type Elem that words hold, each rounded once
	PickBytes // of the 8 bytes of two words, lowest first, the four that the hexadecimal digits of a third one number, each below 8
	AndXor    // a & b ^ c of words, in one instruction
	Compose   // scalars to a vector

	// Memory. Args: index, [mask] for loads; index, value, [mask] for stores. Masks are scalar.
	Load
	Store
	SharedLoad
	SharedStore
	Atomic       // args: index, value, [value to compare with], [mask]; the result is the old element, Fill where the mask is false
	SharedAtomic // args: index, value, [mask]; on a shared array, for all threads of the workgroup, without a result

	// Threads.
	Barrier        // every thread of the workgroup arrives, and their accesses to shared arrays, with Buffers to those too, are ordered
	ClusterBarrier // all threads of a cluster wait for each other
	Issue          // the loads before it are issued before what follows: a hint to compilers of shaders, which orders nothing, where all threads of a subgroup are
	Ballot         // args: Bool; U32 with the bits of the threads of a warp of 32 for which it holds
	SharedRank     // args: index in a shared array of counts; what is there, to which each thread then adds 1, see atomic.go
	ShuffleXor     // value of the thread whose number differs in the bits of LaneMask, within a subgroup

	// Warps, see matrix.go.
	MMA               // args: a, b, c; c + a @ b for operands of the element type Elem
	LoadMatrix        // args: index; words of a shared array, 8 rows of 16 bytes for each
	StoreMatrix       // args: index, words; the inverse
	GroupMMA          // c + the sum of a @ b for pairs of operands, by a warpgroup, see group.go
	GroupWait         // args: outstanding accumulators; waits for all GroupMMAs but the latest Pending
	OrderBegin        // waits until the previous warpgroup has come to its OrderEnd, see group.go
	OrderEnd          // lets the next warpgroup go on
	MatrixPlace       // args: index; the descriptor of a matrix in a shared array
	CooperativeLoad   // args: index; a cooperative matrix from a shared array, see cooperative.go
	CooperativeStore  // args: index, matrix; the inverse
	CooperativeMulAdd // args: a, b, c; c + a @ b of cooperative matrices
	CopyAsync         // args: index in the shared array, index in the buffer, [mask]; Count elements
	CopyCommit        // makes a group of the copies since the last
	CopyWait          // waits for all groups but the latest Pending

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

	Roles // Body by one thread while the others execute Else; at the end of a kernel

	NumKinds
)

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
	if f.results >= 0 && len(op.Out) != f.results {
		return fmt.Errorf("%d results, want %d", len(op.Out), f.results)
	}
	if err := checkResult(op); err != nil {
		return err
	}
	if op.Shared != nil && op.Shared.Arrivals > 0 && !op.Kind.has(onBarriers) {
		return fmt.Errorf("an access to barriers")
	}
	if f.check == nil {
		return nil
	}
	return f.check(op)
}

// checkResult verifies that registers hold the first result, and the numbers that an op may give.
func checkResult(op *Op) error {
	r := op.Result()
	if r == nil {
		return nil
	}
	isMatrix := r.Type.Matrix != MatrixShape{} // of a type that the kernel declares, see checkMatrices
	if e := r.Type.Elem; !e.Valid() || !isMatrix && (Register(e) != e || r.Type.Width != 1 && r.Type.Width != 2 && r.Type.Width != 4) {
		return fmt.Errorf("result is %v, which no register holds", r.Type)
	}
	for _, x := range [...]float64{op.Number, op.Fill} { // of which a kind has one
		if !holds(r.Type.Elem, x) {
			return fmt.Errorf("%v is not a number of %v", x, r.Type)
		}
	}
	return nil
}

// checkID verifies the number of a thread or of a workgroup.
func checkID(op *Op) error {
	if t := op.Result().Type; t != Scalar(dtype.I32) {
		return fmt.Errorf("result is %v, not i32", t)
	}
	if op.Axis < 0 || op.Axis > 2 {
		return fmt.Errorf("axis %d", op.Axis)
	}
	return nil
}

func checkShuffle(op *Op) error {
	if t := op.Result().Type; t != op.Args[0].Type {
		return fmt.Errorf("result is %v for %v", t, op.Args[0].Type)
	}
	if op.LaneMask < 1 || op.LaneMask > maxShuffle {
		return fmt.Errorf("mask of lanes is %d", op.LaneMask)
	}
	return nil
}

func checkBallot(op *Op) error {
	if t := op.Result().Type; t != Scalar(dtype.U32) {
		return fmt.Errorf("result is %v, not u32", t)
	}
	return checkCondition(op)
}

func checkCondition(op *Op) error {
	if op.Args[0].Type != Scalar(dtype.Bool) {
		return fmt.Errorf("condition is %v", op.Args[0].Type)
	}
	return nil
}

// checkPending verifies a wait for all but a number of copies or stores.
func checkPending(op *Op) error {
	if op.Pending < 0 {
		return fmt.Errorf("waits for all but %d", op.Pending)
	}
	return nil
}

// strange is an attribute that an op has though those of its kind do not.
func strange(op *Op) (a attr, ok bool) {
	var own [numAttrs]bool
	for _, a := range facts[op.Kind].attrs {
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

func checkElementwise(op *Op) error {
	r, args := op.Result().Type, op.Args
	if op.Kind == Select {
		if args[0].Type != (Vector(dtype.Bool, r.Width)) {
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
	case op.Kind == Round16 && args[0].Type.Elem != dtype.F32:
		return fmt.Errorf("rounds %v, want f32", args[0].Type)
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

func checkSplat(op *Op) error {
	if r := op.Result().Type; op.Args[0].Type != Scalar(r.Elem) {
		return fmt.Errorf("splat of %v to %v", op.Args[0].Type, r)
	}
	return nil
}

func checkExtract(op *Op) error {
	if a := op.Args[0].Type; op.Result().Type != Scalar(Register(a.Elem)) || op.Lane < 0 || op.Lane >= a.Width {
		return fmt.Errorf("lane %d of %v", op.Lane, a)
	}
	return nil
}

func checkCompose(op *Op) error {
	r := op.Result().Type
	if len(op.Args) != r.Width {
		return fmt.Errorf("%d operands for %v", len(op.Args), r)
	}
	for _, a := range op.Args {
		if a.Type != Scalar(Register(r.Elem)) {
			return fmt.Errorf("operand is %v, not of %v", a.Type, r)
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
	if op.Kind == Store || op.Kind == SharedStore || op.Kind == SharedAtomic {
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
	if op.LoadsBits() {
		return nil
	}
	if value.Type.Elem != Register(elem) {
		return fmt.Errorf("value is %v, memory holds %v", value.Type, elem)
	}
	switch op.Kind {
	case Atomic:
		return checkAtomic(op, elem)
	case SharedAtomic:
		return checkSharedAtomic(op, elem)
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
