package tile

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/weftgpu/weft/dtype"
)

// Type is the type of a value: an element type and, for tiles, a shape of
// powers of two. An empty Shape is a scalar.
type Type struct {
	Elem  dtype.Type
	Shape []int
}

// ScalarOf and TileOf make types.
func ScalarOf(e dtype.Type) Type { return Type{Elem: e} }

// TileOf returns the type of a tile.
func TileOf(e dtype.Type, shape ...int) Type { return Type{Elem: e, Shape: slices.Clone(shape)} }

// IsScalar reports whether the type has no shape.
func (t Type) IsScalar() bool { return len(t.Shape) == 0 }

// Len is the number of elements, 1 for a scalar.
func (t Type) Len() int {
	n := 1
	for _, s := range t.Shape {
		n *= s
	}
	return n
}

// Equal reports whether two types are the same.
func (t Type) Equal(u Type) bool {
	return t.Elem == u.Elem && t.IsScalar() == u.IsScalar() && slices.Equal(t.Shape, u.Shape)
}

// String prints "f32" or "f32[1,1024]".
func (t Type) String() string {
	if t.IsScalar() {
		return t.Elem.String()
	}
	dims := make([]string, len(t.Shape))
	for i, s := range t.Shape {
		dims[i] = fmt.Sprint(s)
	}
	return t.Elem.String() + "[" + strings.Join(dims, ",") + "]"
}

// Value is the result of an op or an argument of a loop body. Its methods
// append ops to the kernel under construction.
type Value struct {
	id  int
	typ Type
	op  *Op // defining op; nil for an argument of a region
	b   *Builder
}

// ID numbers the value within its kernel, in order of creation.
func (v *Value) ID() int { return v.id }

// Builder is the builder of the value's kernel, for functions that get only values and need a
// loop or a branch.
func (v *Value) Builder() *Builder { return v.b }

// Type returns the value's type.
func (v *Value) Type() Type { return v.typ }

// Op returns the op that defines v, nil for an argument of a loop body.
func (v *Value) Op() *Op { return v.op }

// String prints the value's name, "v7".
func (v *Value) String() string { return fmt.Sprintf("v%d", v.id) }

// Precision is the least that a Dot is allowed to compute with. A backend may
// give more, never less: of those for F32 operands, IEEE gives at least what TF32x3 asks for, and that at least what TF32 does.
type Precision uint8

// The precisions.
const (
	IEEE              Precision = iota // F32 operands are not rounded; products and sums are IEEE F32
	TF32                               // F32 operands may be rounded to 10 bits of mantissa, or taken in parts: see below
	Float32Accumulate                  // F16 or BF16 operands, products exact, sums in F32

	// TF32x3 lets a product of F32 operands be the sum of three products of their parts in TF32: an operand is its
	// rounding to TF32 and what that leaves, and the product of what both leave is dropped. A product is then within 2^-20 of
	// its magnitude, instead of TF32's 2^-9, for operands between 2^-116 and 2^127 in magnitude; smaller ones lose up to
	// 2^-136 each, and infinities may give NaN (Ootomo and Yokota, Recovering Single Precision Accuracy from Tensor
	// Cores While Surpassing the FP32 Theoretical Peak Performance, 2022).
	//
	// TF32, too, lets a product be the sum of three products of parts, but in BF16: for devices that multiply those alone. It is then within 2^-13 of
	// its magnitude, exact where BF16 holds both operands, for operands of 2^-110 and more; smaller ones lose up to 2^-126 each. Infinities and NaN are kept.
	TF32x3
)

// String returns the precision's name.
func (p Precision) String() string {
	if p > TF32x3 {
		return "invalid"
	}
	return [...]string{"ieee", "tf32", "f32acc", "tf32x3"}[p]
}

// Op is one operation of the IR.
type Op struct {
	Kind      Kind
	Args      []*Value
	Out       []*Value    // results; more than one only for For, If, While, Reduce and Scan
	Body      *Region     // For, If, While, Reduce, Scan
	Else      *Region     // If
	View      *View       // Load, Store, Gather, Scatter, Atomic, Dim
	Scalar    *Scalar     // Arg
	Axis      int         // ProgramID, NumPrograms, Dim, Iota, Reduce*, Scan; Split: which element
	Reverse   bool        // Scan: from the last element to the first
	Perm      []int       // Permute
	Number    float64     // Const: the value; MultipleOf: the divisor; Load, Gather, Atomic: the fill value
	Precision Precision   // Dot
	RMW       RMW         // Atomic
	Order     MemoryOrder // Atomic: what it orders
	OfBlock   bool        // Gather, Scatter, Atomic: the points are a block's; those beyond the view's edges are left out on purpose
	Text      string      // Assert: the message; Print: the name
	Run       int         // Gather, Scatter: points of one access, neighbours along Axis; 0 where that is not known
	ByElement bool        // Load, Store: the coordinates are offsets that count elements, not tiles
	Inside    uint8       // of ops on blocks and points: bit d is set if all are known to be within the view along dimension d
	InRange   uint8       // Load, Store: bit d is set if the coordinate times the block's size is known to fit 32 bits along dimension d
	Pos       Pos
}

// Result is the op's first result, nil if it has none.
func (op *Op) Result() *Value {
	if len(op.Out) == 0 {
		return nil
	}
	return op.Out[0]
}

// Region is a list of ops with arguments: the body of a kernel, of a loop or of a
// combine (see OpReduce).
//
// The body of a For has as arguments the index and then the carried values; it
// ends with a Yield of the carried values of the next iteration; that of a While
// has the carried values alone. The bodies of an If have no arguments and end with a
// Yield of its results. The body of a kernel has no arguments and no Yield.
type Region struct {
	Args []*Value
	Ops  []*Op
}

// Access says how a kernel uses a view.
type Access uint8

// The accesses.
const (
	In    Access = 1 << iota // read only
	Out                      // written only
	InOut = In | Out
)

// String returns "in", "out" or "inout".
func (a Access) String() string { return [...]string{"none", "in", "out", "inout"}[a] }

// View is a tensor parameter of a kernel: element type and rank are fixed, sizes,
// strides and offset are given at launch.
type View struct {
	Name   string
	Elem   dtype.Type
	Rank   int
	Access Access
	// Cleared says that a launch sets all elements to zero before the first program
	// runs: programs add to them (see Block.Accumulate).
	Cleared bool
	// Streamed says that few programs, and no thread twice, read an element of a view that the kernel does not write: the cache of a
	// compute unit need not keep what is loaded. It is a hint, which changes no result.
	Streamed bool
	Index    int // position among the kernel's views
	Pos      Pos
	b        *Builder
}

// Scalar is a scalar parameter of a kernel: I32, U32 or F32.
type Scalar struct {
	Name  string
	Elem  dtype.Type
	Index int // position among the kernel's scalars
	Pos   Pos
}

// Func is one kernel as verified tile IR.
type Func struct {
	Name     string
	Views    []*View
	Scalars  []*Scalar
	Grid     [3]*Value // programs in each dimension, scalar I32 values of the body; nil means 1
	Schedule Schedule
	// SchedulePos is the line that set the schedule.
	SchedulePos Pos
	Body        *Region
	// Config is what the description was given, if anything: for readers, not part of the meaning.
	Config any

	groups []*Value // tiles of a group of an Order, where the host can compute them
	print  sync.Once
	text   string // what String returns, once it was asked for
	edited bool   // an Editor's copy, which may still change: its text is made anew each time
	hash   sync.Once
	sum    [sha256.Size]byte // what Hash returns
}

// AccessType is the type of the tile that a Load or Store moves.
func (op *Op) AccessType() Type {
	if op.Kind == OpStore {
		return op.Args[0].Type()
	}
	return op.Result().Type()
}
