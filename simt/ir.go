package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// Type is a register type: Width elements (1, 2 or 4) of Bool, I32, U32, I64, U64, F32 or F64, or a
// thread's elements of a cooperative matrix.
type Type struct {
	Elem   dtype.Type
	Width  int
	Matrix MatrixShape // of a cooperative matrix, zero for scalars and vectors
}

// Scalar returns the type of one element.
func Scalar(e dtype.Type) Type { return Vector(e, 1) }

// Vector returns the type of some elements.
func Vector(e dtype.Type, width int) Type { return Type{Elem: e, Width: width} }

// String prints "f32", "f32x4" or, of a cooperative matrix, "f32x8 c 16 16 of f16".
func (t Type) String() string {
	switch {
	case t.Matrix != MatrixShape{}:
		return fmt.Sprintf("%vx%d %v", t.Elem, t.Width, t.Matrix)
	case t.Width == 1:
		return t.Elem.String()
	}
	return fmt.Sprintf("%vx%d", t.Elem, t.Width)
}

// Register returns the element type that holds values of a memory element type
// in registers.
func Register(e dtype.Type) dtype.Type {
	switch e {
	case dtype.F16, dtype.BF16:
		return dtype.F32
	case dtype.I8, dtype.I16:
		return dtype.I32
	case dtype.U8, dtype.U16:
		return dtype.U32
	}
	return e
}

// Value is the result of an op or an argument of a loop's body.
type Value struct {
	ID   int
	Type Type
	Op   *Op    // nil for an argument of a body
	Hint string // name to print, made unique by the printer; may be empty
}

// Suggest names a value that has no name yet.
func (v *Value) Suggest(hint string) {
	if v.Hint == "" {
		v.Hint = hint
	}
}

// Op is one operation. The fields other than Kind, Args, Out, Body, Else, Line and Note are its attributes: the table of kinds lists those that a kind
// has, and the others are zero.
type Op struct {
	Kind Kind
	Elem dtype.Type // Round16, Unpack, Pack; MMA, GroupMMA: of the operands
	RMW  RMW        // Atomic, SharedAtomic
	// Order is what an Atomic orders: the accesses of its thread, and those of threads that met it at a barrier, to all memory.
	Order MemoryOrder

	Packed    bool // Load, Store, SharedLoad, SharedStore: the value is words of U32, each of several elements
	MNMajor   bool // MatrixPlace: rows in shared memory are MN-major instead of K-major
	Transpose bool // LoadMatrix, StoreMatrix, CooperativeLoad, CooperativeStore
	Uniform   bool // SharedLoad: all threads execute it and read one element
	Buffers   bool // Barrier: it orders accesses to buffers, too
	Async     bool // Barrier: what threads stored in shared memory is visible to GroupMMAs and TensorStores after it
	// Cluster tells of an Arrive that it is at the barriers of all workgroups of a cluster, of a SharedLoad that it is from the array of the other workgroup
	// of a cluster of two, and of a ClusterBarrier that it orders accesses to shared arrays.
	Cluster bool
	Unroll  bool // For: bounds are constants, unroll where the language can ask for it
	// Wraps is set where an index of a For plus the step may leave 32 bits, and the loop ends there; otherwise it is
	// known not to, some steps ahead. Once lowering is done it is set, too, where a Neg, Add, Sub or Mul of signed
	// integers may overflow, and wraps then.
	Wraps bool

	Args []*Value
	Out  []*Value // results; more than one only for For, Branch, While, GroupMMA and GroupWait
	Body *Block   // For, If, Branch, While, Roles
	Else *Block   // Branch, Roles

	// Times is how many iterations of a For are to be written out one after another, where the language can ask for it: what
	// goes from register to register in each iteration is where it was after as many. 0 leaves it to the language.
	Times int

	// What an op accesses.
	Buffer  *Buffer    // Load, Store, Atomic, CopyAsync
	Shared  *Shared    // SharedLoad, SharedStore, SharedAtomic, SharedRank, LoadMatrix, StoreMatrix, CooperativeLoad, CooperativeStore, MatrixPlace, CopyAsync, TensorCopy, TensorStore; the barriers of Expect, Arrive, Wait
	Signals *Shared    // TensorCopy: the barriers
	Map     *TensorMap // TensorCopy, TensorStore

	// What it computes.
	Number   float64 // Const: the value
	Word     int     // Param: which launch word
	Axis     int     // WorkgroupID: of the grid
	Lane     int     // Extract: of the vector
	LaneMask int     // ShuffleXor: the bits in which the numbers of two threads differ

	// How it accesses memory.
	Fill     float64 // Load, SharedLoad, Atomic: the result where the mask is false
	Count    int     // CopyAsync: elements; SharedRank: the lowest bits of indices, in which those of a warp differ
	Matrices int     // GroupMMA: how many matrices, if more than one
	Lead     int     // MatrixPlace: rows in shared memory from one part of the operand to the next, see group.go
	Pitch    int     // CooperativeLoad, CooperativeStore: elements from one row to the next
	// Cost is the wavefronts of one execution of SharedLoad, SharedStore, LoadMatrix, StoreMatrix and CopyAsync by all
	// warps (see package layout), 0 if they are not known.
	Cost int

	// What orders it. Alias is the alias class of Load, Store and Atomic, 0 for none: accesses of one class touch
	// each element by one thread only, and the order of atomic ops of one class does not matter. Unordered is the set
	// of Stores, of Atomics or of SharedAtomics that are one op of the program, 0 for none: their order does not matter. Disjoint is
	// the disjoint write set of Store, SharedStore, StoreMatrix and CooperativeStore, 0 for none: its stores write distinct elements, and with
	// the first of them what a shared array held before is no longer needed.
	Alias, Unordered, Disjoint int
	Pending                    int // CopyWait, GroupWait, StoreWait: groups of copies, GroupMMAs, stores that may be outstanding
	Bytes                      int // Expect
	Multiple                   int // of the terms of an index: a power of two, at most MaxMultiple, that divides the result for sure; 0 if none is known
	// Multicast is not 0 where each workgroup of a cluster copies one part of a TensorCopy for all: 1 and the dimension
	// of the map along which the parts follow each other.
	Multicast int
	// Warpgroup is not 0 where one warpgroup wrote all that a TensorStore stores: 1 and its number.
	Warpgroup int

	// Opaque lists the products of a GroupMMA whose left operands are copied so that compilers of the emitted text do
	// not see that they are the same in each iteration of the loop around.
	Opaque []int

	Line string // the kernel's line, "softmax.go:31", or ""
	Note string // a comment for readers of the emitted code, or ""
}

// Result is the op's first result, nil if it has none.
func (op *Op) Result() *Value {
	if len(op.Out) == 0 {
		return nil
	}
	return op.Out[0]
}

// Blocks lists the op's bodies.
func (op *Op) Blocks() []*Block {
	switch {
	case op.Body == nil:
		return nil
	case op.Else == nil:
		return []*Block{op.Body}
	}
	return []*Block{op.Body, op.Else}
}

// Carried returns the values that a loop starts with and the arguments of its body that
// hold them then; nil for other ops.
func (op *Op) Carried() (initial, params []*Value) {
	switch op.Kind {
	case For:
		return op.Args[3:], op.Body.Args[1:]
	case While:
		return op.Args, op.Body.Args
	}
	return nil, nil
}

// Yields returns what the op's bodies yield for result i.
func (op *Op) Yields(i int) (values []*Value) {
	for _, b := range op.Blocks() {
		values = append(values, b.Yield().Args[i])
	}
	return values
}

// Mask returns the mask of a memory op, nil if it has none.
func (op *Op) Mask() *Value {
	n := 1 // operands before it
	switch op.Kind {
	case Load, SharedLoad:
	case Store, SharedStore, SharedAtomic, CopyAsync:
		n = 2
	case Atomic:
		n = 1 + op.RMW.Operands()
	default:
		return nil
	}
	if len(op.Args) <= n {
		return nil
	}
	return op.Args[n]
}

// MayWrap reports whether the index of a For plus its step may leave 32 bits: a step of 1 only goes up to the loop's end.
func (op *Op) MayWrap() bool {
	step, known := ConstOf(op.Args[2])
	return op.Wraps && !(known && step == 1)
}

// Block is a list of ops. The body of a loop has arguments (of a For the index, then the
// carried values) and ends with a Yield; so do the bodies of a Branch.
type Block struct {
	Args []*Value
	Ops  []*Op
}

// Yield is the last op of a block that gives values.
func (b *Block) Yield() *Op { return b.Ops[len(b.Ops)-1] }

// Buffer is a global array, bound to a tensor's memory at launch.
type Buffer struct {
	Name        string
	Elem        dtype.Type // of memory
	Read, Write bool
	Streamed    bool // the cache of a compute unit need not keep what is loaded: see tile.View
	Declared    Declaration
}

// Declaration is what a language without pointers to other types declares an array as; its Type has no width where that was not chosen.
type Declaration struct {
	Type   Type // of the declared array's elements: words of memory, or vectors of them
	Atomic bool // parts of words are stored, or atomic ops change them
}

// String is the declaration in printed IR, "" for none.
func (d Declaration) String() string {
	if d.Type.Width == 0 {
		return ""
	}
	return " as " + d.Type.String() + given(d.Atomic, " atomic")
}

// Shared is an array that the threads of a workgroup share.
type Shared struct {
	Name string
	Elem dtype.Type // of memory
	Len  int        // elements
	// Stages is the number of stages of a circular buffer, parts of one size that a loop uses cyclically, 0 for another array. The
	// loop's own waits and barriers order the accesses to it.
	Stages int
	// Late says that the array aliases the kernel's pipeline stages, whose use is over when that of the array begins, after
	// a barrier.
	Late bool
	// Arrivals is set for an array of barriers, which are U64: how many arrivals end a phase.
	Arrivals int
	Declared Declaration
	Line     string // the kernel's line that needs it, or ""
	Note     string // what for, or ""
}

// Comment is what emitted code says about the array, or "".
func (s *Shared) Comment() string {
	if s.Note == "" || s.Line == "" {
		return s.Line + s.Note
	}
	return s.Line + ": " + s.Note
}

// Bytes is the size of the array.
func (s *Shared) Bytes() int { return s.Len * s.Elem.Size() }

// Word is a 32-bit launch parameter.
type Word struct {
	Name string
	Elem dtype.Type // I32, U32 or F32
	Size bool       // the size of a view along a dimension: an I32 of 0 or more
}

// Func is one kernel: what a workgroup of Threads threads executes.
type Func struct {
	Name      string
	Threads   int
	Producers int       // threads in addition to those, for Roles
	Consumers int       // groups of Threads threads that execute the consumers' role, each for itself; 0 is one
	Cluster   int       // workgroups that run at one time and reach each other's shared memory, see cluster.go; 0 for none but itself
	Resident  int       // workgroups of a multiprocessor that registers are shared between; 0 leaves it to the device's compiler
	Registers Registers // of the threads of Roles; 0 leaves them alike
	Buffers   []*Buffer // in order of binding
	Maps      []*TensorMap
	// DeviceAddresses says that buffers are reached by their addresses, for they are larger than what a device binds.
	DeviceAddresses bool
	// Cooperative lists the instructions whose cooperative matrices the kernel has.
	Cooperative []*MatrixInstruction
	Words       []Word // in order of launch parameters
	Shared      []*Shared
	Body        *Block
}

// Registers is how many registers each thread of a role has, multiples of 8.
type Registers struct{ Producer, Consumer int }

// LaunchThreads is how many threads a workgroup is started with.
func (k *Func) LaunchThreads() int { return k.ConsumerThreads() + k.Producers }

// ConsumerThreads is how many of them are no producers.
func (k *Func) ConsumerThreads() int { return max(1, k.Consumers) * k.Threads }
