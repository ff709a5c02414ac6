package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// Cooperative matrices, as SPV_KHR_cooperative_matrix has them: the threads of a subgroup hold the
// elements of a matrix together. target.Caps lists those of a device with Cooperative, and with
// them which elements each thread holds. Kernels declare the instructions that they use
// (Func.Cooperative).
//
// A value of such a type is what one thread holds of a matrix, elements in the order in which the
// instruction's Fragment numbers registers: Extract reads one of them and Compose makes the matrix
// of all, rounding floats to the matrix's element type. Threads that hold copies of an element
// compose it alike. A Const has one number in all elements.
//
// The matrices of an Opaque instruction are distributed as only the device knows, so that kernels for it
// neither extract elements nor compose matrices of them: what a CooperativeStore stores to a shared array is
// loaded from there, and the reverse. Its fragments are those of InRows, by which lowering distributes
// elements that it loads and stores, and the simulated machine has the matrices.
//
// A CooperativeLoad reads a matrix from a shared array: element (i, j) is at the index, the same for
// all threads of a subgroup, plus i times Pitch plus j, or, with Transpose, i plus j times Pitch.
// The index and the pitch are multiples of 16 bytes, or of a line's bytes if it has less (Vulkan
// specification, "VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986").
//
// A CooperativeStore is the inverse. Disjoint is as of SharedStore.
//
// A CooperativeMulAdd is c + a @ b. Products of floats are exact and summed in the type of c, in any
// order; sums of integers wrap.

// MatrixUse is which operand of a CooperativeMulAdd a matrix can be.
type MatrixUse uint8

// The uses. Sums are the operand c and the result.
const (
	NoMatrix MatrixUse = iota
	MatrixA
	MatrixB
	MatrixC
)

// String returns "a", "b" or "c".
func (u MatrixUse) String() string { return [...]string{"none", "a", "b", "c"}[u&3] }

// MatrixShape is the shape of a cooperative matrix and its use.
type MatrixShape struct {
	Use           MatrixUse
	Rows, Columns int
	Of            dtype.Type // of sums, what is multiplied: devices may distribute those of F16 and BF16 differently, and those of U8 are unsigned
}

// String prints "a 16 8" or "c 16 16 of f16".
func (s MatrixShape) String() string {
	text := fmt.Sprintf("%v %d %d", s.Use, s.Rows, s.Columns)
	if s.Use == MatrixC {
		text += fmt.Sprintf(" of %v", s.Of)
	}
	return text
}

// Matrix returns the type of a matrix of an instruction that multiplies elements of a type.
func (m *MatrixInstruction) Matrix(e dtype.Type, use MatrixUse) Type {
	depth := m.Bytes / e.Size()
	switch use {
	case MatrixA:
		return Type{e, m.A.Held(), MatrixShape{Use: use, Rows: m.Rows, Columns: depth}}
	case MatrixB:
		return Type{e, m.B.Held(), MatrixShape{Use: use, Rows: depth, Columns: m.Columns}}
	}
	return Type{m.Sums[e], m.C.Held(), MatrixShape{use, m.Rows, m.Columns, e}}
}

// fragment is how a matrix of a type is distributed over threads, nil if the instruction has none of the type.
func (m *MatrixInstruction) fragment(t Type) *Fragment {
	for e := range m.Sums {
		for _, of := range m.fragments() {
			if m.Matrix(e, of.use) == t {
				return of.fragment
			}
		}
	}
	return nil
}

// CooperativeOf is the instruction that a kernel declares whose matrices have a type, and how their elements
// are distributed; nil if it declares none.
func (k *Func) CooperativeOf(t Type) (*MatrixInstruction, *Fragment) {
	for _, m := range k.Cooperative {
		if f := m.fragment(t); f != nil {
			return m, f
		}
	}
	return nil, nil
}

// DeclareCooperative declares that the kernel uses an instruction.
func (k *Func) DeclareCooperative(m *MatrixInstruction) {
	for _, other := range k.Cooperative {
		if other == m {
			return
		}
	}
	k.Cooperative = append(k.Cooperative, m)
}

// CooperativeLoad appends a load of a matrix of a type, whose rows, or columns if it is transposed, are so many
// elements apart.
func (b *Builder) CooperativeLoad(s *Shared, index *Value, t Type, pitch int, transpose bool) *Value {
	v := b.Emit(&Op{Kind: CooperativeLoad, Shared: s, Args: []*Value{index}, Pitch: pitch, Transpose: transpose}, t)
	v.Hint = s.Name
	return v
}

// CooperativeStore appends a store of a matrix; disjoint is as of SharedStore.
func (b *Builder) CooperativeStore(s *Shared, disjoint int, index, m *Value, pitch int, transpose bool) {
	b.Do(&Op{Kind: CooperativeStore, Shared: s, Disjoint: disjoint, Args: []*Value{index, m}, Pitch: pitch, Transpose: transpose})
}

// CooperativeMulAdd appends c + x @ y.
func (b *Builder) CooperativeMulAdd(x, y, c *Value) *Value {
	v := b.Emit(&Op{Kind: CooperativeMulAdd, Args: []*Value{x, y, c}}, c.Type)
	v.Hint = c.Hint
	return v
}

// ComposeMatrix makes a matrix of a thread's elements, which is the whole matrix that they were extracted from.
func (b *Builder) ComposeMatrix(t Type, elements ...*Value) *Value {
	if v := wholeVector(elements); v != nil && v.Type == t {
		return v
	}
	first := elements[0]
	x, isConst := ConstOf(first)
	for _, y := range elements[1:] {
		isConst = isConst && y == first
	}
	if isConst {
		return b.Const(t, x)
	}
	return b.pure(Compose, t, elements...)
}

// MatrixType is the type of the matrix that a CooperativeLoad or a CooperativeStore moves.
func (op *Op) MatrixType() Type {
	if op.Kind == CooperativeStore {
		return op.Args[1].Type
	}
	return op.Result().Type
}

// IsMatrixAccess reports whether the op loads or stores a cooperative matrix.
func (op *Op) IsMatrixAccess() bool {
	return op.Kind == CooperativeLoad || op.Kind == CooperativeStore
}

// MatrixAlign is how many elements divide the index and the pitch of a CooperativeLoad or a CooperativeStore.
func (op *Op) MatrixAlign() int {
	t := op.MatrixType()
	line := t.Matrix.Columns
	if op.Transpose {
		line = t.Matrix.Rows
	}
	return min(16/t.Elem.Size(), line)
}

// Recomposed is what an op only decomposes or composes again: the vector or the matrix whose elements a Compose has, all in order, or the element
// of a Compose that an Extract has. It is nil for other ops.
func Recomposed(op *Op) *Value {
	switch op.Kind {
	case Compose:
		if v := wholeVector(op.Args); v != nil && v.Type == op.Result().Type {
			return v
		}
	case Extract:
		if x := op.Args[0]; x.Op != nil && x.Op.Kind == Compose && Register(x.Type.Elem) == x.Type.Elem {
			return x.Op.Args[op.Lane]
		}
	}
	return nil
}
