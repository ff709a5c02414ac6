package simt

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
)

func checkCooperativeLoad(op *Op) error { return checkMatrixAccess(op, op.Result().Type) }

func checkCooperativeStore(op *Op) error {
	t := op.Args[1].Type
	if t.Matrix.Use == NoMatrix {
		return fmt.Errorf("a store of %v", t)
	}
	return checkMatrixAccess(op, t)
}

func checkMatrixAccess(op *Op, t Type) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case t.Matrix.Use == NoMatrix || t.Elem != op.Shared.Elem:
		return fmt.Errorf("a matrix %v of an array of %v", t, op.Shared.Elem)
	case op.Pitch < 1 || op.Pitch%op.MatrixAlign() != 0:
		return fmt.Errorf("rows are %d elements apart", op.Pitch)
	}
	return checkPlaces(op, 1)
}

func checkMulAdd(op *Op) error {
	a, b, c := op.Args[0].Type, op.Args[1].Type, op.Args[2].Type
	x, y, sums := a.Matrix, b.Matrix, c.Matrix
	if x.Use != MatrixA || y.Use != MatrixB || sums.Use != MatrixC || op.Result().Type != c || a.Elem != b.Elem || a.Elem != sums.Of ||
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
	if m.Opaque && len(m.Sums) != 1 {
		return fmt.Errorf("opaque matrices of %d types", len(m.Sums))
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
			if m.Opaque && !of.fragment.equal(InRows(across, along, m.Threads)) {
				return fmt.Errorf("opaque matrices %v with a fragment", t)
			}
		}
	}
	return nil
}

func (f Fragment) equal(g Fragment) bool {
	return slices.Equal(f.Registers, g.Registers) && slices.Equal(f.Threads, g.Threads)
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
