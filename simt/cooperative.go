package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
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
// A CooperativeLoad reads a matrix from a shared array: element (i, j) is at the index, the same for
// all threads of a subgroup, plus i times Pitch plus j, or, with Transpose, i plus j times Pitch.
// The index and the pitch are multiples of 16 bytes, or of a line's bytes if it has less (Vulkan
// specification, "VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986").
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
}

// String prints "c 16 16".
func (s MatrixShape) String() string { return fmt.Sprintf("%v %d %d", s.Use, s.Rows, s.Columns) }

// Matrix returns the type of a matrix of an instruction that multiplies elements of a type.
func (m *MatrixInstruction) Matrix(e dtype.Type, use MatrixUse) Type {
	depth := m.Bytes / e.Size()
	switch use {
	case MatrixA:
		return Type{e, m.A.Held(), MatrixShape{use, m.Rows, depth}}
	case MatrixB:
		return Type{e, m.B.Held(), MatrixShape{use, depth, m.Columns}}
	}
	return Type{m.Sums[e], m.C.Held(), MatrixShape{use, m.Rows, m.Columns}}
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

// MatrixAlign is how many elements divide the index and the pitch of a CooperativeLoad.
func (op *Op) MatrixAlign() int {
	t := op.Result().Type
	line := t.Matrix.Columns
	if op.Transpose {
		line = t.Matrix.Rows
	}
	return min(16/t.Elem.Size(), line)
}

func checkCooperativeLoad(op *Op) error {
	t := op.Result().Type
	switch {
	case op.Shared == nil:
		return errNoShared
	case t.Matrix.Use != MatrixA && t.Matrix.Use != MatrixB || t.Elem != op.Shared.Elem:
		return fmt.Errorf("a matrix %v of an array of %v", t, op.Shared.Elem)
	case op.Pitch < 1 || op.Pitch%op.MatrixAlign() != 0:
		return fmt.Errorf("rows are %d elements apart", op.Pitch)
	}
	return checkPlaces(op, 1)
}

// Recomposed is what an op only takes apart or composes again: the vector or the matrix whose elements a Compose has, all in order, or the element
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

func checkMulAdd(op *Op) error {
	a, b, c := op.Args[0].Type, op.Args[1].Type, op.Args[2].Type
	x, y, sums := a.Matrix, b.Matrix, c.Matrix
	if x.Use != MatrixA || y.Use != MatrixB || sums.Use != MatrixC || op.Result().Type != c || a.Elem != b.Elem ||
		x.Rows != sums.Rows || y.Columns != sums.Columns || x.Columns != y.Rows {
		return fmt.Errorf("the product of %v and %v, and %v, is %v", a, b, c, op.Result().Type)
	}
	return nil
}

// checkInstruction verifies an instruction that a kernel declares: threads and registers reach each element of a matrix.
func checkInstruction(m *MatrixInstruction) error {
	if !m.Cooperative || !isPower(m.Threads) || !isPower(m.Rows) || !isPower(m.Columns) || m.Threads > maxThreads || len(m.Sums) == 0 {
		return fmt.Errorf("matrices of %d threads, %d×%d", m.Threads, m.Rows, m.Columns)
	}
	for e, sums := range m.Sums {
		if !e.Valid() || Register(sums) != sums || !isPower(m.Bytes/e.Size()) || m.Bytes%e.Size() != 0 {
			return fmt.Errorf("sums of %v in %v, %d bytes along K", e, sums, m.Bytes)
		}
		for _, of := range m.fragments() {
			t := m.Matrix(e, of.use)
			across, along := t.Matrix.Rows, t.Matrix.Columns
			if of.use == MatrixB {
				across, along = along, across
			}
			if err := of.fragment.check(t, m.Threads, across, along); err != nil {
				return err
			}
		}
	}
	return nil
}

func isPower(n int) bool { return n > 0 && n&(n-1) == 0 }

// check verifies that a fragment reaches each element of a matrix and nothing else.
func (f Fragment) check(t Type, threads, across, along int) error {
	if 1<<len(f.Threads) != threads || len(f.Registers) > 8 {
		return fmt.Errorf("%v: %d bits of registers and %d of %d threads", t, len(f.Registers), len(f.Threads), threads)
	}
	met := make([]bool, across*along)
	for thread := range threads {
		for register := range f.Held() {
			i, j := f.At(register, thread)
			if i < 0 || i >= across || j < 0 || j >= along {
				return fmt.Errorf("%v: register %d of thread %d is at %d, %d", t, register, thread, i, j)
			}
			met[i*along+j] = true
		}
	}
	for i, found := range met {
		if !found {
			return fmt.Errorf("%v: no thread has %d, %d", t, i/along, i%along)
		}
	}
	return nil
}

// matrices checks that cooperative matrices are of the kernel's instructions and only where matrices can be.
func (v *verifier) matrices(k *Func) error {
	for _, m := range k.Cooperative {
		if m == nil {
			return fault.New(fault.ErrKernel, k.Name, "no instruction")
		}
		if err := checkInstruction(m); err != nil {
			return fault.New(fault.ErrKernel, k.Name, "%v", err).For(m.Name)
		}
		if k.Threads%m.Threads != 0 {
			return fault.New(fault.ErrKernel, k.Name, "%d threads are no subgroups of %d", k.Threads, m.Threads).For(m.Name)
		}
	}
	var err error
	Walk(k.Body, func(op *Op) {
		for _, x := range op.Out {
			if err == nil && x.Type.Matrix != (MatrixShape{}) {
				err = v.matrix(k, op, x.Type)
			}
		}
	})
	return err
}

func (v *verifier) matrix(k *Func, op *Op, t Type) error {
	if m, _ := k.CooperativeOf(t); m == nil {
		return v.fail(op, "the kernel declares no matrices %v", t)
	}
	switch op.Kind {
	case Const, Compose, CooperativeLoad, CooperativeMulAdd, For, While, Branch:
		return nil
	}
	return v.fail(op, "its result is a matrix")
}
